"""HTTP over real connections: bodies that do not come, streams that are not collected, HEAD."""

import asyncio
import json
import re
from collections.abc import Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.cli.running import SECONDS, background
from tests.service.checked import API
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that has a second for the body of a request."""
    folder = tmp_path_factory.mktemp("service")
    with background(
        folder / "out",
        *("serve", "--port", "0", "--data-dir", folder / "data"),
        CANTIERE_BODY_TIMEOUT="1",
        CANTIERE_CORS_ORIGINS="*",
    ) as server:
        yield server.says(r"listens on (http://\S+)")


async def told(url: str, *parts: bytes) -> bytes:
    """All that the service sends on a connection until it ends it."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for part in parts:
        writer.write(part)
        await writer.drain()
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return answer


@pytest.mark.parametrize(
    "parts",
    [
        (b"Content-Length: 30\r\n\r\n",),
        (b"Content-Length: 30\r\n\r\n", b'{"game": "'),
        (b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"gam\r\n',),
    ],
    ids=["nothing", "a part", "a chunk"],
)
async def test_a_body_that_does_not_come_is_not_waited_for(url: str, parts: tuple[bytes, ...]) -> None:
    head = f"POST {API}/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    answer = await told(url, head, *parts)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()
    assert b'"code":"body_timeout"' in answer
    async with httpx.AsyncClient(base_url=url + API, trust_env=False, timeout=SECONDS) as client:
        assert (await client.get("/matches")).json()["matches"] == []


@pytest.mark.parametrize(
    "asked",
    [
        b"SEIZE /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
        b"GET /api/v1/games?game=%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * 70_000),
        b"POST /api/v1/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n",
    ],
    ids=["method", "no HTTP", "long address", "chunk"],
)
async def test_what_is_no_http_is_told_as_a_problem(url: str, asked: bytes) -> None:
    head, _, body = (await told(url, asked)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (400, "bad_request")


@pytest.mark.parametrize("place", ["/nowhere", f"{API}/matches", f"{API}/matches/abc/socket/x"])
async def test_where_there_is_no_websocket_it_is_said_as_elsewhere(url: str, place: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(url.replace("http", "ws") + place)
    answer = refused.value.response
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-request-id"]
    assert json.loads(answer.body or b"")["code"] == "not_found"


async def test_a_stream_is_sent_as_it_is_and_at_once(url: str) -> None:
    async with httpx.AsyncClient(base_url=url + API, trust_env=False, timeout=SECONDS) as client:
        table = await Table.started(client, GAME, 2)
        for accept in ("text/event-stream", "application/x-ndjson"):
            headers = {"Accept": accept, "Accept-Encoding": "br, gzip", "Origin": "https://a.example"}
            async with client.stream("GET", f"{table.path}/events", headers=headers) as answer:
                assert "content-encoding" not in answer.headers
                assert "content-length" not in answer.headers
                assert answer.headers["access-control-allow-origin"] == "*"
                assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["x-request-id"])
                lines = answer.aiter_lines()
                while "status" not in await anext(lines):
                    pass
                await table.play_any()
                while f'"version":{table.version}' not in await anext(lines):
                    pass


async def test_head_sends_no_body_and_keeps_the_connection(url: str) -> None:
    path = f"{API}/games/{GAME}"
    asked = f"HEAD {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    last = f"GET {API}/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    answer = await told(url, asked + last)
    first, second = re.split(rb"(?<=\r\n\r\n)(?=HTTP/1.1 )", answer, maxsplit=1)
    assert first.endswith(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 ")
    assert b"content-encoding: gzip" in first
    assert second.endswith(b'{"status":"ok"}')


async def test_long_bodies_come_compressed(url: str) -> None:
    async with httpx.AsyncClient(base_url=url + API, trust_env=False, timeout=SECONDS) as client:
        bodies = set()
        for coding in ("identity", "gzip", "br"):
            answer = await client.get(f"/games/{GAME}", headers={"Accept-Encoding": coding})
            assert answer.headers.get("content-encoding", "identity") == coding
            bodies.add(answer.content)
        assert len(bodies) == 1


async def test_requests_that_come_together_are_answered_one_after_the_other(url: str) -> None:
    asked = f"GET {API}/games HTTP/1.1\r\nHost: x\r\n".encode()
    answer = await told(url, asked + b"\r\n" + asked + b"Connection: close\r\n\r\n")
    first, second = answer.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert b"connection: close" not in first
    assert b"connection: close" in second
    assert first.partition(b"\r\n\r\n")[2] == second.partition(b"\r\n\r\n")[2]


async def test_a_client_that_does_not_keep_its_connection_sees_it_end(url: str) -> None:
    answer = await told(url, f"GET {API}/games HTTP/1.0\r\nHost: x\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert b"connection: close" in head
    assert f"content-length: {len(body)}".encode() in head
