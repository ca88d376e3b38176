"""A move on a match as this worker left it takes one round trip to the store, and is judged as any other."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx
import pytest
from litestar import Litestar
from redis import Redis

from service.app import create_app
from service.desk import Desk
from service.settings import Settings
from service.store.channel import Channel, Command
from tests.service.checked import API, BASE, in_process
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def worker(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a further worker on the same store."""
    app = create_app(settings)
    async with app.lifespan(), httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as client:
        yield client


@pytest.fixture
def desk(app: Litestar) -> Desk:
    found: Desk = app.state.desk
    return found


async def moved_table(api: httpx.AsyncClient, game: str = SLUGS[0]) -> Table:
    """A match that a move was made in, so that the worker remembers it."""
    table = await Table.started(api, game, 2)
    await table.play_any()
    return table


async def test_one_round_trip(api: httpx.AsyncClient, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await moved_table(api)
    moves = await table.legal()
    sent: list[tuple[Command, ...]] = []
    send = Channel.send

    def noted(self: Channel, commands: Sequence[Command]) -> object:
        sent.append(tuple(commands))
        return send(self, commands)

    monkeypatch.setattr(Channel, "send", noted)
    answer = await table.move(moves[0])
    assert answer.status_code == 200
    ours = [commands for commands in sent if table.id in str(commands)]  # others go on in the background
    assert [[command[0] for command in commands] for commands in ours] == [["EVALSHA"]]
    monkeypatch.undo()
    assert (await table.get())["version"] == table.version


async def test_the_answer_is_the_same_with_and_without_memory(
    api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    """Refusals of every kind, by the worker that made the last move and by one that knows nothing."""
    table = await moved_table(api)
    token, other = table.tokens[table.to_move], table.tokens[1 - table.to_move]
    move = (await table.legal())[0]
    path = f"{table.path}/moves"
    now = {"version": table.version, "moves": [move]}
    asked = [
        (now, other),
        (now, table.host),
        (now, "seat_nonsense"),
        (now | {"moves": ["nonsense"]}, token),
        (now | {"moves": [move, "nonsense"]}, token),
        (now | {"version": table.version + 1}, token),
        (now | {"version": 0}, token),
        (now | {"moves": [await illegal(table)]}, token),
        (now | {"moves": [await illegal(table)]}, other),
    ]
    async with worker(fresh_settings) as stranger:
        for body, credential in asked:
            answers = [
                await client.post(path, json=body, headers=bearer(credential)) for client in (api, stranger)
            ]
            assert answers[0].is_error
            assert answers[0].content == answers[1].content
            assert answers[0].status_code == answers[1].status_code
    assert (await table.get())["version"] == table.version


async def illegal(table: Table) -> str:
    """A move that can be parsed and is not legal: one of another match at another time."""
    legal = set(await table.legal())
    other = await Table.started(table.api, (await table.get())["game"], 2)
    for _ in range(60):
        for move in await other.legal():
            if move not in legal:
                return move
        await other.play_any()
    raise AssertionError("every move is legal")


@pytest.mark.parametrize("game", SLUGS)
async def test_players_who_ask_different_workers(
    api: httpx.AsyncClient, fresh_settings: Settings, game: str
) -> None:
    """Whoever is asked, memory or not, knows the match as it stands, and loses no move."""
    chance = random.Random(7)  # noqa: S311 - which worker is asked is no secret
    table = await Table.started(api, game, 2)
    versions = []
    async with worker(fresh_settings) as other:
        for _ in range(60):
            if table.status != "running":
                break
            table.api = chance.choice((api, other))
            moves = await table.legal()
            key = {"Idempotency-Key": fresh_key()} | bearer(table.tokens[table.to_move])
            body = {"version": table.version, "moves": [chance.choice(moves)]}
            first = await table.api.post(f"{table.path}/moves", json=body, headers=key)
            assert first.status_code == 200
            again = await chance.choice((api, other)).post(f"{table.path}/moves", json=body, headers=key)
            assert again.content == first.content
            versions += [event["version"] for event in first.json()["events"]]
            stale = await chance.choice((api, other)).post(
                f"{table.path}/moves", json=body, headers=bearer(table.tokens[table.to_move])
            )
            assert stale.json()["code"] == "stale_version"
            table.note(first.json())
        logs = [await client.get(f"{table.path}/events") for client in (api, other)]
    assert logs[0].json()["events"][-1]["version"] == table.version
    assert [event["version"] for event in logs[0].json()["events"]][-len(versions) :] == versions
    assert logs[0].content == logs[1].content


async def test_a_repeat_is_known_though_the_match_went_on(api: httpx.AsyncClient) -> None:
    """The repeat names a version that is not the current one, and then one that is."""
    table = await moved_table(api)
    token = table.tokens[table.to_move]
    key = {"Idempotency-Key": fresh_key()} | bearer(token)
    path = f"{table.path}/moves"
    body = {"version": table.version, "moves": (await table.legal())[:1]}
    first = await api.post(path, json=body, headers=key)
    table.note(first.json())
    assert (await api.post(path, json=body, headers=key)).content == first.content
    other = {"version": table.version, "moves": (await table.legal())[:1]}
    reused = await api.post(path, json=other, headers=key)
    assert (reused.status_code, reused.json()["code"]) == (422, "key_reused")
    assert (await table.get())["version"] == table.version


async def test_a_match_that_ended_elsewhere_without_an_event(
    api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    """The version is the one that the worker knows, the match is over all the same."""
    table = await Table.started(api, SLUGS[0], 2)
    moves = await table.legal()
    async with worker(fresh_settings) as other:
        assert (await other.post(f"{table.path}/cancel", headers=bearer(table.host))).status_code == 200
    answer = await table.move(moves[0])
    assert (answer.status_code, answer.json()["code"]) == (409, "match_over")


async def test_a_match_that_is_gone(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    table = await moved_table(api)
    moves = await table.legal()
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.flushall()
    answer = await table.move(moves[0])
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_match")
