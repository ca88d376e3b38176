"""Which matches count, and what an entrant has from them."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from service.tournaments.ledger import Ledger
from service.tournaments.record import MatchOrder, MatchResult, Written
from service.tournaments.scoring import Match, halves, is_played_out, margins
from service.tournaments.stopping import verdict


class Mean(Written, frozen=True, kw_only=True):
    """A mean and its standard error, the latter None of fewer than two values."""

    mean: float
    error: float | None
    count: int


class Tally(NamedTuple):
    """What one entrant has: half points won and possible, matches won, scores and margins unit by unit."""

    won: int
    possible: int
    matches: int
    wins: int
    scores: tuple[float, ...]
    margins: tuple[float, ...]

    @property
    def share(self) -> float:
        """The part of the points possible, 0 of none."""
        return self.won / self.possible if self.possible else 0.0


def counting(ledger: Ledger) -> tuple[Match, ...]:
    """The matches that count, by number: all with a result, but none behind the one that decided."""
    reached = verdict(ledger)
    last = reached.last if reached and reached.accepted else math.inf
    return tuple(match for match in ledger.matches() if match[0].number <= last)


def tallies(ledger: Ledger, matches: Iterable[Match]) -> dict[str, Tally]:
    """What everybody has from these matches."""
    by_number = {order.number: (order, result) for order, result in matches}
    units: defaultdict[str, list[list[Match]]] = defaultdict(list)
    for unit in ledger.units():
        found = [by_number[order.number] for order in unit if order.number in by_number]
        for entrant in found[0][0].entrants if found else ():
            units[entrant].append(found)
    return {entrant: _tally(entrant, units[entrant]) for entrant in ledger.entrants}


def mean_of(values: Sequence[float]) -> Mean | None:
    """Their mean with its standard error; None of none."""
    if not values:
        return None
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Mean(mean=fmean(values), error=error, count=len(values))


def _tally(entrant: str, units: Sequence[Sequence[Match]]) -> Tally:
    matches = [(order, result, order.entrants.index(entrant)) for unit in units for order, result in unit]
    return Tally(
        won=sum(halves(result.ranks)[seat] for _, result, seat in matches),
        possible=sum(_possible(order) for order, _, _ in matches),
        matches=len(matches),
        wins=sum(result.ranks[seat] == 1 for _, result, seat in matches),
        scores=tuple(fmean(_score(entrant, *match) for match in unit) for unit in units),
        margins=tuple(
            fmean(found)
            for unit in units
            if (found := [_margin(entrant, *match) for match in unit if is_played_out(match[1])])
        ),
    )


def _possible(order: MatchOrder) -> int:
    return 2 * len(order.entrants) - 2


def _score(entrant: str, order: MatchOrder, result: MatchResult) -> float:
    return halves(result.ranks)[order.entrants.index(entrant)] / _possible(order)


def _margin(entrant: str, order: MatchOrder, result: MatchResult) -> float:
    return margins(result)[order.entrants.index(entrant)]
