"""The application in the test's own process, with a real store, for the tests of every door."""

from collections.abc import AsyncIterator

import pytest
from litestar import Litestar

from service.app import create_app
from service.settings import Settings


@pytest.fixture(scope="session")
def application(store_settings: Settings) -> Litestar:
    """One application for all tests of a run: to build it costs more than most tests, and what a service
    knows is made when it starts."""
    return create_app(store_settings)


@pytest.fixture
async def app(application: Litestar, fresh_settings: Settings) -> AsyncIterator[Litestar]:
    """The application, just started, with an empty store."""
    async with application.lifespan():
        yield application
