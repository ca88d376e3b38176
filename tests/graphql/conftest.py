"""The application in the test's own process, with a real store, and its schema."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar

from service.shell import Shell
from tests.graphql.asking import Asking
from tests.service.checked import API, BASE, in_process


@pytest.fixture
async def api(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the REST API."""
    async with httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as client:
        yield client


@pytest.fixture
async def door(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """A client of GraphQL."""
    served: Any = Shell(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE) as client:
        yield client


@pytest.fixture
def asking(app: Litestar, api: httpx.AsyncClient) -> Asking:
    """The schema, to be asked."""
    return Asking(app, api)
