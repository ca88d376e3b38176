"""The tables of a tournament as clients read them: the statement about its record, or a part of it.

A statement about thousands of matches takes a second to work out. So that is done in a thread, one after the
other, and once for all who ask while the record stands.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from schema.wire_tournaments import CrosstableView, StandingsView
from service.tournaments.record import Record
from service.tournaments.statement import Statement, stated
from service.tournaments.store import Standing

T = TypeVar("T")
KEPT: Final = 4
"""Statements that a worker remembers, those asked for last."""
_thread: Final = ThreadPoolExecutor(1, "statements")
_kept: Final[dict[bytes, Statement]] = {}
"""By the SHA-256 of the record, the one asked for last at the end. Belongs to the thread."""


async def standings_view(standing: Standing) -> StandingsView:
    """Everybody's place so far."""
    statement = await _statement(standing.record)
    return _viewed(
        StandingsView,
        status=standing.document.status,
        progress=statement.progress,
        standings=statement.standings,
        ratings=statement.ratings,
        elo=statement.elo,
        seats=statement.seats,
        faults=statement.faults,
        verdict=statement.verdict,
    )


async def crosstable_view(standing: Standing) -> CrosstableView:
    """Who has got how much against whom."""
    return _viewed(CrosstableView, cells=(await _statement(standing.record)).crosstable)


async def _statement(record: Record) -> Statement:
    return await asyncio.get_running_loop().run_in_executor(_thread, _found, record)


def _found(record: Record) -> Statement:
    key = sha256(msgspec.msgpack.encode(record)).digest()
    found = _kept.pop(key, None) or stated(record)
    _kept[key] = found
    if len(_kept) > KEPT:
        del _kept[next(iter(_kept))]
    return found


def _viewed(kind: type[T], **parts: Any) -> T:
    """A view with these parts, each read from the attributes of what has the same name."""
    return msgspec.convert(parts, kind, from_attributes=True)
