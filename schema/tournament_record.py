"""The record of a tournament: its manifest and a numbered list of entries, the one input of all computing.

Entries are only ever added. What is due next, the places, the ratings: each is a function of the record, so
whoever has the record can compute them again. Entry `n` is `entries[n]`.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from schema.manifest import Entrant, FaultClass, Manifest

Reason = Literal["played", "resigned", "flagged", "forfeited", "absent"]
LeftFor = Literal["withdrawn", "struck_out", "expelled"]
StopCause = Literal["decided", "time", "cancelled"]


class Written(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of everything in a record."""


class MatchOrder(Written, frozen=True, kw_only=True):
    """A match that is to be played: number `number` of the event, its entrants by seat.

    Numbers count from 1. All orders of one set have its `round` and `table`; those with one `deal` number
    begin from the same deal. An order with a single entrant is a bye: nothing is played, nothing reported.
    """

    number: int
    round: int
    table: int
    deal: int
    entrants: tuple[str, ...]

    @property
    def is_bye(self) -> bool:
        return len(self.entrants) == 1


class FaultCount(Written, frozen=True, kw_only=True):
    """So many faults of one class by the seat's entrant in one match; `seat` is None for the server's."""

    seat: int | None
    fault: FaultClass
    count: int


class MatchResult(Written, frozen=True, kw_only=True):
    """How the match of order `order` ended; `match` is its id, empty if it never began.

    By seat: `ranks` from 1, equals sharing one; `scores`, the totals of the score sheet; `reasons`, how the
    seat ended; `latencies`, the times of its turns as (bucket in ms, count), see `latency.py`. `commitment`
    is that of the match's seed and `digest` that of its last state, both empty if it never began.
    """

    order: int
    match: str
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reasons: tuple[Reason, ...]
    faults: tuple[FaultCount, ...] = ()
    latencies: tuple[tuple[tuple[int, int], ...], ...] = ()
    commitment: str = ""
    digest: str = ""


class Ordered(Written, frozen=True, kw_only=True, tag_field="entry", tag="ordered"):
    """The answer of `orders_due` at this place of the record, all of it."""

    orders: tuple[MatchOrder, ...]
    at: int = 0


class Ended(Written, frozen=True, kw_only=True, tag_field="entry", tag="ended"):
    """A match has a result."""

    result: MatchResult
    at: int = 0


class Voided(Written, frozen=True, kw_only=True, tag_field="entry", tag="voided"):
    """The match of an order does not count; the order is open again, for a match with another seed."""

    order: int
    match: str
    faults: tuple[FaultCount, ...] = ()
    at: int = 0


class Entered(Written, frozen=True, kw_only=True, tag_field="entry", tag="entered"):
    """Somebody came in after the start."""

    entrant: Entrant
    at: int = 0


class Left(Written, frozen=True, kw_only=True, tag_field="entry", tag="left"):
    """Somebody takes no part from here on."""

    entrant: str
    cause: LeftFor = "withdrawn"
    at: int = 0


class Stopped(Written, frozen=True, kw_only=True, tag_field="entry", tag="stopped"):
    """Nothing more is ordered, and no order that has not begun is played."""

    cause: StopCause
    at: int = 0


Entry = Ordered | Ended | Voided | Entered | Left | Stopped
"""What a record is made of. `at` is in ms since 1970, for people: nothing depends on it."""


class Record(Written, frozen=True, kw_only=True):
    """A tournament so far. `hash` is the digest of the manifest, `seed` (hex) absent while it is secret."""

    manifest: Manifest
    hash: str
    entries: tuple[Entry, ...] = ()
    seed: str | None = None

    def with_entries(self, entries: Sequence[Entry]) -> "Record":
        """The record with these entries behind its own."""
        return replace(self, entries=(*self.entries, *entries))
