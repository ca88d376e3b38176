"""Every operation of the REST API: its address, what it reads and what it answers.

Routes are made from this table and the OpenAPI document is printed from it, so they cannot differ.
"""

from typing import Final

from schema import operations_players, operations_previews, operations_tournaments, wire, wire_views
from schema.operation import (
    API,
    BOTH,
    JSON,
    MATCH,
    MSGPACK,
    NDJSON,
    OF_BOX,
    OF_MATCH,
    OF_STORE,
    OF_STREAM,
    OF_VERSION,
    PNG,
    SSE,
    SVG,
    TEXT,
    Operation,
)

__all__ = ["API", "BOTH", "JSON", "MSGPACK", "NDJSON", "OPERATIONS", "PNG", "SSE", "SVG", "TEXT", "Operation"]

LIST_GAMES: Final = Operation("listGames", "GET", "/games", "games", "All games", wire_views.GameList)
SHOW_GAME: Final = Operation(
    "showGame",
    "GET",
    "/games/{slug:str}",
    "games",
    "A game with the schemas of its options, deal, moves and state",
    wire_views.GameView,
    own_codes=("unknown_game",),
)
SHOW_BOX: Final = Operation(
    "showBox",
    "GET",
    "/games/{slug:str}/editions/{edition:str}",
    "games",
    "The component data of an edition, by its digest or name; its SHA-256 is the digest",
    None,
    media_types=(TEXT,),
    own_codes=("unknown_game", "unknown_edition"),
)
CREATE_MATCH: Final = Operation(
    "createMatch",
    "POST",
    "/matches",
    "matches",
    "Open a match; join it like anybody else",
    wire_views.CreatedView,
    status=201,
    body=wire.CreateMatch,
    own_bucket="create",
    scope="create",
    own_codes=("no_such_player", *OF_STORE, "unknown_game", "unknown_edition", "bad_setup"),
)
LIST_MATCHES: Final = Operation(
    "listMatches",
    "GET",
    "/matches",
    "matches",
    "Public matches, newest first",
    wire_views.MatchPage,
    query=wire.MatchesQuery,
    own_codes=(*OF_STORE, "unknown_game", "bad_cursor"),
)
SHOW_MATCH: Final = Operation(
    "showMatch",
    "GET",
    MATCH,
    "matches",
    "A match as it stands; its ETag changes with everything in it",
    wire_views.MatchView,
    own_codes=(*OF_STORE, *OF_MATCH),
)
JOIN_MATCH: Final = Operation(
    "joinMatch",
    "POST",
    f"{MATCH}/join",
    "matches",
    "Take a seat; the last one starts the match",
    wire_views.JoinedView,
    body=wire.JoinMatch,
    scope="play",
    own_codes=(
        "not_invited",
        "already_seated",
        *OF_STORE,
        *OF_MATCH,
        *OF_BOX,
        "unknown_seat",
        "seat_taken",
        "match_started",
        "match_over",
        "bad_setup",
    ),
)
KICK_SEAT: Final = Operation(
    "kickSeat",
    "POST",
    f"{MATCH}/kick",
    "matches",
    "Free a seat before the start",
    wire_views.MatchView,
    body=wire.KickSeat,
    bearer="host",
    scope="create",
    own_codes=(*OF_STORE, *OF_MATCH, "unknown_seat", "seat_free", "match_started", "match_over"),
)
LEAVE_MATCH: Final = Operation(
    "leaveMatch",
    "POST",
    f"{MATCH}/leave",
    "matches",
    "Give your seat back before the start; an invitation is declined by it",
    wire_views.MatchView,
    body=wire.Nothing,
    bearer="seat",
    scope="play",
    own_codes=(*OF_STORE, *OF_MATCH, "match_started", "match_over"),
)
CANCEL_MATCH: Final = Operation(
    "cancelMatch",
    "POST",
    f"{MATCH}/cancel",
    "matches",
    "Cancel a match before the start, or abort it in its first turn",
    wire_views.MatchView,
    body=wire.Nothing,
    bearer="host",
    scope="create",
    own_codes=(*OF_STORE, *OF_MATCH, "match_started", "match_over"),
)
RESIGN: Final = Operation(
    "resign",
    "POST",
    f"{MATCH}/resign",
    "play",
    "Leave a running match",
    wire_views.PlayedView,
    body=wire.Nothing,
    bearer="seat",
    scope="play",
    own_codes=(*OF_STORE, *OF_MATCH, *OF_BOX, "match_not_started", "match_over", "seat_retired"),
)
LIST_LEGAL_MOVES: Final = Operation(
    "listLegalMoves",
    "GET",
    f"{MATCH}/legal-moves",
    "play",
    "Every legal move, or at chance every outcome, at any version",
    wire_views.LegalMoves,
    query=wire.LegalMovesQuery,
    own_codes=(*OF_STORE, *OF_VERSION),
)
LIST_THINGS: Final = Operation(
    "listThings",
    "GET",
    f"{MATCH}/things",
    "play",
    "Everything on the table that has a name, ready to be shown, at any version",
    wire_views.Things,
    query=wire.ThingsQuery,
    own_codes=(*OF_STORE, *OF_VERSION),
)
PLAY_MOVES: Final = Operation(
    "playMoves",
    "POST",
    f"{MATCH}/moves",
    "play",
    "Play moves in order",
    wire_views.PlayedView,
    query=wire.PlayMovesQuery,
    body=wire.PlayMoves,
    bearer="seat",
    scope="play",
    own_codes=(
        *OF_STORE,
        *OF_MATCH,
        *OF_BOX,
        "unparsable_move",
        "match_not_started",
        "match_over",
        "stale_version",
        "not_your_turn",
        "illegal_move",
        "batch_crosses_chance",
    ),
)
LIST_EVENTS: Final = Operation(
    "listEvents",
    "GET",
    f"{MATCH}/events",
    "play",
    "Events after a version: those there are, or, as SSE or NDJSON, also those to come",
    wire_views.EventPage,
    media_types=(*BOTH, SSE, NDJSON),
    query=wire.EventsQuery,
    streams="StreamMessage",
    own_codes=(*OF_STORE, *OF_MATCH, *OF_STREAM, "invalid_header"),
)
OPEN_SOCKET: Final = Operation(
    "openSocket",
    "GET",
    f"{MATCH}/socket",
    "play",
    "A WebSocket with the events after a version; subprotocol `cantiere.json` or `cantiere.msgpack`."
    " Send a Subscribe within 5 seconds. A problem comes as a message, then the end with 4000 + its status",
    None,
    media_types=(),
    own_bucket="stream",
    status=101,
    own_codes=(
        *OF_STORE,
        *OF_MATCH,
        *OF_STREAM,
        "malformed_body",
        "invalid_body",
        "invalid_header",
        "unknown_token",
        "token_expired",
        "missing_scope",
        "subscribe_timeout",
        "upgrade_required",
    ),
)
SHOW_CLOCK: Final = Operation(
    "showClock",
    "GET",
    f"{MATCH}/clock",
    "play",
    "What each seat has left now",
    wire_views.ClockNow,
    own_codes=(*OF_STORE, *OF_MATCH),
    is_fleeting=True,
)
SHOW_VERSION: Final = Operation(
    "showVersion",
    "GET",
    f"{MATCH}/versions/{{version:int}}",
    "play",
    "The state at a version",
    wire_views.StateAt,
    own_codes=(*OF_STORE, *OF_VERSION, "not_found"),
)
SHOW_STANDING: Final = Operation(
    "showStanding",
    "GET",
    f"{MATCH}/standing",
    "play",
    "Score sheets and ranks at any version",
    wire_views.StandingView,
    query=wire.VersionQuery,
    own_codes=(*OF_STORE, *OF_VERSION),
)
SHOW_PICTURE: Final = Operation(
    "showPicture",
    "GET",
    f"{MATCH}/picture",
    "play",
    "The table as text, at most 80 columns wide",
    None,
    media_types=(TEXT,),
    query=wire.VersionQuery,
    own_codes=(*OF_STORE, *OF_VERSION),
)
SHOW_BOARD: Final = Operation(
    "showBoard",
    "GET",
    f"{MATCH}/board",
    "play",
    "The table as an SVG document, or as PNG",
    None,
    media_types=(SVG, PNG),
    query=wire.BoardQuery,
    own_codes=(*OF_STORE, *OF_VERSION, "busy"),
)
SHOW_BOARD_SVG: Final = SHOW_BOARD._replace(
    name="showBoardSvg",
    path=f"{MATCH}/board.svg",
    summary="The same for who cannot say what it accepts: always SVG",
    media_types=(SVG,),
    own_codes=(*OF_STORE, *OF_VERSION),
)
SHOW_BOARD_PNG: Final = SHOW_BOARD._replace(
    name="showBoardPng",
    path=f"{MATCH}/board.png",
    summary="The same for who cannot say what it accepts: always PNG",
    media_types=(PNG,),
)
SHOW_TRANSCRIPT: Final = Operation(
    "showTranscript",
    "GET",
    f"{MATCH}/transcript",
    "play",
    "Everything needed to play the match again, as JSON or as text; with the seed once it is over",
    None,
    media_types=(JSON, TEXT),
    own_codes=(*OF_STORE, *OF_MATCH, "match_not_started"),
)
EXPORT_TRANSCRIPTS: Final = Operation(
    "exportTranscripts",
    "GET",
    "/transcripts",
    "matches",
    "Transcripts of finished public matches, newest first, one a line; `Link` names the next page",
    None,
    media_types=(NDJSON,),
    query=wire.TranscriptsQuery,
    own_codes=(*OF_STORE, "unknown_game", "bad_cursor"),
)
LIST_PROBLEMS: Final = Operation(
    "listProblems",
    "GET",
    "/problems",
    "service",
    "Every kind of problem",
    wire_views.ProblemList,
)
SHOW_PROBLEM: Final = Operation(
    "showProblem",
    "GET",
    "/problems/{code:str}",
    "service",
    "A kind of problem: what the `type` of one leads to",
    wire_views.ProblemKind,
    own_codes=("not_found",),
)
SHOW_OPENAPI: Final = Operation(
    "showOpenApi",
    "GET",
    "/openapi.json",
    "service",
    "This document",
    None,
    media_types=(JSON,),
)
SHOW_LIVE: Final = Operation(
    "showLive", "GET", "/health/live", "service", "Whether the process works", wire_views.Health
)
SHOW_READY: Final = Operation(
    "showReady",
    "GET",
    "/health/ready",
    "service",
    "Whether the store answers too",
    wire_views.Health,
    own_codes=OF_STORE,
)

OPERATIONS: Final = (
    *(value for value in list(globals().values()) if isinstance(value, Operation)),
    *operations_previews.OPERATIONS,
    *operations_players.OPERATIONS,
    *operations_tournaments.OPERATIONS,
)
