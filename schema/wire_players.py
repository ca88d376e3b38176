"""Players: what they and their clients send, and what they are answered."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from schema.wire import (
    LONGEST_NAME,
    LONGEST_WAIT,
    NAME_PATTERN,
    POSITION_PATTERN,
    Asked,
    Cursor,
    Limit,
    Scope,
    SeatNumber,
    Status,
)
from schema.wire_views import WIDE, EventView, MatchSummary, MatchView, Next, SeatView, View, When

LONGEST_LABEL: Final = 60
LONGEST_INVITE: Final = 100
MOST_DAYS: Final = 3_650
SCOPES: Final[tuple[Scope, ...]] = ("read", "play", "create", "account")

PlayerKind = Literal["person", "bot"]
BotName = Literal["random", "greedy", "mcts"]
Scopes = Annotated[
    tuple[Scope, ...],
    Meta(
        min_length=1,
        max_length=len(SCOPES),
        description="`read`: own matches and events; `play`: join, move, resign; `create`: make matches and"
        " be their host; `account`: make and revoke tokens.",
    ),
]
PlayerName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=NAME_PATTERN)]
Label = Annotated[str, Meta(min_length=1, max_length=LONGEST_LABEL, pattern=NAME_PATTERN)]
Position = Annotated[str, Meta(description="What a client resumes its stream after.")]

# ----------------------------------------------------------------------------------------- accounts


class RegisterPlayer(Asked, frozen=True):
    """A player that is to have an account. Names are unique, whatever their case."""

    name: Annotated[PlayerName, Meta(examples=["Ada"])]
    kind: PlayerKind = "person"
    invite: Annotated[
        Annotated[str, Meta(max_length=LONGEST_INVITE)] | None,
        Meta(description="An invite of the operator's, where registration needs one; each is good once."),
    ] = None


class CreateToken(Asked, frozen=True):
    """A further API token. It may do no more than the one that asks for it."""

    label: Annotated[Label, Meta(description="What you know it by.", examples=["laptop"])]
    scopes: Scopes
    expires_in_days: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_DAYS)] | None, Meta(description="Null: it does not expire.")
    ] = None


class AddBot(Asked, frozen=True):
    """A built-in bot that is to take a seat: the one named, or the first free one."""

    player: Annotated[
        BotName, Meta(description="Who plays: `random`, `greedy` looks a little ahead, `mcts` thinks longer.")
    ]
    seat: SeatNumber | None = None


class OwnMatchesQuery(Asked, frozen=True):
    """Which of one's own matches to list, newest first."""

    status: Status | None = None
    cursor: Cursor | None = None
    limit: Limit = 50


class OwnEventsQuery(Asked, frozen=True):
    """From where on, and for how long to wait."""

    after: Annotated[
        Annotated[str, Meta(pattern=POSITION_PATTERN, max_length=41)] | None,
        Meta(description="The `id` of the last message received; without it what is pending comes first."),
    ] = None
    wait: Annotated[
        int, Meta(ge=0, le=LONGEST_WAIT, description="Seconds to wait for a message if there is none.")
    ] = 0


class PlayerView(View, frozen=True):
    """A player as everybody sees it."""

    id: str
    name: str
    kind: PlayerKind
    created_at: When


class TokenView(View, frozen=True):
    """An API token without what is secret. `lastUsedAt` is right within an hour, null before any use."""

    id: str
    label: str
    scopes: Scopes
    created_at: When
    expires_at: When | None
    last_used_at: When | None


class RegisteredView(View, frozen=True):
    """The player, and an API token with all scopes, which is shown this once."""

    player: PlayerView
    token: str


class NewTokenView(View, frozen=True):
    """The new token, shown this once, and its description."""

    token: str
    description: TokenView


class TokenList(View, frozen=True):
    """All API tokens of a player, the oldest first."""

    tokens: tuple[TokenView, ...]


class MeView(View, frozen=True):
    """Who asks, and with which token."""

    player: PlayerView
    token: TokenView


class BotSeatedView(View, frozen=True):
    """The seat that the bot has taken."""

    seat: int
    match: MatchView


class OwnMatch(MatchSummary, frozen=True):
    """A match that one plays, or is invited to (`seat` is null)."""

    seat: int | None


class OwnMatchPage(View, frozen=True):
    """One's own matches, newest first."""

    matches: tuple[OwnMatch, ...]
    next: Next


# ----------------------------------------------------------------------------------------- own events


class PlayerMessage(Struct, frozen=True, rename="camel", tag_field="type"):
    """Base of what a player's own stream carries. `id` is the position in the stream, null for what was
    pending when the stream began."""

    id: Annotated[str | None, Meta(description="Resume after it; null for what was pending at the start.")]
    match: str
    game: str


class InvitedMessage(PlayerMessage, frozen=True, tag="invited"):
    """Somebody wants you in a match: join it, or do nothing."""

    creator: Annotated[str | None, Meta(description="The player who made the match, null for a guest.")]
    seats: tuple[SeatView, ...]
    tournament: Annotated[
        str | None, Meta(description="The tournament it is played for: join in time, or be a no-show.")
    ]


class MatchStartedMessage(PlayerMessage, frozen=True, tag="match_started"):
    """A match in which you have a seat has begun."""

    seat: int
    version: int
    seats: tuple[SeatView, ...]


class MovedMessage(PlayerMessage, frozen=True, tag="moved"):
    """A match of yours has moved on, by whomever: the events after `after` up to `version`, the last 200."""

    seat: int
    after: int
    version: int
    events: tuple[EventView, ...]


class YourTurnMessage(PlayerMessage, frozen=True, tag="your_turn"):
    """It is for you to choose one of these moves, at this version."""

    seat: int
    version: int
    legal_moves: Annotated[tuple[str, ...], Meta(description="Notations, one of which to play.")]
    left: Annotated[
        int | None,
        Meta(description="Milliseconds until the flag falls, as of now; null without a clock.", extra=WIDE),
    ]


class ClockLowMessage(PlayerMessage, frozen=True, tag="clock_low"):
    """Your time runs out soon: 30 seconds before, or when a tenth of it is left. Told once a turn."""

    seat: int
    version: int
    left: Annotated[int, Meta(description="Milliseconds until the flag falls, as of now.", extra=WIDE)]


class MatchOverMessage(PlayerMessage, frozen=True, tag="match_over"):
    """A match of yours is finished, cancelled or aborted."""

    seat: int | None
    version: int
    status: Status
    ranks: Annotated[
        tuple[int, ...] | None, Meta(description="By row of the standing, null without a result.")
    ]


class TournamentMessage(Struct, frozen=True, rename="camel", tag_field="type"):
    """Base of what is told of a tournament in which you take part; invitations to its matches come apart."""

    id: str
    tournament: Annotated[str, Meta(description="The id of the tournament.")]
    round: Annotated[int, Meta(description="The one that is played.")]


class TournamentStartedMessage(TournamentMessage, frozen=True, tag="tournament_started"):
    """A tournament of yours has begun."""


class TournamentRoundMessage(TournamentMessage, frozen=True, tag="tournament_round"):
    """A further round of it has begun."""


class TournamentOverMessage(TournamentMessage, frozen=True, tag="tournament_over"):
    """It is finished or cancelled."""


class ReadyMessage(Struct, frozen=True, rename="camel", tag_field="type", tag="ready"):
    """Everything that was pending has been told; from here on there is what happens. Resume after `id`."""

    id: Position


class AliveMessage(Struct, frozen=True, rename="camel", tag_field="type", tag="heartbeat"):
    """Nothing has happened for a while, and the stream is alive."""

    id: Position


class StoppedMessage(Struct, frozen=True, rename="camel", tag_field="type", tag="cut"):
    """The stream ends; resume it. `stopping`: the server, to start again. `revoked`: the token does not
    count any more, take another one."""

    id: Position
    reason: Literal["stopping", "revoked"]


Told = (
    InvitedMessage
    | MatchStartedMessage
    | MovedMessage
    | YourTurnMessage
    | ClockLowMessage
    | MatchOverMessage
    | TournamentStartedMessage
    | TournamentRoundMessage
    | TournamentOverMessage
)
OwnMessage = Told | ReadyMessage | AliveMessage | StoppedMessage


class OwnEventPage(View, frozen=True):
    """What a player is told after a position, and the position to go on after."""

    messages: tuple[Told, ...]
    after: Position
