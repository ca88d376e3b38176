"""Clients that follow matches beside a test, and matches that are played for them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from schema.wire_streams import EventMessage, HeartbeatMessage
from tests.service.channels import Channel
from tests.service.checked import API, CheckedTransport
from tests.service.table import Table

SECONDS = 30
"""What is waited for comes within this time, on a machine that does much else."""


class Following:
    """A client of a stream: what it was told, and `begun` once it was told anything."""

    def __init__(self, channel: Channel, url: str, match_id: str, after: int = 0) -> None:
        self.messages: list[Any] = []
        self.begun = asyncio.Event()
        self._changed = asyncio.Event()
        self.task = asyncio.create_task(self._run(channel(url, match_id, after)))

    async def _run(self, messages: AsyncIterator[Any]) -> None:
        async for message in messages:
            self.messages.append(message)
            self.begun.set()
            self._changed.set()

    async def until_over(self) -> list[Any]:
        """What it was told up to the end of the stream. Raises what the stream ended with."""
        await asyncio.wait_for(self.task, SECONDS)
        return self.messages

    async def until(self, version: int) -> None:
        """Nothing, when it was told the event that leads to this version."""
        await self._until(0, lambda message: isinstance(message, EventMessage) and message.version >= version)

    async def heartbeat(self) -> None:
        """Nothing, when it was given a sign of life after this was asked."""
        await self._until(len(self.messages), lambda message: isinstance(message, HeartbeatMessage))

    async def _until(self, first: int, is_it: Callable[[Any], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not any(map(is_it, self.messages[first:])):
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def client_of(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the REST API that checks every answer."""
    transport = CheckedTransport(httpx.AsyncHTTPTransport())
    async with httpx.AsyncClient(transport=transport, base_url=url + API, timeout=60) as client:
        yield client


async def play(table: Table, moves: int) -> None:
    """So many moves, or fewer if the match ends before."""
    for number in range(moves):
        if table.status != "running":
            return
        legal = await table.legal()
        await table.play(legal[(number * 7) % len(legal)])


async def resign(table: Table) -> None:
    """The match of two is over."""
    if table.status == "running":
        table.note((await table.post("resign", {}, table.tokens[0])).json())
