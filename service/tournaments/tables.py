"""What matches say beside the places: who did what against whom, and what a seat is worth."""

from collections import defaultdict
from collections.abc import Sequence

from service.tournaments.counting import Mean, counting, mean_of
from service.tournaments.elo import Estimate, estimate
from service.tournaments.ledger import Ledger
from service.tournaments.record import Written
from service.tournaments.scoring import Match, duels, halves, is_played_out


class Cell(Written, frozen=True, kw_only=True):
    """What `one` got against `other`: points, 1 for each match in which it did better, a half where equal.

    `margin` is the mean lead in points of the game, None if no match was played out; `elo` is given where two
    sit at a table.
    """

    one: str
    other: str
    matches: int
    points: float
    margin: float | None = None
    elo: Estimate | None = None


class SeatRow(Written, frozen=True, kw_only=True):
    """What a seat is worth: the mean share of the points that were won from it, whoever sat there."""

    seat: int
    share: Mean


class EloRow(Written, frozen=True, kw_only=True):
    """How much stronger than the opponents that it met an entrant is, in Elo."""

    entrant: str
    elo: Estimate


def crosstable(ledger: Ledger) -> tuple[Cell, ...]:
    """A cell for every two who met, from either side, in the sequence of entry."""
    won: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    leads: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for order, result in counting(ledger):
        for duel in duels(order, result):
            won[duel.one, duel.other].append(duel.halves)
            if is_played_out(result):
                leads[duel.one, duel.other].append(duel.margin)
    scores = _unit_scores(ledger) if ledger.manifest.seats == 2 else {}
    place = {entrant: number for number, entrant in enumerate(ledger.entrants)}
    return tuple(
        Cell(
            one=pair[0],
            other=pair[1],
            matches=len(won[pair]),
            points=sum(won[pair]) / 2,
            margin=sum(leads[pair]) / len(leads[pair]) if leads[pair] else None,
            elo=estimate(scores[pair]) if scores else None,
        )
        for pair in sorted(won, key=lambda pair: (place[pair[0]], place[pair[1]]))
    )


def seat_advantage(ledger: Ledger) -> tuple[SeatRow, ...]:
    """A row for every seat, once there are matches."""
    shares: defaultdict[int, list[float]] = defaultdict(list)
    for _, result in counting(ledger):
        for seat, won in enumerate(halves(result.ranks)):
            shares[seat].append(won / (2 * len(result.ranks) - 2))
    means = ((seat, mean_of(shares[seat])) for seat in sorted(shares))
    return tuple(SeatRow(seat=seat, share=mean) for seat, mean in means if mean)


def elo_rows(ledger: Ledger) -> tuple[EloRow, ...]:
    """At tables of two: everybody who played, against those whom it met."""
    if ledger.manifest.seats != 2:
        return ()
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for (one, _), found in _unit_scores(ledger).items():
        scores[one] += found
    return tuple(EloRow(entrant=one, elo=estimate(scores[one])) for one in ledger.entrants if scores[one])


def _unit_scores(ledger: Ledger) -> dict[tuple[str, str], list[float]]:
    """The mean share of each unit, by who won it against whom."""
    matches = {order.number: (order, result) for order, result in counting(ledger)}
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for unit in ledger.units():
        for one, other in (unit[0].entrants, unit[0].entrants[::-1]):
            shares = _shares([matches[order.number] for order in unit if order.number in matches], one)
            if shares:
                found[one, other].append(sum(shares) / len(shares))
    return dict(found)


def _shares(matches: Sequence[Match], entrant: str) -> list[float]:
    return [halves(result.ranks)[order.entrants.index(entrant)] / 2 for order, result in matches]
