"""Points: for each opponent at the table who is outdone two half points, for each who is equalled one.

So a match of two is worth two half points and one of `s` seats `s * (s - 1)`; all sums are whole numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from service.tournaments.ledger import Ledger
from service.tournaments.record import MatchOrder, MatchResult
from service.tournaments.seating import set_size

Match = tuple[MatchOrder, MatchResult]


class Duel(NamedTuple):
    """What one entrant got against another in one match: 2, 1 or 0 half points, and points of the game."""

    one: str
    other: str
    halves: int
    margin: int


def halves(ranks: Iterable[int]) -> tuple[int, ...]:
    """Half points by seat."""
    ranks = tuple(ranks)
    return tuple(
        sum((rank < other) * 2 + (rank == other) for other in ranks) - 1  # everybody equals itself
        for rank in ranks
    )


def duels(order: MatchOrder, result: MatchResult) -> Iterator[Duel]:
    """Every two at the table, once from either side."""
    sides = list(zip(order.entrants, result.ranks, result.scores, strict=True))
    for (one, rank, score), (other, its_rank, its_score) in combinations(sides, 2):
        outcome = (rank < its_rank) * 2 + (rank == its_rank)
        yield Duel(one, other, outcome, score - its_score)
        yield Duel(other, one, 2 - outcome, its_score - score)


def is_played_out(result: MatchResult) -> bool:
    """Whether every seat stayed to the end: only then the scores say something."""
    return bool(result.match) and all(reason == "played" for reason in result.reasons)


def margins(result: MatchResult) -> tuple[float, ...]:
    """By seat: its score less the mean score of the other seats."""
    total, others = sum(result.scores), len(result.scores) - 1
    return tuple(score - (total - score) / others for score in result.scores)


def bye_halves(ledger: Ledger) -> int:
    """Half points for a bye: as many as for winning every match of a set."""
    return 2 * (ledger.manifest.seats - 1) * set_size(ledger.manifest.seats, ledger.manifest.design)


def totals(ledger: Ledger, matches: Iterable[Match]) -> dict[str, int]:
    """Half points by entrant, byes among them."""
    sums: defaultdict[str, int] = defaultdict(int, dict.fromkeys(ledger.entrants, 0))
    for order, result in matches:
        for entrant, points in zip(order.entrants, halves(result.ranks), strict=True):
            sums[entrant] += points
    for order in ledger.orders.values():
        if order.is_bye:
            sums[order.entrants[0]] += bye_halves(ledger)
    return dict(sums)


def total_margins(matches: Iterable[Match]) -> dict[str, float]:
    """The sum of the margins by entrant, of matches that were played out."""
    sums: defaultdict[str, float] = defaultdict(float)
    for order, result in matches:
        if is_played_out(result):
            for entrant, margin in zip(order.entrants, margins(result), strict=True):
                sums[entrant] += margin
    return dict(sums)
