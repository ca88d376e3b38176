"""The way past the framework answers just as the framework would."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar

from service.desk import Desk
from service.express import Express
from service.routes import HOT
from service.shell import Shell
from tests.service.checked import API, BASE
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio

ROUND = {"Host": "[::1]:8000"}
"""A header with which a request is left to the framework."""
CHANGING = ("x-request-id", "ratelimit")


@pytest.fixture
async def ways(app: Litestar) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    """Two clients: one whose requests may take the short way, and one whose requests may not."""
    served: Any = Shell(app)
    transport = httpx.ASGITransport(served)
    async with (
        httpx.AsyncClient(transport=transport, base_url=BASE + API) as short,
        httpx.AsyncClient(transport=transport, base_url=BASE + API, headers=ROUND) as long,
    ):
        yield short, long


@pytest.fixture
def routed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the framework was asked for."""
    asked: list[str] = []
    call = Litestar.__call__

    async def noted(self: Litestar, scope: Any, receive: Any, send: Any) -> None:
        asked.append(f"{scope['method']} {scope['path'].removeprefix(API)}")
        await call(self, scope, receive, send)

    monkeypatch.setattr(Litestar, "__call__", noted)
    return asked


def told(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    """What of an answer may not depend on the way."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name not in CHANGING)
    return answer.status_code, headers, answer.content


async def test_hot_operations_take_the_short_way(
    ways: tuple[httpx.AsyncClient, httpx.AsyncClient], routed: list[str]
) -> None:
    short, long = ways
    assert len(HOT) == 4
    table = await Table.started(short, SLUGS[0], 2)
    routed.clear()
    await table.play_any()
    await table.get()
    assert (await short.head(f"{table.path}/legal-moves")).status_code == 200
    assert routed == []
    await long.get(table.path)
    assert routed == [f"GET {table.path}"]


@pytest.mark.parametrize(
    "path",
    [
        "/matches/{id}",
        "/matches/{id}/legal-moves",
        "/matches/{id}/legal-moves?kind=end",
        "/matches/{id}/legal-moves?kind=nonsense",
        "/matches/{id}/legal-moves?version=0",
        "/matches/{id}/legal-moves?version=999",
        "/matches/{id}/legal-moves?version=x",
        "/matches/{id}?nonsense=1",
        "/matches/nobody",
        "/matches/nobody/legal-moves",
        "/matches/NO-ID",
        "/matches/%2F/legal-moves",
        "/matches//legal-moves",
        "/matches/{id}/",
        "/matches/{id}/legal-moves/",
        "/matches/{id}//legal-moves",
        "/matches/{id}/moves",
        "/matches/{id}/legal-moves/more",
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "application/vnd.msgpack", "image/png"])
async def test_reading(ways: tuple[httpx.AsyncClient, httpx.AsyncClient], path: str, accept: str) -> None:
    short, long = ways
    table = await Table.started(short, SLUGS[0], 2)
    address = path.replace("{id}", table.id)
    for method in ("GET", "HEAD", "OPTIONS", "PUT"):
        answers = [
            await client.request(method, address, headers={"Accept": accept}) for client in (short, long)
        ]
        assert told(answers[0]) == told(answers[1])


async def test_refusals_of_moves(ways: tuple[httpx.AsyncClient, httpx.AsyncClient]) -> None:
    short, long = ways
    table = await Table.started(short, SLUGS[0], 2)
    token, other = table.tokens[table.to_move], table.tokens[1 - table.to_move]
    body = {"version": 0, "moves": (await table.legal())[:1]}
    asked: list[dict[str, Any]] = [
        {"json": body},
        {"json": body, "headers": bearer("seat_nonsense")},
        {"json": body, "headers": bearer(other)},
        {"json": body | {"version": 7}, "headers": bearer(token)},
        {"json": body | {"moves": ["nonsense"]}, "headers": bearer(token)},
        {"json": body | {"more": 1}, "headers": bearer(token)},
        {"json": body, "headers": bearer(token) | {"Idempotency-Key": "with a blank"}},
        {"json": body, "headers": {"Authorization": "Basic abc"}},
        {"content": b"{", "headers": bearer(token)},
        {"content": b"x" * 100_000, "headers": bearer(token)},
        {"content": b"{}", "headers": bearer(token) | {"Content-Type": "text/csv"}},
        {"headers": bearer(token)},
        {"json": body, "headers": bearer(token), "params": {"include": "nonsense"}},
    ]
    for request in asked:
        answers = [await client.post(f"{table.path}/moves", **request) for client in (short, long)]
        assert answers[0].is_error
        assert told(answers[0]) == told(answers[1])


async def test_a_move_is_the_same_request_on_both_ways(
    ways: tuple[httpx.AsyncClient, httpx.AsyncClient],
) -> None:
    """What was recorded for it on one way is answered on the other."""
    table = await Table.started(ways[0], SLUGS[0], 2)
    for first, second in (ways, ways[::-1]):
        headers = bearer(table.tokens[table.to_move]) | {"Idempotency-Key": fresh_key()}
        body = {"version": table.version, "moves": (await table.legal())[:1]}
        answers = [
            await way.post(f"{table.path}/moves", json=body, headers=headers) for way in (first, second)
        ]
        assert answers[0].status_code == 200
        assert told(answers[0]) == told(answers[1])
        table.note(answers[0].json())


async def test_bodies_in_pieces(ways: tuple[httpx.AsyncClient, httpx.AsyncClient]) -> None:
    short, _ = ways
    table = await Table.started(short, SLUGS[0], 2)

    async def pieces() -> AsyncIterator[bytes]:
        for letter in f'{{"version":0,"moves":["{(await table.legal())[0]}"]}}':
            yield letter.encode()

    headers = bearer(table.tokens[table.to_move]) | {"Content-Type": "application/json; charset=utf-8"}
    answer = await short.post(f"{table.path}/moves", content=pieces(), headers=headers)
    assert answer.status_code == 200


async def test_a_fault_of_ours_is_logged_once_and_masked(
    ways: tuple[httpx.AsyncClient, httpx.AsyncClient],
    app: Litestar,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert isinstance(app, Express)
    table = await Table.started(ways[0], SLUGS[0], 2)

    async def broken(*_: object) -> None:
        raise RuntimeError("the secret of the fault")

    desk: Desk = app.state.desk
    monkeypatch.setattr(type(desk.store), "load", broken)
    for client in ways:
        caplog.clear()
        answer = await client.get(table.path)
        assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
        assert "secret" not in answer.text
        (logged,) = [record for record in caplog.records if record.exc_info]
        assert answer.headers["x-request-id"] in logged.getMessage()
