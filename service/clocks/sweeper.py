"""The sweep of the clocks: every worker renews the lease, and calls the flags that nobody asks for."""

import asyncio
import logging
from typing import Final, NoReturn

from service.catalogue import Catalogue
from service.clocks.arithmetic import SLACK, Stalls, is_flag_down, next_call
from service.clocks.lease import BEAT, GAP
from service.clocks.referee import Moment
from service.errors import Refused
from service.matches import abort_flagged, flag
from service.observe.figures import FLAGS
from service.store.errors import BadRecord, NoMatch, Stale, StoreGone
from service.store.record import Loaded, MatchRecord
from service.store.store import Store

AT_ONCE: Final = 100
"""Matches that one worker looks at at the same time."""
PATIENCE: Final = 200
"""The shortest time between two looks at a match, in ms."""
LATER: Final = 60_000
"""When to look again at a match whose flag cannot be called, in ms."""
_log: Final = logging.getLogger(__name__)


class ClockSweeper:
    """What one worker does for the clocks of all matches."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self._looks: set[asyncio.Task[None]] = set()
        self._is_away = False

    async def run(self) -> NoReturn:
        """Renew the lease and look at matches, until cancelled. If that fails, it is tried again."""
        try:
            while True:
                begun = self._store.clock()
                await self._beat()
                # After a beat that took long the next one comes at once: how long the stall was shows then.
                if self._store.clock() - begun <= GAP:
                    await asyncio.sleep(BEAT / 1_000)
        finally:
            for look in self._looks:
                look.cancel()
            await asyncio.gather(*self._looks, return_exceptions=True)

    async def _beat(self) -> None:
        try:
            due = await self._store.lease.renew(AT_ONCE - len(self._looks))
        except Exception as error:  # noqa: BLE001 - without it no flag would fall any more
            if not self._is_away:
                fault = None if isinstance(error, StoreGone) else error
                _log.warning("The clocks wait: %s", error, exc_info=fault)
            self._is_away = True
            await asyncio.sleep(BEAT / 1_000)
            return
        self._is_away = False
        for match_id in due:
            look = asyncio.create_task(self.look(match_id), name=f"clock {match_id}")
            self._looks.add(look)
            look.add_done_callback(self._forget)

    def _forget(self, look: asyncio.Task[None]) -> None:
        self._looks.discard(look)
        if not look.cancelled() and (error := look.exception()) is not None:
            _log.error("Looking at a clock failed.", exc_info=error)

    async def look(self, match_id: str) -> None:
        """Call the flag of a match if it is down, and say when to look again."""
        lease = self._store.lease
        now = self._store.clock()
        try:
            rev, record, _ = await self._store.load(match_id)
            await self._judge(rev, record, now)
        except NoMatch:
            await lease.forget(match_id)
        except (BadRecord, Refused) as error:
            _log.error("The flag of the match %s cannot be called: %s", match_id, error)
            await lease.look_at(match_id, now + LATER)
        except (Stale, StoreGone):
            return  # Somebody was faster, or nobody can do anything. It is held back, and comes again.

    async def _judge(self, rev: int, record: MatchRecord, now: int) -> None:
        clock = record.clock
        stalls = await self._store.lease.stalls_for(clock)
        if clock is not None and is_flag_down(clock, now - SLACK, stalls):
            called = await call_flag(self._store, self._catalogue, rev, record, stalls)
            clock = called.record.clock
        call = next_call(clock, now, stalls)
        if call is None:
            await self._store.lease.forget(record.id)
        else:
            await self._store.lease.look_at(record.id, max(call, now + PATIENCE))


async def call_flag(
    store: Store, catalogue: Catalogue, rev: int, record: MatchRecord, stalls: Stalls
) -> Loaded:
    """The match after the flag of the running seat was called.

    Raises Stale, NoMatch, OtherRules, EditionMissing.
    """
    now = store.clock()
    moment = Moment(now, now, stalls)
    control = record.clock and record.clock.control
    if control and control.on_flag == "abort":
        decision = abort_flagged(record, moment)
    else:
        decision = flag(record, catalogue.game_of(record), moment)
    rev = await store.commit(rev, decision.record, decision.events, decision.snapshots)
    FLAGS.labels(record.game).inc()
    _log.info("The match %s: seat %s has run out of time.", record.id, decision.seat)
    return Loaded(rev, decision.record)
