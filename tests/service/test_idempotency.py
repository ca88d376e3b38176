"""A repeated request gets the first answer again, byte for byte; tokens are never stored."""

import asyncio
from typing import Any

import httpx
import msgspec
import pytest
from redis import Redis

from service.settings import Settings
from tests.service.table import SLUGS, Table, bearer, fresh_key
from tests.service.test_accounts import another

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]


async def twice(
    api: httpx.AsyncClient, path: str, body: Any, token: str | None = None, **more: Any
) -> httpx.Response:
    """The answer to a request and its repeat, which are the same in every byte."""
    headers = {"Idempotency-Key": fresh_key()} | (bearer(token) if token else {}) | more
    first, second = [await api.post(path, json=body, headers=headers) for _ in range(2)]
    same = ("content-type", "content-length")
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert [first.headers[name] for name in same] == [second.headers[name] for name in same]
    return first


def everything(settings: Settings) -> bytes:
    """All that the store holds, names and values."""
    with Redis.from_url(settings.redis_url) as redis:
        readers: dict[bytes, Any] = {
            b"string": redis.get,
            b"hash": redis.hgetall,
            b"stream": redis.xrange,
            b"zset": lambda key: redis.zrange(key, 0, -1),
        }
        return repr([(key, readers[redis.type(key)](key)) for key in redis.scan_iter()]).encode()


async def test_every_changing_request_can_be_repeated(api: httpx.AsyncClient) -> None:
    created = (await twice(api, "/matches", {"game": GAME, "seats": 3})).json()
    table = Table(api, created["match"]["id"], created["hostToken"])
    assert len((await api.get("/matches")).json()["matches"]) == 1
    joined = (await twice(api, f"{table.path}/join", {"name": "Ada"})).json()
    assert [seat["taken"] for seat in (await table.get())["seats"]] == [True, False, False]
    await twice(api, f"{table.path}/kick", {"seat": joined["seat"]}, table.host)
    joined = (await twice(api, f"{table.path}/join", {})).json()
    await twice(api, f"{table.path}/leave", {}, joined["token"])
    for _ in range(3):
        joined = (await twice(api, f"{table.path}/join", {})).json()
        table.tokens[joined["seat"]] = joined["token"]
    table.to_move, table.version = joined["match"]["toMove"], joined["match"]["version"]
    assert (joined["match"]["status"], len(table.tokens)) == ("running", 3)

    body = {"version": 0, "moves": (await table.legal())[:1]}
    played = (await twice(api, f"{table.path}/moves", body, table.tokens[table.to_move])).json()
    assert (await table.get())["version"] == played["version"]
    left = (await twice(api, f"{table.path}/resign", {}, table.tokens[0])).json()
    assert (await table.get())["version"] == left["version"]

    other = await Table.opened(api, GAME, 2)
    cancelled = await twice(api, f"{other.path}/cancel", {}, other.host)
    assert cancelled.json()["status"] == "cancelled"


async def test_the_tokens_of_repeated_answers_work(api: httpx.AsyncClient) -> None:
    created = (await twice(api, "/matches", {"game": GAME, "seats": 2})).json()
    table = Table(api, created["match"]["id"], created["hostToken"])
    for seat in (1, 0):
        table.tokens[seat] = (await twice(api, f"{table.path}/join", {"seat": seat})).json()["token"]
    assert (await table.post("cancel", {}, table.host)).json()["status"] == "aborted"
    assert (await table.post("resign", {}, table.tokens[1])).json()["code"] == "match_over"


async def test_refusals_that_are_final_are_repeated_too(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    legal = await table.legal()
    other = table.tokens[1 - table.to_move]
    headers = bearer(other) | {"Idempotency-Key": "early"}
    early = await table.post("moves", {"version": 0, "moves": legal[:1]}, other, **headers)
    assert early.json()["code"] == "not_your_turn"
    await table.play_any(4)
    again = await table.post("moves", {"version": 0, "moves": legal[:1]}, other, **headers)
    assert again.content == early.content
    await twice(api, f"{table.path}/join", {})
    await twice(api, "/matches", {"game": GAME, "seats": 99})
    await twice(api, f"{table.path}/kick", {"seat": 0}, table.host)


@pytest.mark.parametrize("is_over", [False, True], ids=["goes on", "ends"])
@pytest.mark.parametrize("slug", SLUGS)
async def test_what_was_stale_is_told_again_as_it_was(
    api: httpx.AsyncClient, fresh_settings: Settings, slug: str, is_over: bool
) -> None:
    table = await Table.started(api, slug, 2)
    await table.play_any(9)
    body = {"version": 1, "moves": (await table.legal())[:1]}
    asked = {"Idempotency-Key": "late", "Accept-Language": "pt"}
    given = [await table.post("moves", body, table.tokens[seat], **asked) for seat in (0, 1)]
    for seat, first in enumerate(given):
        told = first.json()
        assert (first.status_code, told["code"], told["version"]) == (409, "stale_version", table.version)
        assert len(told["events"]) == table.version - 1
        assert ("legalMoves" in told) == (seat == table.to_move)
    await table.play_any(2)
    if is_over:
        await table.post("resign", {}, table.tokens[0])
    for seat, first in enumerate(given):
        for language in ("pt", "es"):
            more = asked | {"Accept-Language": language}
            again = await table.post("moves", body, table.tokens[seat], **more)
            assert (again.status_code, again.content) == (409, first.content)
            assert again.headers["content-language"] == "pt"
    with Redis.from_url(fresh_settings.redis_url) as redis:
        kept: Any = [redis.get(name) for name in redis.scan_iter() if b":idem:" in name]
        assert max(map(len, kept)) < 300 < len(given[0].content)


async def test_what_is_stale_at_once_is_told_once(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    body = {"version": 0, "moves": (await table.legal())[:1]}
    await table.play_any(3)
    answers = await asyncio.gather(
        *(table.post("moves", body, table.tokens[0], **{"Idempotency-Key": "k"}) for _ in range(8))
    )
    assert {answer.status_code for answer in answers} == {409}
    assert len({answer.content for answer in answers}) == 1


async def test_what_was_stale_elsewhere_is_told_by_who_remembers_less(
    api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(3)
    body = {"version": table.version, "moves": (await table.legal())[:1]}
    headers = bearer(table.tokens[table.to_move])
    async with another(fresh_settings) as other:
        assert (await other.post(f"{table.path}/moves", json=body, headers=headers)).is_success
        late = headers | {"Idempotency-Key": "late"}
        first = await other.post(f"{table.path}/moves", json=body, headers=late)
    assert first.json()["code"] == "stale_version"
    again = await api.post(f"{table.path}/moves", json=body, headers=late)
    assert (again.status_code, again.content) == (409, first.content)


async def test_refusals_that_are_not_final_are_not_recorded(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    headers = {"Idempotency-Key": "same"}
    for token, status in (("nobody", 401), (table.host, 200)):
        answer = await api.post(f"{table.path}/cancel", json={}, headers=headers | bearer(token))
        assert answer.status_code == status


@pytest.mark.parametrize("change", ["body", "query"])
async def test_a_key_belongs_to_one_request(api: httpx.AsyncClient, change: str) -> None:
    table = await Table.started(api, GAME, 2)
    legal = await table.legal()
    token = table.tokens[table.to_move]
    first = await table.post("moves", {"version": 0, "moves": legal[:1]}, token, **{"Idempotency-Key": "k"})
    part, body = ("moves", {"version": 0, "moves": legal[1:2]})
    if change == "query":
        part, body = ("moves?include=legalMoves", {"version": 0, "moves": legal[:1]})
    answer = await table.post(part, body, token, **{"Idempotency-Key": "k"})
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert (await table.get())["version"] == first.json()["version"]


async def test_a_key_is_of_one_credential_and_one_address(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    headers = {"Idempotency-Key": "resign"}
    for token in table.tokens.values():
        answer = await table.post("resign", {}, token, **headers)
        assert answer.status_code in (200, 409)
        assert answer.json().get("code") in (None, "match_over")
    key = fresh_key()
    tables = [await Table.opened(api, GAME, 2) for _ in range(2)]
    joined = [
        (await api.post(f"{table.path}/join", json={}, headers={"Idempotency-Key": key})).json()
        for table in tables
    ]
    assert joined[0]["match"]["id"] != joined[1]["match"]["id"]
    assert joined[0]["token"] != joined[1]["token"]


async def test_many_at_once_with_one_key_do_it_once(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    body = {"version": 0, "moves": (await table.legal())[:1]}
    headers = bearer(table.tokens[table.to_move]) | {"Idempotency-Key": "once"}
    answers = await asyncio.gather(
        *(api.post(f"{table.path}/moves", json=body, headers=headers) for _ in range(10))
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    key = {"Idempotency-Key": fresh_key()}
    made = await asyncio.gather(
        *(api.post("/matches", json={"game": GAME, "seats": 2}, headers=key) for _ in range(10))
    )
    assert len({answer.content for answer in made}) == 1
    path = f"/matches/{made[0].json()['match']['id']}"
    joined = await asyncio.gather(*(api.post(f"{path}/join", json={}, headers=key) for _ in range(10)))
    assert len({answer.content for answer in joined}) == 1
    assert [seat["taken"] for seat in (await api.get(path)).json()["seats"]] == [True, False]


async def test_no_token_is_stored(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    created = (await twice(api, "/matches", {"game": GAME, "seats": 2})).json()
    path = f"/matches/{created['match']['id']}"
    tokens = [created["hostToken"]]
    tokens.append((await twice(api, f"{path}/join", {})).json()["token"])
    packed = await twice(api, f"{path}/join", {}, Accept="application/vnd.msgpack")
    tokens.append(msgspec.msgpack.decode(packed.content)["token"])
    joined = await Table.started(api, GAME, 2)
    tokens += joined.tokens.values()
    stored = everything(fresh_settings)
    assert joined.id.encode() in stored
    for token in tokens:
        assert token.encode() not in stored
        assert token.partition("_")[2].encode() not in stored


async def test_the_answer_is_kept_for_the_time_set(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    await twice(api, "/matches", {"game": GAME, "seats": 2})
    with Redis.from_url(fresh_settings.redis_url) as redis:
        (name,) = [key for key in redis.scan_iter() if b":idem:" in key]
        left = redis.pttl(name)
    assert 0 < left <= fresh_settings.idempotency_ttl * 1_000
    assert left > fresh_settings.idempotency_ttl * 1_000 - 60_000


async def test_a_key_whose_answer_is_forgotten_makes_no_second_match(
    api: httpx.AsyncClient, fresh_settings: Settings
) -> None:
    key, body = {"Idempotency-Key": fresh_key()}, {"game": GAME, "seats": 2}
    await api.post("/matches", json=body, headers=key)
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.delete(*[name for name in redis.scan_iter() if b":idem:" in name])
    answer = await api.post("/matches", json=body, headers=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert len((await api.get("/matches")).json()["matches"]) == 1
