"""What clients are answered: a Struct for every body, problems included (RFC 9457)."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.match import Kind
from schema.wire import Joining, OnFlag, Status, Visibility

MoveView = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Move"})]
StateView = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/State"})]
ThingView = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Thing"})]
OptionsView = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Options"})]
Schema = Annotated[dict[str, Any], Meta(description="A JSON Schema (draft 2020-12).")]
Values = dict[str, int | str]
Given = Literal["seed", "deal"]
When = Annotated[datetime, Meta(tz=True)]
ToMove = Annotated[
    int | Literal["chance"] | None,
    Meta(description="The seat that decides, `chance` where an outcome is due, null before and after play."),
]
WIDE: Final = {"scalar": "Milliseconds"}
"""Marks what may not fit into 32 bits, which is all that an Int of GraphQL has."""
AS_JSON: Final = {"scalar": "JSON"}
"""Marks what is a part of a document: it is spelled alike on both doors."""
Span = Annotated[int, Meta(extra=WIDE)]
SpanOrNone = Annotated[int | None, Meta(extra=WIDE)]
Ms = Annotated[int, Meta(description="Milliseconds since 1970, by the server's clock.", extra=WIDE)]
MsOrNever = Annotated[
    int | None, Meta(description="Milliseconds since 1970, by the server's clock.", extra=WIDE)
]
LeftBySeat = Annotated[tuple[Span, ...], Meta(description="Milliseconds that each seat has left.")]
Next = Annotated[str | None, Meta(description="The cursor of the next page, null on the last one.")]


class View(Struct, frozen=True, rename="camel"):
    """Base of everything that is answered."""


# ------------------------------------------------------------------------------------------ games


class EditionView(View, frozen=True):
    """A box of components and the SHA-256 (hex) of its data."""

    name: str
    digest: str


class GameSummary(View, frozen=True):
    """A game that can be played here."""

    slug: str
    title: str
    seats: Annotated[tuple[int, ...], Meta(description="The numbers of seats a match may have.")]
    rules: Annotated[int, Meta(description="Version of the rules' behaviour.")]
    edition: Annotated[EditionView, Meta(description="The box of new matches.")]
    editions: Annotated[tuple[EditionView, ...], Meta(description="All boxes; a new match may name one.")]


class GameView(GameSummary, frozen=True):
    """A game with the schemas of its options, deal, moves and state."""

    options: Schema
    deal: Schema
    move: Schema
    state: Schema
    move_kinds: Annotated[tuple[str, ...], Meta(description="The kinds of actions and outcomes.")]
    labels: Annotated[
        dict[str, str],
        Meta(description="What kinds of moves, and keys of score sheets and of ties, are called."),
    ]


class GameList(View, frozen=True):
    """All games."""

    games: tuple[GameSummary, ...]


# ---------------------------------------------------------------------------------------- matches


class SeatView(View, frozen=True):
    """A place at the table."""

    seat: int
    taken: bool
    name: str | None
    nonce: str
    joined_at: When | None
    player: Annotated[
        str | None, Meta(description="The id of the player who has it, or for whom it is held.")
    ]
    bot: Annotated[str | None, Meta(description="The built-in bot that plays it.")]


class TimeControl(View, frozen=True):
    """How much time each seat has, in ms: `base` for the match, or `perTurn`; the other one is null."""

    base: SpanOrNone
    increment: Span
    delay: Span
    per_turn: SpanOrNone
    grace: Span
    on_flag: OnFlag


class ClockView(View, frozen=True):
    """The clocks. `left` is as it was at `since`, when the clock of the seat `running` began to run.

    That seat is out of time after `deadline`; `flagged` is the seat that ran out of time last.
    """

    control: TimeControl
    left: LeftBySeat
    running: int | None
    since: MsOrNever
    deadline: MsOrNever
    flagged: int | None


class ClockNow(View, frozen=True):
    """The clocks at the moment `now`: `left` is what each seat has then. `clock` is null without one."""

    now: Ms
    version: int
    left: LeftBySeat
    clock: ClockView | None


class MatchSummary(View, frozen=True):
    """A match in a list."""

    id: str
    game: str
    status: Status
    visibility: Visibility
    seats: tuple[SeatView, ...]
    version: int
    given: Annotated[
        tuple[Given, ...],
        Meta(description="What the creator chose instead of leaving it to chance."),
    ]
    creator: Annotated[str | None, Meta(description="The id of the player who made it, null for a guest.")]
    join: Annotated[Joining, Meta(description="Who may take a seat: anybody, or those invited.")]
    invited: Annotated[tuple[str, ...], Meta(description="Ids of the players invited.")]
    rematch_of: Annotated[str | None, Meta(description="The id of the match before, if it is a rematch.")]
    tournament: Annotated[str | None, Meta(description="The id of the tournament it is played for.")]
    created_at: When
    started_at: When | None
    updated_at: When
    ended_at: When | None
    ranks: Annotated[
        tuple[int, ...] | None,
        Meta(description="Ranks by row of the standing, null unless the match is finished."),
    ]
    clock: Annotated[ClockView | None, Meta(description="Null if nobody can run out of time.")]


class MatchPage(View, frozen=True):
    """Matches, newest first."""

    matches: tuple[MatchSummary, ...]
    next: Next


class Links(View, frozen=True):
    """Where the rest of a match is found."""

    self: str
    events: str
    legal_moves: str
    moves: str
    standing: str
    picture: str
    board: str
    transcript: str


class MatchView(MatchSummary, frozen=True):
    """A match. `state` is null before the start; `seed` until it is over; `commitment` is its SHA-256."""

    rules: int
    edition: EditionView
    options: OptionsView
    commitment: str
    seed: str | None
    to_move: ToMove
    state: StateView
    links: Links


class CreatedView(View, frozen=True):
    """The match, and the token with which its creator may cancel it and free seats."""

    match: MatchView
    host_token: str


class JoinedView(View, frozen=True):
    """The seat taken, and the token with which its moves are made."""

    seat: int
    token: str
    match: MatchView


# ------------------------------------------------------------------------------------------- play


class LegalMove(View, frozen=True):
    """A move that may be made: its notation, a sentence, and its fields."""

    notation: str
    text: str
    move: MoveView


class LegalMoves(View, frozen=True):
    """Every move that is legal at a version, in a fixed order; at chance the outcomes with their odds."""

    version: int
    to_move: ToMove
    moves: tuple[LegalMove, ...]
    odds: Annotated[
        tuple[int, ...] | UnsetType, Meta(description="At chance: an integer weight for each outcome.")
    ] = UNSET


class ChangeView(View, frozen=True):
    """One consequence of a move."""

    code: str
    seat: int | None
    values: Values
    text: str


class EventTime(View, frozen=True):
    """When a move was offered, received and applied, and in ms what its seat spent on it and has left.

    `left` is null for an outcome and in a match without a clock.
    """

    offered: Ms
    received: Ms
    applied: Ms
    spent: Span
    left: SpanOrNone


class EventView(View, frozen=True):
    """One recorded step. `version` is the one it leads to; `seat` is null for an outcome."""

    version: int
    kind: Kind
    seat: int | None
    move: str
    text: str
    cause: str | None
    at: When
    changes: tuple[ChangeView, ...]
    time: EventTime


class EventPage(View, frozen=True):
    """Events after a version; `next` is the version to go on after, null if none are left."""

    version: int
    status: Status
    events: tuple[EventView, ...]
    next: int | None


class ReasonView(View, frozen=True):
    """A condition that a refused move fails: the rule's id, a stable code, figures and a sentence."""

    rule: str
    code: str
    values: Values
    text: str


class Problem(View, frozen=True):
    """What went wrong (RFC 9457). `code` is stable; the entries below it depend on the code."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    where: Annotated[str | UnsetType, Meta(description="The entry at fault.")] = UNSET
    index: Annotated[int | UnsetType, Meta(description="The place in the batch, counted from 0.")] = UNSET
    move: Annotated[str | UnsetType, Meta(description="The move at fault.")] = UNSET
    reasons: Annotated[tuple[ReasonView, ...] | UnsetType, Meta(description="Why it is not legal.")] = UNSET
    closest: Annotated[tuple[str, ...] | UnsetType, Meta(description="Legal moves nearest to it.")] = UNSET
    version: Annotated[int | UnsetType, Meta(description="The current version.")] = UNSET
    events: Annotated[tuple[EventView, ...] | UnsetType, Meta(description="The events missed.")] = UNSET
    next: Annotated[
        int | UnsetType | None, Meta(description="If more were missed: the version to read on after.")
    ] = UNSET
    to_move: ToMove | UnsetType = UNSET
    edition: Annotated[EditionView | UnsetType, Meta(description="The edition that is missing.")] = UNSET
    legal_moves: Annotated[
        tuple[str, ...] | UnsetType, Meta(description="The notations that are legal now, if it is your turn.")
    ] = UNSET
    bucket: Annotated[str | UnsetType, Meta(description="What was done too often.")] = UNSET
    limit: Annotated[int | UnsetType, Meta(description="How often it may be done at once.")] = UNSET
    remaining: Annotated[int | UnsetType, Meta(description="How often it may still be done now.")] = UNSET
    retry_after: Annotated[int | UnsetType, Meta(description="Seconds to wait.")] = UNSET


class PlayedView(View, frozen=True):
    """What a batch came to. With `stoppedAt` the moves from that index on were not played, for `reason`."""

    version: int
    status: Status
    events: tuple[EventView, ...]
    played: int
    to_move: ToMove
    stopped_at: int | UnsetType = UNSET
    reason: Problem | UnsetType = UNSET
    legal_moves: tuple[str, ...] | UnsetType = UNSET
    clock: ClockView | UnsetType = UNSET


class StateAt(View, frozen=True):
    """The state at a version."""

    version: int
    to_move: ToMove
    state: StateView


class Things(View, frozen=True):
    """Everything on the table that has a name, in a fixed order: what the ids in a state stand for."""

    version: int
    things: tuple[ThingView, ...]


class StandingRow(View, frozen=True):
    """The score sheet of one side. `label` names a side that is no seat of the match."""

    seat: int
    name: str | None
    label: str | None
    scores: Annotated[dict[str, int], Meta(description="Points by category; they add up to `total`.")]
    total: int
    ties: Annotated[dict[str, int], Meta(description="What breaks a tie, first one first.")]
    rank: int
    retired: bool


class StandingView(View, frozen=True):
    """All score sheets, as if the match ended at `version`."""

    version: int
    rows: tuple[StandingRow, ...]


# ----------------------------------------------------------------------------------------- service


class ProblemKind(View, frozen=True):
    """A kind of problem that answers may describe."""

    code: str
    status: int
    title: str


class ProblemList(View, frozen=True):
    """All kinds of problems."""

    problems: tuple[ProblemKind, ...]


class Health(View, frozen=True):
    """Whether the service can work."""

    status: Literal["ok"]
