"""Clocks of real processes in real time: flags that nobody asks for, races, services stopped and killed."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.clocks.arithmetic import SLACK
from service.clocks.lease import BEAT, GAP
from tests.cli.running import serving
from tests.service.table import SLUGS, Table, bearer
from tests.service.test_processes import children, client_of, kill

pytestmark = pytest.mark.anyio
GAME = SLUGS[-1]
LATEST = 1_000
"""Ms within which a flag is called."""
BASE = 1_500
STOP = 2.5
DELAY = 400
"""Ms by which a signal or a process of a busy machine may be late."""


@asynccontextmanager
async def serving_clients(tmp_path: Path, *arguments: str) -> AsyncIterator[tuple[int, httpx.AsyncClient]]:
    with serving(tmp_path / "out", tmp_path / "data", *arguments) as (server, url):
        async with client_of(url) as api:
            yield server.process.pid, api


async def started(api: httpx.AsyncClient, base: int, seats: int = 2, **more: Any) -> Table:
    return await Table.started(api, GAME, seats, clock={"base": base, **more})


async def over(table: Table) -> dict[str, Any]:
    """The match as soon as it is over."""
    deadline = time.monotonic() + 120
    while (match := await table.get())["status"] == "running":
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    found: dict[str, Any] = match
    return found


async def last_event(table: Table) -> Any:
    return (await table.get("/events"))["events"][-1]


def workers(pid: int) -> list[int]:
    """The processes that answer requests for a supervisor."""
    found = [child for child in children(pid) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    assert len(found) == 2
    return found


def stop_for(pids: list[int], seconds: float) -> tuple[float, float]:
    """When the processes stopped and when they went on, in ms since 1970."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    start = time.time()
    time.sleep(seconds)
    end = time.time()
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    return start * 1_000, end * 1_000


async def check_credit(table: Table, other: Table, stall: tuple[float, float], slow_start: int = 0) -> None:
    """Seats that had less time than the stall took are not flagged, and have won no more than it took."""
    took = stall[1] - stall[0]
    least, most = took - DELAY - slow_start, took + BEAT + DELAY
    clock = (await table.get())["clock"]
    assert clock["running"] == table.to_move
    credit = clock["deadline"] - clock["since"] - BASE
    assert least <= credit <= most, (took, credit)
    answer = await table.move((await table.legal())[0])
    assert answer.status_code == 200, answer.text
    mine = answer.json()["events"][0]["time"]
    assert mine["spent"] == mine["received"] - mine["offered"] - credit
    match = await over(other)
    assert match["clock"]["flagged"] == other.to_move
    theirs = (await last_event(other))["time"]
    assert least <= theirs["received"] - theirs["offered"] - BASE <= most
    assert (theirs["spent"], theirs["left"]) == (BASE, 0)


async def test_flags_are_called_in_a_second_though_nobody_asks(tmp_path: Path) -> None:
    async with serving_clients(tmp_path, "--workers", "2") as (_, api):
        tables = await asyncio.gather(*(started(api, 400 + 37 * number) for number in range(24)))
        aborted = await started(api, 700, onFlag="abort")
        await asyncio.sleep((400 + 37 * 24 + LATEST) / 1_000)
        for table in tables:
            assert (await table.get())["status"] == "finished"
            (event,) = (await table.get("/events"))["events"]
            assert (event["move"], event["cause"]) == (f"retire:{table.to_move}", "flagged")
            assert SLACK <= event["time"]["applied"] - event["time"]["received"] < LATEST
        assert (await aborted.get())["status"] == "aborted"


async def test_of_a_late_move_and_the_sweep_one_wins(tmp_path: Path) -> None:
    """The move comes round the moment at which it is late, and round that at which the flag is called."""
    async with serving_clients(tmp_path, "--workers", "2") as (_, api):
        outcomes: set[str] = set()
        for round_number in range(20):
            wide = 20 * (1 + round_number // 5)  # a busy machine needs more to be late, or in time
            spread = [(wide * number, SLACK * (round_number % 2)) for number in range(-6, 7)]
            outcomes |= set(await asyncio.gather(*(race(api, more + after) for more, after in spread)))
            if round_number >= 4 and len(outcomes) == 2:
                break
        assert len(outcomes) == 2, outcomes


async def test_who_holds_back_the_end_of_a_request_wins_no_time(tmp_path: Path) -> None:
    async with serving_clients(tmp_path) as (_, api):
        table = await started(api, 60_000)
        body = b'{"version": 0, "moves": ["%b"]}' % (await table.legal())[0].encode()

        async def slowly() -> AsyncIterator[bytes]:
            for start in range(0, len(body), 16):
                await asyncio.sleep(0.2)
                yield body[start : start + 16]

        headers = bearer(table.tokens[table.to_move]) | {"Content-Type": "application/json"}
        answer = await api.post(f"{table.path}/moves", content=slowly(), headers=headers)
        assert answer.json()["events"][0]["time"]["spent"] >= 200 * (len(body) // 16)


async def race(api: httpx.AsyncClient, late_by: int) -> str:
    base = 1_500
    table = await started(api, base)
    first, legal = table.to_move, (await table.legal())[0]
    due = (await table.get())["clock"]["deadline"]
    await asyncio.sleep(max(0, due + late_by - time.time() * 1_000) / 1_000)
    answer = await table.post("moves", {"version": 0, "moves": [legal]}, table.tokens[first])
    event = (await table.get("/events"))["events"][0]
    if answer.status_code == 200:
        assert answer.json()["events"][0] == event
        assert (event["kind"], event["seat"]) == ("action", first)
        assert event["time"]["spent"] + event["time"]["left"] == base
        return "moved"
    assert (answer.status_code, answer.json()["code"]) == (409, "match_over")
    assert (event["move"], event["cause"]) == (f"retire:{first}", "flagged")
    assert (await table.get())["version"] == 1
    return "flagged"


async def test_a_worker_alone_that_is_stopped_costs_nobody(tmp_path: Path) -> None:
    async with serving_clients(tmp_path) as (pid, api):
        tables = await started(api, BASE), await started(api, BASE)
        await check_credit(*tables, await asyncio.to_thread(stop_for, [pid], STOP))


@pytest.mark.soak
async def test_two_workers_that_are_stopped_cost_nobody(tmp_path: Path) -> None:
    async with serving_clients(tmp_path, "--workers", "2") as (pid, api):
        tables = await started(api, BASE), await started(api, BASE)
        await check_credit(*tables, await asyncio.to_thread(stop_for, workers(pid), STOP))


async def test_a_store_that_is_stopped_costs_nobody(tmp_path: Path) -> None:
    async with serving_clients(tmp_path) as (pid, api):
        tables = await started(api, BASE), await started(api, BASE)
        await check_credit(*tables, await asyncio.to_thread(stop_for, children(pid), STOP))


async def test_a_service_that_was_killed_costs_nobody(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (server, url):
        async with client_of(url) as api:
            tables = await started(api, BASE), await started(api, BASE)
        died = time.time() * 1_000
        kill(server)
    await asyncio.sleep(STOP)
    with serving(tmp_path / "again", tmp_path / "data") as (_, url):
        async with client_of(url) as api:
            for table in tables:
                table.api = api
            await tables[0].get()
            await check_credit(*tables, (died, time.time() * 1_000), slow_start=1_500)


@pytest.mark.soak
async def test_one_worker_of_two_that_is_stopped_stops_no_clock(tmp_path: Path) -> None:
    async with serving_clients(tmp_path, "--workers", "2") as (pid, api):
        tables = [await started(api, BASE) for _ in range(6)]
        await asyncio.to_thread(stop_for, workers(pid)[:1], STOP + 0.5)
        for table in tables:
            await over(table)
            time_of = (await last_event(table))["time"]
            assert time_of["received"] == time_of["offered"] + BASE
            assert time_of["applied"] - time_of["received"] < LATEST


@pytest.mark.soak
async def test_a_store_that_is_killed_again_and_again_wins_nobody_time(tmp_path: Path) -> None:
    async with serving_clients(tmp_path) as (pid, api):
        table = await started(api, 20_000)
        away = 0.0
        for _ in range(4):
            await asyncio.sleep(0.3)
            began = time.time()
            (store,) = children(pid)
            os.kill(store, signal.SIGKILL)
            while (answer := await api.get("/health/ready")).status_code != 200:
                assert answer.status_code == 503
                await asyncio.sleep(0.02)
            away += time.time() - began
        spent = (await table.play((await table.legal())[0]))["events"][0]["time"]
        credit = spent["received"] - spent["offered"] - spent["spent"]
        assert 0 <= credit <= 1_000 * away + 4 * (BEAT + DELAY)
        assert credit >= 1_000 * away - 4 * (GAP + DELAY)
