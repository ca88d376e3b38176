"""Idle streams on one worker: what one costs in memory, and how long an event takes to reach all of them."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

import httpx
import uvloop

from engine.registry import GAMES
from schema.operations import API, NDJSON, SSE
from service.live.files import raised_file_limit
from tests.bench.process import processor_seconds, resident
from tests.bench.socketio import frame, upgrade
from tests.cli.running import background

STREAMS: Final = 2_000
MOVES: Final = 60
MATCHES: Final = 100
SPARE_FILES: Final = 200
AIM_BYTES: Final = 20_000
AIM_MS: Final = 100
SOCKET: Final = "websocket"
SECONDS: Final = 60
"""Within this time an event has reached everybody, or never will."""
SUBSCRIBE: Final = b'{"type":"subscribe","after":%d}'


class Figures(NamedTuple):
    """What so many streams cost.

    `memory` is resident bytes of the worker for each stream, `work` its microseconds of processor time for
    each event on each stream. `delays` are milliseconds from the start of the request that plays a move to
    the arrival of an event on a stream, for all of them.
    """

    memory: float
    work: float
    delays: Sequence[float]

    def delay(self, part: float) -> float:
        """What this part of all delays does not exceed."""
        ordered = sorted(self.delays)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def figures() -> Iterator[str]:
    """Memory and delays where all follow one match, and where each of many has a few followers."""
    allowed = raised_file_limit(STREAMS + SPARE_FILES)
    streams = min(STREAMS, allowed - SPARE_FILES)
    if streams < STREAMS:
        yield f"Only {streams:,} streams: no more than {allowed:,} files may be open here.\n"
    columns = f"{'bytes each':>12}{'us each':>9}{'p50 ms':>9}{'p99 ms':>9}{'most':>8}"
    yield f"{'streams':>8}{'matches':>9}  {'channel':<22}{columns}"
    for matches, channel in ((1, SSE), (1, NDJSON), (1, SOCKET), (MATCHES, SSE)):
        found = measured(streams, matches, channel)
        yield (
            f"{streams:>8,}{matches:>9}  {channel:<22}{found.memory:>12,.0f}{found.work:>9.0f}"
            f"{found.delay(0.5):>9.1f}{found.delay(0.99):>9.1f}{max(found.delays):>8.1f}"
        )
    yield f"\nAims: under {AIM_BYTES:,} bytes, p99 under {AIM_MS} ms. The listeners share the machine."


def measured(streams: int, matches: int, channel: str, moves: int = MOVES) -> Figures:
    """The figures of so many streams over so many matches, on a service of their own with one worker."""
    with worker(streams) as (pid, url), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measured(pid, url, streams, matches, channel, moves))


@contextmanager
def worker(streams: int) -> Iterator[tuple[int, str]]:
    """The process of a service, and its address."""
    with tempfile.TemporaryDirectory(prefix="cantiere-bench-") as directory:
        path = Path(directory)
        settings = {
            "CANTIERE_MAX_STREAMS_PER_ADDRESS": str(2 * streams),
            "CANTIERE_LIMITS": "off",
            "CANTIERE_LOG_LEVEL": "warning",
        }
        arguments = ("serve", "--port", "0", "--data-dir", path / "data")
        with background(path / "out", *arguments, **settings) as server:
            yield server.process.pid, server.says(r"listens on (http://\S+)")


async def _measured(pid: int, url: str, streams: int, matches: int, channel: str, moves: int) -> Figures:
    async with httpx.AsyncClient(base_url=url + API, timeout=SECONDS) as api:
        tables = [await Table.started(api) for _ in range(matches)]
        for table in tables:
            await table.move()
        before = resident(pid)
        ears = [Ears(streams // matches) for _ in tables]
        async with listening(url, tables, ears, channel):
            memory = (resident(pid) - before) / streams
            delays: list[float] = []
            worked, _ = processor_seconds(pid)
            for number in range(moves):
                table, ear = tables[number % matches], ears[number % matches]
                delays += await heard(table, ear)
            work = (processor_seconds(pid)[0] - worked) / len(delays)
    return Figures(memory, work * 1e6, delays)


async def heard(table: "Table", ears: "Ears") -> list[float]:
    """A move is played; the delays, in milliseconds, after which its events reached everybody."""
    ears.begin()
    started = time.perf_counter()
    ears.expect(await table.move())
    await asyncio.wait_for(ears.all_heard.wait(), SECONDS)
    return [(at - started) * 1_000 for at in ears.times]


class Table:
    """A match in which moves are made."""

    def __init__(self, api: httpx.AsyncClient, match_id: str, tokens: list[str]) -> None:
        self._api = api
        self.path = f"/matches/{match_id}"
        self._tokens = tokens
        self._at: dict[str, Any] = {}

    @classmethod
    async def started(cls, api: httpx.AsyncClient) -> "Table":
        created = await api.post("/matches", json={"game": next(iter(GAMES)), "seats": 2})
        match_id = created.json()["match"]["id"]
        joined = [(await api.post(f"/matches/{match_id}/join", json={})).json() for _ in range(2)]
        table = cls(api, match_id, [seat["token"] for seat in joined])
        moves = (await api.get(f"{table.path}/legal-moves")).json()
        table._at = moves | {"legalMoves": [move["notation"] for move in moves["moves"]]}
        return table

    @property
    def version(self) -> int:
        version: int = self._at["version"]
        return version

    async def move(self) -> int:
        """How many events a legal move has led to."""
        body = {"version": self.version, "moves": self._at["legalMoves"][-1:]}
        headers = {"Authorization": f"Bearer {self._tokens[self._at['toMove']]}"}
        path = f"{self.path}/moves?include=legalMoves"
        self._at = (await self._api.post(path, json=body, headers=headers)).raise_for_status().json()
        return len(self._at["events"])


class Followed(Protocol):
    """A match to listen to."""

    @property
    def path(self) -> str:
        """Its address below the API's."""

    @property
    def version(self) -> int:
        """Where it stands."""


class Ears:
    """All who listen to one match: when events came, on any of their streams."""

    def __init__(self, listeners: int) -> None:
        self.all_open = asyncio.Event()
        self.all_heard = asyncio.Event()
        self.times: list[float] = []
        self.listeners = listeners
        self._open = 0
        self._expected: int | None = None

    def begin(self) -> None:
        """Forget what was heard."""
        self.times = []
        self._expected = None
        self.all_heard.clear()

    def expect(self, events: int) -> None:
        """Say how many events there were since `begin`."""
        self._expected = events * self.listeners
        self._check()

    def hear(self, data: bytes) -> None:
        """Take what came on one of the streams."""
        if b'"type":"status"' in data:
            self._open += 1
            if self._open == self.listeners:
                self.all_open.set()
        if events := data.count(b'"type":"event"'):
            self.times += [time.perf_counter()] * events
            self._check()

    def _check(self) -> None:
        if self._expected is not None and len(self.times) >= self._expected:
            self.all_heard.set()


class Ear(asyncio.Protocol):
    """The connection of one stream. `then` is sent when the server has changed to a WebSocket."""

    def __init__(self, request: bytes, then: bytes, ears: Ears) -> None:
        self._request = request
        self._then = then
        self._ears = ears

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self._then and data.startswith(b"HTTP/1.1 101"):
            self._transport.write(self._then)
        self._ears.hear(data)


@asynccontextmanager
async def listening(
    url: str, tables: Sequence[Followed], ears: Sequence[Ears], channel: str
) -> AsyncIterator[None]:
    """Everybody listens, each on a connection of its own, as long as the block runs."""
    address = urlsplit(url)
    transports: list[asyncio.Transport] = []
    for table, ear in zip(tables, ears, strict=True):
        for _ in range(ear.listeners):
            transport, _ = await asyncio.get_running_loop().create_connection(
                lambda table=table, ear=ear: Ear(*spoken(address.netloc, table, channel), ear),  # type: ignore[misc]
                str(address.hostname),
                address.port or 80,
            )
            transports.append(transport)
    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*(ear.all_open.wait() for ear in ears))
    try:
        yield
    finally:
        for transport in transports:
            transport.abort()


def spoken(host: str, table: Followed, channel: str) -> tuple[bytes, bytes]:
    """What a client of a channel says first, and after the change to a WebSocket."""
    if channel != SOCKET:
        asked = f"GET {API}{table.path}/events?after={table.version} HTTP/1.1\r\nHost: {host}\r\n"
        return f"{asked}Accept: {channel}\r\n\r\n".encode(), b""
    return upgrade(f"{API}{table.path}/socket", host), frame(SUBSCRIBE % table.version)
