"""While the server does not answer there is one error, and afterwards everything works again."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.errors import StoreGone
from service.store.link import Link, Script
from service.store.store import Store
from tests.store.records import a_record
from tests.store.servers import a_server, until_said

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def linked(url: str, seconds: float = 5) -> AsyncIterator[Link]:
    link = Link(url, seconds)
    yield link
    await link.close()


async def test_no_server_at_all(tmp_path: Path) -> None:
    for url in (f"unix://{tmp_path}/nothing", "redis://127.0.0.1:1/0"):
        async with linked(url) as link:
            with pytest.raises(StoreGone, match="The store does not answer"):
                await Store(link, Settings()).load("m")


async def test_a_server_that_is_silent(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server:
        async with linked(server.url, seconds=0.1) as link:
            assert await link.call("PING") == b"PONG"
            with pytest.raises(StoreGone):
                await link.call("BLPOP", "nothing", 5)
            assert await link.call("PING") == b"PONG"


async def test_an_idle_connection_that_the_server_ended(tmp_path: Path) -> None:
    """The first call after a restart works: nobody is told of an outage that is over."""
    with EmbeddedServer(tmp_path, "always") as server:
        async with linked(server.url) as link:
            await asyncio.gather(link.call("PING"), link.call("PING"))
            assert server.pid is not None
            server.is_ready.clear()
            os.kill(server.pid, signal.SIGKILL)
            assert await asyncio.to_thread(server.is_ready.wait, 20)
            answers = await asyncio.gather(link.call("PING"), link.call("PING"))
            assert list(answers) == [b"PONG", b"PONG"]


async def test_whoever_hangs_up_disturbs_nobody(store: Store, fresh_settings: Settings) -> None:
    """A caller cancelled in the middle leaves no answer to the next one."""
    records = [a_record(number) for number in range(1, 30)]
    for record in records:
        await store.commit(0, record)
    async with linked(fresh_settings.redis_url) as link:
        shared = Store(link, fresh_settings)
        for turn in range(100):
            loads = [asyncio.create_task(shared.load(record.id)) for record in records]
            for _ in range(turn % 10):
                await asyncio.sleep(0)
            hasty = {load for load in loads[::2] if load.cancel()}
            await asyncio.wait(loads)
            assert all(load.cancelled() for load in hasty)
            others = [
                (load, record) for load, record in zip(loads, records, strict=True) if load not in hasty
            ]
            assert all(load.result().record == record for load, record in others)


async def test_a_script_that_the_server_forgot(link: Link, store: Store) -> None:
    assert await store.commit(0, a_record(1)) == 1
    await link.call("SCRIPT", "FLUSH")
    assert await store.commit(0, a_record(2)) == 1


async def test_a_fault_of_ours_is_no_outage(link: Link) -> None:
    with pytest.raises(ResponseError, match="unknown command"):
        await link.call("NONSENSE")


async def test_a_server_that_loads(tmp_path: Path) -> None:
    """Redis answers -LOADING before it has read its file; the setting makes it read slowly."""
    with a_server(tmp_path, "--appendonly", "yes") as first:
        await until_said(tmp_path, b"+PONG")
        async with linked(f"unix://{tmp_path}/s") as link:
            await link.calls([("SET", f"key{number}", "x") for number in range(2_000)])
            await link.call("BGREWRITEAOF")
            while b"aof_rewrite_in_progress:0" not in await link.call("INFO", "persistence"):
                pass
        first.terminate()
        first.wait()
    slowly = ("--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024")
    with a_server(tmp_path, "--appendonly", "yes", *slowly):
        await until_said(tmp_path, b"-LOADING")
        async with linked(f"unix://{tmp_path}/s") as link:
            with pytest.raises(StoreGone, match="loading"):
                await Store(link, Settings()).load("m")
            await until_said(tmp_path, b"+PONG")
            assert await link.call("GET", "key1999") == b"x"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--maxmemory", "1", "--maxmemory-policy", "noeviction"),
        ("--min-replicas-to-write", "1"),
        ("--replicaof", "127.0.0.1", "1"),
    ],
)
async def test_a_server_that_takes_no_writes(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with a_server(tmp_path, *arguments):
        await until_said(tmp_path, b"+PONG")
        async with linked(f"unix://{tmp_path}/s") as link:
            with pytest.raises(StoreGone):
                await Store(link, Settings()).commit(0, a_record())


async def test_a_server_busy_with_a_script(tmp_path: Path) -> None:
    with a_server(tmp_path, "--busy-reply-threshold", "1"):
        await until_said(tmp_path, b"+PONG")
        async with linked(f"unix://{tmp_path}/s") as link, linked(f"unix://{tmp_path}/s") as other:
            endless = asyncio.ensure_future(link.call("EVAL", "while true do end", 0))
            await until_said(tmp_path, b"-BUSY")
            with pytest.raises(StoreGone, match="BUSY"):
                await Store(other, Settings()).load("m")
            await other.call("SCRIPT", "KILL")
            with pytest.raises(ResponseError):
                await endless


async def test_a_script_is_known_by_its_digest(link: Link) -> None:
    script = Script("commit.lua")
    assert (await link.call("SCRIPT", "LOAD", script.source)).decode() == script.digest
