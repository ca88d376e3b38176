"""The manifest of a tournament: everything that is fixed before the start.

What is not in the manifest or the record of entries decides nothing: who meets whom, on which deal and seat,
what faults cost, when play stops and how places are found all follow from the two.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from engine.game import Edition
from schema.wire import LONGEST_ID, LONGEST_NAME, NAME_PATTERN, AskedClock

DOCUMENT: Final = "cantiere-tournament 1"
"""The first words of a manifest: what it is, and the version of its format."""

LONGEST_TITLE: Final = 100
MOST_ENTRANTS: Final = 1_000
MOST_MATCHES: Final = 100_000

EntrantId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
Kind = Literal["remote", "local"]
Luck = Literal["own", "shared"]
Seatings = Literal["all", "cyclic"]
FaultClass = Literal["illegal_move", "timeout", "disconnect", "resign", "no_show", "server"]
Consequence = Literal["retry", "strike", "retire", "forfeit", "void"]
TieBreak = Literal["direct", "buchholz", "wins", "margin"]
Many = Annotated[int, Meta(ge=1, le=MOST_MATCHES)]
Milliseconds = Annotated[int, Meta(ge=0, le=90 * 86_400_000)]
Probability = Annotated[float, Meta(gt=0, lt=0.5)]


class Fixed(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of everything in a manifest."""


class Entrant(Fixed, frozen=True, kw_only=True):
    """Somebody who takes part. `id` is the player's, or in a local run any name that nobody else has.

    A `local` one runs on the machine of the organiser, in fresh processes that share nothing from match to
    match; `bot` says how to start it. `remote` ones may remember what they have seen.
    """

    id: EntrantId
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=NAME_PATTERN)]
    kind: Kind = "remote"
    bot: Annotated[str, Meta(max_length=1_000)] = ""


class RoundRobin(Fixed, frozen=True, kw_only=True, tag_field="format", tag="round_robin"):
    """Everybody meets everybody else `rounds` times; at larger tables as near to it as the numbers allow."""

    rounds: Annotated[int, Meta(ge=1, le=10_000)] = 1


class Gauntlet(Fixed, frozen=True, kw_only=True, tag_field="format", tag="gauntlet"):
    """Every hero meets everybody who is none, `rounds` times; the others do not meet without a hero."""

    heroes: Annotated[tuple[EntrantId, ...], Meta(min_length=1)]
    rounds: Annotated[int, Meta(ge=1, le=10_000)] = 1


class Swiss(Fixed, frozen=True, kw_only=True, tag_field="format", tag="swiss"):
    """In each round those meet who have about as many points and have not met before."""

    rounds: Annotated[int, Meta(ge=1, le=200)]


class Knockout(Fixed, frozen=True, kw_only=True, tag_field="format", tag="knockout"):
    """Who loses is out. The order of entrants is the seeding.

    A meeting is decided by the most points of at most `bestOf` sets; `advance` go on from each table.
    """

    best_of: Annotated[int, Meta(ge=1, le=99)] = 1
    advance: Annotated[int, Meta(ge=1, le=8)] = 1


class Arena(Fixed, frozen=True, kw_only=True, tag_field="format", tag="arena"):
    """Whoever is free is paired, until so many sets are ordered or the time is over; 0 is no bound."""

    sets: Annotated[int, Meta(ge=0, le=MOST_MATCHES)] = 0
    duration_ms: Milliseconds = 0


Format = RoundRobin | Gauntlet | Swiss | Knockout | Arena


class Rotation(Fixed, frozen=True, kw_only=True, tag_field="design", tag="rotation"):
    """Every match has a deal of its own; a set is `matches` of them, in which the seats go round."""

    matches: Many = 1


class Duplicate(Fixed, frozen=True, kw_only=True, tag_field="design", tag="duplicate"):
    """A set is `deals` deals, each played in all seatings of the table, or in the cyclic ones."""

    deals: Many = 1
    seatings: Seatings = "all"


Design = Rotation | Duplicate


class FaultRule(Fixed, frozen=True, kw_only=True):
    """What a fault of one class leads to: `then`, once `borne` of them in one match have been overlooked.

    retry: asked again, for ever. strike: counted against the entrant for the whole event. It is asked again;
    one that is away, by disconnect or no-show, cannot be asked, and its seat leaves the match.
    retire: the seat leaves the match, the others play on. forfeit: the match ends, the seat is last and the
    others are equal. void: the match does not count and is played again.
    """

    borne: Annotated[int, Meta(ge=0, le=1_000)] = 0
    then: Consequence = "retire"


class FaultPolicy(Fixed, frozen=True, kw_only=True):
    """What faults cost, class by class, and the times that they are measured by.

    `strikes` is how many strikes an entrant may have; with one more it leaves the event. A bot is a no-show
    if it is not present `presentWithinMs` after its match was called; it is disconnected if it is away
    for `goneAfterMs` in a match, 0 is never. Who listens is noticed every 15 seconds, so less than 30,000 is
    refused: some would be taken for gone who think.
    """

    illegal_move: FaultRule = FaultRule(borne=3, then="retire")
    timeout: FaultRule = FaultRule(then="retire")
    disconnect: FaultRule = FaultRule(then="retire")
    resign: FaultRule = FaultRule(then="retire")
    no_show: FaultRule = FaultRule(then="retire")
    server: FaultRule = FaultRule(then="void")
    strikes: Annotated[int, Meta(ge=0, le=1_000)] = 3
    present_within_ms: Milliseconds = 60_000
    gone_after_ms: Milliseconds = 60_000


class Sprt(Fixed, frozen=True, kw_only=True, tag_field="rule", tag="sprt"):
    """Two entrants: stop when either of two differences in strength, in Elo, is decided against the other.

    The difference is that of the first entrant to the second. `alpha` bounds the chance to accept `elo1` if
    `elo0` is true, `beta` the converse.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: Probability = 0.05
    beta: Probability = 0.05


class Placings(Fixed, frozen=True, kw_only=True, tag_field="rule", tag="placings"):
    """Any number of seats: stop when `entrant` is shown to place other than the mean of its tables.

    Valid at any time: whenever one looks, the chance of a false alarm is at most `alpha`.
    """

    entrant: EntrantId
    alpha: Probability = 0.05


Stopping = Sprt | Placings


class Limits(Fixed, frozen=True, kw_only=True):
    """How much at once: matches of the event, and matches of one entrant; 0 is no bound.

    A match that was voided is played again at most `replays` times; after that its order is dropped.
    """

    at_once: Annotated[int, Meta(ge=0, le=10_000)] = 0
    per_entrant: Annotated[int, Meta(ge=0, le=1_000)] = 1
    replays: Annotated[int, Meta(ge=0, le=100)] = 3


class Manifest(Fixed, frozen=True, kw_only=True):
    """A tournament as it was announced.

    `commitment` is the SHA-256 (hex) of its secret seed; `rules` and `edition` pin what is played; `late`
    says up to which round entrants may still come in; `ties` are what breaks equal points, first one first.
    """

    document: Literal["cantiere-tournament 1"] = DOCUMENT
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    game: str
    rules: int
    edition: Edition
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=2, le=16)]
    entrants: Annotated[tuple[Entrant, ...], Meta(max_length=MOST_ENTRANTS)]
    format: Format
    design: Design = Rotation()
    luck: Luck = "own"
    clock: AskedClock | None = None
    faults: FaultPolicy = FaultPolicy()
    stopping: Stopping | None = None
    limits: Limits = Limits()
    late: Annotated[int, Meta(ge=0, le=10_000)] = 0
    ties: tuple[TieBreak, ...] = ("direct", "buchholz", "wins", "margin")
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?![\s\S])")]
