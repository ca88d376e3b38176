"""When play may stop: rules that may look after every deal and still err no more often than they say.

One observation is a unit of the ledger: all matches of a deal, or of a set; what counts is the mean share of
the points that the entrant won in it. Units count in their sequence, and only as long as all before them are
over: neither how long matches take nor who is quickest decides what is seen.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from msgspec.structs import replace

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


class Judge(Protocol):
    """A rule at work: takes one observation after another, and changes nothing once it has an answer.

    `units` is how many it was given.
    """

    units: int
    verdict: Verdict

    def take(self, seen: "Seen") -> None: ...


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
    judge = _judges.get(ledger) or _judges.setdefault(ledger, _judge_of(rule))
    for seen in islice(observations(ledger, entrant), judge.units, None):
        judge.take(seen)
    return judge.verdict


def is_decided(ledger: Ledger) -> bool:
    """Whether the rule of the manifest, if it has one, has come to an answer: then play stops."""
    reached = verdict(ledger)
    return bool(reached and reached.accepted)


def judged(rule: Stopping, seen: Iterable[Seen]) -> Verdict:
    """The verdict at the first observation that decides, or at the last one."""
    judge = _judge_of(rule)
    for one in seen:
        judge.take(one)
        if judge.verdict.accepted:
            break
    return judge.verdict


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


class _ByLikelihood:
    """Wald's test (1945), between `beta` and 1 / `alpha`.

    With these bounds the errors are at most, and with his approximations, a little closer, they are about as
    great as they should be (Ville 1939).
    """

    def __init__(self, rule: Sprt) -> None:
        self.units = 0
        self.verdict = Verdict(lower=math.log(rule.beta), upper=-math.log(rule.alpha))
        self._means = expected(rule.elo0), expected(rule.elo1)
        self._counts = {0.0: UNSEEN, 0.5: UNSEEN, 1.0: UNSEEN}

    def take(self, seen: Seen) -> None:
        self.units += 1
        if self.verdict.accepted:
            return
        self._counts[seen.score] = self._counts.get(seen.score, 0.0) + 1.0
        value = likelihood_ratio(self._counts, *self._means) if self.units >= FEWEST else 0.0
        accepted: Accepted = ""
        if self.verdict.lower is not None and value <= self.verdict.lower:
            accepted = "elo0"
        elif value >= self.verdict.upper:
            accepted = "elo1"
        self.verdict = _moved(self.verdict, accepted, value, self.units, seen)


class _ByBetting:
    """A gambler who bets at fair odds that the mean is not one half.

    If it is, the capital is a martingale, and the chance that it ever grows to 1 / alpha is at most alpha
    (Ville 1939). The stake is set before each observation, from those before it: Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting" (2023).
    """

    def __init__(self, rule: Placings) -> None:
        self.units = 0
        self.verdict = Verdict(upper=-math.log(rule.alpha))
        # One observation beforehand that says nothing: mean 1/2, variance 1/4.
        self._total, self._squares = 0.5, 0.5

    def take(self, seen: Seen) -> None:
        self.units += 1
        if self.verdict.accepted:
            return
        mean = self._total / self.units
        variance = self._squares / self.units - mean * mean
        stake = max(-1.0, min(1.0, (mean - 0.5) / (variance + (mean - 0.5) ** 2)))
        value = self.verdict.value + math.log1p(stake * (seen.score - 0.5))
        self._total, self._squares = self._total + seen.score, self._squares + seen.score * seen.score
        accepted: Accepted = ""
        if value >= self.verdict.upper:
            accepted = "better" if self._total / (self.units + 1) > 0.5 else "worse"
        self.verdict = _moved(self.verdict, accepted, value, self.units, seen)


def _moved(verdict: Verdict, accepted: Accepted, value: float, units: int, seen: Seen) -> Verdict:
    """The verdict after one more observation."""
    last = seen.last if accepted else 0
    return replace(verdict, accepted=accepted, value=value, units=units, last=last)


def _judge_of(rule: Stopping) -> Judge:
    return _ByBetting(rule) if isinstance(rule, Placings) else _ByLikelihood(rule)


_judges: Final[WeakKeyDictionary[Ledger, Judge]] = WeakKeyDictionary()
"""What ledgers have shown so far: they only grow, and only what is new has to be looked at."""
