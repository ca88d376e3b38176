"""When play may stop: rules that may look after every deal and still err no more often than they say.

One observation is a unit of the ledger: all matches of a deal, or of a set; what counts is the mean share of
the points that the entrant won in it. Units count in their sequence, and only as long as all before them are
over: neither how long matches take nor who is quickest decides what is seen.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from service.tournaments.elo import expected
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Placings, Sprt, Stopping
from service.tournaments.record import MatchOrder, Written
from service.tournaments.scoring import halves

Accepted = Literal["", "elo0", "elo1", "better", "worse"]

UNSEEN: Final = 1e-3
"""What is added to the count of each score, as Stockfish's tests do: no score is held to be impossible."""

FEWEST: Final = 12
"""Units before the likelihood ratio is looked at: it is sound for many observations only."""

STEPS: Final = 100
CLOSE: Final = 1e-12
"""Steps towards a root at most, and how short one has to be to end there."""


class Verdict(Written, frozen=True, kw_only=True):
    """Where a rule stands: `value` between the bounds, after so many units; `accepted` is empty at first.

    In a sequential probability ratio test `value` is the logarithm of the likelihood ratio; in the test on
    placings that of the gambler's capital. `last` is the last order that counts, 0 while undecided.
    """

    accepted: Accepted = ""
    value: float = 0.0
    lower: float | None = None
    upper: float
    units: int = 0
    last: int = 0


class Seen(NamedTuple):
    """One observation: the score, and the number of the last order in it."""

    score: float
    last: int


def verdict(ledger: Ledger) -> Verdict | None:
    """Where the rule of the manifest stands; None if it has none."""
    rule = ledger.manifest.stopping
    if rule is None:
        return None
    entrant = rule.entrant if isinstance(rule, Placings) else ledger.manifest.entrants[0].id
    return judged(rule, observations(ledger, entrant))


def is_decided(ledger: Ledger) -> bool:
    """Whether the rule of the manifest, if it has one, has come to an answer: then play stops."""
    reached = verdict(ledger)
    return bool(reached and reached.accepted)


def judged(rule: Stopping, seen: Iterable[Seen]) -> Verdict:
    """The verdict at the first observation that decides, or at the last one."""
    if isinstance(rule, Placings):
        return _by_betting(rule, seen)
    return _by_likelihood(rule, seen)


def observations(ledger: Ledger, entrant: str) -> Iterator[Seen]:
    """What the entrant scored, unit by unit, up to the first that is not over."""
    for unit in ledger.units():
        if not ledger.is_done(unit):
            return
        shares = list(shares_of(ledger, unit, entrant))
        if shares:
            yield Seen(sum(shares) / len(shares), unit[-1].number)


def shares_of(ledger: Ledger, unit: Sequence[MatchOrder], entrant: str) -> Iterator[float]:
    """The shares of the points that the entrant won in the matches of a unit that have a result."""
    for order in unit:
        result = ledger.results.get(order.number)
        if result and entrant in order.entrants:
            seat = order.entrants.index(entrant)
            yield halves(result.ranks)[seat] / (2 * len(order.entrants) - 2)


def likelihood_ratio(counts: Mapping[float, float], low: float, high: float) -> float:
    """The logarithm of how much likelier the scores are if their mean is `high` than if it is `low`.

    Both likelihoods are the greatest that any distribution with that mean gives. Source: Van den Bergh, "A
    practical introduction to the GSPRT" (2020); it is what fastchess and Stockfish's tests compute.
    """
    tilts = [(mean, _tilt(counts, mean)) for mean in (low, high)]
    (low, of_low), (high, of_high) = tilts
    return sum(
        times * (math.log1p(of_low * (score - low)) - math.log1p(of_high * (score - high)))
        for score, times in counts.items()
    )


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """The t with which the likeliest distribution with this mean has the weights n / (1 + t (a - mean)).

    Newton's steps, and halves of what is left where they lead astray.
    """
    sides = [(score - mean, times) for score, times in counts.items()]
    low, high = -1.0 / (max(counts) - mean), 1.0 / (mean - min(counts))
    tilt = 0.0
    for _ in range(STEPS):
        parts = [(side / (1.0 + tilt * side), times) for side, times in sides]
        excess = sum(times * part for part, times in parts)
        low, high = (tilt, high) if excess > 0 else (low, tilt)
        step = excess / sum(times * part * part for part, times in parts)
        if abs(step) < CLOSE:
            break
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return tilt


def _by_likelihood(rule: Sprt, seen: Iterable[Seen]) -> Verdict:
    """Wald's test (1945), between `beta` and 1 / `alpha`.

    With these bounds the errors are at most, and with his approximations, a little closer, they are about as
    great as they should be (Ville 1939).
    """
    lower, upper = math.log(rule.beta), -math.log(rule.alpha)
    means = expected(rule.elo0), expected(rule.elo1)
    counts = {0.0: UNSEEN, 0.5: UNSEEN, 1.0: UNSEEN}
    units, value = 0, 0.0
    for units, (score, last) in enumerate(seen, 1):
        counts[score] = counts.get(score, 0.0) + 1.0
        if units < FEWEST:
            continue
        value = likelihood_ratio(counts, *means)
        if not lower < value < upper:
            accepted: Accepted = "elo0" if value <= lower else "elo1"
            return Verdict(accepted=accepted, value=value, lower=lower, upper=upper, units=units, last=last)
    return Verdict(value=value, lower=lower, upper=upper, units=units)


def _by_betting(rule: Placings, seen: Iterable[Seen]) -> Verdict:
    """A gambler who bets at fair odds that the mean is not one half.

    If it is, the capital is a martingale, and the chance that it ever grows to 1 / alpha is at most alpha
    (Ville 1939). The stake is set before each observation, from those before it: Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting" (2023).
    """
    upper = -math.log(rule.alpha)
    units, value = 0, 0.0
    total, squares = 0.5, 0.5  # one observation beforehand that says nothing: mean 1/2, variance 1/4
    for units, (score, last) in enumerate(seen, 1):
        mean = total / units
        variance = squares / units - mean * mean
        stake = max(-1.0, min(1.0, (mean - 0.5) / (variance + (mean - 0.5) ** 2)))
        value += math.log1p(stake * (score - 0.5))
        total, squares = total + score, squares + score * score
        if value >= upper:
            accepted: Accepted = "better" if total / (units + 1) > 0.5 else "worse"
            return Verdict(accepted=accepted, value=value, upper=upper, units=units, last=last)
    return Verdict(value=value, upper=upper, units=units)
