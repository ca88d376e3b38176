"""A player's own stream: pending first, then everything, whatever breaks; a bot needs nothing else."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

import httpx
import msgspec
import pytest
from litestar import Litestar
from redis import Redis

from service.accounts.caller import known_caller
from service.accounts.inbox import Inbox
from service.accounts.notices import KEPT_FOR, REMEMBERED, Notices
from service.settings import Settings
from service.store.errors import StoreGone
from tests.cli.running import serving
from tests.service.accounts import Account, registered, token_with
from tests.service.checked import API
from tests.service.table import SLUGS
from tests.service.timed import timed_service

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
SSE, NDJSON = "text/event-stream", "application/x-ndjson"


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@asynccontextmanager
async def client(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that streams too, so its answers are not checked."""
    async with httpx.AsyncClient(base_url=url + API, timeout=60) as found:
        yield found


async def lines(
    api: httpx.AsyncClient, who: Account, after: str | None = None
) -> AsyncIterator[dict[str, Any]]:
    """The messages of a stream."""
    headers = who.headers | {"Accept": NDJSON}
    query = {} if after is None else {"after": after}
    async with api.stream("GET", "/me/events", headers=headers, params=query) as answer:
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            yield json.loads(line)


async def until(stream: AsyncIterator[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The messages up to the first one of a kind, without signs of life."""
    found = []
    async with asyncio.timeout(30):
        async for message in stream:
            if message["type"] != "heartbeat":
                found.append(message)
            if message["type"] == kind:
                return found
    raise AssertionError(f"no {kind} after {found}")


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


async def polled(api: httpx.AsyncClient, who: Account, **query: Any) -> dict[str, Any]:
    answer = await api.get("/me/events", params=query, headers=who.headers)
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


async def seated(api: httpx.AsyncClient, *who: Account, **more: Any) -> str:
    """The path of a match, started by the players."""
    answer = await api.post("/matches", json={"game": GAME, "seats": len(who)} | more, headers=who[0].headers)
    path = f"/matches/{answer.json()['match']['id']}"
    for player in who:
        joined = await api.post(f"{path}/join", json={}, headers=player.headers)
        assert joined.status_code == 200, joined.text
    return path


async def test_what_is_told_of_a_match_in_order(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    start = {who: (await polled(api, who))["after"] for who in (ada, bea)}
    path = await seated(api, ada, bea, invited=[bea.id])
    players = (ada, bea)
    told = {who: (await polled(api, who, after=start[who]))["messages"] for who in players}
    match = (await api.get(path)).json()
    mover = players[match["toMove"]]
    other = players[1 - match["toMove"]]
    assert kinds(told[mover]) == ["match_started", "your_turn"]
    assert kinds(told[other]) == ["match_started"]
    turn = told[mover][-1]
    legal = [move["notation"] for move in (await api.get(f"{path}/legal-moves")).json()["moves"]]
    assert (turn["match"], turn["version"], turn["seat"]) == (match["id"], match["version"], match["toMove"])
    assert turn["legalMoves"] == legal
    body = {"version": turn["version"], "moves": [legal[0]]}
    played = await api.post(f"{path}/moves", json=body, headers=mover.headers)
    after = told[other][-1]["id"]
    page = await polled(api, other, after=after)
    assert kinds(page["messages"])[0] == "moved"
    assert page["messages"][0]["events"] == played.json()["events"]
    assert page["messages"][0]["after"] == match["version"]
    await api.post(f"{path}/resign", json={}, headers=other.headers)
    page = await polled(api, mover, after=turn["id"])
    assert kinds(page["messages"])[-1] == "match_over"
    assert page["messages"][-1]["status"] == "finished"
    assert page["messages"][-1]["ranks"]
    assert (await polled(api, mover))["messages"] == []


async def test_an_invitation_is_told_until_it_is_taken(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    start = (await polled(api, bea))["after"]
    body = {"game": GAME, "seats": 3, "join": "invited", "invited": [bea.id]}
    made = await api.post("/matches", json=body, headers=ada.headers)
    match_id = made.json()["match"]["id"]
    for page in (await polled(api, bea), await polled(api, bea, after=start)):
        (invited,) = page["messages"]
        assert (invited["type"], invited["match"], invited["creator"]) == ("invited", match_id, ada.id)
    assert (await polled(api, ada))["messages"] == []
    await api.post(f"/matches/{match_id}/join", json={}, headers=bea.headers)
    assert (await polled(api, bea))["messages"] == []
    assert (await polled(api, bea, after=start))["messages"] == []
    await api.post(f"/matches/{match_id}/cancel", json={}, headers=ada.headers)
    assert kinds((await polled(api, bea, after=start))["messages"]) == ["match_over"]


async def test_a_long_poll_waits_for_what_comes(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    after = (await polled(api, bea))["after"]
    waiting = asyncio.create_task(polled(api, bea, after=after, wait=30))
    invited = {"game": GAME, "seats": 2, "invited": [bea.id]}
    await api.post("/matches", json=invited, headers=ada.headers)
    page = await waiting
    assert kinds(page["messages"]) == ["invited"]
    assert page["after"] == page["messages"][0]["id"]
    assert (await polled(api, bea, after=page["after"], wait=1))["messages"] == []


@pytest.mark.parametrize(
    ("query", "headers", "problem"),
    [
        ({"after": "x"}, {}, (400, "invalid_query")),
        ({"after": "1"}, {}, (400, "invalid_query")),
        ({"wait": 61}, {}, (400, "invalid_query")),
        ({"wait": 1}, {"Accept": SSE}, (400, "invalid_query")),
        ({}, {"Accept": SSE, "Last-Event-ID": "7"}, (400, "invalid_header")),
        ({}, {"Accept": "image/png"}, (406, "not_acceptable")),
    ],
)
async def test_bad_requests_are_refused(
    api: httpx.AsyncClient, query: Any, headers: dict[str, str], problem: tuple[int, str]
) -> None:
    ada = await registered(api, "Ada")
    answer = await api.get("/me/events", params=query, headers=ada.headers | headers)
    assert code(answer) == problem


async def test_the_stream_is_the_players_alone(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    assert code(await api.get("/me/events")) == (401, "token_required")
    player = await token_with(api, ada, "play")
    assert code(await api.get("/me/events", headers=player.headers)) == (403, "missing_scope")


async def test_a_position_that_is_not_kept_begins_anew(api: httpx.AsyncClient, fresh_settings: Any) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    path = await seated(api, ada, bea)
    match = (await api.get(path)).json()
    mover = (ada, bea)[match["toMove"]]
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.xtrim(f"{{player:{mover.id}}}:events", maxlen=0)
    for after in ("1-0", "9999999999999-0"):
        page = await polled(api, mover, after=after)
        assert kinds(page["messages"]) == ["your_turn"]
        assert page["messages"][0]["id"] is None


async def test_a_stream_without_news_is_kept_for_a_while_and_old_positions_begin_anew(
    app: Litestar, api: httpx.AsyncClient, fresh_settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    path = await seated(api, ada, bea)
    match = (await api.get(path)).json()
    mover = (ada, bea)[match["toMove"]]
    first = (await polled(api, mover, after="0-0"))["messages"][0]["id"]
    with Redis.from_url(fresh_settings.redis_url) as redis:
        assert 0 < KEPT_FOR - redis.pttl(f"{{player:{mover.id}}}:events") < 60_000
    assert None not in [each["id"] for each in (await polled(api, mover, after=first))["messages"]]
    month = app.state.desk.store.clock() + KEPT_FOR + 1
    monkeypatch.setattr(app.state.desk.store, "clock", lambda: month)
    assert [each["id"] for each in (await polled(api, mover, after=first))["messages"]] == [None]


async def test_a_match_that_is_told_twice_is_heard_once(api: httpx.AsyncClient, app: Any) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    path = await seated(api, ada, bea)
    before = [await polled(api, who, after="0-0") for who in (ada, bea)]
    for _ in range(3):
        await app.state.desk.store.index.follow(path.rpartition("/")[2])
    assert [await polled(api, who, after="0-0") for who in (ada, bea)] == before


async def test_what_was_told_is_forgotten_after_the_match_whoever_left_it(
    app: Litestar, api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    made = await api.post("/matches", json={"game": GAME, "seats": 3}, headers=ada.headers)
    path = f"/matches/{made.json()['match']['id']}"
    for player in (ada, bea):
        await api.post(f"{path}/join", json={}, headers=player.headers)
    kicked = await api.post(f"{path}/kick", json={"seat": 1}, headers=ada.headers)
    assert kicked.json()["seats"][1]["taken"] is False
    await app.state.desk.store.settle()
    rests = fresh_settings.open_ttl * 1_000
    with Redis.from_url(fresh_settings.redis_url) as redis:
        kept = [redis.pttl(key) for key in redis.scan_iter("*:told:*")]
        assert [rests < left <= rests + REMEMBERED for left in kept] == [True, True]
        await api.post(f"{path}/cancel", json={}, headers=ada.headers)
        await app.state.desk.store.settle()
        (left,) = [redis.pttl(key) for key in redis.scan_iter(f"*{ada.id}*:told:*")]
        assert 0 < left <= REMEMBERED


async def test_sse_and_ndjson_say_the_same(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (_, url):
        async with client(url) as api:
            ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
            stream = lines(api, bea)
            assert kinds(await until(stream, "ready")) == ["ready"]
            await seated(api, ada, bea, invited=[bea.id])
            told = await until(stream, "match_started")
            assert kinds(told) == ["invited", "match_started"] or kinds(told) == ["match_started"]
            await stream.aclose()  # type: ignore[attr-defined]  # of a generator
            headers = bea.headers | {"Accept": SSE, "Last-Event-ID": "0-0"}
            async with api.stream("GET", "/me/events", headers=headers) as answer:
                assert answer.headers["content-type"] == SSE
                text = ""
                async for part in answer.aiter_text():
                    text += part
                    if "match_started" in text:
                        break
            assert f"id: {told[-1]['id']}\nevent: match_started\ndata: {{" in text


async def test_a_revoked_token_ends_the_stream(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data") as (_, url):
        async with client(url) as api:
            ada = await registered(api, "Ada")
            reader = await token_with(api, ada, "read")
            stream = lines(api, reader)
            await until(stream, "ready")
            tokens = (await api.get("/me/tokens", headers=ada.headers)).json()["tokens"]
            await api.delete(f"/me/tokens/{tokens[1]['id']}", headers=ada.headers)
            last = (await until(stream, "cut"))[-1]
            assert last["reason"] == "revoked"
            assert [message async for message in stream] == []


async def test_a_player_is_told_that_the_clock_is_low(fresh_settings: Settings) -> None:
    async with timed_service(fresh_settings) as timed:
        api = timed.api
        ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
        path = await seated(api, ada, bea, clock={"base": 100_000})
        mover = (ada, bea)[(await api.get(path)).json()["toMove"]]
        page = await polled(api, mover)
        assert (page["messages"][0]["type"], page["messages"][0]["left"]) == ("your_turn", 100_000)
        after = page["after"]
        waiting = asyncio.create_task(polled(api, mover, after=after, wait=60))
        await timed.passes(89_000)
        assert (await polled(api, mover, after=after))["messages"] == []
        await timed.passes(1_000)
        (low,) = (await waiting)["messages"]
        assert (low["type"], low["id"], low["match"]) == ("clock_low", None, path.rpartition("/")[2])
        assert low["left"] == 10_000
        assert (await polled(api, mover, after=after))["messages"] == []
        await timed.passes(11_000)
        (over,) = (await polled(api, mover, after=after, wait=20))["messages"][-1:]
        assert (over["type"], over["status"]) == ("match_over", "finished")


async def test_the_first_move_is_told_though_it_overtook_the_start(
    app: Litestar, api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker may tell of a move before the one that started the match has told of that."""
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")

    async def nothing(*_: object) -> None:
        pass

    with monkeypatch.context() as patch:
        patch.setattr(Notices, "tell", nothing)
        path = await seated(api, ada, bea)
    mover = (ada, bea)[(await api.get(path)).json()["toMove"]]
    move = (await api.get(f"{path}/legal-moves")).json()["moves"][-1]["notation"]
    played = await api.post(f"{path}/moves", json={"version": 0, "moves": [move]}, headers=mover.headers)
    await app.state.desk.store.settle()
    for player in (ada, bea):
        started, moved, *_ = (await polled(api, player, after="0-0"))["messages"]
        assert (started["type"], moved["type"], moved["after"]) == ("match_started", "moved", 0)
        assert moved["events"] == played.json()["events"]


async def test_nothing_is_passed_over_if_the_store_goes_while_clocks_are_looked_at(
    app: Litestar, api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    await seated(api, ada, bea)
    desk = app.state.desk
    caller = await known_caller(desk.store, ada.token, "read")
    expected = kinds((await polled(api, ada, after="0-0"))["messages"])

    async def gone(_: Inbox) -> NoReturn:
        raise StoreGone("for the test")

    inbox = Inbox(desk, caller, "0-0")
    with monkeypatch.context() as patch:
        patch.setattr(Inbox, "_warnings", gone)
        told = list(await inbox.due())
        assert await inbox.due() == ()
    told += await inbox.due()
    assert kinds([msgspec.to_builtins(frame.message) for frame in told]) == expected != []


async def test_a_clock_that_is_low_soon_is_told_of_at_once(
    fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nothing else happens: a short clock would be over before the stream is looked at again."""
    monkeypatch.setattr("service.live.hub.CHECK_SECONDS", 60)
    async with timed_service(fresh_settings) as timed:
        api = timed.api
        ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
        path = await seated(api, ada, bea, clock={"base": 5_000})
        mover = (ada, bea)[(await api.get(path)).json()["toMove"]]
        after = (await polled(api, mover))["after"]
        await timed.passes(4_400)
        begun = asyncio.get_running_loop().time()
        waiting = asyncio.create_task(polled(api, mover, after=after, wait=30))
        await asyncio.sleep(1)  # until it waits
        await timed.passes(100)
        (low,) = (await waiting)["messages"]
        assert (low["type"], low["left"]) == ("clock_low", 500)
        assert asyncio.get_running_loop().time() - begun < 15
