"""Streams when things break: workers, the store, the connection with the news. What they cost the store."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from redis import Redis
from websockets.exceptions import WebSocketException

from engine.registry import GAMES
from schema.operations import NDJSON
from schema.wire_streams import CutMessage, EndMessage, EventMessage, ProblemMessage
from service.live import hub as hubs
from service.live.feed import PORTION
from service.live.hub import Hub
from service.settings import Settings
from service.store import keys
from service.store.embedded import EmbeddedServer
from service.store.record import ended
from service.store.store import Store
from service.tournaments.keys import WAKE
from tests.cli.running import Running, background
from tests.service.channels import (
    CHANNELS,
    Channel,
    Messages,
    events,
    ndjson,
    read_json,
    record,
    socket_to,
    subscribe,
)
from tests.service.following import Following, client_of, play, resign
from tests.service.table import SLUGS, Table
from tests.store.records import a_record

pytestmark = pytest.mark.anyio
STREAMS: Final = {name: channel for name, channel in CHANNELS.items() if name != "poll"}
CROWD: Final = 100


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A store of the test's own, which is started again when it is killed."""
    with EmbeddedServer(tmp_path / "store", "always") as server:
        yield server


@contextmanager
def workers(server: EmbeddedServer, directory: Path, number: int) -> Iterator[list[tuple[Running, str]]]:
    """Services on one store, and their addresses."""
    settings = server.attached(Settings(secret="of this test " * 4, port=0, heartbeat_interval=1))
    with ExitStack() as stack:
        running = [
            stack.enter_context(background(directory / f"out{place}", "serve", **settings.to_env()))
            for place in range(number)
        ]
        yield [(worker, worker.says(r"listens on (http://\S+)")) for worker in running]


def resuming(urls: list[str], channel: Channel) -> Channel:
    """The channel of a client that goes on at the next address when a stream breaks off."""

    async def messages(_: str, match_id: str, after: int) -> Messages:
        for url in urls:
            try:
                async with aclosing(channel(url, match_id, after)) as told:
                    async for message in told:
                        yield message
                        if isinstance(message, EventMessage):
                            after = message.version
                        if isinstance(message, EndMessage):
                            return
            except (httpx.TransportError, WebSocketException, OSError):
                continue
        raise AssertionError("the stream broke off at the last address, too")

    return messages


def kill(worker: Running) -> None:
    worker.process.kill()
    worker.process.wait()


async def kill_store(server: EmbeddedServer) -> None:
    """End the store's server as by a power failure, and wait until another one answers."""
    assert server.pid is not None
    server.is_ready.clear()
    os.kill(server.pid, signal.SIGKILL)
    assert await asyncio.to_thread(server.is_ready.wait, 30)


async def test_a_stream_over_a_killed_worker_goes_on_at_another(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    with workers(server, tmp_path, 2) as ((first, one), (_, two)):
        async with client_of(two) as api:
            table = await Table.opened(api, SLUGS[0], 2)
            followings = {
                name: Following(resuming([one, two], channel), one, table.id)
                for name, channel in CHANNELS.items()
            }
            await asyncio.gather(*(following.begun.wait() for following in followings.values()))
            await table.join()
            await table.join()
            await play(table, 8)
            playing = asyncio.create_task(play(table, 20))
            await followings["sse"].until(table.version)
            await asyncio.to_thread(kill, first)
            await playing
            await resign(table)
            stored = await record(api, table.id)
            for name, following in followings.items():
                assert events(await following.until_over()) == stored, name


async def test_streams_go_on_when_the_store_was_killed(server: EmbeddedServer, tmp_path: Path) -> None:
    with workers(server, tmp_path, 2) as ((_, one), (_, two)):
        async with client_of(two) as api:
            table = await Table.started(api, SLUGS[0], 2)
            followings = {name: Following(channel, one, table.id) for name, channel in STREAMS.items()}
            await play(table, 4)
            for following in followings.values():
                await following.until(table.version)
            for _ in range(2):
                await kill_store(server)
                await play(table, 3)
                for following in followings.values():
                    await following.until(table.version)
            await resign(table)
            stored = await record(api, table.id)
            for name, following in followings.items():
                assert events(await following.until_over()) == stored, name


async def test_streams_go_on_when_the_news_break_off(server: EmbeddedServer, tmp_path: Path) -> None:
    with workers(server, tmp_path, 2) as ((_, one), (_, two)), Redis.from_url(server.url) as redis:
        async with client_of(two) as api:
            table = await Table.started(api, SLUGS[0], 2)
            following = Following(ndjson, one, table.id)
            await following.begun.wait()
            for _ in range(5):
                redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
                await play(table, 2)
                await following.until(table.version)
            await resign(table)
            assert events(await following.until_over()) == await record(api, table.id)


async def test_a_store_that_is_away_is_told_before_the_first_byte(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    with workers(server, tmp_path, 1) as ((_, url),):
        async with client_of(url) as api:
            table, other = await Table.started(api, SLUGS[0], 2), await Table.started(api, SLUGS[0], 2)
            following = Following(ndjson, url, table.id)
            await following.begun.wait()
            await asyncio.to_thread(server.stop)
            for request in ({"headers": {"accept": NDJSON}}, {"params": {"wait": 9}}):
                answer = await api.get(f"{other.path}/events", **request)
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
            async with socket_to(url, other.id) as socket:
                await subscribe(socket)
                told = read_json(await socket.recv())
            assert isinstance(told, ProblemMessage)
            assert told.problem.code == "store_unavailable"
            # Who follows what is followed already is told how it stands, and that the stream is alive.
            also = Following(ndjson, url, table.id)
            await also.heartbeat()
            await following.heartbeat()


async def test_a_match_that_is_lost_ends_its_streams(server: EmbeddedServer, tmp_path: Path) -> None:
    with workers(server, tmp_path, 1) as ((_, url),), Redis.from_url(server.url) as redis:
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            await play(table, 2)
            followings = [Following(channel, url, table.id) for channel in STREAMS.values()]
            await asyncio.gather(*(following.until(table.version) for following in followings))
            poll = asyncio.create_task(api.get(f"{table.path}/events?after={table.version}&wait=60"))
            redis.flushall()
            for following in followings:
                assert (await following.until_over())[-1] == CutMessage(table.version, "lost")
            assert (await poll).status_code in (200, 404)
            answer = await api.get(f"{table.path}/events", headers={"accept": NDJSON})
            assert answer.json()["code"] == "no_such_match"


async def test_an_event_that_cannot_be_read_ends_the_streams(server: EmbeddedServer, tmp_path: Path) -> None:
    with workers(server, tmp_path, 1) as ((worker, url),), Redis.from_url(server.url) as redis:
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            await play(table, 2)
            following = Following(ndjson, url, table.id)
            await following.until(table.version)
            match, spoiled = keys.match(table.id), table.version + 1
            redis.xadd(keys.events(table.id), {"e": b"\xc1"}, id=f"{spoiled}-0")
            redis.hset(match, mapping={"rev": 1_000, "version": spoiled})
            redis.publish(match, f"1000 {spoiled} running")
            assert (await following.until_over())[-1] == CutMessage(table.version, "lost")
            assert "cannot be read" in worker.text()
            assert "Traceback" not in worker.text()


class Cost:
    """What the store has been asked since the last look."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._redis = Redis.from_url(server.url)
        self._seen = self._calls()

    def _calls(self) -> dict[str, int]:
        found: Any = self._redis.info("commandstats")
        return {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in found.items()}

    def since(self) -> dict[str, int]:
        before, self._seen = self._seen, self._calls()
        return {name: calls - before.get(name, 0) for name, calls in self._seen.items()}

    def listeners(self, match_id: str) -> tuple[int, int]:
        """Connections that listen to anything but news of tournaments, and those that listen to the match."""
        connections: Any = self._redis.client_list(_type="pubsub")
        (_, drivers), (_, number) = self._redis.pubsub_numsub(WAKE, keys.match(match_id))
        return len(connections) - drivers, number

    def close(self) -> None:
        self._redis.close()


async def test_a_crowd_costs_the_store_as_much_as_one(server: EmbeddedServer, tmp_path: Path) -> None:
    with workers(server, tmp_path, 2) as ((_, one), (_, two)), closing(Cost(server)) as cost:
        async with client_of(two) as api:
            table = await Table.started(api, SLUGS[0], 2)
            await play(table, 2)
            names = list(STREAMS)
            crowd = [
                Following(STREAMS[names[number % len(names)]], one, table.id, table.version)
                for number in range(CROWD)
            ]
            await asyncio.gather(*(following.begun.wait() for following in crowd))
            assert cost.listeners(table.id) == (1, 1)
            cost.since()
            commits = 0
            for _ in range(10):
                await play(table, 1)
                commits += 1
                await asyncio.gather(*(following.until(table.version) for following in crowd))
            asked = cost.since()
            assert asked["xrange"] == commits
            assert asked["subscribe"] == 0
            # All come again at once, and one of them has the events read for all.
            for following in crowd:
                following.task.cancel()
            await asyncio.wait([following.task for following in crowd])
            back = [Following(STREAMS[name], one, table.id, table.version - 3) for name in names * 10]
            await asyncio.gather(*(following.until(table.version) for following in back))
            assert cost.since().get("xrange", 0) <= 1
            await resign(table)
            stored = await record(api, table.id, table.version - 4)
            for following in back:
                assert events(await following.until_over()) == stored


@asynccontextmanager
async def running_hub(store: Store, settings: Settings) -> AsyncIterator[Hub]:
    """A hub in the test's own process."""
    hub = Hub(store, settings)
    async with hub.running():
        yield hub


async def test_news_that_are_lost_are_found_at_the_next_check(
    store: Store, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(Hub, "_hear", lambda *_: None)
    record = a_record(game=SLUGS[0], rules=GAMES[SLUGS[0]].rules)
    await store.commit(0, record)
    async with running_hub(store, fresh_settings) as hub:
        with hub.admitted("") as follower:
            feed = await hub.follow(record.id, follower)
            await store.commit(1, ended(record, "cancelled", 1))
            async with asyncio.timeout(60):
                while not feed.is_over:
                    await follower.sleep()


async def test_a_match_that_nobody_follows_is_left(
    store: Store, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "CHECK_SECONDS", 0.1)
    record = a_record(game=SLUGS[0], rules=GAMES[SLUGS[0]].rules)
    await store.commit(0, record)
    async with running_hub(store, fresh_settings) as hub:
        with hub.admitted("") as follower:
            await hub.follow(record.id, follower)
            await hub.listen("elsewhere", follower)
            assert set(await store.link.call("PUBSUB", "CHANNELS")) == {
                keys.match(record.id).encode(),
                b"elsewhere",
            }
        async with asyncio.timeout(60):
            while await store.link.call("PUBSUB", "CHANNELS"):  # noqa: ASYNC110 - it is the store that changes
                await asyncio.sleep(0.02)
        with hub.admitted("") as follower:
            feed = await hub.follow(record.id, follower)
            await store.commit(1, ended(record, "cancelled", 1))
            async with asyncio.timeout(60):
                while not feed.is_over:
                    await follower.sleep()


async def test_who_comes_while_others_are_left_is_told(
    store: Store, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches and two channels are deserted, and it takes long to leave the first of each."""
    monkeypatch.setattr(hubs, "CHECK_SECONDS", 0.1)
    records = [a_record(number, game=SLUGS[0], rules=GAMES[SLUGS[0]].rules) for number in (1, 2)]
    for one in records:
        await store.commit(0, one)
    async with running_hub(store, fresh_settings) as hub, asyncio.timeout(60):
        left, leave = asyncio.Queue[str](), asyncio.Semaphore(0)
        leave_at_once = hub._news.leave

        async def leave_slowly(channel: str) -> None:
            await leave_at_once(channel)
            left.put_nowait(channel)
            await leave.acquire()

        monkeypatch.setattr(hub._news, "leave", leave_slowly)
        with hub.admitted("") as follower:
            for one in records:
                await hub.follow(one.id, follower)
            for channel in ("here", "there"):
                await hub.listen(channel, follower)
        assert await left.get() == keys.match(records[0].id)
        with hub.admitted("") as follower:
            feed = await hub.follow(records[1].id, follower)
            leave.release()
            assert await left.get() == "here"
            await hub.listen("there", follower)
            leave.release()
            await store.commit(1, ended(records[1], "cancelled", 1))
            while not feed.is_over:
                await follower.sleep()
            told = await store.link.call("PUBSUB", "NUMSUB", "there", keys.match(records[1].id))
            assert told[1::2] == [1, 1]
            assert left.empty()


async def test_a_crowd_is_told_by_portions_so_that_others_have_a_turn(
    store: Store, fresh_settings: Settings
) -> None:
    record = a_record(game=SLUGS[0], rules=GAMES[SLUGS[0]].rules)
    await store.commit(0, record)
    async with running_hub(store, fresh_settings) as hub:
        size = 4 * PORTION + 1
        asleep, told = asyncio.Semaphore(0), asyncio.Semaphore(0)

        async def follow() -> None:
            with hub.admitted("") as follower:
                feed = await hub.follow(record.id, follower)
                asleep.release()
                while not feed.is_over:
                    await follower.sleep()
                told.release()

        async with asyncio.timeout(60), asyncio.TaskGroup() as crowd:
            for _ in range(size):
                crowd.create_task(follow())
            for _ in range(size):
                await asleep.acquire()
            crowd.create_task(store.commit(1, ended(record, "cancelled", 1)))
            await told.acquire()
            assert told._value < size - PORTION  # we had our turn before they were all told
