"""The tables of a tournament as clients read them: the statement about its record, or a part of it."""

from typing import Any, TypeVar

import msgspec

from schema.wire_tournaments import CrosstableView, StandingsView
from service.tournaments.statement import stated
from service.tournaments.store import Standing

T = TypeVar("T")


def standings_view(standing: Standing) -> StandingsView:
    """Everybody's place so far."""
    statement = stated(standing.record)
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


def crosstable_view(standing: Standing) -> CrosstableView:
    """Who has got how much against whom."""
    return _viewed(CrosstableView, cells=stated(standing.record).crosstable)


def _viewed(kind: type[T], **parts: Any) -> T:
    """A view with these parts, each read from the attributes of what has the same name."""
    return msgspec.convert(parts, kind, from_attributes=True)
