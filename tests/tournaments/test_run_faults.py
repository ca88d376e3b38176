"""A bot for each class of faults: the tournament ends as its manifest says, whatever the bot does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from engine.transcript import Transcript
from service.app import create_app
from service.desk import Desk
from service.settings import Settings
from service.store.errors import Stale
from service.store.opening import in_background
from service.store.record import ended
from service.tournaments import check, runner
from service.tournaments.ledger import Ledger
from service.tournaments.office import tournaments_of
from service.tournaments.record import FaultCount, MatchResult, Record
from service.tournaments.runner import Hall
from service.tournaments.verify import check_record, check_transcripts
from service.tournaments.worker import Worker
from tests.service.accounts import Account, registered
from tests.service.checked import API, BASE, in_process
from tests.tournaments.halls import GAME

pytestmark = pytest.mark.anyio
SECONDS = 240
MINUTE = 60_000
MANY = 6


class Scene(NamedTuple):
    """A service with a worker of tournaments, and a client of it."""

    api: httpx.AsyncClient
    desk: Desk


Bot = Callable[[Scene, Account], Coroutine[Any, Any, None]]


@asynccontextmanager
async def staged(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(runner, "LOOK_MS", 200)
    monkeypatch.setattr(runner, "EAGER_MS", 100)
    monkeypatch.setattr(check, "LEAST_GONE_MS", 1_000)
    app = create_app(settings)
    async with app.lifespan(), httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as api:
        desk: Desk = app.state.desk
        hall = Hall(desk.store, tournaments_of(desk), desk.tokens, desk.catalogue, "worker")
        async with in_background(Worker(hall)):
            yield Scene(api, desk)


async def messages(scene: Scene, who: Account) -> AsyncIterator[dict[str, Any]]:
    """What the player is told, as it is told; a no-show is told it in vain."""
    after = None
    while True:
        query = {"wait": "20"} | ({"after": after} if after else {})
        page = (await scene.api.get("/me/events", params=query, headers=who.headers)).json()
        for message in page["messages"]:
            yield message
        after = page["after"]


async def post(scene: Scene, who: Account, path: str, body: Any) -> int:
    return (await scene.api.post(path, json=body, headers=who.headers)).status_code


async def honest(scene: Scene, who: Account) -> None:
    """Comes, and plays the first move there is."""
    async for message in messages(scene, who):
        await respond(scene, who, message)


async def respond(scene: Scene, who: Account, message: dict[str, Any]) -> None:
    if message["type"] == "invited":
        await post(scene, who, f"/matches/{message['match']}/join", {})
    if message["type"] == "your_turn":
        body = {"version": message["version"], "moves": message["legalMoves"][:1]}
        await post(scene, who, f"/matches/{message['match']}/moves", body)


async def cheat(scene: Scene, who: Account) -> None:
    """Sends what is no move, again and again."""
    async for message in messages(scene, who):
        if message["type"] == "your_turn":
            path, body = f"/matches/{message['match']}/moves", {"version": message["version"], "moves": ["?"]}
            for _ in range(MANY):
                await post(scene, who, path, body)
        else:
            await respond(scene, who, message)


async def sleeper(scene: Scene, who: Account) -> None:
    """Comes and listens, but never moves."""
    async for message in messages(scene, who):
        if message["type"] == "invited":
            await respond(scene, who, message)


async def vanisher(scene: Scene, who: Account) -> None:
    """Comes, and is never heard of again."""
    async for message in messages(scene, who):
        if message["type"] == "invited":
            await respond(scene, who, message)
            return


async def quitter(scene: Scene, who: Account) -> None:
    """Resigns as soon as it may move."""
    async for message in messages(scene, who):
        if message["type"] == "your_turn":
            await post(scene, who, f"/matches/{message['match']}/resign", {})
        else:
            await respond(scene, who, message)


async def absentee(scene: Scene, who: Account) -> None:
    """Never comes."""


async def bystander(scene: Scene, who: Account) -> None:
    """Comes; but the server ends every match."""
    async for message in messages(scene, who):
        await respond(scene, who, message)
        if message["type"] == "match_started":
            await aborted(scene.desk, message["match"])


async def aborted(desk: Desk, match: str) -> None:
    while True:
        rev, record, _ = await desk.store.load(match)
        try:
            await desk.store.commit(rev, ended(record, "aborted", desk.store.clock()))
        except Stale:
            continue
        return


async def held(scene: Scene, mutant: Bot, faults: dict[str, Any], per_turn: int) -> tuple[Record, str]:
    """The record of a tournament of an honest bot and a mutant at its end, and the mutant's id."""
    olga, good, bad = [await registered(scene.api, name) for name in ("Olga", "Good", "Bad")]
    body = {
        "name": "Cup",
        "game": GAME,
        "seats": 2,
        "format": {"format": "round_robin"},
        "clock": {"perTurn": per_turn},
        "faults": {"presentWithinMs": MINUTE} | faults,
        "limits": {"replays": 1},
    }
    made = await scene.api.post("/tournaments", json=body, headers=olga.headers)
    assert made.status_code == 201, made.text
    path = f"/tournaments/{made.json()['id']}"
    for who in (good, bad):
        assert await post(scene, who, f"{path}/join", {}) == 200
    assert await post(scene, olga, f"{path}/start", {}) == 200
    bots = [asyncio.create_task(bot) for bot in (honest(scene, good), mutant(scene, bad))]
    try:
        async with asyncio.timeout(SECONDS):
            entries = 0
            while (page := await entries_after(scene, path, entries))["status"] != "finished":
                entries = page["count"]
    finally:
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)
    standing = await tournaments_of(scene.desk).load(made.json()["id"])
    return standing.record, bad.id


async def entries_after(scene: Scene, path: str, after: int) -> dict[str, Any]:
    answer = await scene.api.get(f"{path}/events", params={"after": after, "wait": 5})
    page: dict[str, Any] = answer.json()
    return page


CASES: tuple[tuple[str, str, Bot, dict[str, Any], int], ...] = (
    ("illegal_move", "retire", cheat, {"illegalMove": {"borne": 2, "then": "retire"}}, MINUTE),
    ("illegal_move", "forfeit", cheat, {"illegalMove": {"borne": 1, "then": "forfeit"}}, MINUTE),
    ("illegal_move", "strike", cheat, {"illegalMove": {"then": "strike"}, "strikes": 2}, MINUTE),
    ("timeout", "retire", sleeper, {}, 500),
    ("timeout", "forfeit", sleeper, {"timeout": {"then": "forfeit"}}, 500),
    ("disconnect", "retire", vanisher, {"goneAfterMs": 1_500}, MINUTE),
    ("resign", "retire", quitter, {}, MINUTE),
    ("resign", "forfeit", quitter, {"resign": {"then": "forfeit"}}, MINUTE),
    ("no_show", "retire", absentee, {"presentWithinMs": 1_000}, MINUTE),
    ("no_show", "forfeit", absentee, {"noShow": {"then": "forfeit"}, "presentWithinMs": 1_000}, MINUTE),
)


@pytest.mark.parametrize(
    ("fault", "then", "mutant", "faults", "per_turn"), CASES, ids=[f"{case[0]} {case[1]}" for case in CASES]
)
async def test_the_mutant_loses_and_the_tournament_ends(
    fresh_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    then: str,
    mutant: Bot,
    faults: dict[str, Any],
    per_turn: int,
) -> None:
    async with staged(fresh_settings, monkeypatch) as scene:
        record, bad = await held(scene, mutant, faults, per_turn)
        check_record(record)
        assert check_transcripts(record, await transcripts(scene, record)) == 1
    ledger = Ledger(record)
    (number,) = ledger.results
    seat, result = ledger.orders[number].entrants.index(bad), ledger.results[number]
    assert result.reasons[1 - seat] == "played"
    assert result.reasons[seat] != "played"
    assert result.ranks[seat] == 2
    assert result.ranks[1 - seat] == 1
    assert [count.fault for count in faults_of(result, seat)] == [fault]
    assert (bad in ledger.left) == (then == "strike")


async def transcripts(scene: Scene, record: Record) -> list[Transcript]:
    """Of every match with a result."""
    found = []
    for result in Ledger(record).results.values():
        answer = await scene.api.get(f"/matches/{result.match}/transcript")
        found.append(msgspec.json.decode(answer.content, type=Transcript))
    return found


def faults_of(result: MatchResult, seat: int) -> list[FaultCount]:
    assert all(count.seat == seat for count in result.faults), "nobody else is at fault"
    return list(result.faults)


@pytest.mark.parametrize(
    ("fault", "mutant", "faults", "per_turn"),
    [
        ("server", bystander, {}, MINUTE),
        ("timeout", sleeper, {"timeout": {"then": "void"}}, 500),
    ],
)
async def test_what_is_void_is_played_again_and_dropped_at_last(
    fresh_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    mutant: Bot,
    faults: dict[str, Any],
    per_turn: int,
) -> None:
    async with staged(fresh_settings, monkeypatch) as scene:
        record, _ = await held(scene, mutant, faults, per_turn)
    ledger = Ledger(record)
    assert ledger.results == {}
    assert [{count.fault for count in entry.faults} for entry in ledger.voided] == [{fault}] * 2
    assert len({entry.match for entry in ledger.voided}) == 2
