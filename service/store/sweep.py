"""The sweep: repairs listings after a crash, and ends matches that nobody goes on with."""

import asyncio
import logging
import secrets
from typing import Final

from service.store import keys
from service.store.errors import BadRecord, NoMatch, Stale, StoreGone
from service.store.link import Link
from service.store.record import Status, ended
from service.store.store import Store

_BATCH: Final = 500
_log: Final = logging.getLogger(__name__)


class Sweeper:
    """One sweep at the start and one an interval, by one of the workers at a time."""

    def __init__(self, store: Store, link: Link, interval: float) -> None:
        self._store = store
        self._link = link
        self._interval = interval

    async def run(self) -> None:
        """Sweep until cancelled. While the store does not answer, nothing is done and nothing raised.

        A sweep that fails for another reason is logged, and is not the last one.
        """
        is_first = True
        while True:
            try:
                if is_first or await self._is_mine():
                    await self.sweep()
                is_first = False
            except StoreGone:
                _log.warning("No sweep: the store does not answer.")
            except Exception as error:  # noqa: BLE001 - without sweeps nothing is repaired, and nothing ends
                _log.error("A sweep has failed; the next one is in %s s.", self._interval, exc_info=error)
            await asyncio.sleep(self._interval)

    async def sweep(self) -> None:
        """Index every match that waits for it, then look at every match that is due."""
        async for key in self._link.scan(keys.OUTBOX_PATTERN):
            match_id = keys.match_of_outbox(key.decode())
            try:
                await self._store.index.follow(match_id)
            except BadRecord as error:
                _log.error("The match %s is not indexed: %s", match_id, error)
        now = self._store.clock()
        for match_id in await self._store.index.due(now, _BATCH):
            await self._look(match_id, now)

    async def _is_mine(self) -> bool:
        most = int(self._interval * 1_000)
        return await self._link.call("SET", keys.SWEEPING, secrets.token_hex(8), "NX", "PX", most) is not None

    async def _look(self, match_id: str, now: int) -> None:
        index = self._store.index
        try:
            rev, record, _ = await self._store.load(match_id)
        except NoMatch:
            await index.forget(match_id)
            return
        except BadRecord as error:
            _log.error("The match %s is not looked after: %s", match_id, error)
            await index.postpone(match_id, now + 86_400_000)
            return
        due = index.due_at(record)
        if record.is_over or due is None or due > now:
            await index.postpone(match_id, max(due or 0, now + 1_000))
            return
        status: Status = "cancelled" if record.status == "open" else "aborted"
        try:
            await self._store.commit(rev, ended(record, status, now))
        except (Stale, NoMatch):
            return  # Somebody went on with it, or it is gone: the next sweep will see.
        _log.info("The match %s is %s: nobody went on with it.", match_id, status)
