"""Who sits where: seats go round, so that everybody sits equally often in every seat and before every other.

Where the meetings are known beforehand the first seating of each is found by colouring the edges between
tables and entrants with seats, which is always possible so that the seats of an entrant differ by one at most
(König 1916). Where they are not, each table takes the seating that evens out best what was before.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, cycle, islice, permutations
from typing import Final, NamedTuple, TypeVar

from service.tournaments.manifest import Design, Duplicate
from service.tournaments.record import MatchOrder

T = TypeVar("T")
Seating = tuple[str, ...]

MOST_PERMUTED: Final = 4
"""Tables of at most so many seats are looked at in every seating, larger ones in the cyclic ones."""


class Meeting(NamedTuple):
    """Entrants who are to play a set at one table, in the seating of its first match, or a bye of one."""

    round: int
    table: int
    entrants: Seating


@lru_cache
def turns(seats: int) -> tuple[tuple[int, ...], ...]:
    """All seatings of a table as orders of its places.

    Each stretch of `seats` from the start is one cyclic family, in which every entrant has every seat once;
    a family is followed by its mirror image, so that then each has been as often before as behind each other.
    """
    families: list[tuple[tuple[int, ...], ...]] = []
    for others in permutations(range(1, seats)):
        first = (0, *others)
        for family in (cyclic(first), cyclic(tuple(reversed(first)))):
            if not any(first in known for first in family for known in families):
                families.append(family)
    return tuple(turn for family in families for turn in family)


def cyclic(places: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    """The places moved round by 0, 1, ... seats."""
    return tuple(places[shift:] + places[:shift] for shift in range(len(places)))


def seatings(seats: int, design: Design) -> tuple[tuple[int, ...], ...]:
    """The seatings of one set, match by match; in a duplicate design those of one deal."""
    if isinstance(design, Duplicate):
        return turns(seats) if design.seatings == "all" else cyclic(tuple(range(seats)))
    return tuple(islice(cycle(_places(seats)), design.matches))


def _places(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seatings that a table goes through."""
    return turns(seats) if seats <= MOST_PERMUTED else cyclic(tuple(range(seats)))


def set_size(seats: int, design: Design) -> int:
    """How many matches a set has."""
    return len(seatings(seats, design)) * (design.deals if isinstance(design, Duplicate) else 1)


def orders_of(meeting: Meeting, design: Design, number: int, deal: int) -> Iterator[MatchOrder]:
    """The matches of a set, numbered from `number`, their deals from `deal`; or a bye."""
    if len(meeting.entrants) == 1:
        yield MatchOrder(
            number=number, round=meeting.round, table=meeting.table, deal=0, entrants=meeting.entrants
        )
        return
    each = seatings(len(meeting.entrants), design)
    deals = design.deals if isinstance(design, Duplicate) else 1
    for count, turn in enumerate(each * deals):
        yield MatchOrder(
            number=number + count,
            round=meeting.round,
            table=meeting.table,
            deal=deal + (count // len(each) if isinstance(design, Duplicate) else count),
            entrants=tuple(meeting.entrants[place] for place in turn),
        )


def evened(table: Iterable[str], before: Iterable[Seating]) -> Seating:
    """The seating of a table that evens out best who sat where, and before whom, in the matches before."""
    at, ahead = _history(before)
    chosen = tuple(sorted(table))
    places = permutations(chosen) if len(chosen) <= MOST_PERMUTED else iter(cyclic(chosen))
    return min(places, key=lambda seating: _burden(seating, at, ahead))


def balanced(tables: Sequence[Seating]) -> tuple[Seating, ...]:
    """A seating for each table: how often an entrant has one seat and another differs by at most one."""
    seats = max(map(len, tables), default=0)
    colouring = _Colouring(seats)
    met: Counter[str] = Counter()
    for number, table in enumerate(tables):
        for entrant in table:
            # An entrant at many tables is split into parts of `seats` tables: each part has every seat once.
            colouring.add(number, (entrant, met[entrant] // seats))
            met[entrant] += 1
    return tuple(colouring.seating(number) for number in range(len(tables)))


def planned(tables: Sequence[Seating], seats: int) -> tuple[Seating, ...]:
    """A seating for each table of a plan: a table that comes back goes round as often as it can as a whole,
    and the rest is balanced over all entrants."""
    places = _places(seats)
    times = Counter(tuple(sorted(table)) for table in tables)
    seen: Counter[Seating] = Counter()
    placed: list[Seating | None] = []
    for table in map(tuple, map(sorted, tables)):
        goes_round = seen[table] < times[table] // seats * seats
        turn = places[seen[table] % len(places)]
        placed.append(tuple(table[place] for place in turn) if goes_round else None)
        seen[table] += 1
    rest = iter(balanced([table for table, seating in zip(tables, placed, strict=True) if seating is None]))
    return tuple(seating or next(rest) for seating in placed)


class Imbalance(NamedTuple):
    """How far seats are from even.

    `seats` is the most by which, for one entrant, the times in two seats differ; `before` the most by which,
    for one pair, the times that one sat before the other differ from the reverse; `meetings` the most by
    which two pairs differ in the number of their matches; `matches` the same of two entrants.
    """

    seats: int
    before: int
    meetings: int
    matches: int


def imbalance(entrants: Sequence[str], seats: int, played: Sequence[Seating]) -> Imbalance:
    """The deviations of these matches from a perfect design."""
    at, ahead = _history(played)
    pairs = list(combinations(entrants, 2))
    totals = [sum(at[one, seat] for seat in range(seats)) for one in entrants]
    met = [ahead[one, other] + ahead[other, one] for one, other in pairs]
    return Imbalance(
        max((_range([at[one, seat] for seat in range(seats)]) for one in entrants), default=0),
        max((abs(ahead[one, other] - ahead[other, one]) for one, other in pairs), default=0),
        _range(met),
        _range(totals),
    )


def _range(values: Sequence[int]) -> int:
    return max(values, default=0) - min(values, default=0)


def _history(before: Iterable[Seating]) -> tuple[Counter[tuple[str, int]], Counter[tuple[str, str]]]:
    at: Counter[tuple[str, int]] = Counter()
    ahead: Counter[tuple[str, str]] = Counter()
    for seating in before:
        at.update((entrant, seat) for seat, entrant in enumerate(seating))
        ahead.update(combinations(seating, 2))
    return at, ahead


def _burden(
    seating: Seating, at: Counter[tuple[str, int]], ahead: Counter[tuple[str, str]]
) -> tuple[int, int]:
    """What makes a seating worse: seats had often before, then others sat before often."""
    had = sum(2 * at[entrant, seat] + 1 for seat, entrant in enumerate(seating))
    return had, sum(ahead[one, other] - ahead[other, one] for one, other in combinations(seating, 2))


class _Colouring:
    """Edges between tables and parts of entrants, coloured with seats; no node has a colour twice."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._table: dict[tuple[int, int], tuple[str, int]] = {}
        self._part: dict[tuple[tuple[str, int], int], int] = {}

    def add(self, table: int, part: tuple[str, int]) -> None:
        """Colour one more edge, after the colours along one path were changed if it needs that."""
        here = next(seat for seat in range(self._seats) if (table, seat) not in self._table)
        there = next(seat for seat in range(self._seats) if (part, seat) not in self._part)
        if here != there:
            self._swap(part, here, there)
        self._set(table, part, here)

    def seating(self, table: int) -> Seating:
        return tuple(
            self._table[table, seat][0] for seat in range(self._seats) if (table, seat) in self._table
        )

    def _swap(self, part: tuple[str, int], one: int, other: int) -> None:
        """Exchange two colours along the path that begins at `part` with the colour `one`."""
        path: list[tuple[int, tuple[str, int], int]] = []
        at, colour = part, one
        while (at, colour) in self._part:
            table = self._part[at, colour]
            path.append((table, at, colour))
            if (table, one + other - colour) not in self._table:
                break
            at = self._table[table, one + other - colour]
            path.append((table, at, one + other - colour))
        for table, at, colour in path:
            del self._table[table, colour], self._part[at, colour]
        for table, at, colour in path:
            self._set(table, at, one + other - colour)

    def _set(self, table: int, part: tuple[str, int], seat: int) -> None:
        self._table[table, seat] = part
        self._part[part, seat] = table
