"""WebSockets below ASGI: how they are opened, what they carry, and who takes nothing in."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

import pytest
from litestar import Litestar
from uvicorn.protocols.utils import ClientDisconnected
from websockets.frames import Frame, Opcode

from service.cors import Cors
from service.live.line import SocketLine
from service.settings import Settings
from tests.service.checked import API
from tests.service.test_garbage import served

pytestmark = pytest.mark.anyio
SECONDS: Final = 30
KEY: Final = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
USUAL: Final = ("Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", KEY)
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def url(application: Litestar, fresh_settings: Settings) -> AsyncIterator[str]:
    async with served(application) as (_, address):
        yield address


async def asked(
    url: str,
    headers: tuple[str, ...],
    method: str = "GET",
    body: bytes = b"",
    path: str = f"{API}/matches/abc/socket",
) -> Connection:
    """A connection, over which a WebSocket was asked for. Its own side keeps little of what comes."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1_024)
    lines = (f"{method} {path} HTTP/1.1", *headers, "", "")
    writer.write("\r\n".join(lines).encode() + body)
    return reader, writer


async def opened(url: str) -> Connection:
    reader, writer = await asked(url, USUAL)
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    return reader, writer


async def rest(connection: Connection) -> bytes:
    """What comes until the other side ends the connection."""
    reader, writer = connection
    try:
        async with asyncio.timeout(SECONDS):
            return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("method", "headers", "body"),
    [
        ("GET", (*USUAL, *["x: y"] * 200), b""),
        ("GET", (*USUAL, "x: " + "y" * 10_000), b""),
        ("GET", (*USUAL, "Content-Length: 2"), b"{}"),
        ("POST", USUAL, b""),
        ("GET", USUAL[:-1], b""),
        ("GET", (*USUAL[:-1], "Sec-WebSocket-Key: short"), b""),
    ],
    ids=["headers", "header", "body", "method", "no key", "bad key"],
)
async def test_what_opens_no_websocket_is_told_as_a_problem(
    url: str, method: str, headers: tuple[str, ...], body: bytes
) -> None:
    head, _, told = (await rest(await asked(url, headers, method, body))).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json" in head
    problem = json.loads(told)
    assert problem["code"] == "bad_request"
    assert problem["detail"].startswith("This opens no WebSocket: ")


async def test_where_there_is_none_nothing_is_logged(url: str, caplog: pytest.LogCaptureFixture) -> None:
    answer = await rest(await asked(url, USUAL, path="/nowhere"))
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_pages_of_other_hosts_open_none(url: str) -> None:
    head, _, told = (await rest(await asked(url, (*USUAL, "Origin: https://y.example")))).partition(
        b"\r\n\r\n"
    )
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"x-request-id" in head.lower()
    assert json.loads(told)["code"] == "invalid_header"
    reader, writer = await asked(url, (*USUAL, "Origin: https://x:8443"))
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    writer.transport.abort()


@pytest.mark.parametrize(
    ("origin", "is_let_in"),
    [
        (None, True),
        (b"https://a.example", True),
        (b"http://a.example", False),
        (b"http://here.example:8080", True),
        (b"http://here.example.org", False),
        (b"null", False),
        (b"http://[", False),
        (b"", False),
    ],
)
def test_whose_pages_open_some(origin: bytes | None, is_let_in: bool) -> None:
    said = [(b"host", b"here.example:80")] + ([] if origin is None else [(b"origin", origin)])
    assert Cors("https://a.example").lets_in(said) == is_let_in
    assert Cors("*").lets_in(said)


async def test_a_text_that_is_none_ends_it_without_a_traceback(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    for frames in (
        (Frame(Opcode.TEXT, b"\xff"),),
        (Frame(Opcode.TEXT, b"\xc3", fin=False), Frame(Opcode.CONT, b"\x28")),
    ):
        connection = await opened(url)
        connection[1].write(b"".join(frame.serialize(mask=True) for frame in frames))
        assert await rest(connection) == Frame(Opcode.CLOSE, (1007).to_bytes(2)).serialize(mask=False)
    assert [record for record in caplog.records if record.exc_info] == []


async def test_who_pings_and_takes_no_answer_is_not_read_any_more(url: str) -> None:
    _, writer = await opened(url)
    pings = Frame(Opcode.PING, b"p" * 125).serialize(mask=True) * 2_000
    taken = 0
    with suppress(TimeoutError):
        for _ in range(200):
            writer.write(pings)
            await asyncio.wait_for(writer.drain(), 2)
            taken += 1
    writer.transport.abort()
    assert taken < 200


async def test_who_takes_the_answers_to_pings_is_read_on(url: str) -> None:
    connection = reader, writer = await opened(url)
    pings = Frame(Opcode.PING, b"p" * 125).serialize(mask=True) * 2_000
    answers = Frame(Opcode.PONG, b"p" * 125).serialize(mask=False) * 2_000
    for _ in range(10):
        writer.write(pings * 4)
        assert await reader.readexactly(4 * len(answers)) == answers * 4
    writer.write(Frame(Opcode.TEXT, b"{}").serialize(mask=True))
    assert b"invalid_body" in await rest(connection)


@pytest.mark.parametrize(
    "frames",
    [
        (Frame(Opcode.CLOSE, b""),),
        (Frame(Opcode.CLOSE, b""), Frame(Opcode.TEXT, b"\xff")),
        (Frame(Opcode.TEXT, b"{}"), Frame(Opcode.CLOSE, b"")),
        (Frame(Opcode.TEXT, b"{}"), Frame(Opcode.CLOSE, b"x")),
        (Frame(Opcode.TEXT, b"\xff"), Frame(Opcode.CLOSE, b"")),
        (Frame(Opcode.CLOSE, b"x"),),
    ],
    ids=["end", "end and more", "message and end", "message and fault", "no text and end", "fault"],
)
@pytest.mark.parametrize("waits", [False, True], ids=["at once", "when it is open"])
async def test_who_ends_it_whenever_leaves_nothing_in_the_log(
    url: str, frames: tuple[Frame, ...], waits: bool, caplog: pytest.LogCaptureFixture
) -> None:
    for path in (f"{API}/matches/abc/socket", "/graphql"):
        reader, writer = await asked(url, USUAL, path=path)
        await asyncio.sleep(0)
        if waits:
            await reader.readuntil(b"\r\n\r\n")
        else:
            await asyncio.sleep(0)
        writer.write(b"".join(frame.serialize(mask=True) for frame in frames))
        await rest((reader, writer))
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_nothing_is_sent_on_one_that_ends(application: Litestar, fresh_settings: Settings) -> None:
    async with served(application) as (server, url):
        _, writer = await opened(url)
        (line,) = [each for each in server.server_state.connections if isinstance(each, SocketLine)]
        line.transport.close()
        with pytest.raises(ClientDisconnected):
            await line.send({"type": "websocket.send", "text": "late"})
        writer.close()
