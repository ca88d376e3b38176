"""What a scraper is told: the figures of all workers of one `cantiere serve`, whichever of them is asked."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.observe.figures import DIRECTORY, REGISTRY

_FILE: Final = re.compile(r"gauge_livesum_(\d+)\.db")
"""Every worker has such a file from its start on, until it is found dead."""


class Exposition(NamedTuple):
    """Figures as text, and the media type of that."""

    body: bytes
    media_type: str


@contextmanager
def shared_figures(workers: int) -> Iterator[None]:
    """Processes that are started in the block share their figures, if there are several workers.

    The directory of their figures is made anew, so that what is counted begins at 0, and lives as long as
    the block.
    """
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="cantiere-figures-") as directory:
        os.environ[DIRECTORY] = directory
        try:
            yield
        finally:
            del os.environ[DIRECTORY]


def exposition(accept: str) -> Exposition:
    """The figures of all workers, in the format of those offered that a scraper prefers.

    Counters and histograms go on where workers have ended; what is open is that of living workers.
    """
    told = CollectorRegistry()
    directory = os.environ.get(DIRECTORY)
    if directory is None:
        told.register(REGISTRY)
        told.register(_Processes((os.getpid(),)))
    else:
        told.register(_Processes(tuple(_living(Path(directory)))))
        MultiProcessCollector(told, directory)
    encode, media_type = choose_encoder(accept)
    return Exposition(encode(told), media_type)


def _living(directory: Path) -> Iterator[int]:
    """The ids of the workers that run; those that do not are marked dead."""
    for path in sorted(directory.iterdir()):
        if found := _FILE.fullmatch(path.name):
            pid = int(found[1])
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                with suppress(FileNotFoundError):  # another scraper was faster
                    mark_process_dead(pid, str(directory))
            else:
                yield pid


class _Processes(Collector):
    """Memory, processor time and files of processes, by their ids; empty without a `/proc`."""

    def __init__(self, pids: Iterable[int]) -> None:
        self._pids = pids

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for pid in self._pids:
            for each in ProcessCollector(pid=partial(int, pid), registry=None).collect():
                family = families.setdefault(each.name, Metric(each.name, each.documentation, each.type))
                for sample in each.samples:
                    family.add_sample(sample.name, {"pid": str(pid)}, sample.value)
        yield from families.values()
