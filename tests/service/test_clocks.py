"""Clocks over HTTP, by a clock that the test sets."""

from typing import Any

import pytest

from service.clocks.lease import BEAT
from service.store.record import Loaded
from tests.service.accounts import registered
from tests.service.table import Table, fresh_key
from tests.service.timed import GAME, START, Timed, code, started

pytestmark = pytest.mark.anyio
SHORT = 2_000


async def test_a_match_shows_its_clocks(timed: Timed) -> None:
    clock = {"base": 60_000, "increment": 500, "grace": 1_000}
    control = {**clock, "delay": 0, "perTurn": None, "onFlag": "retire"}
    table = await Table.opened(timed.api, GAME, 2, clock=clock)
    waiting = {
        "control": control,
        "left": [60_000, 60_000],
        "running": None,
        "since": None,
        "deadline": None,
        "flagged": None,
    }
    assert (await table.get())["clock"] == waiting
    await timed.passes(5_000)
    await table.join()
    runs = waiting | {"running": 0, "since": START + 5_000, "deadline": START + 66_000}
    assert (await table.join())["match"]["clock"] == runs
    assert (await table.get())["clock"] == runs
    (listed,) = (await timed.api.get("/matches")).json()["matches"]
    assert listed["clock"] == runs
    await timed.passes(3_000)
    now = await table.get("/clock")
    assert now == {"now": START + 8_000, "version": 0, "left": [58_000, 60_000], "clock": runs}
    played = await table.play((await table.legal())[0])
    at = START + 8_000
    second = runs | {"left": [58_500, 60_000], "running": 1, "since": at, "deadline": at + 61_000}
    assert played["clock"] == second
    assert (await table.get())["clock"] == second
    assert (await table.get("/clock"))["left"] == [58_500, 60_000]


async def test_a_match_without_a_clock(timed: Timed) -> None:
    table = await Table.started(timed.api, GAME, 2)
    assert (await table.get())["clock"] is None
    await timed.passes(700)
    played = await table.play((await table.legal())[0])
    assert "clock" not in played
    at = START + 700
    assert played["events"][0]["time"] == {
        "offered": START,
        "received": at,
        "applied": at,
        "spent": 700,
        "left": None,
    }
    assert await table.get("/clock") == {"now": at, "version": 1, "left": [], "clock": None}


async def test_events_hold_what_was_spent_and_what_is_left(timed: Timed) -> None:
    table = await started(timed, increment=2_000)
    times = []
    for think in (1_000, 400, 0, 30_000):
        await timed.passes(think)
        times.append((await table.play((await table.legal())[0]))["events"][0]["time"])
    assert [(time["spent"], time["left"]) for time in times] == [
        (1_000, 61_000),
        (400, 61_600),
        (0, 63_000),
        (30_000, 33_600),
    ]
    assert [time["received"] - time["offered"] for time in times] == [1_000, 400, 0, 30_000]
    events = (await table.get("/events"))["events"]
    assert [event["time"] for event in events] == times
    transcript = (await table.get("/transcript"))["events"]
    assert all(set(event) == {"version", "kind", "seat", "move"} for event in transcript)


async def test_matches_are_found_by_their_clocks(timed: Timed) -> None:
    clocks = {"none": None, "base": {"base": 1_000, "increment": 5}, "perTurn": {"perTurn": 1_000}}
    made = {kind: (await Table.opened(timed.api, GAME, 2, clock=clock)).id for kind, clock in clocks.items()}
    for kind in clocks:
        (found,) = (await timed.api.get("/matches", params={"clock": kind})).json()["matches"]
        assert found["id"] == made[kind]
        assert (found["clock"] is None) == (kind == "none")
    assert len((await timed.api.get("/matches")).json()["matches"]) == 3
    assert code(await timed.api.get("/matches?clock=blitz")) == (400, "invalid_query")


@pytest.mark.parametrize(
    ("clock", "status", "where"),
    [
        ({}, 422, "clock"),
        ({"increment": 1_000}, 422, "clock"),
        ({"base": 1_000, "perTurn": 1_000}, 422, "clock"),
        ({"perTurn": 1_000, "increment": 1_000}, 422, "clock"),
        ({"base": 1_000, "increment": 1, "delay": 1}, 422, "clock"),
        ({"base": 99}, 400, "$.clock.base"),
        ({"base": 90 * 86_400_000 + 1}, 400, "$.clock.base"),
        ({"base": 1_000.5}, 400, "$.clock.base"),
        ({"base": "1000"}, 400, "$.clock.base"),
        ({"base": 1_000, "increment": -1}, 400, "$.clock.increment"),
        ({"base": 1_000, "grace": None}, 400, "$.clock.grace"),
        ({"base": 1_000, "onFlag": "lose"}, 400, "$.clock.onFlag"),
        ({"base": 1_000, "seconds": 5}, 400, "$.clock"),
        ([1_000], 400, "$.clock"),
        ("5+3", 400, "$.clock"),
    ],
)
async def test_a_clock_that_cannot_be(timed: Timed, clock: Any, status: int, where: str) -> None:
    answer = await timed.api.post("/matches", json={"game": GAME, "seats": 2, "clock": clock})
    assert code(answer) == (status, "bad_setup" if status == 422 else "invalid_body")
    assert answer.json()["where"] == where
    assert (await timed.api.get("/matches")).json()["matches"] == []


async def test_correspondence(timed: Timed) -> None:
    day = 86_400_000
    table = await started(timed, perTurn=3 * day)
    for _ in range(3):
        timed.is_away(0)
        clock = (await table.get())["clock"]
        assert clock["left"] == [3 * day, 3 * day]
        assert clock["deadline"] == clock["since"] + 3 * day
        await timed.passes(1_000)
        await table.play_any()


async def test_a_refused_move_stops_no_clock(timed: Timed) -> None:
    table = await started(timed)
    await timed.passes(1_000)
    before = (await table.get())["clock"]
    other = 1 - table.to_move
    body: dict[str, Any] = {"version": 0, "moves": (await table.legal())[:1]}
    assert code(await table.post("moves", body, table.tokens[other]))[1] == "not_your_turn"
    assert code(await table.move("build:a1"))[0] == 422
    assert code(await table.move("nonsense"))[0] == 400
    assert (await table.get())["clock"] == before
    await timed.passes(1_000)
    assert (await table.play(body["moves"][0]))["events"][0]["time"]["spent"] == 2_000


async def test_what_the_store_takes_costs_nobody(timed: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await started(timed)
    legal = (await table.legal())[0]
    load = timed.store.load

    async def slow(match_id: str, key: bytes | None = None) -> Loaded:
        loaded = await load(match_id, key)
        await timed.passes(3_000)
        return loaded

    await timed.passes(1_000)
    with monkeypatch.context() as patch:
        timed.forgets(patch)
        patch.setattr(timed.store, "load", slow)
        played = await table.play(legal)
    assert played["events"][0]["time"] == {
        "offered": START,
        "received": START + 1_000,
        "applied": START + 4_000,
        "spent": 1_000,
        "left": 59_000,
    }
    assert played["clock"]["since"] == START + 4_000


async def test_a_repeat_is_the_first_answer_and_costs_nothing(timed: Timed) -> None:
    table = await started(timed)
    body = {"version": 0, "moves": (await table.legal())[:1]}
    key = {"Idempotency-Key": fresh_key()}
    mover = table.tokens[table.to_move]
    await timed.passes(1_000)
    first = await table.post("moves", body, mover, **key)
    await timed.passes(2_000)
    clock = (await table.get())["clock"]
    assert (await table.post("moves", body, mover, **key)).content == first.content
    assert (await table.get())["clock"] == clock
    await timed.passes(5_000)
    assert (await table.post("moves", body, mover, **key)).content == first.content


async def test_a_time_without_workers_is_credited(timed: Timed) -> None:
    table = await started(timed)
    await timed.passes(10_000)
    before = await timed.api.get(table.path)
    timed.is_away(3_600_000)
    after = await timed.api.get(table.path)
    assert after.headers["etag"] != before.headers["etag"]
    assert after.json()["clock"]["deadline"] == START + 60_000 + 3_600_000
    assert (await table.get("/clock"))["left"][table.to_move] == 50_000
    await timed.passes(20_000)
    timed.is_away(1_000)
    time = (await table.play((await table.legal())[0]))["events"][0]["time"]
    assert 30_000 - BEAT <= time["spent"] <= 30_000


async def test_lists_tell_the_deadline_with_what_is_credited(timed: Timed) -> None:
    ada = await registered(timed.api, "Ada")
    table = await Table.opened(timed.api, GAME, 2, clock={"base": 60_000})
    for headers in (ada.headers, {}):
        assert (await timed.api.post(f"{table.path}/join", json={}, headers=headers)).is_success
    timed.is_away(3_600_000)
    for address in ("/matches", "/me/matches"):
        (listed,) = (await timed.api.get(address, headers=ada.headers)).json()["matches"]
        assert listed["clock"]["deadline"] == START + 60_000 + 3_600_000, address
