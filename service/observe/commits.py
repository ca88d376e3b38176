"""What a write to a match counts as."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from service.observe.figures import CREATED, MOVES, OVER, STARTED
from service.store.record import MatchRecord, StoredEvent

_moves_of: Final = cache(MOVES.labels)
"""Finds a counter again faster than the library does."""


def count_commit(is_new: bool, is_dealt: bool, record: MatchRecord, events: Sequence[StoredEvent]) -> None:
    """Count what was stored: moves, and what has become of the match.

    `is_dealt` says that it has been started by this.
    """
    game = record.game
    if moves := sum([event.kind == "action" for event in events]):
        _moves_of(game).inc(moves)
    if is_new:
        CREATED.labels(game).inc()
    if is_dealt:
        STARTED.labels(game).inc()
    if record.is_over:
        OVER.labels(game, record.status).inc()
