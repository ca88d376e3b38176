"""Whose time is running low: watched by each stream for its own player, from what it was told of the matches.

Nothing of it is stored. A stream that begins, anew or again, looks at all matches of the player once.
"""

from collections.abc import Iterable
from typing import Final

from schema.wire_players import ClockLowMessage
from service.accounts.shelf import seat_of_player
from service.clocks.arithmetic import Clock, Stalls, deadline
from service.store.record import MatchRecord

LOW_MS: Final = 30_000
"""Milliseconds before the flag falls at which a player is warned, or a tenth of its time if that is less."""


class LowClocks:
    """The clocks of one player that run, and when each is low."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._low_at: dict[str, int] = {}
        self._warned: dict[str, int] = {}

    def note(self, record: MatchRecord, stalls: Stalls) -> None:
        """Watch the clock of a match as it stands, or not any longer."""
        self.forget(record.id)
        clock, due = record.clock, self._due(record, stalls)
        if clock is None or due is None:
            self._warned.pop(record.id, None)
        elif self._warned.get(record.id) != clock.since:
            self._low_at[record.id] = due - margin(clock)

    def due(self, at: int) -> Iterable[str]:
        """The matches whose clocks are low at a moment, as far as is known: look at them."""
        return [match for match, low_at in self._low_at.items() if low_at <= at]

    def soonest(self) -> int | None:
        """When the next one is low, as far as is known; None if none runs."""
        return min(self._low_at.values(), default=None)

    def pass_over(self, at: int) -> None:
        """Say nothing of the clocks that are low at a moment."""
        for match in tuple(self.due(at)):
            del self._low_at[match]

    def forget(self, match: str) -> None:
        """Watch the clock of a match no more."""
        self._low_at.pop(match, None)

    def warning(self, record: MatchRecord, stalls: Stalls, at: int) -> ClockLowMessage | None:
        """What the player is told of a match that is due, None if its clock is not low. Once a turn."""
        self.note(record, stalls)
        clock, due = record.clock, self._due(record, stalls)
        if clock is None or due is None or self._low_at.get(record.id, at + 1) > at:
            return None
        self._warned[record.id] = clock.since
        del self._low_at[record.id]
        seat = clock.running
        assert seat is not None
        return ClockLowMessage(None, record.id, record.game, seat, record.version, max(0, due - at))

    def _due(self, record: MatchRecord, stalls: Stalls) -> int | None:
        """When the player's flag falls, None if its clock does not run."""
        clock = record.clock
        if record.status != "running" or clock is None or clock.running is None:
            return None
        return deadline(clock, stalls) if clock.running == seat_of_player(record, self._player) else None


def margin(clock: Clock) -> int:
    """How long before the flag a player is warned."""
    control = clock.control
    return 0 if control is None else min(LOW_MS, (control.base or control.per_turn) // 10)
