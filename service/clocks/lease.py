"""The lease of the clocks: renewed by every worker as long as it lives, so that times when none does show.

What the workers have together of clocks lies in the index: when the lease was renewed last, the stalls, and
which match has to be looked at when.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from statistics import median
from time import monotonic
from typing import Final

from service.clocks.arithmetic import NEVER_STALLED, Clock, Stalls, merged
from service.store import keys
from service.store.link import Link, Script

BEAT: Final = 100
"""Time between two renewals, in ms: so much a stall may be taken for longer than it was."""
GAP: Final = 250
"""The longest time without a renewal that is no stall, in ms, unless the store is far away."""
MOST_GAP: Final = 1_000
"""As GAP, however far away the store is, in ms."""
TRIPS: Final = 15
"""To the store and back, as many as say how far away it is: most of them, so that a stall does not."""
HOLD: Final = 500
"""For how long a match that one worker looks at is held back from others, in ms: it may have ended."""
MOST_STALLS: Final = 10_000

_TICK: Final = Script("tick.lua", __package__)
_ALWAYS: Final = -1


class Lease:
    """The lease as one worker knows it. Every method raises StoreGone while the store does not answer."""

    def __init__(self, link: Link, clock: Callable[[], int]) -> None:
        self._link = link
        self._clock = clock
        self._stalls = NEVER_STALLED
        self._renewed_at = _ALWAYS
        self._asking = asyncio.Lock()
        self._trips = deque([0.0] * TRIPS, maxlen=TRIPS)
        self._gap = GAP

    async def renew(self, most: int = 0) -> tuple[str, ...]:
        """Ids of matches that are due, at most so many; none if another worker has just asked.

        Whoever gets them has to look at them.
        """
        at, sent = self._clock(), monotonic()
        known = self._stalls[-1][1] if self._stalls else _ALWAYS
        stalls, due = await self._link.run(
            _TICK,
            (keys.LEASE, keys.STALLS, keys.DEADLINES),
            *(at, BEAT // 2, self._gap, HOLD, most, known, MOST_STALLS),
        )
        if stalls:
            self._stalls = merged((*self._stalls, *map(_read, stalls)))[-MOST_STALLS:]
        self._renewed_at = at
        self._note(1_000 * (monotonic() - sent))
        return tuple(match_id.decode() for match_id in due)

    async def stalls_for(self, *clocks: Clock | None) -> Stalls:
        """As `stalls`, if any of them matters to the clocks of these matches."""
        matters = any(clock is not None and clock.runs_out for clock in clocks)
        return await self.stalls() if matters else NEVER_STALLED

    async def stalls(self) -> Stalls:
        """Every stall up to now, so that whoever judges a moment has to have read it before."""
        if self._is_old:
            async with self._asking:
                if self._is_old:
                    await self.renew()
        return self._stalls

    @property
    def _is_old(self) -> bool:
        return not 0 <= self._clock() - self._renewed_at <= self._gap

    def _note(self, trip: float) -> None:
        """What is no stall if the way to the store and back takes long as a rule."""
        self._trips.append(trip)
        self._gap = min(max(GAP, BEAT + round(3 * median(self._trips))), MOST_GAP)

    async def look_at(self, match_id: str, at: int) -> None:
        """Have a match looked at by the time `at`, if its clocks still run."""
        await self._link.call("ZADD", keys.DEADLINES, "XX", at, match_id)

    async def forget(self, match_id: str) -> None:
        """Have a match looked at no more."""
        await self._link.call("ZREM", keys.DEADLINES, match_id)


def _read(stall: bytes) -> tuple[int, int]:
    start, end = stall.split()
    return int(start), int(end)
