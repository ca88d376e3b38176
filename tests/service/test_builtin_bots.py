"""Built-in bots take seats, and play them in processes of their own, over HTTP, through kills."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import Event
from typing import Any, get_args

import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace
from redis import Redis

from engine.players.roster import PLAYERS
from schema.wire_players import BotName
from schema.wire_views import MatchView
from service.app import create_app
from service.bots.queue import Queue
from service.bots.seating import IN_PLAY
from service.bots.worker import MOST_TRIES, Worker
from service.client import Client
from service.settings import Settings
from service.tokens import Tokens
from tests.cli.running import Running, background
from tests.service.accounts import registered
from tests.service.checked import API
from tests.service.table import SLUGS, Table, bearer
from tests.service.test_boxes import edited, serving
from tests.service.test_garbage import served
from tests.service.test_processes import children

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def alive(fresh_settings: Settings) -> None:
    """Somebody says that it plays for the bots."""
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.set("{bots}:alive", "somebody")


def test_the_bots_of_the_contract_are_the_players_of_the_engine() -> None:
    assert get_args(BotName) == tuple(PLAYERS)


@pytest.mark.usefixtures("alive")
async def test_a_bot_takes_a_seat(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 3)
    key = {"Idempotency-Key": "k"}
    answers = [await table.post("bots", {"player": "greedy", "seat": 1}, table.host, **key) for _ in range(2)]
    assert answers[0].content == answers[1].content
    told = answers[0].json()
    assert told["seat"] == 1
    assert [(seat["taken"], seat["bot"], seat["name"]) for seat in told["match"]["seats"]] == [
        (False, None, None),
        (True, "greedy", "greedy"),
        (False, None, None),
    ]
    again = await table.post("bots", {"player": "random", "seat": 1}, table.host)
    assert code(again) == (409, "seat_taken")
    assert (await table.post("kick", {"seat": 1}, table.host)).json()["seats"][1]["bot"] is None
    for _ in range(2):
        await table.post("bots", {"player": "random"}, table.host)
    await table.join()
    assert table.status == "running"
    assert code(await table.post("bots", {"player": "random"}, table.host)) == (409, "match_started")


@pytest.mark.usefixtures("alive")
async def test_a_bot_is_asked_for_by_the_host(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    made = await api.post("/matches", json={"game": GAME, "seats": 2}, headers=ada.headers)
    path = f"/matches/{made.json()['match']['id']}/bots"
    asked = {"player": "random"}
    assert code(await api.post(path, json=asked)) == (401, "token_required")
    assert code(await api.post(path, json=asked, headers=bearer("x"))) == (401, "unknown_token")
    assert code(await api.post(path, json=asked, headers=bea.headers)) == (403, "wrong_token")
    assert code(await api.post(path, json={"player": "x"}, headers=ada.headers)) == (400, "invalid_body")
    assert code(await api.post(path, json=asked | {"seat": 5}, headers=ada.headers)) == (404, "unknown_seat")
    assert (await api.post(path, json=asked, headers=ada.headers)).status_code == 200


async def test_there_may_be_no_bots(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    table = await Table.opened(api, GAME, 2)
    key = {"Idempotency-Key": "k"}
    assert code(await table.post("bots", {"player": "random"}, table.host, **key)) == (503, "no_bots")
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.set("{bots}:alive", "somebody")
        assert (await table.post("bots", {"player": "random"}, table.host, **key)).status_code == 200
    assert (await table.post("bots", {"player": "random"}, table.host, **key)).status_code == 200


@pytest.mark.usefixtures("alive")
async def test_bots_play_in_so_many_matches_in_which_something_happens(
    app: Litestar, api: httpx.AsyncClient, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.state.desk, "settings", replace(fresh_settings, max_bot_matches=2))
    asked = {"player": "random"}
    tables = [await Table.opened(api, GAME, 2) for _ in range(4)]
    for table in tables[:2]:
        assert (await table.post("bots", asked, table.host)).status_code == 200
    await app.state.desk.store.settle()
    assert code(await tables[2].post("bots", asked, tables[2].host)) == (429, "too_many_bots")
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.zincrby("{bots}:changed", -IN_PLAY - 1, tables[0].id)  # as time does
        assert (await tables[2].post("bots", asked, tables[2].host)).status_code == 200
        await app.state.desk.store.settle()
        await tables[0].join()
        await app.state.desk.store.settle()
        assert redis.zcard("{bots}:changed") == 3
        redis.zincrby("{bots}:changed", -IN_PLAY - 1, tables[1].id)
    assert code(await tables[3].post("bots", asked, tables[3].host)) == (429, "too_many_bots")


@pytest.mark.usefixtures("alive")
async def test_what_is_known_of_matches_with_bots_does_not_pile_up(
    app: Litestar, api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    tables = [await Table.opened(api, GAME, 3) for _ in range(4)]
    with Redis.from_url(fresh_settings.redis_url) as redis:
        for table in tables:
            assert (await table.post("bots", {"player": "random"}, table.host)).status_code == 200
            await app.state.desk.store.settle()
            redis.zincrby("{bots}:changed", -86_400_000 - 1, table.id)
        assert {name.decode() for name in redis.hkeys("{bots}:known")} == {tables[3].id}
        assert (await tables[0].post("cancel", {}, tables[0].host)).status_code == 200
        for table in tables[1:]:
            await table.join()
        await app.state.desk.store.settle()
        known = {name.decode() for name in redis.hkeys("{bots}:known")}
        assert known == {name.decode() for name in redis.zrange("{bots}:changed", 0, -1)}
        assert known == {table.id for table in tables[1:]}


@contextmanager
def playing(directory: Path, name: str, *arguments: str) -> Iterator[tuple[Running, str]]:
    """A service with one process for its bots."""
    serve = ("serve", "--port", "0", "--data-dir", str(directory / "data"), *arguments)
    with background(directory / name, *serve, CANTIERE_BOTS="1") as server:
        yield server, server.says(r"listens on (http://\S+)")


@asynccontextmanager
async def client(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=url + API, timeout=60) as api:
        yield api


async def seat_bots(api: httpx.AsyncClient, table: Table, *bots: str) -> None:
    """Bots in the first free seats, as soon as there are any."""
    deadline = time.monotonic() + 240
    for bot in bots:
        while (answer := await table.post("bots", {"player": bot}, table.host)).status_code == 503:
            assert time.monotonic() < deadline, answer.text
            await asyncio.sleep(float(answer.headers["retry-after"]) / 4)
        assert answer.status_code == 200, answer.text


async def finished(table: Table) -> dict[str, Any]:
    """The match at its end."""
    after, deadline = 0, time.monotonic() + 240
    while True:
        page = await table.get("/events", after=after, wait=20, status="running")
        after = page["version"] if page["next"] is None else page["next"]
        if page["status"] != "running" and page["next"] is None:
            match: dict[str, Any] = await table.get()
            return match
        assert time.monotonic() < deadline, f"stands still at version {after}"


@pytest.mark.parametrize("slug", SLUGS)
async def test_bots_play_a_whole_match(tmp_path: Path, slug: str) -> None:
    with playing(tmp_path, "out") as (_, url):
        async with client(url) as api:
            table = await Table.opened(api, slug, 3)
            await seat_bots(api, table, "random", "greedy", "random")
            match = await finished(table)
            assert match["status"] == "finished"
            assert match["ranks"]
            events = (await table.get("/events"))["events"]
            assert not [event for event in events if event["kind"] == "retire"]


async def test_a_bot_answers_a_person_and_outlives_kills(tmp_path: Path) -> None:
    """The process of the bots is killed, then the whole service, in the middle of a match."""
    with playing(tmp_path, "one") as (server, url):
        async with client(url) as api:
            table = await Table.opened(api, GAME, 2)
            await seat_bots(api, table, "random")
            await table.join()
            await play_against_bot(table, 3)
            for pid in bots_of(server):
                os.kill(pid, signal.SIGKILL)
            await play_against_bot(table, 3)
            server.process.kill()
            server.process.wait()
    with playing(tmp_path, "two") as (_, url):
        async with client(url) as api:
            table.api = api
            await play_against_bot(table, 3)
            left = await table.post("resign", {}, table.tokens[1])
            assert left.json()["status"] == "finished"


def bots_of(server: Running) -> list[int]:
    """The processes of a service that play for bots."""
    command_lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(server.process.pid)}
    found = [pid for pid, line in command_lines.items() if b"\0bots\0" in line]
    assert found
    return found


async def play_against_bot(table: Table, turns: int) -> None:
    """So many turns of the person in seat 1, each after the bot in seat 0 has had its own."""
    for _ in range(turns):
        table.note(await to_move(table, 1))
        while table.to_move == 1:
            await table.play_any()


async def to_move(table: Table, seat: int) -> dict[str, Any]:
    """The match as soon as it is the turn of a seat."""
    deadline = time.monotonic() + 240
    while (match := await table.get())["toMove"] != seat:
        assert time.monotonic() < deadline, f"the bot does not move: {match['version']}"
        await table.get("/events", after=match["version"], wait=5, status="running")
    found: dict[str, Any] = match
    return found


@asynccontextmanager
async def played_for(settings: Settings, url: str) -> AsyncIterator[list[str]]:
    """A worker of the bots in a thread, and the matches that it looks at, again and again."""
    stop, looked_at = Event(), list[str]()
    with Redis.from_url(settings.redis_url) as redis, Client(url, 0.2) as client:
        match = client.match

        def looked(name: str) -> MatchView:
            looked_at.append(name)
            return match(name)

        vars(client)["match"] = looked
        worker = Worker(Queue(redis, "one"), client, Tokens(settings.secret.encode()), 0.0)
        working = asyncio.create_task(asyncio.to_thread(worker.run, stop))
        try:
            yield looked_at
        finally:
            stop.set()
            await working


async def looked_at_too_often(looked_at: list[str]) -> None:
    """Nothing, when a turn has been taken more often than a bot tries it."""
    deadline = time.monotonic() + 240
    while len(looked_at) < MOST_TRIES + 3:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


@pytest.mark.usefixtures("alive")
async def test_a_bot_waits_for_server_and_box_and_plays_on(
    fresh_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name in ("queue.LEASE_MS", "worker.LEASE_MS", "worker.WAIT_MS"):
        monkeypatch.setattr(f"service.bots.{name}", 300)
    boxes = edited(GAME, "mine", tmp_path).setting
    async with serving(fresh_settings, boxes) as (api, _):
        table = await Table.opened(api, GAME, 2)
        await table.post("bots", {"player": "random", "seat": 0}, table.host)
        await table.join()
        while table.to_move != 0:
            await table.play_any()
    async with played_for(fresh_settings, "http://127.0.0.1:9") as looked_at:
        await looked_at_too_often(looked_at)
    async with (
        served(create_app(fresh_settings)) as (_, url),
        played_for(fresh_settings, url) as looked_at,
    ):
        await looked_at_too_often(looked_at)
    told = [record for record in caplog.records if record.name == "service.bots.worker"]
    assert [record.levelno for record in told] == [logging.WARNING] * 2
    async with served(create_app(replace(fresh_settings, boxes=boxes))) as (_, url), client(url) as api:
        table.api = api
        async with played_for(fresh_settings, url):
            match = await to_move(table, 1)
    assert match["status"] == "running"
