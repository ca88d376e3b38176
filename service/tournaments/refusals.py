"""Moves that were refused in matches of tournaments: no event tells them, so they are counted."""

from typing import Final

from engine.errors import BadNotation, BatchCrossesChance, IllegalMove
from service.store.link import Link
from service.store.record import MatchRecord
from service.tournaments import keys

KEPT: Final = 30 * 86_400_000
"""For how long the counts are kept, in ms."""


def is_fault(error: Exception) -> bool:
    """Whether the move is one that nobody who knows the position and the rules would send."""
    return isinstance(error, BadNotation | BatchCrossesChance | IllegalMove)


async def note_refusal(link: Link, record: MatchRecord, seat: int) -> None:
    """Count one more for a seat, and have the tournament look at it. Raises StoreGone."""
    name = keys.refused(record.id)
    await link.calls(
        [
            ("HINCRBY", name, seat, 1),
            ("PEXPIRE", name, KEPT),
            ("PUBLISH", keys.matches(record.tournament), f"{record.id} {record.status}"),
        ]
    )


async def refusals(link: Link, match_id: str) -> dict[int, int]:
    """How many moves of each seat were refused, where there were any. Raises StoreGone."""
    told = await link.call("HGETALL", keys.refused(match_id))
    return {int(seat): int(count) for seat, count in zip(told[::2], told[1::2], strict=True)}
