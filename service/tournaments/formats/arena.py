"""Arena: whoever is free is paired.

Who has played least is seated first, with those whom it met least; among these with whom it shares about the
same success. As long as others are still playing, nobody is seated again at once with somebody it just met.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Arena
from service.tournaments.scoring import halves
from service.tournaments.seating import Meeting, evened


class Past(NamedTuple):
    """What has been: matches and half points by entrant, meetings by pair, the last set of each."""

    played: Counter[str]
    points: Counter[str]
    met: Counter[frozenset[str]]
    last: dict[str, tuple[str, ...]]

    def success(self, entrant: str) -> float:
        """Half points a match."""
        return self.points[entrant] / max(1, self.played[entrant])


def rounds_due(ledger: Ledger, chosen: Arena) -> Iterator[tuple[Meeting, ...]]:
    """A round of all the tables that can be filled now."""
    busy = {entrant for number in ledger.open for entrant in ledger.orders[number].entrants}
    free = [entrant for entrant in ledger.active if entrant not in busy]
    if len(free) < ledger.manifest.seats:
        return
    room = chosen.sets - sum(1 for _ in ledger.sets()) if chosen.sets else len(free)
    past = _past(ledger)
    before = [order.entrants for order in ledger.orders.values()]
    tables: list[tuple[str, ...]] = []
    while len(free) >= ledger.manifest.seats and len(tables) < room:
        table = _table(free, past, ledger.manifest.seats)
        free = [entrant for entrant in free if entrant not in table]
        if not (busy and _is_repeat(table, past)):
            tables.append(evened(table, before))
    if tables:
        yield tuple(Meeting(ledger.round + 1, place, table) for place, table in enumerate(tables, 1))


def _past(ledger: Ledger) -> Past:
    past = Past(Counter(), Counter(), Counter(), {})
    for played in ledger.sets():
        past.met.update(map(frozenset, combinations(played[0].entrants, 2)))
        past.last.update(dict.fromkeys(played[0].entrants, played[0].entrants))
    for order, result in ledger.matches():
        past.played.update(order.entrants)
        past.points.update(dict(zip(order.entrants, halves(result.ranks), strict=True)))
    return past


def _table(free: list[str], past: Past, seats: int) -> tuple[str, ...]:
    """The first table to be filled from those who are free."""
    table = [min(free, key=lambda one: past.played[one])]
    while len(table) < seats:
        rest = [one for one in free if one not in table]
        table.append(min(rest, key=lambda one: _distance(one, table, past)))
    return tuple(table)


def _distance(one: str, table: list[str], past: Past) -> tuple[bool, int, int, float]:
    """What speaks against somebody at a table."""
    return (
        _is_repeat((one, *table), past),
        sum(past.met[frozenset((one, other))] for other in table),
        past.played[one],
        sum(abs(past.success(one) - past.success(other)) for other in table),
    )


def _is_repeat(table: tuple[str, ...], past: Past) -> bool:
    """Whether two at the table come from the same table, both straight from there."""
    return any(
        other in past.last.get(one, ()) and one in past.last.get(other, ())
        for one, other in combinations(table, 2)
    )
