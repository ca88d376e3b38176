"""The service as a process of its own: races between clients, and ends without warning."""

import asyncio
import os
import re
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.match import digest
from engine.transcript import parse_json, replay
from tests.cli.running import Running, serving
from tests.service.checked import API, CheckedTransport
from tests.service.table import SLUGS, Table, fresh_key

pytestmark = pytest.mark.anyio
RACERS = 20
KEY = {"Idempotency-Key": "acknowledged"}


def client_of(url: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=RACERS + 5)
    transport = CheckedTransport(httpx.AsyncHTTPTransport(limits=limits))
    return httpx.AsyncClient(transport=transport, base_url=url + API, timeout=30)


async def acknowledged_moves(table: Table, moves: int) -> list[dict[str, Any]]:
    """Every event that the service says it has stored, while so many moves are played."""
    events: list[dict[str, Any]] = []
    for number in range(moves):
        legal = await table.legal()
        events += (await table.play(legal[(number * 7) % len(legal)]))["events"]
    return events


async def check_nothing_lost(table: Table, events: list[dict[str, Any]]) -> None:
    """The match stands where the last answer left it, event by event, and replays to its digest."""
    stored = (await table.get("/events"))["events"]
    assert stored[: len(events)] == events
    match = await table.get()
    assert (match["version"], match["toMove"]) == (len(stored), table.to_move)
    transcript = parse_json((await table.api.get(f"{table.path}/transcript")).content)
    *_, last = replay(transcript)
    assert digest(last.state) == transcript.digest


@pytest.mark.parametrize("slug", SLUGS)
async def test_of_twenty_racers_on_one_version_one_is_accepted(tmp_path: Path, slug: str) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (_, url):
        async with client_of(url) as api:
            table = await Table.started(api, slug, 2)
            legal, mover = await table.legal(), table.to_move
            answers = await asyncio.gather(
                *(
                    table.post(
                        "moves", {"version": 0, "moves": [legal[number % len(legal)]]}, table.tokens[mover]
                    )
                    for number in range(RACERS)
                )
            )
            (won,) = [answer.json() for answer in answers if answer.status_code == 200]
            lost = [answer.json() for answer in answers if answer.status_code == 409]
            assert len(lost) == RACERS - 1
            following = [move["notation"] for move in (await table.get("/legal-moves"))["moves"]]
            for problem in lost:
                assert problem["code"] == "stale_version"
                assert (problem["version"], problem["toMove"]) == (won["version"], won["toMove"])
                assert problem["events"] == won["events"]
                assert problem.get("legalMoves") == (following if won["toMove"] == mover else None)
            assert (await table.get("/events"))["events"] == won["events"]


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_killed_service_loses_nothing_that_it_acknowledged(tmp_path: Path, slug: str) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (server, url):
        async with client_of(url) as api:
            table = await Table.started(api, slug, 2)
            events = await acknowledged_moves(table, 8)
            body = {"version": table.version, "moves": (await table.legal())[:1]}
            repeated = ("moves", body, table.tokens[table.to_move])
            acknowledged = await table.post(*repeated, **KEY)
            table.note(acknowledged.json())
            events += acknowledged.json()["events"]
            key = {"Idempotency-Key": fresh_key()}
            created = await api.post("/matches", json={"game": slug, "seats": 2}, headers=key)
            kill(server)
            with pytest.raises(httpx.TransportError):
                await table.get()
    with serving(tmp_path / "again", tmp_path / "data") as (_, url):
        async with client_of(url) as api:
            table.api = api
            await check_nothing_lost(table, events)
            assert (await table.post(*repeated, **KEY)).content == acknowledged.content
            again = await api.post("/matches", json={"game": slug, "seats": 2}, headers=key)
            assert again.content == created.content
            events += await acknowledged_moves(table, 8)
            await check_nothing_lost(table, events)


async def test_a_service_killed_while_it_answers_loses_nothing_either(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (server, url):
        async with client_of(url) as api:
            tables = [await Table.started(api, SLUGS[0], 2) for _ in range(6)]
            logs: list[list[dict[str, Any]]] = [[] for _ in tables]
            all_play = asyncio.Event()

            async def go_on(table: Table, log: list[dict[str, Any]]) -> None:
                while True:
                    log += await acknowledged_moves(table, 1)
                    if min(map(len, logs)) >= 5:
                        all_play.set()

            players = [asyncio.create_task(go_on(*pair)) for pair in zip(tables, logs, strict=True)]
            await all_play.wait()
            kill(server)
            ends = await asyncio.gather(*players, return_exceptions=True)
            assert all(isinstance(end, httpx.TransportError) for end in ends), ends
    with serving(tmp_path / "again", tmp_path / "data") as (_, url):
        async with client_of(url) as api:
            for table, log in zip(tables, logs, strict=True):
                table.api = api
                match = await table.get()
                assert match["version"] >= log[-1]["version"]
                table.to_move, table.version = match["toMove"], match["version"]
                await check_nothing_lost(table, log)
                await table.play_any()


async def test_a_killed_store_is_started_again_and_loses_nothing(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (server, url):
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            events = await acknowledged_moves(table, 6)
            (store,) = children(server.process.pid)
            os.kill(store, signal.SIGKILL)
            while (answer := await api.get("/health/ready")).status_code != 200:
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                await asyncio.sleep(0.02)
            assert children(server.process.pid) != [store]
            await check_nothing_lost(table, events)
            events += await acknowledged_moves(table, 6)
            await check_nothing_lost(table, events)


def kill(server: Running) -> None:
    server.process.kill()
    server.process.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = re.sub(r".*\) ", "", path.read_text(), count=1).split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found
