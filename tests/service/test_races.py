"""Many race for every version of a match: one wins, and the record shows nobody else.

Over real HTTP, on two workers with one store. A racer stays on the worker that took its connection, so most
versions are raced for on both.
"""

import asyncio
import time
from itertools import cycle, islice
from pathlib import Path

import httpx
import pytest

from tests.cli.running import serving
from tests.service.checked import API
from tests.service.racing import Track, racers
from tests.service.table import SLUGS

pytestmark = pytest.mark.anyio
AT_ONCE = 4
"""Matches in which there are races at the same time."""
RACERS = 5
SECONDS = 240
"""After this time no new race begins; a busy machine may not come to all of them."""


@pytest.mark.parametrize(
    ("races", "least"),
    [pytest.param(60, 60, id="a few"), pytest.param(10_000, 2_000, id="many", marks=pytest.mark.soak)],
)
async def test_every_race_has_one_winner(tmp_path: Path, races: int, least: int) -> None:
    end = time.monotonic() + SECONDS
    run = matches = 0

    def is_on() -> bool:
        return run < races and time.monotonic() < end

    async def meeting(url: str, game: str) -> None:
        nonlocal run, matches
        async with httpx.AsyncClient(base_url=url + API, timeout=60) as api, racers(url, RACERS) as field:
            while is_on():
                track = await Track.laid(api, game)
                matches += 1
                while is_on() and not track.is_over:
                    run += 1
                    await track.race(field)
                await track.check_record()

    with serving(tmp_path / "out", tmp_path / "data", "--workers", "2") as (_, url):
        await asyncio.gather(*(meeting(url, game) for game in islice(cycle(SLUGS), AT_ONCE)))
    print(f"\n{run} races of {RACERS} in {matches} matches")  # noqa: T201  # `make soak` shows it
    assert run >= least
