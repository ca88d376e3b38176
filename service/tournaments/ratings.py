"""Ratings with an uncertainty, for any number of seats: the Plackett-Luce model of openskill.

Matches count one after another by number. Those of one deal are not independent of each other, so with few
deals played in many seatings the true uncertainty is greater than the one stated.

Source: Weng and Lin, "A Bayesian approximation method for online ranking" (2011).
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from service.tournaments.counting import counting
from service.tournaments.elo import NORMAL
from service.tournaments.ledger import Ledger
from service.tournaments.record import Written

_MODEL: Final = PlackettLuce()


class Rating(Written, frozen=True, kw_only=True):
    """What is known of an entrant's strength: its mean `mu`, its deviation `sigma`, and 95 % bounds."""

    entrant: str
    mu: float
    sigma: float
    low: float
    high: float
    matches: int


class Moment(NamedTuple):
    """The ratings of those who played it, after a match: number of the order, and mu and sigma by entrant."""

    order: int
    after: dict[str, tuple[float, float]]


def ratings(ledger: Ledger) -> tuple[Rating, ...]:
    """Everybody's rating, the strongest first; who has not played has what everybody begins with."""
    start = _MODEL.rating()
    known = dict.fromkeys(ledger.entrants, (start.mu, start.sigma))
    played = dict.fromkeys(ledger.entrants, 0)
    for moment in history(ledger):
        known.update(moment.after)
        for entrant in moment.after:
            played[entrant] += 1
    rows = [_row(entrant, *known[entrant], played[entrant]) for entrant in known]
    return tuple(sorted(rows, key=lambda row: -row.mu))


def history(ledger: Ledger) -> Iterator[Moment]:
    """The ratings match by match. Matches that never began say nothing about strength."""
    known: dict[str, PlackettLuceRating] = {entrant: _MODEL.rating() for entrant in ledger.entrants}
    for order, result in counting(ledger):
        if not result.match:
            continue
        teams = [[known[entrant]] for entrant in order.entrants]
        rated = _MODEL.rate(teams, ranks=[float(rank) for rank in result.ranks])
        after = {entrant: team[0] for entrant, team in zip(order.entrants, rated, strict=True)}
        known.update(after)
        yield Moment(order.number, {one: (rating.mu, rating.sigma) for one, rating in after.items()})


def _row(entrant: str, mu: float, sigma: float, matches: int) -> Rating:
    half = NORMAL * sigma
    return Rating(entrant=entrant, mu=mu, sigma=sigma, low=mu - half, high=mu + half, matches=matches)
