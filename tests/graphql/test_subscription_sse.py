"""Operations and subscriptions as `text/event-stream`: GraphQL over SSE, distinct connections."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from schema.operation import SSE
from tests.cli.running import background
from tests.graphql.sockets import EVENTS, PATIENCE
from tests.service.following import client_of
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that gives signs of life often."""
    directory = tmp_path_factory.mktemp("sse")
    serve = ("serve", "--port", "0", "--data-dir", directory / "data")
    with background(
        directory / "out", *serve, CANTIERE_GRAPHQL="on", CANTIERE_HEARTBEAT_INTERVAL="1"
    ) as server:
        yield server.says(r"listens on (http://\S+)")
        assert "Traceback" not in server.text(), server.text()


@pytest.fixture
async def table(url: str) -> AsyncIterator[Table]:
    """A match that runs."""
    async with client_of(url) as client:
        yield await Table.started(client, SLUGS[0], 2)


class Stream:
    """The events of a stream, one by one."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()
        self.comments = 0

    async def event(self) -> tuple[str, Any]:
        """The name and the data of the next event, comments passed over."""
        name, data = "", ""
        async for line in self._lines:
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data = line.removeprefix("data: ")
            elif line.startswith(":"):
                self.comments += 1
            elif not line and name:
                return name, json.loads(data) if data.strip() else None
        return "end", None

    async def versions(self, number: int) -> list[int]:
        """The versions of so many events."""
        told = [await self.event() for _ in range(number)]
        return [data["data"]["matchEvents"]["version"] for _, data in told]


@asynccontextmanager
async def stream(url: str, query: str, *, method: str = "POST", **variables: Any) -> AsyncIterator[Stream]:
    asked = {"query": query, "variables": variables}
    given: dict[str, Any] = {"json": asked}
    if method == "GET":
        given = {"params": {"query": query, "variables": json.dumps(variables)}}
    async with (
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client,
        client.stream(method, f"{url}/graphql", headers={"Accept": SSE}, **given) as answer,
    ):
        yield Stream(answer)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_events_come_in_order_and_the_stream_is_resumed(url: str, table: Table, method: str) -> None:
    await table.play_any(2)
    async with stream(url, EVENTS, method=method, id=table.id, after=0) as one:
        assert one.answer.headers["content-type"].startswith(SSE)
        known = await one.versions(table.version)
    await table.play_any(2)
    async with stream(url, EVENTS, method=method, id=table.id, after=known[-1]) as two:
        known += await two.versions(table.version - len(known))
        await table.post("resign", {}, table.tokens[0])
        last = len((await table.get("/events"))["events"])
        known += await two.versions(last - len(known))
        assert await two.event() == ("complete", None)
        assert await two.event() == ("end", None)
    assert known == list(range(1, last + 1))


async def test_a_quiet_stream_gives_signs_of_life(url: str, table: Table) -> None:
    async with stream(url, EVENTS, id=table.id, after=0) as quiet:
        async for line in quiet.answer.aiter_lines():
            quiet.comments += line == ":"
            if quiet.comments == 3:
                break
    assert quiet.comments == 3


async def test_other_operations_are_answered_as_a_stream_of_one(url: str, table: Table) -> None:
    async with stream(url, "query ($id: ID!) { match(id: $id) { version } }", id=table.id) as told:
        assert await told.event() == ("next", {"data": {"match": {"version": 0}}})
        assert await told.event() == ("complete", None)


@pytest.mark.parametrize(
    ("query", "variables", "code"),
    [
        ("{ nothing }", {}, "invalid_document"),
        ("{", {}, "malformed_document"),
        (EVENTS, {"id": "aaaa", "after": 0}, "no_such_match"),
        (EVENTS, {"id": "aaaa"}, "invalid_variables"),
        ("subscription { myEvents { __typename } }", {}, "token_required"),
    ],
)
async def test_what_is_refused_is_told_in_the_stream(
    url: str, query: str, variables: dict[str, Any], code: str
) -> None:
    async with stream(url, query, **variables) as told:
        assert told.answer.status_code == 200
        name, data = await told.event()
        assert (name, data["errors"][0]["extensions"]["code"]) == ("next", code)
        assert await told.event() == ("complete", None)


async def test_a_request_that_is_none_is_refused_as_one(url: str) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        answer = await client.post(f"{url}/graphql", content=b"{", headers={"Accept": SSE})
        assert answer.status_code == 415
        answer = await client.post(
            f"{url}/graphql", content=b"{", headers={"Accept": SSE, "Content-Type": "application/json"}
        )
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (
            400,
            "malformed_body",
        )
        answer = await client.get(
            f"{url}/graphql", params={"query": "mutation { x }"}, headers={"Accept": SSE}
        )
        assert answer.status_code in (200, 405)
