"""Runs of load on a server, and what they came to."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.load import Load, measured

COLUMNS = f"{'/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'cpu us':>8}{'store':>7}"
WIDTH = len(COLUMNS)


class Server(NamedTuple):
    """A server under load."""

    pid: int
    port: int


class Run(NamedTuple):
    """What one run came to: requests a second, latencies in ms, processor time per request in us.

    `cpu` is that of the server's processes without its store, `store` that of the store.
    """

    rate: float
    p50: float
    p99: float
    cpu: float
    store: float

    def __str__(self) -> str:
        return f"{self.rate:>9,.0f}{self.p50:>8.2f}{self.p99:>8.2f}{self.cpu:>8.1f}{self.store:>7.1f}"


def run(load: Load, folder: Path) -> Run:
    """What the load came to."""
    result = measured(load, folder / "load.json")
    count = len(result.latencies)
    cuts = statistics.quantiles(result.latencies, n=100)
    return Run(
        count / result.seconds,
        cuts[49] * 1e3,
        cuts[98] * 1e3,
        result.server / count * 1e6,
        result.store / count * 1e6,
    )


def middle(runs: Sequence[Run]) -> Run:
    """The median of each figure."""
    return Run(*(statistics.median(values) for values in zip(*runs, strict=True)))
