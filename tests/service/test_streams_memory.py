"""Thousands of streams on one worker: what they cost, and that nothing of them stays."""

import asyncio
import sys

import httpx
import pytest

from schema.operations import API, NDJSON, SSE
from service.live.files import raised_file_limit
from tests.bench.process import resident
from tests.bench.streams import (
    AIM_BYTES,
    SPARE_FILES,
    STREAMS,
    Ears,
    Table,
    figures,
    heard,
    listening,
    measured,
    worker,
)

ROUNDS = 8
SETTLED = 3
"""Rounds after which the memory of a worker has as much room as it needs."""
AT_ONCE = 500


@pytest.mark.soak
def test_thousands_of_idle_streams_are_cheap_and_fast(capsys: pytest.CaptureFixture[str]) -> None:
    """Times are printed, not judged: they are those of a machine that does other things, too."""
    with capsys.disabled():
        for line in figures():
            sys.stdout.write(f"\n{line}")
    assert raised_file_limit(STREAMS + SPARE_FILES) >= STREAMS + SPARE_FILES
    assert measured(STREAMS, 1, SSE, moves=3).memory < AIM_BYTES


def test_streams_that_come_and_go_leave_nothing_behind() -> None:
    raised_file_limit(2 * AT_ONCE)
    with worker(AT_ONCE) as (pid, url):
        sizes = asyncio.run(_come_and_go(pid, url))
    assert sizes[-1] - sizes[SETTLED] < AT_ONCE * AIM_BYTES / 10, sizes


async def _come_and_go(pid: int, url: str) -> list[int]:
    """The memory of the worker after each round in which all open a stream, hear of a move, and leave."""
    sizes = []
    async with httpx.AsyncClient(base_url=url + API, timeout=60) as api:
        table = await Table.started(api)
        for _ in range(ROUNDS):
            ears = Ears(AT_ONCE)
            async with listening(url, [table], [ears], NDJSON):
                await heard(table, ears)
            sizes.append(resident(pid))
    return sizes
