"""Commits are told on a channel; a lost connection is made again, and whoever listens hears of that."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from service.settings import Settings
from service.store import keys
from service.store.embedded import EmbeddedServer
from service.store.errors import StoreGone
from service.store.link import Link
from service.store.news import Head, News, read_head
from service.store.store import Store
from tests.store.records import a_record, an_event

pytestmark = pytest.mark.anyio


class Heard:
    """News that run, and what they have told."""

    def __init__(self, link: Link) -> None:
        self.told: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self.renewed = asyncio.Event()
        self.news = News(link, lambda *told: self.told.put_nowait(told), self.renewed.set)

    async def next(self) -> tuple[str, bytes]:
        return await asyncio.wait_for(self.told.get(), 10)


@contextlib.asynccontextmanager
async def listening(link: Link) -> AsyncIterator[Heard]:
    heard = Heard(link)
    task = asyncio.create_task(heard.news.run())
    yield heard
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@contextlib.asynccontextmanager
async def own_server(directory: Path) -> AsyncIterator[tuple[EmbeddedServer, Link]]:
    with EmbeddedServer(directory, "no") as server:
        link = Link(server.url, 5)
        yield server, link
        await link.close()


async def subscribers(link: Link, channel: str) -> int:
    _, count = await link.call("PUBSUB", "NUMSUB", channel)
    return int(count)


async def test_every_commit_is_told(link: Link, store: Store) -> None:
    record = a_record()
    async with listening(link) as heard:
        await heard.news.follow(keys.match(record.id))
        await store.commit(0, record)
        channel, told = await heard.next()
        assert (channel, read_head(told)) == (keys.match(record.id), Head(1, 0, "open"))
        assert await store.heads([record.id, "unknown"]) == (Head(1, 0, "open"), None)


async def test_a_channel_that_is_left_is_silent(link: Link) -> None:
    async with listening(link) as heard:
        await heard.news.follow("here")
        await heard.news.follow("there")
        await heard.news.leave("here")
        # Answered on the same connection after it: the server has carried the command out.
        await heard.news.follow("elsewhere")
        assert await subscribers(link, "here") == 0
        await link.call("PUBLISH", "here", "a")
        await link.call("PUBLISH", "there", "b")
        assert await heard.next() == ("there", b"b")
        await heard.news.follow("here")
        await link.call("PUBLISH", "here", "c")
        assert await heard.next() == ("here", b"c")
        assert not heard.renewed.is_set()


async def test_after_a_restart_the_channels_are_followed_again(tmp_path: Path) -> None:
    async with own_server(tmp_path) as (server, link), listening(link) as heard:
        await heard.news.follow("here")
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        await asyncio.wait_for(heard.renewed.wait(), 20)
        await link.call("PUBLISH", "here", "a")
        assert await heard.next() == ("here", b"a")


async def test_a_connection_that_the_server_ends_is_made_again(link: Link) -> None:
    async with listening(link) as heard:
        await heard.news.follow("here")
        await link.call("CLIENT", "KILL", "TYPE", "pubsub")
        await asyncio.wait_for(heard.renewed.wait(), 10)
        await link.call("PUBLISH", "here", "a")
        assert await heard.next() == ("here", b"a")


async def test_a_server_that_has_gone_silent_is_left(tmp_path: Path) -> None:
    """A connection may die without an end, in a network that drops it: only the lack of answers tells."""
    async with own_server(tmp_path) as (server, link), listening(link) as heard:
        await heard.news.follow("here")
        await heard.news.check()
        assert server.pid is not None
        os.kill(server.pid, signal.SIGSTOP)
        try:
            while (connection := heard.news._connection) is not None:
                await heard.news.check()
                await asyncio.sleep(0.05)
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert connection is None
        await asyncio.wait_for(heard.renewed.wait(), 20)
        await link.call("PUBLISH", "here", "a")
        assert await heard.next() == ("here", b"a")


async def test_options_of_the_address_that_do_not_count_change_nothing(tmp_path: Path) -> None:
    """Addresses that were written for other clients of Redis hold such options."""
    tuned = "?socket_timeout=0.01&max_connections=1&protocol=3&decode_responses=True&timeout=1"
    with EmbeddedServer(tmp_path, "no") as server:
        link = Link(f"{server.url}{tuned}&db=3", 5)
        async with listening(link) as heard:
            await heard.news.follow("here")
            await link.call("PUBLISH", "here", "a")
            assert await heard.next() == ("here", b"a")
            assert b"db=3" in await link.call("CLIENT", "INFO")
        await link.close()


async def test_without_a_server_nothing_can_be_followed(tmp_path: Path) -> None:
    link = Link(f"unix://{tmp_path}/nothing", 0.2)
    async with listening(link) as heard:
        with pytest.raises(StoreGone):
            await heard.news.follow("here")


async def test_events_are_told_with_their_version(link: Link, store: Store, fresh_settings: Settings) -> None:
    record: Any = a_record(version=1)
    async with listening(link) as heard:
        await heard.news.follow(keys.match(record.id))
        await store.commit(0, record, [an_event(1)])
        assert read_head((await heard.next())[1]) == Head(1, 1, record.status)
