"""Round robin: everybody meets everybody. Who comes late has rounds of its own behind the others."""

from collections.abc import Iterator
from functools import lru_cache

from service.tournaments.designs import circle, rounds_of, sittings, tables
from service.tournaments.formats.plan import Rounds, late_entrants, seated, still_to_come
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import RoundRobin
from service.tournaments.seating import Meeting


def rounds_due(ledger: Ledger, chosen: RoundRobin) -> Iterator[tuple[Meeting, ...]]:
    """The rounds that follow, all there are."""
    entrants = tuple(entrant.id for entrant in ledger.manifest.entrants)
    seats = ledger.manifest.seats
    rounds = plan(entrants, seats, chosen.rounds)
    known = entrants
    for newcomer in late_entrants(ledger):
        rounds += _for_newcomer(newcomer, known, seats, chosen.rounds)
        known += (newcomer,)
    return still_to_come(ledger, rounds)


@lru_cache(maxsize=64)
def plan(entrants: tuple[str, ...], seats: int, meetings: int) -> Rounds:
    """Rounds in which every two meet `meetings` times, or as near to that as the numbers allow."""
    number = len(entrants)
    if seats == 2:
        rounds = tuple(circle(number)) * meetings
    else:
        rounds = rounds_of(tables(number, seats, sittings(number, seats, meetings)))
    return seated([[tuple(entrants[one] for one in table) for table in at_once] for at_once in rounds], seats)


def _for_newcomer(newcomer: str, known: tuple[str, ...], seats: int, meetings: int) -> Rounds:
    """Rounds of one table each, in which the newcomer meets everybody who was there before."""
    others = tables(len(known), seats - 1, sittings(len(known), seats - 1, 1) if seats > 2 else 1)
    return seated([[(newcomer, *(known[one] for one in table))] for table in others * meetings], seats)
