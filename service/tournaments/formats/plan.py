"""What formats with a plan have in common: all their rounds are known from the start."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from service.tournaments.ledger import Ledger
from service.tournaments.seating import Meeting, Seating, planned

Rounds = tuple[tuple[Seating, ...], ...]


def seated(rounds: Sequence[Sequence[Seating]], seats: int) -> Rounds:
    """The tables of a plan with their seatings, balanced over the whole of it."""
    seatings = iter(planned(tuple(chain.from_iterable(rounds)), seats))
    return tuple(tuple(next(seatings) for _ in tables) for tables in rounds)


def still_to_come(ledger: Ledger, rounds: Iterable[Sequence[Seating]]) -> Iterator[tuple[Meeting, ...]]:
    """The rounds of a plan that are not ordered yet, without the tables of those who left."""
    for number, tables in enumerate(rounds, 1):
        if number > ledger.round:
            yield tuple(
                Meeting(number, place, table)
                for place, table in enumerate(tables, 1)
                if ledger.left.keys().isdisjoint(table)
            )


def late_entrants(ledger: Ledger) -> tuple[str, ...]:
    """Who came in after the start, first one first."""
    return tuple(ledger.entrants)[len(ledger.manifest.entrants) :]
