"""Tables are worked out aside from the loop, and once for all who ask for them while nothing happens."""

import asyncio
import threading

import pytest

from service.tournaments import reports
from service.tournaments.record import Left, Record
from service.tournaments.reports import KEPT, crosstable_view, standings_view
from service.tournaments.statement import Statement, stated
from service.tournaments.store import Standing
from tests.tournaments.halls import NAMES, announced

pytestmark = pytest.mark.anyio


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each record had about which something was worked out, in a thread of its own."""
    counts: list[int] = []

    def counted(record: Record) -> Statement:
        assert threading.current_thread() is not threading.main_thread()
        counts.append(len(record.entries))
        return stated(record)

    monkeypatch.setattr(reports, "stated", counted)
    monkeypatch.setattr(reports, "_kept", {})
    return counts


def standing(left: int) -> Standing:
    """A tournament that so many have left."""
    return Standing(1, announced(5, 2), tuple(Left(entrant=name) for name in NAMES[:left]))


async def test_a_record_is_stated_once_for_all_who_ask(worked_out: list[int]) -> None:
    tables = await asyncio.gather(*(standings_view(standing(0)) for _ in range(5)))
    assert [len(table.standings) for table in tables] == [5] * 5
    await crosstable_view(standing(0))
    assert worked_out == [0]
    await standings_view(standing(1))
    assert worked_out == [0, 1]


async def test_the_statements_asked_for_last_are_kept(worked_out: list[int]) -> None:
    for left in range(KEPT):
        await standings_view(standing(left))
    await standings_view(standing(0))
    await standings_view(standing(KEPT))
    await asyncio.gather(standings_view(standing(0)), standings_view(standing(1)))
    assert worked_out == [*range(KEPT), KEPT, 1]
