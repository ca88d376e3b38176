"""Doors that an operator leaves out are not there, and cost nothing."""

import subprocess
import sys

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from service.shell import Shell
from tests.service.checked import BASE

pytestmark = pytest.mark.anyio
START = """
import sys
from service.app import create_app
from service.settings import Settings
create_app(Settings(graphql={setting!r}))
print({{"strawberry", "graphql"}} <= sys.modules.keys(), "networkx" in sys.modules)
"""


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_without_graphql_nothing_is_at_its_address(method: str) -> None:
    settings = Settings(redis_url="unix:///nowhere/at/all", secret="of the tests " * 3, graphql="off")
    transport = httpx.ASGITransport(Shell(create_app(settings)))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        answer = await client.request(method, "/graphql", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert (await client.get("/")).status_code == 200


@pytest.mark.parametrize(("setting", "is_loaded"), [("off", "False"), ("on", "True")])
def test_a_worker_loads_what_it_serves(setting: str, is_loaded: str) -> None:
    """What pairs a Swiss round is loaded with the first such round."""
    run = [sys.executable, "-c", START.format(setting=setting)]
    told = subprocess.run(run, capture_output=True, text=True, check=True, timeout=300).stdout
    assert told.split() == [is_loaded, "False"]
