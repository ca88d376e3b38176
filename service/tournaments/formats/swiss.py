"""Swiss: in each round those meet who have about as many points and have not met before.

Two at a table: the pairs of least cost, a matching of maximal weight in a general graph (Edmonds 1965). What
costs most, first: who met before, a second bye, a difference in points, two who both had one seat too often;
last, within equal points, the upper half meets the lower half in its order, as in the Dutch system of FIDE.
More at a table: filled by points, then improved by exchanges under the same costs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Swiss
from service.tournaments.scoring import bye_halves, totals
from service.tournaments.seating import Meeting, evened

NEAREST: Final = 24
"""Who may meet whom: at first those at most so many places apart."""

AGAIN: Final = 10**15
POINT: Final = 10**6
SEAT: Final = 10**4
"""What it costs to meet again, a squared point, and a squared seat too often."""

MOST_SWEEPS: Final = 20


class Field(NamedTuple):
    """Who is to be paired, by points and then in the sequence of entry, and what was before.

    `points` are in quarters of what a set can bring; `lean` is how many more matches somebody had in the
    first half of the seats than in the second, `byes` how many byes.
    """

    ranked: tuple[str, ...]
    points: dict[str, int]
    met: Counter[tuple[str, str]]
    lean: dict[str, int]
    byes: Counter[str]


def rounds_due(ledger: Ledger, chosen: Swiss) -> Iterator[tuple[Meeting, ...]]:
    """The next round, once the one before is over and unless it was the last."""
    number = ledger.round + 1
    if ledger.open or number > chosen.rounds or len(ledger.active) < ledger.manifest.seats:
        return
    field = field_of(ledger)
    seats = ledger.manifest.seats
    tables, byes = _pairs(field) if seats == 2 else _groups(field, seats)
    before = [order.entrants for order in ledger.orders.values() if not order.is_bye]
    seated = [evened(table, before) for table in tables]
    yield tuple(Meeting(number, place, table) for place, table in enumerate([*seated, *byes], 1))


def field_of(ledger: Ledger) -> Field:
    """The field as it stands."""
    points = totals(ledger, ledger.matches())
    unit = max(1, bye_halves(ledger) // 2)
    lean: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for played in ledger.sets():
        met.update(_pair(*two) for two in combinations(sorted(played[0].entrants), 2))
        for order in played:
            middle = (len(order.entrants) - 1) / 2
            lean.update({one: (seat < middle) - (seat > middle) for seat, one in enumerate(order.entrants)})
    return Field(
        ranked=tuple(sorted(ledger.active, key=lambda one: -points[one])),
        points={one: points[one] * 2 // unit for one in ledger.active},
        met=met,
        lean={one: lean[one] for one in ledger.active},
        byes=Counter(order.entrants[0] for order in ledger.orders.values() if order.is_bye),
    )


def _pairs(field: Field) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Pairs of least cost, and a bye for the one left over."""
    byes = _byes(field, len(field.ranked) % 2)
    ranked = [one for one in field.ranked if (one,) not in byes]
    reach = NEAREST
    while True:
        matching = _matching(field, ranked, reach)
        whole = 2 * len(matching) == len(ranked)
        again = any(field.met[_pair(*two)] for two in matching)
        if (whole and not again) or reach >= len(ranked):
            break
        reach *= 4
    return matching, byes


def _matching(field: Field, ranked: Sequence[str], reach: int) -> list[tuple[str, ...]]:
    """As many pairs as there can be, of the least cost, by the place of the first."""
    import networkx as nx  # noqa: PLC0415 - every process would wait for it, and few pair a Swiss round

    graph = nx.Graph()
    graph.add_nodes_from(range(len(ranked)))  # numbers: the order of sets of texts differs between processes
    size = Counter(field.points[one] for one in ranked)
    for place, one in enumerate(ranked):
        half = max(1, size[field.points[one]] // 2)
        for other in range(place + 1, min(place + 1 + reach, len(ranked))):
            fold = abs(other - place - half)
            graph.add_edge(place, other, weight=-_cost(field, (one, ranked[other])) - fold)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    return [(ranked[min(pair)], ranked[max(pair)]) for pair in sorted(found, key=min)]


def _byes(field: Field, many: int) -> list[tuple[str, ...]]:
    """Byes for those who had the fewest, among these for the last."""
    place = {one: number for number, one in enumerate(field.ranked)}
    from_below = sorted(field.ranked, key=lambda one: (field.byes[one], -place[one]))
    return [(one,) for one in from_below[:many]]


def _groups(field: Field, seats: int) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Tables of like points, and byes for those left over."""
    byes = _byes(field, len(field.ranked) % seats)
    ranked = [one for one in field.ranked if (one,) not in byes]
    tables = [list(ranked[start : start + seats]) for start in range(0, len(ranked), seats)]
    for _ in range(MOST_SWEEPS):
        if not sum(_improved(field, *two) for two in combinations(tables, 2)):
            break
    return [tuple(table) for table in tables], byes


def _improved(field: Field, one: list[str], other: list[str]) -> bool:
    """Whether an exchange between two tables costs less; then it is made."""
    now = _cost(field, one) + _cost(field, other)
    for place in range(len(one)):
        for its in range(len(other)):
            one[place], other[its] = other[its], one[place]
            if _cost(field, one) + _cost(field, other) < now:
                return True
            one[place], other[its] = other[its], one[place]
    return False


def _cost(field: Field, table: Sequence[str]) -> int:
    """What speaks against a table; never negative."""
    return sum(_cost_of_two(field, one, other) for one, other in combinations(table, 2))


def _cost_of_two(field: Field, one: str, other: str) -> int:
    apart = field.points[one] - field.points[other]
    lean = field.lean[one] + field.lean[other]
    return AGAIN * field.met[_pair(one, other)] + POINT * apart * apart + SEAT * lean * lean


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
