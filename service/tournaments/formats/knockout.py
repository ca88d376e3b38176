"""Knockout: who does not go on from a table is out.

All sets of one meeting have the same round and table. In each round those who are left are drawn anew: the
best seeds have the byes, the others are laid out to and fro, so that at tables of two the first meets the
last. A round brings the field down to the next size from which every further round is full, so byes come
early; places that are then still free go to the best of those who did not go on.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Knockout
from service.tournaments.record import MatchOrder
from service.tournaments.scoring import Match, halves, total_margins
from service.tournaments.seating import Meeting, evened, set_size


class Table(NamedTuple):
    """One meeting: how many sets were ordered, and its entrants with their half points, the best first."""

    number: int
    sets: int
    ranking: tuple[tuple[str, int], ...]

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(entrant for entrant, _ in self.ranking)


class Stage(NamedTuple):
    """A round as it stands: its tables, and who has a bye."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(len(table.ranking) for table in self.tables) + len(self.byes)


def rounds_due(ledger: Ledger, chosen: Knockout) -> Iterator[tuple[Meeting, ...]]:
    """One more set of each meeting that is undecided; once all are decided, the next round.

    Each waits for all that was ordered before, so that numbers and deals do not depend on who was quickest.
    """
    if ledger.open:
        return
    if not ledger.round:
        yield _drawn(ledger, chosen, ledger.active, 1)
        return
    stage = stages(ledger)[-1]
    more = [table for table in stage.tables if not is_decided(ledger, chosen, stage, table)]
    if more:
        yield tuple(Meeting(stage.number, table.number, _seating(ledger, table.entrants)) for table in more)
    elif stage.size > ledger.manifest.seats:
        left = [entrant for entrant in going_on(ledger, chosen, stage) if entrant not in ledger.left]
        yield _drawn(ledger, chosen, left, stage.number + 1)


def stages(ledger: Ledger) -> tuple[Stage, ...]:
    """Every round there was."""
    return tuple(_stage(ledger, number, orders) for number, orders in ledger.rounds())


def is_decided(ledger: Ledger, chosen: Knockout, stage: Stage, table: Table) -> bool:
    """Whether no further set can change who goes on, or there is none, or somebody left."""
    if table.sets >= chosen.best_of or not ledger.left.keys().isdisjoint(table.entrants):
        return True
    seats = ledger.manifest.seats
    last = 1 if stage.size == seats else chosen.advance
    swing = 2 * (seats - 1) * set_size(seats, ledger.manifest.design)
    return table.ranking[last - 1][1] - table.ranking[last][1] > swing * (chosen.best_of - table.sets)


def going_on(ledger: Ledger, chosen: Knockout, stage: Stage) -> tuple[str, ...]:
    """Who is in the next round, best seed first."""
    best = [entrant for table in stage.tables for entrant, _ in table.ranking[: chosen.advance]]
    others = [place for table in stage.tables for place in table.ranking[chosen.advance :]]
    free = next_size(stage.size, ledger.manifest.seats, chosen.advance) - len(best) - len(stage.byes)
    seeds = list(ledger.entrants)
    lucky = sorted(others, key=lambda place: (-place[1], seeds.index(place[0])))[: max(0, free)]
    return tuple(sorted([*stage.byes, *best, *(entrant for entrant, _ in lucky)], key=seeds.index))


def next_size(size: int, seats: int, advance: int) -> int:
    """The greatest number below `size` that comes down to one full table through full rounds."""
    found = seats
    while found * seats // advance < size:
        found = found * seats // advance
    return found


def _drawn(ledger: Ledger, chosen: Knockout, field: Sequence[str], number: int) -> tuple[Meeting, ...]:
    """The meetings of a new round, and the byes; none if too few are left for a table."""
    seats = ledger.manifest.seats
    if len(field) < seats:
        return ()
    out = len(field) - next_size(len(field), seats, chosen.advance)
    tables = 1 if len(field) == seats else min(-(-out // (seats - chosen.advance)), len(field) // seats)
    byes, rest = field[: len(field) - tables * seats], field[len(field) - tables * seats :]
    rows = [rest[start : start + tables] for start in range(0, len(rest), tables)]
    to_and_fro = [row if turn % 2 == 0 else row[::-1] for turn, row in enumerate(rows)]
    seated = [_seating(ledger, table) for table in zip(*to_and_fro, strict=True)]
    return tuple(
        Meeting(number, at, table) for at, table in enumerate([*seated, *((one,) for one in byes)], 1)
    )


def _seating(ledger: Ledger, table: Sequence[str]) -> tuple[str, ...]:
    return evened(table, [order.entrants for order in ledger.orders.values() if not order.is_bye])


def _stage(ledger: Ledger, number: int, orders: Sequence[MatchOrder]) -> Stage:
    by_table: defaultdict[int, list[MatchOrder]] = defaultdict(list)
    for order in orders:
        by_table[order.table].append(order)
    tables = [_table(ledger, at, group) for at, group in by_table.items() if not group[0].is_bye]
    return Stage(number, tuple(tables), tuple(order.entrants[0] for order in orders if order.is_bye))


def _table(ledger: Ledger, number: int, orders: Sequence[MatchOrder]) -> Table:
    """A meeting, ranked by points, then by the margin of points of the game, then by seed."""
    matches: list[Match] = [
        (order, ledger.results[order.number]) for order in orders if order.number in ledger.results
    ]
    points = dict.fromkeys(sorted(orders[0].entrants, key=list(ledger.entrants).index), 0)
    for order, result in matches:
        for entrant, won in zip(order.entrants, halves(result.ranks), strict=True):
            points[entrant] += won
    margin = total_margins(matches)
    ranked = sorted(points, key=lambda one: (one in ledger.left, -points[one], -margin.get(one, 0)))
    size = set_size(ledger.manifest.seats, ledger.manifest.design)
    return Table(number, len(orders) // size, tuple((one, points[one]) for one in ranked))
