"""The operations about players: accounts, their tokens, their matches."""

from typing import Final

from schema import wire, wire_players, wire_views
from schema.operation import BOTH, MATCH, NDJSON, OF_BOX, OF_MATCH, OF_STORE, SSE, Operation

REGISTER_PLAYER: Final = Operation(
    "registerPlayer",
    "POST",
    "/players",
    "players",
    "Open an account for a player; needed for invitations and for a stream of one's own",
    wire_players.RegisteredView,
    status=201,
    body=wire_players.RegisterPlayer,
    own_bucket="create",
    own_codes=(*OF_STORE, "registration_closed", "invite_refused", "name_taken"),
)
SHOW_PLAYER: Final = Operation(
    "showPlayer",
    "GET",
    "/players/{player_id:str}",
    "players",
    "A player as everybody sees it",
    wire_players.PlayerView,
    own_codes=(*OF_STORE, "no_such_player"),
)
SHOW_ME: Final = Operation(
    "showMe",
    "GET",
    "/me",
    "players",
    "The player whose API token is sent, and what the token may do",
    wire_players.MeView,
    bearer="player",
    scope="read",
    own_codes=OF_STORE,
)
LIST_TOKENS: Final = Operation(
    "listTokens",
    "GET",
    "/me/tokens",
    "players",
    "One's own API tokens, without what is secret",
    wire_players.TokenList,
    bearer="player",
    scope="account",
    own_codes=OF_STORE,
)
CREATE_TOKEN: Final = Operation(
    "createToken",
    "POST",
    "/me/tokens",
    "players",
    "A further API token, with some scopes and an expiry",
    wire_players.NewTokenView,
    status=201,
    body=wire_players.CreateToken,
    bearer="player",
    scope="account",
    own_bucket="create",
    own_codes=(*OF_STORE, "too_many_tokens"),
)
REVOKE_TOKEN: Final = Operation(
    "revokeToken",
    "DELETE",
    "/me/tokens/{token_id:str}",
    "players",
    "Revoke an API token, at once; those that are left are answered",
    wire_players.TokenList,
    query=wire.NoQuery,
    bearer="player",
    scope="account",
    own_codes=(*OF_STORE, "no_such_token", "busy"),
)
LIST_OWN_MATCHES: Final = Operation(
    "listOwnMatches",
    "GET",
    "/me/matches",
    "players",
    "Matches that one plays, has played or is invited to, newest first",
    wire_players.OwnMatchPage,
    query=wire_players.OwnMatchesQuery,
    bearer="player",
    scope="read",
    own_codes=(*OF_STORE, "bad_cursor"),
)
LIST_OWN_EVENTS: Final = Operation(
    "listOwnEvents",
    "GET",
    "/me/events",
    "players",
    "What concerns one's own matches: what is pending, then what happens, as a page, SSE or NDJSON",
    wire_players.OwnEventPage,
    media_types=(*BOTH, SSE, NDJSON),
    query=wire_players.OwnEventsQuery,
    streams="OwnMessage",
    bearer="player",
    scope="read",
    own_codes=(*OF_STORE, "too_many_streams", "busy", "invalid_header"),
)
ADD_BOT: Final = Operation(
    "addBot",
    "POST",
    f"{MATCH}/bots",
    "matches",
    "Have a built-in bot take a seat",
    wire_players.BotSeatedView,
    body=wire_players.AddBot,
    bearer="host",
    scope="create",
    own_codes=(
        *OF_STORE,
        *OF_MATCH,
        *OF_BOX,
        "unknown_seat",
        "seat_taken",
        "match_started",
        "match_over",
        "bad_setup",
        "too_many_bots",
        "no_bots",
    ),
)
REMATCH: Final = Operation(
    "rematch",
    "POST",
    f"{MATCH}/rematch",
    "matches",
    "A seat in a new match of the same players, each one seat further on; all who ask get the same match",
    wire_views.JoinedView,
    body=wire.Rematch,
    bearer="seat",
    scope="play",
    own_bucket="create",
    own_codes=(
        *OF_STORE,
        *OF_MATCH,
        *OF_BOX,
        "match_not_over",
        "match_started",
        "match_over",
        "seat_taken",
        "already_seated",
        "bad_setup",
    ),
)

OPERATIONS: Final = tuple(value for value in list(globals().values()) if isinstance(value, Operation))
