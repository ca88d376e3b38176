"""What a write to a match counts as."""

from collections.abc import Sequence

from service.observe.figures import CREATED, FLAGS, MOVES, OVER, STARTED
from service.store.record import MatchRecord, StoredEvent


def count_commit(is_new: bool, is_dealt: bool, record: MatchRecord, events: Sequence[StoredEvent]) -> None:
    """Count what was stored: moves, and what has become of the match.

    `is_dealt` says that it has been started by this.
    """
    game = record.game
    moves = sum([event.kind == "action" for event in events])
    if moves:
        MOVES.labels(game).inc(moves)
    if is_new:
        CREATED.labels(game).inc()
    if is_dealt:
        STARTED.labels(game).inc()
    if record.is_over:
        OVER.labels(game, record.status).inc()
    if flags := sum([event.cause == "flagged" for event in events]):
        FLAGS.labels(game).inc(flags)
