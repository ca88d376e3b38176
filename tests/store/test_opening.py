"""From settings to a store, for an own server and for another's alike."""

import asyncio
import logging
from pathlib import Path

import msgspec
import pytest

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.errors import EmbeddedError, OldServer, StoreGone
from service.store.link import Link
from service.store.opening import in_background, running_store
from service.store.store import Store
from service.store.sweep import Sweeper
from service.tokens import Tokens
from tests.store.records import a_record

pytestmark = pytest.mark.anyio


async def test_without_an_address_a_server_is_started(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))
    tokens = set()
    for rev in (1, 2):
        async with running_store(settings) as (store, own):
            tokens.add(own.host_token("m", "k"))
            assert await store.commit(rev - 1, a_record()) == rev
        with pytest.raises(StoreGone):
            await store.ping()
    assert len(tokens) == 1


async def test_with_an_address_that_server_is_used(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server:
        settings = server.attached(Settings())
        for rev in (1, 2):
            async with running_store(settings) as (store, tokens):
                assert await store.commit(rev - 1, a_record()) == rev
                assert tokens.match_id("k") == Tokens(settings.secret.encode()).match_id("k")


async def test_a_server_that_comes_later(
    tmp_path: Path, store_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """Another's server may be down when the service starts; it is used as soon as it is there."""
    address = f"unix://{tmp_path}/valkey.sock"
    settings = msgspec.structs.replace(store_settings, redis_url=address)
    with caplog.at_level(logging.WARNING):
        async with running_store(settings) as (store, _):
            with pytest.raises(StoreGone):
                await store.commit(0, a_record())
            with EmbeddedServer(tmp_path, "always") as server:
                assert server.url == address
                assert await store.commit(0, a_record()) == 1
    assert "It is tried again at every request." in caplog.text


async def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="cannot be used"):
        async with running_store(Settings(data_dir=str(tmp_path / "file"))):
            pass


async def test_a_server_of_an_old_release(store_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.check.OLDEST_SERVER", 99)
    with pytest.raises(OldServer, match="it must be Redis 99 or Valkey"):
        async with running_store(store_settings):
            pass


async def test_a_start_that_is_given_up_leaves_nothing_behind(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))

    async def serve() -> None:
        async with running_store(settings):
            await asyncio.Event().wait()

    for pause in range(5):
        starting = asyncio.create_task(serve())
        await asyncio.sleep(pause / 100)  # a different moment of the start each time
        starting.cancel()
        await asyncio.wait([starting])
        assert starting.cancelled()
    async with running_store(settings) as (store, _):
        await store.ping()


async def test_it_sweeps_at_the_start_and_again(
    link: Link, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first sweep comes at once, whoever swept last; what appears later is found by the next."""
    swept = asyncio.Semaphore(0)
    sweep = Sweeper.sweep

    async def counted(self: Sweeper) -> None:
        await sweep(self)
        swept.release()

    monkeypatch.setattr(Sweeper, "sweep", counted)
    late = a_record(1)
    store = Store(link, fresh_settings)
    await store.commit(0, late)
    await Sweeper(store, link, 60)._is_mine()
    sweeper = asyncio.create_task(Sweeper(store, link, 0.05).run())
    async with asyncio.timeout(60):
        await swept.acquire()
        assert (await store.load(late.id)).record.status == "cancelled"
        await link.call("DEL", "{index}:sweeping")
        await store.commit(0, a_record(2))
        await swept.acquire()
        await swept.acquire()
    assert (await store.load(a_record(2).id)).record.status == "cancelled"
    sweeper.cancel()
    await asyncio.wait([sweeper])
    assert sweeper.cancelled()


async def test_a_sweep_without_a_server_is_no_end(
    tmp_path: Path, store_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    link = Link(f"unix://{tmp_path}/nothing", 5)
    swept = asyncio.Event()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            swept.set()

    handler = Listener()
    logger = logging.getLogger("service.store.sweep")
    logger.addHandler(handler)
    sweeper = asyncio.create_task(Sweeper(Store(link, store_settings), link, 0.01).run())
    try:
        async with asyncio.timeout(60):
            for _ in range(3):
                await swept.wait()
                swept.clear()
    finally:
        logger.removeHandler(handler)
        sweeper.cancel()
    await asyncio.wait([sweeper])
    assert "No sweep: the store does not answer." in caplog.text


async def test_a_sweep_that_fails_is_not_the_last_one(
    link: Link, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried = asyncio.Semaphore(0)

    async def fails(_: Sweeper) -> None:
        tried.release()
        raise RuntimeError("some match cannot be read")

    monkeypatch.setattr(Sweeper, "sweep", fails)
    monkeypatch.setattr(Sweeper, "_is_mine", lambda _: asyncio.sleep(0, result=True))
    async with asyncio.timeout(60), in_background(Sweeper(Store(link, fresh_settings), link, 0.01)):
        for _ in range(3):
            await tried.acquire()
    assert "A sweep has failed" in caplog.text


async def test_what_fails_in_the_background_is_said_at_once(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        async def run(self) -> None:
            raise RuntimeError("for some reason")

    async def said() -> None:
        async with in_background(Failing()), asyncio.timeout(60):
            while "Failing has failed" not in caplog.text:  # noqa: ASYNC110 - the log is not awaited
                await asyncio.sleep(0)

    with pytest.raises(RuntimeError):
        await said()
