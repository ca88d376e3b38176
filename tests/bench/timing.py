"""How long things take, as medians of several runs."""

import statistics
import time
from collections.abc import Callable

RUNS = 5


def microseconds(call: Callable[[], object], times: int = 2_000) -> float:
    """The median over several runs of the mean time of one call."""
    return statistics.median(_run(call, times) for _ in range(RUNS)) * 1e6


def _run(call: Callable[[], object], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - started) / times
