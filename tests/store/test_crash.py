"""What is acknowledged is stored, whatever is killed."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.errors import Stale, StoreGone
from service.store.link import Link
from service.store.record import MatchRecord
from service.store.store import Store
from tests.store.records import a_record, an_event, at_version, match_id, running

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
MATCHES = 8
KILLS = [3, pytest.param(12, marks=pytest.mark.soak)]


@contextmanager
def owner(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """A service in a process of its own, which is killed at the end at the latest."""
    command = [sys.executable, "-m", "tests.store.owner", str(directory)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def opened(server: EmbeddedServer) -> AsyncIterator[Store]:
    """A store at a server."""
    settings = server.attached(Settings())
    link = Link(settings.redis_url, settings.store_timeout)
    yield Store(link, settings)
    await link.close()


async def commit_acknowledged(
    directory: Path, process: subprocess.Popen[str], count: int
) -> tuple[int, dict[str, int]]:
    """The server's pid, and the version acknowledged last of each match, when `count` commits are made."""
    assert process.stdout is not None
    server = int(process.stdout.readline())
    acknowledged: dict[str, int] = {}
    for _ in range(count):
        name, version = process.stdout.readline().split()
        acknowledged[name] = int(version)
    process.kill()
    for line in process.stdout:
        name, version = line.split()
        acknowledged[name] = int(version)
    process.wait()
    return server, acknowledged


async def check_log(store: Store, name: str, acknowledged: int) -> None:
    """The match stands at the version acknowledged or at one that was not answered; no event is missing."""
    record = (await store.load(name)).record
    assert acknowledged <= record.version <= acknowledged + 1
    events = await store.events(name, 0, 100_000)
    assert [event.version for event in events] == list(range(1, record.version + 1))
    kept, _ = await store.state_before(name, record.version)
    assert kept == record.version // 256 * 256


class Player:
    """Plays one match and goes on after errors, as a client would."""

    def __init__(self, store: Store, number: int) -> None:
        self.store = store
        self.number = number
        self.acknowledged = 0
        self.refused = 0
        self.progress = asyncio.Condition()

    async def play(self, until: asyncio.Event) -> None:
        rev = await self.store.commit(0, a_record(self.number))
        record = running(a_record(self.number))
        rev = await self.store.commit(rev, record, snapshots=((0, record.state),))
        while not until.is_set():
            try:
                rev, record = await self.step(rev, record)
            except StoreGone:
                self.refused += 1
                await asyncio.sleep(0.005)  # the pace of a client that is refused, not a wait for anything
            except Stale as stale:
                # The write before was carried out, though its answer was lost.
                rev, record, _ = stale.loaded

    async def step(self, rev: int, record: MatchRecord) -> tuple[int, MatchRecord]:
        record = at_version(record, record.version + 1)
        states = ((record.version, record.state),) if record.version % 256 == 0 else ()
        rev = await self.store.commit(rev, record, (an_event(record.version),), states)
        async with self.progress:
            self.acknowledged = record.version
            self.progress.notify_all()
        return rev, record

    async def until(self, version: int) -> None:
        """Wait until this version has been acknowledged."""
        async with self.progress:
            await self.progress.wait_for(lambda: self.acknowledged >= version)


async def until_each_has(players: list[Player], more: int) -> None:
    """Wait until every player has had so many more commits acknowledged."""
    async with asyncio.timeout(60):
        await asyncio.gather(*(player.until(player.acknowledged + more) for player in players))


@pytest.mark.parametrize("kills", KILLS)
async def test_a_killed_server_loses_nothing_and_comes_back(tmp_path: Path, kills: int) -> None:
    with EmbeddedServer(tmp_path, "always") as server:
        async with opened(server) as store:
            players = [Player(store, number) for number in range(MATCHES)]
            done = asyncio.Event()
            async with asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(player.play(done))
                pids = set()
                for _ in range(kills):
                    await until_each_has(players, 20)
                    pid = server.pid
                    assert pid is not None
                    pids.add(pid)
                    os.kill(pid, signal.SIGKILL)
                await until_each_has(players, 20)
                done.set()
            assert len(pids) == kills
            assert server.pid not in pids
            assert all(player.refused for player in players)
            for player in players:
                await check_log(store, match_id(player.number), player.acknowledged)


async def test_a_killed_service_loses_nothing(tmp_path: Path) -> None:
    with owner(tmp_path) as process:
        _, acknowledged = await commit_acknowledged(tmp_path, process, 400)
    with EmbeddedServer(tmp_path, "always") as server:
        async with opened(server) as store:
            assert len(acknowledged) == 4
            for name, version in acknowledged.items():
                await check_log(store, name, version)
            rev, record, _ = await store.load(match_id(0))
            states = ((record.version + 1, b"state"),) if (record.version + 1) % 256 == 0 else ()
            later = at_version(record, record.version + 1)
            assert await store.commit(rev, later, (an_event(later.version),), states) == rev + 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's death")
def test_the_server_of_a_killed_service_ends_by_itself(tmp_path: Path) -> None:
    with owner(tmp_path) as process:
        assert process.stdout is not None
        watched = os.pidfd_open(int(process.stdout.readline()))
        try:
            assert select.select([watched], [], [], 0)[0] == []
            process.kill()
            assert select.select([watched], [], [], 20)[0] == [watched]
        finally:
            os.close(watched)


def test_a_service_that_is_asked_to_end_ends_its_server(tmp_path: Path) -> None:
    with owner(tmp_path) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.terminate()
        process.communicate(timeout=60)
        assert process.returncode == 0
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["appendonlydir", "lock", "secret", "server.lock"]
