"""Elo differences from scores, with bounds.

A score is the mean share of the points in one unit, 0 to 1; units are deals or sets, so that what matches of
one deal have in common does not count as evidence twice (as in the pentanomial counts of engine tests).
"""

import math
from collections.abc import Sequence
from typing import Final

from service.tournaments.record import Written

SCALE: Final = 400.0
NORMAL: Final = 1.959964
"""95 % of a normal distribution lie within so many standard deviations of its mean."""


class Estimate(Written, frozen=True, kw_only=True):
    """An Elo difference, and what it is with 95 % confidence between; None where there is no bound."""

    elo: float | None
    low: float | None
    high: float | None


def expected(elo: float) -> float:
    """The score that a difference stands for."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / SCALE))


def difference(score: float) -> float | None:
    """The difference that a score stands for; None at 0 and 1."""
    return -SCALE * math.log10(1.0 / score - 1.0) if 0.0 < score < 1.0 else None


def estimate(scores: Sequence[float]) -> Estimate:
    """The difference from the scores of some units; there is at least one.

    Bounds are those of Wilson (1927), for as many observations as give the variance of the units. The
    variance counts one more unit with all the spread there can be: a few equal units are no proof.
    """
    mean = sum(scores) / len(scores)
    spread = (sum((score - mean) ** 2 for score in scores) + 0.25) / (len(scores) + 1)
    weight = len(scores) * mean * (1 - mean) / spread if 0 < mean < 1 else float(len(scores))
    shift = NORMAL * NORMAL / weight
    half = NORMAL * math.sqrt(mean * (1 - mean) / weight + shift / 4 / weight)
    low, high = ((mean + shift / 2 + side * half) / (1 + shift) for side in (-1, 1))
    return Estimate(
        elo=rounded(difference(mean)), low=rounded(difference(low)), high=rounded(difference(high))
    )


def rounded(value: float | None, places: int = 6) -> float | None:
    """The value as it is stated: to so many places, and never minus zero."""
    return None if value is None else round(value, places) + 0.0
