"""HTTP below ASGI: what one client may have the server keep, and for how long it may let it wait."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import pytest
from litestar import Litestar

from service.live import line
from service.settings import Settings
from tests.service.checked import API
from tests.service.following import client_of
from tests.service.table import SLUGS, Table
from tests.service.test_garbage import served

pytestmark = pytest.mark.anyio
PIECES: Final = 200
SECONDS: Final = 30
POST: Final = f"POST {API}/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
GAMES: Final = f"GET {API}/games HTTP/1.1\r\nHost: x\r\n".encode()


@pytest.fixture
async def url(application: Litestar, fresh_settings: Settings) -> AsyncIterator[str]:
    async with served(application) as (_, address):
        yield address


class Raw:
    """A connection, without anything that knows HTTP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def say(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def until_refused(self, piece: bytes) -> None:
        """Say it again and again until the other side ends the connection."""
        try:
            for _ in range(PIECES):
                await self.say(piece)
                await asyncio.sleep(0)
        except ConnectionError:
            return
        raise AssertionError("it goes on and on")

    async def until_answered(self) -> None:
        """Wait until the first answer begins, which is not heard again."""
        async with asyncio.timeout(SECONDS):
            await self._reader.readuntil(b"HTTP/1.1 200 ")

    async def heard(self) -> bytes:
        """What comes until the other side ends the connection."""
        async with asyncio.timeout(SECONDS):
            return await self._reader.read()

    def leave(self) -> None:
        self._writer.transport.abort()


Connect = Callable[[], Awaitable[Raw]]


@pytest.fixture
async def connect(url: str) -> AsyncIterator[Connect]:
    """Makes connections, which end with the test."""
    host, _, port = url.removeprefix("http://").partition(":")
    made: list[Raw] = []

    async def to_service() -> Raw:
        made.append(Raw(*await asyncio.open_connection(host, int(port))))
        return made[-1]

    yield to_service
    for raw in made:
        raw.leave()


def check_refused(answer: bytes, about: str) -> None:
    head, _, body = answer.rpartition(b"HTTP/1.1 400 ")[2].partition(b"\r\n\r\n")
    assert b"connection: close" in head
    problem = json.loads(body)
    assert problem["code"] == "bad_request"
    assert about in problem["detail"]


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (b"GET /", b"a" * 16_384),
        (b"GET / HTTP/1.1\r\nx: ", b"a" * 16_384),
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 3_000),
        (POST + b"1;", b"a" * 16_384),
        (POST + b"2\r\n{}\r\n0\r\n", b"a: b\r\n" * 3_000),
    ],
    ids=["address", "header", "headers", "extension of a chunk", "trailers"],
)
async def test_nothing_but_a_body_goes_on_and_on(connect: Connect, begun: bytes, piece: bytes) -> None:
    raw = await connect()
    await raw.say(begun)
    await raw.until_refused(piece)


@pytest.mark.parametrize(("length", "is_taken"), [(60_000, True), (70_000, False)])
async def test_a_head_has_a_length(connect: Connect, length: int, is_taken: bool) -> None:
    raw = await connect()
    await raw.say(GAMES + b"Connection: close\r\nx: " + b"a" * length + b"\r\n\r\n")
    answer = await raw.heard()
    if is_taken:
        assert answer.startswith(b"HTTP/1.1 200 ")
    else:
        check_refused(answer, "65536 bytes")


async def test_trailers_are_no_headers(url: str, connect: Connect) -> None:
    async with client_of(url) as api:
        table = await Table.started(api, SLUGS[0], 2)
    raw = await connect()
    await raw.say(f"POST {API}{table.path}/resign HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".encode())
    await raw.say(b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
    await raw.say(f"Authorization: Bearer {table.tokens[0]}\r\n\r\n".encode())
    assert b'"code":"token_required"' in await raw.heard()


async def test_so_many_requests_may_be_sent_ahead(connect: Connect) -> None:
    raw = await connect()
    await raw.say((GAMES + b"\r\n") * line.MOST_AHEAD + GAMES + b"Connection: close\r\n\r\n")
    assert (await raw.heard()).count(b"HTTP/1.1 200 ") == line.MOST_AHEAD + 1


async def test_who_sends_more_ahead_is_refused(connect: Connect) -> None:
    raw = await connect()
    await raw.say((GAMES + b"\r\n") * (line.MOST_AHEAD + 2))
    check_refused(await raw.heard(), "sent ahead")


async def test_nothing_is_read_while_requests_wait(connect: Connect) -> None:
    raw = await connect()
    await raw.say((GAMES + b"\r\n") * (line.MOST_AHEAD + 1))
    await raw.until_answered()  # one answer is not the permission to send all of it again
    await raw.say((GAMES + b"\r\n") * (line.MOST_AHEAD - 1) + GAMES + b"Connection: close\r\n\r\n")
    assert (await raw.heard()).count(b"HTTP/1.1 200 ") == 2 * line.MOST_AHEAD


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHos", GAMES + b"\r\nGET"], ids=["nothing", "a part", "a second part"]
)
async def test_a_request_that_does_not_come_is_not_waited_for(
    connect: Connect, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "PATIENCE", 0.2)
    raw = await connect()
    if said:
        await raw.say(said)
    assert (await raw.heard()).count(b"HTTP/1.1 ") == said.count(b"/games")


async def test_a_request_that_is_carried_out_is_waited_for(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "PATIENCE", 0.1)
    raw = await connect()
    await raw.say(f"POST {API}/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n".encode())
    await raw.say(b"Connection: close\r\n\r\n{")
    await asyncio.sleep(0.5)
    await raw.say(b"}")
    assert b'"code":"invalid_body"' in await raw.heard()


async def test_who_takes_nothing_of_an_answer_is_cut(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(line, "PATIENCE", 0.3)
    host, _, port = url.removeprefix("http://").partition(":")
    loop = asyncio.get_running_loop()
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        lazy.setblocking(False)
        await loop.sock_connect(lazy, (host, int(port)))
        asked = f"GET {API}/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        await loop.sock_sendall(lazy, asked * 90)
        await asyncio.sleep(1.5)
        answers = 0
        async with asyncio.timeout(SECONDS):
            while data := await loop.sock_recv(lazy, 65_536):
                answers += data.count(b"HTTP/1.1 200 ")
    assert 0 < answers < 90
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "application/x-ndjson"])
async def test_what_is_no_http_behind_requests_leaves_nothing_in_the_log(
    url: str, connect: Connect, accept: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of(url) as api:
        table = await Table.started(api, SLUGS[0], 2)
    asked = f"GET {API}{table.path}/events HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode()
    raw = await connect()
    await raw.say(asked + GAMES + b"\r\n" + b"NO \x00 HTTP\r\n\r\n")
    check_refused(await raw.heard(), "Invalid HTTP")
    await asyncio.sleep(0.1)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
