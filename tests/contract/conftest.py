"""The application in the test's own process, and the two ways into it."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar

from service.shell import Shell
from tests.contract.doors import Door
from tests.contract.graphql import Graphql
from tests.contract.rest import Rest
from tests.service.checked import API, BASE


@pytest.fixture
def served(app: Litestar) -> Any:
    """The application as a server has it."""
    return Shell(app)


@pytest.fixture
async def rest(served: Any) -> AsyncIterator[Rest]:
    """The one door."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE + API) as client:
        yield Rest(client)


@pytest.fixture
async def graphql(served: Any) -> AsyncIterator[Graphql]:
    """The other door."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE) as client:
        yield Graphql(client)


@pytest.fixture(params=["rest", "graphql"])
def door(request: pytest.FixtureRequest, rest: Rest, graphql: Graphql) -> Door:
    """Either of them."""
    return {"rest": rest, "graphql": graphql}[request.param]
