"""Tournaments: what organisers and entrants send, and what they and others are answered."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from schema.manifest import (
    LONGEST_TITLE,
    Design,
    FaultPolicy,
    Format,
    Limits,
    Rotation,
    Stopping,
    TieBreak,
)
from schema.tournament_record import Entry, Reason
from schema.wire import LARGEST_PAGE, LONGEST_WAIT, NAME_PATTERN, Asked, AskedClock, Cursor, Limit, Slug
from schema.wire_views import AS_JSON, Next, View, When

LATEST_ENTRY = 10_000_000
TournamentStatus = Literal["open", "running", "paused", "finished", "cancelled"]
MatchStage = Literal["ordered", "open", "done", "void", "bye"]
Title = Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE, pattern=NAME_PATTERN)]
Number = Annotated[int, Meta(ge=0, le=LATEST_ENTRY)]

DEFAULT_CLOCK = AskedClock(per_turn=60_000)
"""A minute for each turn: without a clock a bot that is silent would hold up everybody."""


class CreateTournament(Asked, frozen=True):
    """A tournament between players with accounts. They join it, then its organiser starts it."""

    name: Title
    game: Slug
    seats: Annotated[int, Meta(ge=2, le=16, description="Of each match.")]
    format: Annotated[Format, Meta(description="Who meets whom.")]
    options: Annotated[
        dict[str, Any] | None, Meta(description="Options of the game; absent ones default.")
    ] = None
    edition: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="Name or digest of the box to play with; without it the one of new matches."),
    ] = None
    design: Annotated[Design, Meta(description="How deals and seats are dealt out.")] = Rotation()
    clock: Annotated[AskedClock, Meta(description="Without it: a minute for each turn.")] = DEFAULT_CLOCK
    faults: Annotated[FaultPolicy, Meta(description="What faults cost.")] = FaultPolicy()
    stopping: Annotated[Stopping | None, Meta(description="When to stop before all is played.")] = None
    limits: Annotated[Limits, Meta(description="How much is played at once.")] = Limits()
    late: Annotated[
        int, Meta(ge=0, le=10_000, description="Up to which round players may still come in.")
    ] = 0
    ties: Annotated[
        tuple[TieBreak, ...], Meta(max_length=8, description="What breaks equal points, first one first.")
    ] = ("direct", "buchholz", "wins", "margin")


class TournamentsQuery(Asked, frozen=True):
    """Which tournaments to list, newest first."""

    status: TournamentStatus | None = None
    cursor: Cursor | None = None
    limit: Limit = 50


class TournamentMatchesQuery(Asked, frozen=True):
    """Which matches to list, by number."""

    after: Annotated[Number, Meta(description="The number of the last one of the page before.")] = 0
    limit: Annotated[int, Meta(ge=1, le=LARGEST_PAGE)] = LARGEST_PAGE


class EntriesQuery(Asked, frozen=True):
    """From which entry of the record on, and for how long to wait."""

    after: Annotated[Number, Meta(description="How many entries are known.")] = 0
    wait: Annotated[
        int, Meta(ge=0, le=LONGEST_WAIT, description="Seconds to wait for an entry if there is none.")
    ] = 0


class EntrantView(View, frozen=True):
    """Somebody who takes part, or did."""

    id: str
    name: str
    left: Annotated[str | None, Meta(description="Why it takes no part any more, null if it does.")]


class TournamentSummary(View, frozen=True):
    """A tournament in a list."""

    id: str
    name: str
    status: TournamentStatus
    game: str
    seats: int
    organiser: Annotated[str, Meta(description="The player who made it.")]
    entrants: Annotated[int, Meta(description="How many take part, or did.")]
    created_at: When
    started_at: When | None
    ended_at: When | None


class TournamentView(View, frozen=True):
    """A tournament as it stands. `hash` is the SHA-256 of its manifest, null until that is fixed."""

    id: str
    name: str
    status: TournamentStatus
    game: str
    seats: int
    organiser: str
    entrants: tuple[EntrantView, ...]
    created_at: When
    started_at: When | None
    ended_at: When | None
    round: Annotated[int, Meta(description="The one that is played, 0 before the start.")]
    ordered: Annotated[int, Meta(description="Matches ordered so far.")]
    done: Annotated[int, Meta(description="Of these, with a result.")]
    entries: Annotated[int, Meta(description="Of the record, which grows only.")]
    commitment: Annotated[str, Meta(description="SHA-256 of the secret seed of all deals.")]
    hash: str | None
    seed: Annotated[str | None, Meta(description="The seed in hex, null until all is over.")]
    is_entered: Annotated[bool, Meta(description="Whether the player who asks takes part.")]


class TournamentPage(View, frozen=True):
    """Tournaments, newest first."""

    tournaments: tuple[TournamentSummary, ...]
    next: Next


class TournamentMatchView(View, frozen=True):
    """A match of a tournament. It is `ordered` until its players are called, then `open` until it ends.

    A `void` one counts for nothing: it was broken off too often, or the tournament was over before.
    Its id, once there is one, is for its players alone as long as others are still to play the same deal.
    """

    number: int
    round: int
    table: int
    deal: int
    stage: MatchStage
    entrants: tuple[str, ...]
    match: str | None
    ranks: tuple[int, ...] | None
    scores: tuple[int, ...] | None
    reasons: tuple[Reason, ...] | None


class TournamentMatchPage(View, frozen=True):
    """Matches of a tournament, by number."""

    matches: tuple[TournamentMatchView, ...]
    next: Annotated[int | None, Meta(description="The `after` of the next page, null on the last one.")]


class MeanView(View, frozen=True):
    """A mean of so many values and its standard error, null of fewer than two."""

    mean: float
    error: float | None
    count: int


class PlaceView(View, frozen=True):
    """An entrant's place. `points` are one for each opponent outdone in a match, a half for each equalled.

    `share` is the part of the possible points that was won, `margin` the lead over the others' mean score.
    """

    place: int
    entrant: str
    name: str
    matches: int
    byes: int
    points: float
    wins: int
    share: MeanView | None
    margin: MeanView | None
    ties: Annotated[dict[str, float], Meta(description="What equals were parted by.")]
    left: Annotated[str | None, Meta(description="Why it takes no part any more.")]


class RatingView(View, frozen=True):
    """What is known of an entrant's strength: mean, deviation, and bounds of 95 %."""

    entrant: str
    mu: float
    sigma: float
    low: float
    high: float
    matches: int


class EstimateView(View, frozen=True):
    """An Elo difference, with 95 % confidence between `low` and `high`; null where there is no bound."""

    elo: float | None
    low: float | None
    high: float | None


class EloView(View, frozen=True):
    """How much stronger an entrant is than those whom it met; told where two sit at a table."""

    entrant: str
    elo: EstimateView


class VerdictView(View, frozen=True):
    """Where the stopping rule stands: `value` between its bounds after so many deals or sets.

    `accepted` is `elo0` or `elo1`, `better` or `worse`, empty while nothing is decided; `last` is the last
    match that counts then, else 0.
    """

    accepted: str
    value: float
    lower: float | None
    upper: float
    units: int
    last: int


class FaultsView(View, frozen=True):
    """The faults of an entrant, with an empty id those of the server, by class; and the times of its turns.

    `p50`, `p90` and `p99` are what so many percent of them took at most, in ms.
    """

    entrant: str
    faults: dict[str, int]
    strikes: int
    turns: int
    p50: int | None
    p90: int | None
    p99: int | None


class SeatWorth(View, frozen=True):
    """What a seat is worth: the share of the points that were won from it."""

    seat: int
    share: MeanView


class ProgressView(View, frozen=True):
    """How far a tournament is: the round that is played, and matches ordered, ended, counting and voided.

    `planned` is null if not known.
    """

    round: int
    ordered: int
    ended: int
    counting: int
    voided: int
    planned: int | None


class StandingsView(View, frozen=True):
    """Everybody's place so far, and what stands beside it."""

    status: TournamentStatus
    progress: ProgressView
    standings: tuple[PlaceView, ...]
    ratings: tuple[RatingView, ...]
    elo: tuple[EloView, ...]
    seats: tuple[SeatWorth, ...]
    faults: tuple[FaultsView, ...]
    verdict: Annotated[VerdictView | None, Meta(description="Null without a stopping rule.")]


class CellView(View, frozen=True):
    """What `one` got against `other`: points, and the mean lead in points of the game."""

    one: str
    other: str
    matches: int
    points: float
    margin: float | None


class CrosstableView(View, frozen=True):
    """A cell for every two who have met, from either side."""

    cells: tuple[CellView, ...]


class EntryView(View, frozen=True):
    """An entry of the record, and its number, counted from 1."""

    number: int
    entry: Annotated[Entry, Meta(extra=AS_JSON)]


class EntryPage(View, frozen=True):
    """Entries after a number, and how many there are."""

    status: TournamentStatus
    entries: tuple[EntryView, ...]
    count: int


class TournamentStreamMessage(Struct, frozen=True, rename="camel", tag_field="type"):
    """Base of what the stream of a tournament carries."""


class EntryMessage(TournamentStreamMessage, frozen=True, tag="entry"):
    """A new entry. Resume after its number."""

    number: int
    entry: Entry


class StageMessage(TournamentStreamMessage, frozen=True, tag="status"):
    """How the tournament stands: told first of all, and when that has changed."""

    number: int
    status: TournamentStatus


class PulseMessage(TournamentStreamMessage, frozen=True, tag="heartbeat"):
    """Nothing has happened for a while, and the stream is alive."""

    number: int


class CloseMessage(TournamentStreamMessage, frozen=True, tag="end"):
    """The tournament is over, and everything was told."""

    number: int
    status: TournamentStatus


class BreakMessage(TournamentStreamMessage, frozen=True, tag="cut"):
    """The stream ends before the tournament does; resume it."""

    number: int
    reason: Literal["stopping"]


TournamentMessages = EntryMessage | StageMessage | PulseMessage | CloseMessage | BreakMessage
