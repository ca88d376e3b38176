"""Flags: who is out of time, and what a late request is answered; by a clock that the test sets."""

import asyncio
from collections import Counter
from time import monotonic

import pytest

from engine.transcript import parse_json, parse_text, replay
from service.clocks.arithmetic import SLACK
from service.clocks.lease import BEAT
from service.store.record import Loaded
from tests.service.table import fresh_key
from tests.service.timed import START, Timed, code, started

pytestmark = pytest.mark.anyio
SHORT = 2_000


async def test_what_was_received_in_time_counts(timed: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await started(timed, base=SHORT)
    legal = (await table.legal())[0]
    load = timed.store.load

    async def slow(match_id: str, key: bytes | None = None) -> Loaded:
        loaded = await load(match_id, key)
        timed.hands.at += SLACK  # at once: the flag would be called as soon as it were 1 ms later
        return loaded

    await timed.passes(SHORT)
    with monkeypatch.context() as patch:
        timed.forgets(patch)
        patch.setattr(timed.store, "load", slow)
        played = await table.play(legal)
    assert (played["events"][0]["time"]["left"], played["status"]) == (0, "running")
    assert played["events"][0]["time"]["applied"] == START + SHORT + SLACK


async def test_a_late_move_of_two_finds_the_match_over(timed: Timed) -> None:
    table = await started(timed, base=SHORT)
    late = table.to_move
    legal = (await table.legal())[0]
    await timed.passes(SHORT + 1)
    assert code(await table.move(legal)) == (409, "match_over")
    match = await table.get()
    assert (match["status"], match["version"], match["ranks"][late]) == ("finished", 1, 2)
    assert match["clock"]["flagged"] == late
    assert (match["clock"]["left"][late], match["clock"]["running"]) == (0, None)
    (event,) = (await table.get("/events"))["events"]
    assert (event["kind"], event["move"], event["cause"]) == ("retire", f"retire:{late}", "flagged")
    assert event["text"] == f"Seat {late} ran out of time."
    assert event["time"]["received"] == START + SHORT
    assert (event["time"]["spent"], event["time"]["left"]) == (SHORT, 0)


async def test_a_late_move_of_three_is_stale(timed: Timed) -> None:
    table = await started(timed, 3, base=SHORT)
    late = table.to_move
    legal = (await table.legal())[0]
    await timed.passes(SHORT + 1)
    answer = await table.move(legal)
    assert code(answer) == (409, "stale_version")
    problem = answer.json()
    assert [event["move"] for event in problem["events"]] == [f"retire:{late}"]
    assert problem["version"] == 1
    assert problem["toMove"] not in (None, late)
    table.note(await table.get())
    clock = (await table.get())["clock"]
    assert (clock["running"], clock["left"][clock["running"]]) == (table.to_move, SHORT)
    await table.play_any()


async def test_a_late_request_of_another_seat_comes_after_the_flag(timed: Timed) -> None:
    table = await started(timed, base=SHORT)
    late = table.to_move
    await timed.passes(SHORT + 1)
    assert code(await table.post("resign", {}, table.tokens[1 - late])) == (409, "match_over")
    assert (await table.get())["ranks"][late] == 2


async def test_a_late_move_waits_for_one_that_may_be_under_way(timed: Timed) -> None:
    table = await started(timed, base=SHORT)
    legal = (await table.legal())[0]
    await timed.passes(SHORT + 1)
    began = monotonic()
    assert code(await table.move(legal)) == (409, "match_over")
    assert monotonic() - began >= (SLACK - 1) / 1_000


async def test_so_does_the_sweep(timed: Timed) -> None:
    table = await started(timed, base=SHORT)
    await timed.passes(SHORT + SLACK)
    assert (await table.get())["version"] == 0
    timed.hands.at += 1
    await timed.sweeper.look(table.id)
    assert (await table.get())["version"] == 1


async def test_a_match_may_be_aborted_on_flag(timed: Timed) -> None:
    table = await started(timed, 3, base=SHORT, onFlag="abort")
    await table.play_any()
    late = table.to_move
    await timed.passes(SHORT + 1)
    assert code(await table.move((await table.legal())[0])) == (409, "match_over")
    match = await table.get()
    assert (match["status"], match["version"], match["ranks"]) == ("aborted", 1, None)
    assert (match["clock"]["flagged"], match["clock"]["left"][late]) == (late, 0)


async def test_nobody_has_to_ask(timed: Timed) -> None:
    tables = [await started(timed, seats, base=SHORT) for seats in (2, 3)]
    late = [table.to_move for table in tables]
    await timed.passes(SHORT + SLACK + 200)
    for table, seat in zip(tables, late, strict=True):
        match = await timed.until(table.path, version=1)
        assert match["clock"]["flagged"] == seat
    await timed.passes(SHORT + SLACK + 500)
    match = await timed.until(tables[1].path, status="finished")
    assert match["version"] == 2


async def test_after_a_beat_that_fails_there_are_others(
    timed: Timed, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without them no flag would fall any more, whoever plays."""
    lease, failures = timed.store.lease, asyncio.Semaphore(0)

    async def fails(_: int = 0) -> tuple[str, ...]:
        failures.release()
        raise RuntimeError("for some reason")

    async with asyncio.timeout(60):
        with monkeypatch.context() as patch:
            patch.setattr(lease, "renew", fails)
            for _ in range(3):
                await failures.acquire()
        assert caplog.text.count("The clocks wait: for some reason") == 1
        timed.hands.at += BEAT
        while lease._renewed_at < timed.hands.at:  # noqa: ASYNC110 - nobody tells of a beat
            await asyncio.sleep(0.01)


async def test_a_late_move_is_refused_the_same_way_again(timed: Timed) -> None:
    table = await started(timed, 3, base=SHORT)
    body = {"version": 0, "moves": (await table.legal())[:1]}
    key = {"Idempotency-Key": fresh_key()}
    mover = table.tokens[table.to_move]
    await timed.passes(SHORT + 1)
    first = await table.post("moves", body, mover, **key)
    assert code(first) == (409, "stale_version")
    table.note(await table.get())
    await table.play_any()
    assert (await table.post("moves", body, mover, **key)).content == first.content


async def test_nobody_is_flagged_because_the_service_was_away(timed: Timed) -> None:
    tables = [await started(timed, base=SHORT) for _ in range(3)]
    for _ in range(3):
        await timed.passes(500)
        timed.is_away(86_400_000)
    await timed.passes(400)
    for table in tables:
        assert await table.get() | {"version": 0, "status": "running"} == await table.get()
    time = (await tables[0].play((await tables[0].legal())[0]))["events"][0]["time"]
    assert 1_900 - 3 * BEAT <= time["spent"] <= 1_900
    await timed.passes(100 + 3 * BEAT + SLACK + 200)
    for table in tables[1:]:
        await timed.until(table.path, status="finished")


async def test_the_host_may_abort_in_the_first_turn_also_with_a_clock(timed: Timed) -> None:
    table = await started(timed, base=SHORT)
    aborted = (await table.post("cancel", {}, table.host)).json()
    assert (aborted["status"], aborted["clock"]["running"]) == ("aborted", None)
    await timed.passes(SHORT + 500)
    assert await table.get() == aborted
    late = await started(timed, base=SHORT)
    await timed.passes(SHORT + 1)
    assert code(await table.post("cancel", {}, table.host)) == (409, "match_over")
    assert code(await late.post("cancel", {}, late.host)) == (409, "match_over")


async def test_a_transcript_tells_who_ran_out_of_time(timed: Timed) -> None:
    table = await started(timed, 3, base=SHORT)
    await timed.passes(SHORT + 1)
    await table.move((await table.legal())[0])
    table.note(await table.get())
    await table.play_any(4)
    for media_type in ("application/json", "text/plain"):
        answer = await timed.api.get(f"{table.path}/transcript", headers={"Accept": media_type})
        is_text = media_type == "text/plain"
        transcript = parse_text(answer.text) if is_text else parse_json(answer.content)
        assert transcript.events[0].cause == "flagged"
        assert len(list(replay(transcript))) == table.version


async def test_of_a_move_in_time_and_the_sweep_one_wins(
    timed: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request received in time that took so long that the flag is being called at the same moment."""
    load, outcomes, number = timed.store.load, Counter[str](), 0

    async def overtaken(match_id: str, key: bytes | None = None) -> Loaded:
        loaded = await load(match_id, key)
        if timed.hands.at == due:
            timed.hands.at += SLACK + 1
            looks.append(asyncio.create_task(timed.sweeper.look(match_id)))
            if number % 3:
                await asyncio.sleep(number % 10 / 2_500)
            else:
                await looks[0]
        return loaded

    timed.forgets(monkeypatch)
    monkeypatch.setattr(timed.store, "load", overtaken)
    for race in range(70):
        number = race
        looks: list[asyncio.Task[None]] = []
        due = 0
        table = await started(timed, base=100)
        mover, legal = table.to_move, (await table.legal())[0]
        await timed.passes(100)
        due = timed.hands.at
        answer = await table.post("moves", {"version": 0, "moves": [legal]}, table.tokens[mover])
        await asyncio.gather(*looks)
        (event,) = (await table.get("/events"))["events"]
        moved = answer.status_code == 200
        assert event["kind"] == ("action" if moved else "retire")
        assert moved or code(answer) == (409, "match_over")
        outcomes[event["kind"]] += 1
        await timed.passes(BEAT)
    assert len(outcomes) == 2, outcomes
