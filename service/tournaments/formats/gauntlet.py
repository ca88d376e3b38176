"""Gauntlet: heroes against everybody else. Who comes late meets the heroes behind the others."""

from collections.abc import Iterator
from functools import lru_cache

from service.tournaments.designs import rounds_of, tables
from service.tournaments.formats.plan import Rounds, late_entrants, seated, still_to_come
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Gauntlet
from service.tournaments.seating import Meeting


def rounds_due(ledger: Ledger, chosen: Gauntlet) -> Iterator[tuple[Meeting, ...]]:
    """The rounds that follow, all there are."""
    seats = ledger.manifest.seats
    others = tuple(one.id for one in ledger.manifest.entrants if one.id not in chosen.heroes)
    rounds = plan(chosen.heroes, others, seats, chosen.rounds)
    for newcomer in late_entrants(ledger):
        rounds += _for_newcomer(newcomer, chosen.heroes, others, seats, chosen.rounds)
        others += (newcomer,)
    return still_to_come(ledger, rounds)


@lru_cache(maxsize=64)
def plan(heroes: tuple[str, ...], others: tuple[str, ...], seats: int, meetings: int) -> Rounds:
    """Rounds in which each hero meets each other entrant `meetings` times.

    At larger tables it may be a few times more: all tables are full, and all meet the hero equally often.
    """
    beside = seats - 1
    each = next(times for times in range(meetings, meetings + beside) if len(others) * times % beside == 0)
    groups = tables(len(others), beside, each)
    everybody = (*others, *heroes)
    sitting = [(len(others) + place, *group) for group in groups for place in range(len(heroes))]
    rounds = rounds_of(sitting)
    return seated(
        [[tuple(everybody[one] for one in table) for table in at_once] for at_once in rounds], seats
    )


def _for_newcomer(
    newcomer: str, heroes: tuple[str, ...], others: tuple[str, ...], seats: int, meetings: int
) -> Rounds:
    """Rounds of one table each, in which the newcomer meets the heroes; further seats go round the others."""
    found = []
    for number in range(len(heroes) * meetings):
        first = number * (seats - 2)
        beside = (others[(first + place) % len(others)] for place in range(seats - 2))
        found.append([(heroes[number % len(heroes)], newcomer, *beside)])
    return seated(found, seats)
