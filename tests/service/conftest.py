"""The application in the test's own process, with a real store, behind a client that checks every answer."""

from collections.abc import AsyncIterator

import httpx
import pytest
from litestar import Litestar

from service.settings import Settings
from tests.service.checked import API, BASE, CheckedTransport, in_process
from tests.service.timed import Timed, timed_service


@pytest.fixture
def transport(app: Litestar) -> CheckedTransport:
    """The way to the application; it remembers every body."""
    return in_process(app)


@pytest.fixture
async def api(transport: CheckedTransport) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the REST API."""
    async with httpx.AsyncClient(transport=transport, base_url=BASE + API) as client:
        yield client


@pytest.fixture
async def timed(fresh_settings: Settings) -> AsyncIterator[Timed]:
    """The service with an empty store, by a clock that the test sets."""
    async with timed_service(fresh_settings) as timed:
        yield timed
