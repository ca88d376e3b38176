"""A real server for the tests of the store and of everything above it."""

from collections.abc import AsyncIterator, Iterator

import pytest
from redis import Redis

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.link import Link
from service.store.store import Store


@pytest.fixture(scope="session")
def store_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """One embedded server for all tests of a run."""
    with EmbeddedServer(tmp_path_factory.mktemp("store"), "always") as server:
        yield server


@pytest.fixture(scope="session")
def store_settings(store_server: EmbeddedServer) -> Settings:
    """The settings of a service that uses that server as an external one."""
    return store_server.attached(Settings(secret="of the tests " * 3))


@pytest.fixture
def fresh_settings(store_settings: Settings) -> Settings:
    """The same, and the server has been emptied."""
    with Redis.from_url(store_settings.redis_url) as redis:
        redis.flushall()
    return store_settings


@pytest.fixture
async def link(fresh_settings: Settings) -> AsyncIterator[Link]:
    """A connection to the server, which has been emptied."""
    link = Link(fresh_settings.redis_url, fresh_settings.store_timeout)
    yield link
    await link.close()


@pytest.fixture
def store(link: Link, fresh_settings: Settings) -> Store:
    """An empty store."""
    return Store(link, fresh_settings)
