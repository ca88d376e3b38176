"""Racers: connections on which different moves are posted to one match, at one version, at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec

from schema.wire import PlayMoves
from tests.bench.scripted import post
from tests.service.checked import API
from tests.service.table import Table, fresh_key

Told = dict[str, Any]


class Racer:
    """A connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, request: bytes) -> tuple[int, Told]:
        """The status and the body that a request is answered with."""
        self._writer.write(request)
        status, *headers = (await self._reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        lengths = [header.partition(b": ")[2] for header in headers if header.startswith(b"content-length:")]
        return int(status.split()[1]), msgspec.json.decode(await self._reader.readexactly(int(lengths[0])))


@asynccontextmanager
async def racers(url: str, number: int) -> AsyncIterator[list[Racer]]:
    """So many of them."""
    address = urlsplit(url)
    lines = [await asyncio.open_connection(address.hostname, address.port) for _ in range(number)]
    try:
        yield [Racer(*line) for line in lines]
    finally:
        for _, writer in lines:
            writer.close()
            await writer.wait_closed()


class Track:
    """A match in which every version is raced for."""

    def __init__(self, table: Table, legal: list[str]) -> None:
        self._table = table
        self._legal = legal
        self.events: list[Told] = []
        """What the winners were told that came of their moves."""

    @classmethod
    async def laid(cls, api: httpx.AsyncClient, game: str) -> "Track":
        """One on a new match."""
        table = await Table.started(api, game, 2)
        return cls(table, await table.legal())

    @property
    def is_over(self) -> bool:
        return self._table.status != "running"

    async def race(self, racers: list[Racer]) -> None:
        """All post at once, each the next legal move: one wins, the others are told what came of it."""
        table = self._table
        version, mover = table.version, table.to_move
        path = f"{API}{table.path}/moves?include=legalMoves"
        answers = await asyncio.gather(
            *(
                racer.ask(post(path, PlayMoves(version, (move,)), table.tokens[mover], fresh_key()))
                for racer, move in zip(racers, islice(cycle(self._legal), len(racers)), strict=True)
            )
        )
        (won,) = [told for status, told in answers if status == 200]
        lost = [told for status, told in answers if status == 409]
        assert len(lost) == len(racers) - 1, answers
        for told in lost:
            self._check_lost(told, won, mover)
        self.events += won["events"]
        self._legal = won["legalMoves"]
        table.note(won)

    def _check_lost(self, told: Told, won: Told, mover: int) -> None:
        if won["status"] != "running":
            assert told["code"] == "match_over"
            return
        assert told["code"] == "stale_version"
        assert (told["version"], told["toMove"]) == (won["version"], won["toMove"])
        assert told["events"] == won["events"]
        assert told.get("legalMoves") == (won["legalMoves"] if won["toMove"] == mover else None)

    async def check_record(self) -> None:
        """The record has what the winners were told, with one event for each version."""
        stored: list[Told] = []
        while len(stored) < self._table.version:
            stored += (await self._table.get("/events", after=len(stored)))["events"]
        assert [event["version"] for event in stored] == list(range(1, self._table.version + 1))
        first = self.events[0]["version"] - 1 if self.events else len(stored)
        assert stored[first:] == self.events
