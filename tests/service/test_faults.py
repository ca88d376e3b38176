"""When something breaks: faults of ours are masked and logged once; a store that is gone is waited for."""

import logging
import os
import signal
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar

from service.app import create_app
from service.desk import TRIES
from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.errors import Stale
from tests.service.checked import API, BASE, in_process
from tests.service.table import SLUGS, Table, fresh_key

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
SECRET = "of this test only " * 3


async def test_a_fault_is_masked_and_logged_once(
    api: httpx.AsyncClient, app: Litestar, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise ZeroDivisionError("a secret of ours")

    monkeypatch.setattr(type(app.state.desk.store), "load", broken)
    answer = await api.get(f"/matches/{'a' * 24}", headers={"X-Request-Id": "the-broken-one"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert "secret" not in answer.text
    assert "ZeroDivisionError" not in answer.text
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(logged) == 1
    assert "the-broken-one" in logged[0].getMessage()
    assert logged[0].exc_info


async def test_refusals_are_not_logged_as_errors(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    await api.get("/nothing")
    await api.post("/matches", content=b"{", headers={"Content-Type": "application/json"})
    await api.post(f"/matches/{'a' * 24}/join", json={})
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_who_is_forestalled_again_and_again_is_told_to_come_back(
    api: httpx.AsyncClient, app: Litestar, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.opened(api, GAME, 2)
    store = app.state.desk.store
    tries = 0

    async def forestalled(_: Any, rev: int, *__: Any) -> int:
        nonlocal tries
        tries += 1
        raise Stale(await store.load(table.id))

    with monkeypatch.context() as patch:
        patch.setattr(type(store), "commit", forestalled)
        answer = await api.post(f"{table.path}/join", json={})
    assert (answer.status_code, answer.json()["code"], tries) == (503, "busy", TRIES)
    assert (await table.join())["seat"] == 0


async def test_a_store_that_hangs_is_told_and_found_again(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server:
        settings = msgspec.structs.replace(server.attached(Settings(secret=SECRET)), store_timeout=1)
        app = create_app(settings)
        async with app.lifespan(), client_of(app) as api:
            table = await Table.started(api, GAME, 2)
            legal = await table.legal()
            key = {"Idempotency-Key": fresh_key()}
            body = {"version": 0, "moves": legal[:1]}
            assert server.pid is not None
            stop, go_on = signal.SIGSTOP, signal.SIGCONT
            _signal(server.pid, stop)
            try:
                gone = await table.post("moves", body, table.tokens[table.to_move], **key)
                assert_gone(gone)
                assert (await api.get("/health/live")).status_code == 200
            finally:
                _signal(server.pid, go_on)
            again = await table.post("moves", body, table.tokens[table.to_move], **key)
            assert again.status_code == 200
            assert (await api.get("/health/ready")).status_code == 200
            assert (await table.get())["version"] == again.json()["version"]


async def test_a_service_whose_store_is_not_there_yet_finds_it(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server:
        settings = server.attached(Settings(secret=SECRET))
    app = create_app(settings)
    async with app.lifespan(), client_of(app) as api:
        for path in ("/health/ready", "/matches", f"/matches/{'a' * 24}", f"/matches/{'a' * 24}/legal-moves"):
            assert_gone(await api.get(path))
        assert_gone(await api.post("/matches", json={"game": GAME, "seats": 2}))
        assert (await api.get("/games")).status_code == 200
        with EmbeddedServer(tmp_path, "always") as server:
            assert server.url == settings.redis_url
            table = await Table.started(api, GAME, 2)
            await table.play_any(3)


def client_of(app: Litestar) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=in_process(app), base_url=BASE + API)


def assert_gone(answer: httpx.Response) -> None:
    assert "/" not in answer.json()["detail"]
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
    assert int(answer.headers["retry-after"]) >= 1


def _signal(pid: int, number: signal.Signals) -> None:
    os.kill(pid, number)
