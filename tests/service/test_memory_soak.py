"""A worker that does everything there is to do, for ten minutes, needs no more memory at the end.

SOAK_SECONDS says for how long, if not for ten minutes. What is kept in memory at most, and fills with use, is
filled before: above all what is known of rate limits, by many tokens, and of matches, by many of them.
"""

import asyncio
import os
import secrets
import statistics
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest
from redis import Redis

from schema.operations import API, NDJSON, SSE
from service.limits.limiter import _MOST as SHARES
from service.matches import MOST_STATES as MATCHES
from tests.bench.process import resident
from tests.bench.streams import SOCKET, Ears, listening
from tests.cli.running import background
from tests.service.accounts import registered
from tests.service.racing import racers
from tests.service.table import SLUGS, Table

pytestmark = [pytest.mark.soak, pytest.mark.anyio]
SECONDS: Final = int(os.environ.get("SOAK_SECONDS", "600"))
EVERY: Final = 2.0
AT_ONCE: Final = 6
MOVES: Final = 40
STREAMS: Final = 5
STRANGERS: Final = 20
"""Tokens never seen before that ask for something, in each round."""
MOST_GROWTH: Final = 0.03
"""Of the memory, over the second half: what measuring every few seconds is uncertain by."""
SETTINGS: Final = {
    "CANTIERE_LIMITS_EXEMPT": "none",
    "CANTIERE_LIMIT_CREATE": "60000/m",
    "CANTIERE_LIMIT_READ": "600000/m",
    "CANTIERE_LIMIT_STREAM": "60000/m",
    "CANTIERE_FINISHED_TTL": "10s",
    "CANTIERE_IDEMPOTENCY_TTL": "10s",
    "CANTIERE_LOG_LEVEL": "warning",
}


class Sample(NamedTuple):
    """Bytes of memory at a time in seconds."""

    at: float
    worker: int
    store: int


async def test_memory_does_not_grow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "out", *serve, **SETTINGS) as server:
        url = server.says(r"listens on (http://\S+)")
        samples, rounds = await _worked(url, server.process.pid, tmp_path / "data")
    half = samples[len(samples) // 2 :]
    growth = _growth([(sample.at, sample.worker) for sample in half])
    with capsys.disabled():
        sys.stdout.write(
            f"\n{rounds} rounds in {SECONDS} s; {_shown(samples)}; the worker's growth {growth:.2%}\n"
        )
    assert growth < MOST_GROWTH, samples


async def _worked(url: str, pid: int, data: Path) -> tuple[list[Sample], int]:
    """Samples of memory, and how many rounds of everything there were meanwhile."""
    samples: list[Sample] = []
    rounds = 0
    with Redis(unix_socket_path=str(data / "valkey.sock")) as store:
        await asyncio.gather(*(_strangers(url, 3 * SHARES // AT_ONCE) for _ in range(AT_ONCE)))
        await asyncio.gather(*(_started(url, game, MATCHES // len(SLUGS) + 1) for game in SLUGS))
        end = time.monotonic() + SECONDS

        async def work(game: str) -> None:
            nonlocal rounds
            async with httpx.AsyncClient(base_url=url + API, timeout=60) as api:
                for channel in cycle((SSE, NDJSON, SOCKET)):
                    if time.monotonic() >= end:
                        return
                    await _round(api, url, game, channel)
                    await _strangers(url, STRANGERS)
                    rounds += 1

        working = asyncio.gather(*map(work, islice(cycle(SLUGS), AT_ONCE)))
        while not working.done():
            memory: Any = store.info("memory")
            samples.append(Sample(time.monotonic(), resident(pid), memory["used_memory"]))
            await asyncio.wait((working,), timeout=EVERY)
        await working
    return samples, rounds


async def _round(api: httpx.AsyncClient, url: str, game: str, channel: str) -> None:
    """A new player's match, followed by some, played for a while, and resigned."""
    ada = await registered(api, secrets.token_hex(8))
    table = await Table.opened(api, game, 2, visibility="public")
    joined = await api.post(f"{table.path}/join", json={}, headers=ada.headers)
    assert joined.status_code == 200, joined.text
    table.tokens[joined.json()["seat"]] = ada.token
    await table.join()
    async with listening(url, [table], [Ears(STREAMS)], channel):
        for _ in range(MOVES):
            if table.status == "running":
                await table.play_any()
    if table.status == "running":
        await table.post("resign", {}, table.tokens[0])
    assert (await api.get("/me", headers=ada.headers)).status_code == 200


async def _started(url: str, game: str, number: int) -> None:
    """So many matches that somebody has looked at."""
    async with httpx.AsyncClient(base_url=url + API, timeout=60) as api:
        for _ in range(number):
            await (await Table.started(api, game, 2)).legal()


async def _strangers(url: str, number: int) -> None:
    """So many requests, each with a token that nobody has given out."""
    async with racers(url, 1) as (line,):
        for _ in range(number):
            head = (
                f"GET {API}/matches/none HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secrets.token_hex(16)}"
            )
            await line.ask(f"{head}\r\n\r\n".encode())


def _growth(sizes: list[tuple[float, int]]) -> float:
    """By which part a size grows along the line that fits it best."""
    slope, _ = statistics.linear_regression([at for at, _ in sizes], [size for _, size in sizes])
    return slope * (sizes[-1][0] - sizes[0][0]) / statistics.fmean(size for _, size in sizes)


def _shown(samples: list[Sample]) -> str:
    """Sizes at the beginning, in the middle and at the end."""
    shown = (samples[0], samples[len(samples) // 2], samples[-1])
    worker, store = (
        " ".join(f"{size / 1e6:.1f}" for size in sizes) for sizes in list(zip(*shown, strict=True))[1:]
    )
    return f"MB of the worker {worker}, of the store {store}"
