"""Whatever is sent, it is answered by the contract and never with a fault of ours."""

import asyncio
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.settings import Settings
from service.shell import Shell
from tests.service.checked import API, BASE, check, in_process
from tests.service.table import SLUGS, Table

PARTS = (
    "",
    "/join",
    "/kick",
    "/leave",
    "/cancel",
    "/resign",
    "/moves",
    "/legal-moves",
    "/events",
    "/versions/0",
    "/standing",
    "/preview",
    "/why-not",
)
FIELDS = ("game", "seats", "options", "seed", "deal", "seat", "name", "nonce", "version", "moves", "x")
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
)
values = st.recursive(
    scalars | st.sampled_from(SLUGS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
bodies = st.binary(max_size=40) | (st.dictionaries(st.sampled_from(FIELDS), values, max_size=4) | values).map(
    msgspec.json.encode
)
queries = st.binary(max_size=20) | st.sampled_from(
    [
        b"version=1",
        b"version=",
        b"kind=x",
        b"limit=1&cursor=A",
        b"%ff=%fe",
        b"after=%00",
        b"include=legalMoves",
        b"&=&",
    ]
)
headers = st.lists(
    st.tuples(
        st.sampled_from(
            [
                b"accept",
                b"content-type",
                b"idempotency-key",
                b"authorization",
                b"if-none-match",
                b"x-request-id",
                b"content-length",
            ]
        ),
        st.binary(max_size=30)
        | st.sampled_from(
            [b"application/json", b"application/vnd.msgpack", b"Bearer x", b"text/plain;q=x", b"A" * 24]
        ),
    ),
    max_size=4,
)


class Server:
    """An application on an event loop of its own, with a match in it; it is called as a server calls it."""

    def __init__(self, fresh: Settings) -> None:
        self._runner = asyncio.Runner()
        self._started, self._stop = asyncio.Event(), asyncio.Event()
        self._app = create_app(fresh)
        self._shell: Any = Shell(self._app)
        self._life = self._runner.get_loop().create_task(self._live())
        self._runner.run(self._started.wait())
        self.table = self._runner.run(self._set())

    async def _live(self) -> None:
        async with self._app.lifespan():
            self._started.set()
            await self._stop.wait()

    async def _set(self) -> Table:
        async with httpx.AsyncClient(transport=in_process(self._app), base_url=BASE + API) as api:
            return await Table.started(api, SLUGS[0], 2)

    def answer(
        self, method: str, path: str, query: bytes, sent: list[tuple[bytes, bytes]], body: bytes
    ) -> httpx.Response:
        return self._runner.run(self._answer(method, path, query, sent, body))

    async def _answer(
        self, method: str, path: str, query: bytes, sent: list[tuple[bytes, bytes]], body: bytes
    ) -> httpx.Response:
        messages: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path).encode(),
            "query_string": query,
            "root_path": "",
            "headers": sent,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        await self._shell(scope, receive, send)
        return httpx.Response(
            messages[0]["status"],
            headers=messages[0]["headers"],
            content=b"".join(message["body"] for message in messages[1:]),
            request=httpx.Request(method, BASE + quote(path)),
        )

    def close(self) -> None:
        self._stop.set()
        self._runner.run(asyncio.wait_for(self._life, 30))
        self._runner.close()


@pytest.fixture
def server(fresh_settings: Settings) -> Iterator[Server]:
    server = Server(fresh_settings)
    yield server
    server.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_request_is_a_fault_of_ours(server: Server, data: st.DataObject) -> None:
    table = server.table
    known = [API + table.path + part for part in PARTS] + [
        f"{API}/matches",
        f"{API}/games",
        f"{API}/transcripts",
    ]
    path = data.draw(st.sampled_from(known) | st.text(max_size=12).map(lambda text: f"{API}/{text}"))
    method = data.draw(st.sampled_from(["GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "TRACE"]))
    sent = data.draw(headers)
    if data.draw(st.booleans()):
        token = data.draw(st.sampled_from([table.host, *table.tokens.values()]))
        sent.append((b"authorization", f"Bearer {token}".encode()))
    answer = server.answer(method, path, data.draw(queries), sent, data.draw(bodies))
    assert answer.status_code < 500, answer.text
    check(method, answer)
    assert method != "HEAD" or answer.content == b""
