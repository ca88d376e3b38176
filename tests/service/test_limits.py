"""Requests are limited by token and by address, whatever worker is asked, and never because of the store."""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from redis import Redis
from websockets.asyncio.client import connect

from schema.operation import Bucket
from service.errors import TooManyRequests
from service.limits.limiter import Client, Limiter
from service.settings import BadSettings, Settings
from service.store.link import Link
from tests.cli.running import SECONDS, background
from tests.service.checked import API, check
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
MATCH = {"game": GAME, "seats": 2}
TRUSTED = "CANTIERE_TRUSTED_PROXIES"
NOWHERE = "unix:///nowhere/at/all"
WORLD = httpx.Client(trust_env=False, timeout=SECONDS, limits=httpx.Limits(max_keepalive_connections=0))
"""Makes a connection for each request, so that any worker may get it."""


# ------------------------------------------------------------------------------------- over real HTTP


@contextmanager
def workers(settings: Settings, tmp_path: Path, more: dict[str, str], count: int = 1) -> Iterator[list[str]]:
    """Addresses of services, each a process of its own, with one store."""
    environment = {"CANTIERE_REDIS_URL": settings.redis_url, "CANTIERE_SECRET": settings.secret} | more
    with ExitStack() as stack:
        running = [
            stack.enter_context(background(tmp_path / f"out{number}", "serve", "--port", "0", **environment))
            for number in range(count)
        ]
        yield [server.says(r"listens on (http://\S+)") + API for server in running]


def asked(method: str, url: str, address: str = "", **more: Any) -> httpx.Response:
    """The answer to a request on a connection of its own, forwarded for a client at an address."""
    headers = ({"X-Forwarded-For": address} if address else {}) | more.pop("headers", {})
    answer = WORLD.request(method, url, headers=headers, **more)
    check(method, answer)
    return answer


def created(url: str, address: str = "", **more: Any) -> httpx.Response:
    return asked("POST", f"{url}/matches", address, json=MATCH, **more)


def assert_limited(answer: httpx.Response, bucket: str, limit: int) -> None:
    """It is refused, and says until when and why, in headers and body alike."""
    assert answer.status_code == 429, answer.text
    problem = answer.json()
    assert problem["code"] == "too_many_requests"
    assert (problem["bucket"], problem["limit"], problem["remaining"]) == (bucket, limit, 0)
    assert problem["retryAfter"] == int(answer.headers["retry-after"]) >= 1
    assert answer.headers["ratelimit-policy"].startswith(f'"{bucket}";q={limit};w=')
    assert answer.headers["ratelimit"] == f'"{bucket}";r=0;t={problem["retryAfter"]}'


def test_two_workers_share_a_bucket(fresh_settings: Settings, tmp_path: Path) -> None:
    limit = {"CANTIERE_LIMIT_CREATE": "7/h", "CANTIERE_LIMIT_ADDRESS": "1"}
    with workers(fresh_settings, tmp_path, limit, 2) as urls:
        answers = [created(urls[number % 2], "203.0.113.5") for number in range(12)]
        assert [answer.status_code for answer in answers] == [201] * 7 + [429] * 5
        for answer in answers[7:]:
            assert_limited(answer, "create", 7)
            assert 400 < answer.json()["retryAfter"] <= 3600 / 7 + 1
        left = [int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0]) for answer in answers]
        assert left[:7] == [6, 5, 4, 3, 2, 1, 0]
        assert created(urls[0], "203.0.113.6").status_code == 201
        assert asked("GET", f"{urls[0]}/matches", "203.0.113.5").status_code == 200


def test_a_worker_behind_a_supervisor_shares_it_too(fresh_settings: Settings, tmp_path: Path) -> None:
    limit = {"CANTIERE_LIMIT_CREATE": "6/h", "CANTIERE_LIMIT_ADDRESS": "1", "CANTIERE_WORKERS": "2"}
    with workers(fresh_settings, tmp_path, limit) as (url,):
        statuses = [created(url, "203.0.113.5").status_code for _ in range(20)]
        assert statuses == [201] * 6 + [429] * 14


def test_the_address_is_believed_of_trusted_proxies_only(fresh_settings: Settings, tmp_path: Path) -> None:
    limit = {"CANTIERE_LIMIT_CREATE": "2/h", "CANTIERE_LIMIT_ADDRESS": "1", "CANTIERE_LIMITS_EXEMPT": "none"}
    with workers(fresh_settings, tmp_path, limit | {TRUSTED: "192.0.2.0/24"}) as (url,):
        statuses = [created(url, f"203.0.113.{number}").status_code for number in range(4)]
        assert statuses == [201, 201, 429, 429]
    with Redis.from_url(fresh_settings.redis_url) as redis:
        assert redis.keys("limit:*") == [b"limit:create:address:127.0.0.1"]
        redis.flushall()
    with workers(fresh_settings, tmp_path, limit | {TRUSTED: "127.0.0.0/8"}) as (url,):
        statuses = [created(url, f"203.0.113.{number}").status_code for number in range(4)]
        assert statuses == [201] * 4
        # What a client says before the proxy adds its address counts for nothing.
        spoofed = [created(url, f"198.51.100.{number}, 203.0.113.9").status_code for number in range(4)]
        assert spoofed == [201, 201, 429, 429]
        # One subscriber has all addresses of a /64.
        same = [created(url, f"2001:db8:1:2::{number}").status_code for number in range(4)]
        assert same == [201, 201, 429, 429]


def test_local_clients_are_not_limited_if_not_said_otherwise(
    fresh_settings: Settings, tmp_path: Path
) -> None:
    limit = {"CANTIERE_LIMIT_CREATE": "1/h", "CANTIERE_LIMIT_ADDRESS": "1"}
    with workers(fresh_settings, tmp_path, limit) as (url,):
        answers = [created(url) for _ in range(4)]
        assert {answer.status_code for answer in answers} == {201}
        assert all("ratelimit" not in answer.headers for answer in answers)


def test_limits_can_be_switched_off(fresh_settings: Settings, tmp_path: Path) -> None:
    off = {"CANTIERE_LIMITS": "off", "CANTIERE_LIMIT_CREATE": "1/h", "CANTIERE_LIMIT_ADDRESS": "1"}
    with workers(fresh_settings, tmp_path, off) as (url,):
        assert {created(url, "203.0.113.5").status_code for _ in range(3)} == {201}
    with Redis.from_url(fresh_settings.redis_url) as redis:
        assert redis.keys("limit:*") == []


def test_who_waits_as_told_is_let_in(fresh_settings: Settings, tmp_path: Path) -> None:
    limit = {"CANTIERE_LIMIT_CREATE": "1/4s", "CANTIERE_LIMIT_ADDRESS": "1"}
    with workers(fresh_settings, tmp_path, limit) as (url,):
        answers = (created(url, "203.0.113.5") for _ in range(20))
        refused = next(answer for answer in answers if answer.status_code == 429)
        time.sleep(int(refused.headers["retry-after"]))
        assert created(url, "203.0.113.5").status_code == 201


async def test_streams_have_a_bucket_of_their_own(fresh_settings: Settings, tmp_path: Path) -> None:
    limit = {"CANTIERE_LIMIT_STREAM": "2/h", "CANTIERE_LIMIT_ADDRESS": "1"}
    address = {"X-Forwarded-For": "203.0.113.5"}
    with workers(fresh_settings, tmp_path, limit) as (url,):
        async with httpx.AsyncClient(
            base_url=url, headers=address, trust_env=False, timeout=SECONDS
        ) as client:
            table = await Table.started(client, GAME, 2)
            assert (await table.post("cancel", {}, table.host)).status_code == 200
            path = f"{table.path}/events"
            for accept in ("text/event-stream", "application/x-ndjson"):
                assert (await client.get(path, headers={"Accept": accept})).status_code == 200
            assert_limited(await client.get(path, headers={"Accept": "text/event-stream"}), "stream", 2)
            assert (await client.get(path)).status_code == 200
            socket = f"{url.replace('http', 'ws')}{table.path}/socket"
            async with connect(socket, additional_headers=address) as connection:
                await connection.send('{"type": "subscribe", "after": 0}')
                told = msgspec.json.decode(await connection.recv())
                assert told["problem"]["code"] == "too_many_requests"
                await connection.wait_closed()
                assert connection.close_code == 4429


# ------------------------------------------------------------------------------------- in this process


def limiter_with(link: Link, settings: Settings, **changes: Any) -> Limiter:
    return Limiter(link, msgspec.structs.replace(settings, limits_exempt="none", **changes))


async def admitted(limiter: Limiter, bucket: Bucket, token: bytes | None = None, address: str = "a") -> bool:
    try:
        await limiter.admit(bucket, Client(token, address))
    except TooManyRequests:
        return False
    return True


@pytest.mark.parametrize("quota", [1, 7, 100, 1_000])
async def test_all_workers_together_let_in_what_the_bucket_holds(
    link: Link, fresh_settings: Settings, quota: int
) -> None:
    limiters = [
        limiter_with(link, fresh_settings, limit_move=f"{quota}/d", limit_address=1) for _ in range(3)
    ]
    lots = [await asyncio.gather(*(admitted(each, "move") for _ in range(quota + 50))) for each in limiters]
    assert sum(map(sum, lots)) == quota


async def test_what_one_worker_took_ahead_is_little(link: Link, fresh_settings: Settings) -> None:
    first, second = [
        limiter_with(link, fresh_settings, limit_move="800/d", limit_address=1) for _ in range(2)
    ]
    assert await admitted(first, "move")
    let_in = 0
    while await admitted(second, "move"):
        let_in += 1
    assert 800 - 2 * 64 - 1 <= let_in < 800


async def test_each_token_has_a_bucket_and_all_of_an_address_one(
    link: Link, fresh_settings: Settings
) -> None:
    limiter = limiter_with(link, fresh_settings, limit_move="3/d", limit_address=2)
    assert [await admitted(limiter, "move", b"Bearer a") for _ in range(4)] == [True] * 3 + [False]
    assert [await admitted(limiter, "move", b"Bearer b") for _ in range(4)] == [True] * 3 + [False]
    assert not await admitted(limiter, "move", b"Bearer c")
    assert await admitted(limiter, "read", b"Bearer a")
    assert await admitted(limiter, "move", b"Bearer c", "elsewhere")
    assert not await admitted(limiter, "move", b"Bearer a", "elsewhere")


async def test_tokens_and_requests_leave_nothing_behind(link: Link, fresh_settings: Settings) -> None:
    limiter = limiter_with(link, fresh_settings, limit_read="50/1s")
    assert await admitted(limiter, "read", b"Bearer secret")
    keys = await link.call("KEYS", "*")
    assert len(keys) == 2
    assert not any(b"secret" in key for key in keys)
    while await link.call("KEYS", "*"):
        pass


async def test_a_first_request_asks_once_for_each_bucket(link: Link, fresh_settings: Settings) -> None:
    limiter = limiter_with(link, fresh_settings)
    await link.call("CONFIG", "RESETSTAT")
    await asyncio.gather(*(limiter.admit("create", Client(b"Bearer a", "a")) for _ in range(5)))
    assert await calls(link) <= 4  # the script is sent in full if the server does not know it


async def test_few_requests_ask_the_store(link: Link, fresh_settings: Settings) -> None:
    limiter = limiter_with(link, fresh_settings)
    client = Client(b"Bearer a", "a")
    await link.call("CONFIG", "RESETSTAT")
    for _ in range(1_000):
        await limiter.admit("move", client)
    assert 0 < await calls(link) < 1_000 / 64 * 2 + 10


async def calls(link: Link) -> int:
    """Scripts that the server was asked for."""
    told = str(await link.call("INFO", "commandstats"))
    return sum(int(number) for number in re.findall(r"cmdstat_eval(?:sha)?:calls=(\d+)", told))


async def test_nobody_is_kept_out_because_the_store_is_away(fresh_settings: Settings) -> None:
    link = Link(NOWHERE, 5)
    limiter = limiter_with(link, fresh_settings, limit_read="1/d", limit_address=1)
    assert all(await asyncio.gather(*(admitted(limiter, "read") for _ in range(50))))
    assert await admitted(limiter, "read")
    await link.close()


async def test_nobody_waits_long_for_a_store_that_hangs(link: Link, fresh_settings: Settings) -> None:
    limiter = limiter_with(link, fresh_settings, limit_read="1/d", limit_address=1)
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.client_pause(2_000)
        started = time.monotonic()
        assert all([await admitted(limiter, "read", address=str(number)) for number in range(20)])
        assert time.monotonic() - started < 1
        redis.client_unpause()


async def test_a_flood_of_clients_is_forgotten(
    link: Link, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.limits.limiter._MOST", 100)
    limiter = limiter_with(link, fresh_settings, limit_create="3/d", limit_address=1)
    for number in range(300):
        assert await admitted(limiter, "create", address=str(number))
    assert limiter._of_address.cache_info().currsize == 100
    assert [await admitted(limiter, "create", address="7") for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("LIMIT_MOVE", "many"),
        ("LIMIT_MOVE", "0/m"),
        ("LIMIT_MOVE", "5/0s"),
        ("LIMIT_READ", "5"),
        ("LIMITS", "perhaps"),
        ("LIMIT_ADDRESS", "0"),
        ("TRUSTED_PROXIES", "proxy.example"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("LIMITS_EXEMPT", "1.2.3"),
        ("CORS_ORIGINS", "example.org"),
        ("CORS_ORIGINS", "https://example.org/path"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(name: str, text: str) -> None:
    with pytest.raises(BadSettings, match=f"CANTIERE_{name}"):
        Settings.from_env({f"CANTIERE_{name}": text})


def test_settings_with_a_form_are_read() -> None:
    said = {
        "CANTIERE_LIMIT_MOVE": "100/10s",
        "CANTIERE_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
        "CANTIERE_LIMITS_EXEMPT": "none",
        "CANTIERE_CORS_ORIGINS": "https://a.example, http://localhost:5173",
    }
    assert Settings.from_env(said).to_env().items() >= said.items()
