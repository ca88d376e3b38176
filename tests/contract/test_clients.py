"""Clients of others, on a server that runs: Apollo, graphql-ws and graphql-sse on Node, gql on Python."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from gql import Client, gql
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from tests.cli.running import SECONDS, until
from tests.kill.deployment import SECRET, Worker, free_ports
from tests.project.sources import ROOT
from tests.service.following import client_of
from tests.service.table import SLUGS, Table, bearer

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent
CLIENTS = HERE / "clients"
FOLLOWERS = ("graphql-ws", "graphql-sse", "apollo")


class Follower:
    """A Node process with clients in it; what they hear goes to a file."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        self.process = process
        self.output = output

    def told(self, client: str) -> list[dict[str, Any]]:
        """What one of the clients has heard so far."""
        lines = [json.loads(line) for line in self.output.read_text().splitlines() if line.startswith("{")]
        return [line for line in lines if line["client"] == client]

    def versions(self, client: str) -> list[int]:
        return [line["version"] for line in self.told(client) if "version" in line]

    def have_all(self, version: int) -> bool:
        return all(self.versions(client)[-1:] == [version] for client in FOLLOWERS)

    def are_done(self) -> bool:
        return all({"client": client, "complete": True} in self.told(client) for client in FOLLOWERS)


@contextmanager
def following(output: Path, *arguments: str) -> Iterator[Follower]:
    with output.open("wb") as file:
        process = subprocess.Popen(
            ["node", CLIENTS / "follow.mjs", *arguments],
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Follower(process, output)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[tuple[str, Worker]]:
    """A worker that can be killed, on a store that outlives it."""
    (port,) = free_ports(1)
    with EmbeddedServer(tmp_path / "store", "always") as store:
        worker = Worker(store.attached(Settings(secret=SECRET)), port, tmp_path / "log")
        try:
            yield f"http://127.0.0.1:{port}", worker
        finally:
            worker.end()


@pytest.fixture
async def api(worker: tuple[str, Worker]) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(worker[0]) as client:
        await answering(client)
        yield client


async def answering(client: httpx.AsyncClient) -> None:
    """Nothing, when the service answers."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                if (await client.get("/health/ready")).is_success:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)


async def test_clients_on_node_follow_over_the_kill_of_a_worker(
    worker: tuple[str, Worker], api: httpx.AsyncClient, tmp_path: Path
) -> None:
    url, process = worker
    table = await Table.started(api, SLUGS[0], 2)
    with following(tmp_path / "told", url, table.id, table.tokens[table.to_move]) as node:

        async def reached() -> None:
            table.note(await table.get())
            await asyncio.to_thread(until, lambda: node.have_all(table.version), node.process)

        await asyncio.to_thread(until, lambda: node.versions("brief"), node.process)
        await reached()
        await table.play_any(2)
        await reached()
        process.kill()
        await answering(api)
        await table.play_any(2)
        await reached()
        await table.post("resign", {}, table.tokens[0])
        await asyncio.to_thread(until, node.are_done, node.process)
        last = len((await table.get("/events"))["events"])
        for client in FOLLOWERS:
            assert node.versions(client) == list(range(1, last + 1)), node.output.read_text()
        assert node.versions("brief") == [1]
        (played,) = [line["played"] for line in node.told("apollo") if "played" in line]
        assert played["version"] >= 1


async def test_gql_asks_changes_and_follows(worker: tuple[str, Worker], api: httpx.AsyncClient) -> None:
    url, _ = worker
    table = await Table.started(api, SLUGS[0], 2)
    http = HTTPXAsyncTransport(url=f"{url}/graphql", headers=bearer(table.tokens[table.to_move]))
    events = gql("subscription ($id: ID!) { matchEvents(id: $id) { version move } }")
    events.variable_values = {"id": table.id}
    heard: list[Any] = []
    async with Client(transport=http, fetch_schema_from_transport=True) as session:
        ask = gql("query ($id: ID!) { match(id: $id) { legalNotations } }")
        ask.variable_values = {"id": table.id}
        legal = (await session.execute(ask))["match"]["legalNotations"]
        play = gql(
            """mutation ($id: ID!, $moves: [String!]!) { play(matchId: $id, version: 0, moves: $moves) {
                __typename ... on Played { version } ... on Problem { code } } }"""
        )
        play.variable_values = {"id": table.id, "moves": legal[:1]}
        assert (await session.execute(play))["play"]["__typename"] == "Played"
    socket = WebsocketsTransport(url=f"{url.replace('http', 'ws', 1)}/graphql")
    async with Client(transport=socket) as session:
        async for told in session.subscribe(events):
            heard.append(told["matchEvents"]["version"])
            if len(heard) == 1:
                assert (await table.post("resign", {}, table.tokens[0])).is_success
    assert heard == list(range(1, len((await table.get("/events"))["events"]) + 1))


def test_types_are_made_of_the_schema_and_compile(tmp_path: Path) -> None:
    shutil.copy(CLIENTS / "consumer.ts", tmp_path)
    generate: list[str | Path] = [
        "node",
        "generate.mjs",
        ROOT / "schema/schema.graphql",
        "operations.graphql",
    ]
    subprocess.run([*generate, tmp_path / "generated.ts"], cwd=CLIENTS, check=True, timeout=SECONDS)
    compiled = subprocess.run(
        [
            HERE / "node_modules/.bin/tsc",
            *("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--skipLibCheck"),
            *("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"),
            tmp_path / "consumer.ts",
        ],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert compiled.returncode == 0, compiled.stdout
