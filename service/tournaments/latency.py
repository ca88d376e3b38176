"""Times of turns, counted in buckets that grow by a tenth of a decade: small, exact to add up, and alike
everywhere.

Source: the preferred numbers R10 of ISO 3.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import Final

Latencies = tuple[tuple[int, int], ...]

_STEPS: Final = (10, 13, 16, 20, 25, 32, 40, 50, 63, 80)
BUCKETS: Final = (*range(10), *(step * 10**power for power in range(8) for step in _STEPS))
"""Upper ends of the buckets, in ms: a time of 0.4 ms is in 0, all above the last one are in the last."""


def counted(times: Iterable[int]) -> Latencies:
    """The buckets that the times, in ms, fall into, with how many, ascending."""
    last = len(BUCKETS) - 1
    counts = Counter(BUCKETS[min(last, bisect_left(BUCKETS, time))] for time in times)
    return tuple(sorted(counts.items()))


def merged(parts: Iterable[Latencies]) -> Latencies:
    """All of them together."""
    counts: Counter[int] = Counter()
    for part in parts:
        counts.update(dict(part))
    return tuple(sorted(counts.items()))


def percentile(latencies: Latencies, percent: int) -> int | None:
    """What so many percent of the times do not exceed, in ms, to the end of its bucket; None of none."""
    due = sum(count for _, count in latencies) * percent
    seen = 0
    for bucket, count in latencies:
        seen += count * 100
        if seen >= due:
            return bucket
    return None
