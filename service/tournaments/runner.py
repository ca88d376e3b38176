"""Driving one tournament: what is due is ordered, made, waited for and written down, step by step.

Every step follows from what is stored, and is written only if nobody wrote since it was read. So it does not
matter where a runner is stopped, nor whether another one still believes that it drives the same tournament.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.errors import EngineError
from service.catalogue import Catalogue
from service.errors import Refused
from service.store.errors import Stale
from service.store.store import Store
from service.tokens import Tokens
from service.tournaments.document import Document
from service.tournaments.faults import strikes, struck_out
from service.tournaments.ledger import Ledger
from service.tournaments.matchmaking import match_id_of, match_record
from service.tournaments.news import tell_entrants
from service.tournaments.record import Ended, Entry, Left, MatchOrder, Ordered, Stopped, Voided
from service.tournaments.referee import Referee
from service.tournaments.schedule import due, is_over, room_for
from service.tournaments.store import Standing, Tournaments

AT_ONCE: Final = 50
"""Matches that are looked at, or made, at the same time."""
LOOK_MS: Final = 3_000
"""Time after which everything is looked at, whatever was told."""
EAGER_MS: Final = 1_000
"""Time between two looks at a match that goes on."""
_log: Final = logging.getLogger(__name__)


class Hall(NamedTuple):
    """What a runner works with."""

    store: Store
    tournaments: Tournaments
    tokens: Tokens
    catalogue: Catalogue
    worker: str


class Runner:
    """One tournament, driven by one worker as long as it has the lease."""

    def __init__(self, hall: Hall, tournament_id: str) -> None:
        self._hall = hall
        self._id = tournament_id
        self._standing: Standing
        self._ledger: Ledger
        self._matches: dict[int, str] = {}
        self._released: set[int] = set()
        self._referee = Referee(hall.store, hall.tokens)
        self._touched: set[str] = set()
        self._is_woken = asyncio.Event()
        self._looked_at = 0
        self._round_told = 0

    def wake(self) -> None:
        """Something has happened to the tournament itself."""
        self._is_woken.set()

    def touch(self, match_id: str, is_running: bool) -> None:
        """Something has happened in a match; while it is running that does not need a look at once."""
        self._touched.add(match_id)
        if not is_running:
            self._is_woken.set()

    async def run(self) -> None:
        """Drive it to its end, or until somebody else does. Raises StoreGone, NoSuchTournament, BadRecord."""
        await self._begin()
        while await self._hall.tournaments.lease(self._id, self._hall.worker):
            if self._standing.document.is_over:
                await self._close()
                return
            if not await self._step():
                await self._sleep()
            await self._refresh()

    async def _begin(self) -> None:
        self._standing = await self._hall.tournaments.load(self._id)
        self._ledger = Ledger(self._standing.record)
        await self._find_matches()

    async def _find_matches(self) -> None:
        """Which matches of open orders there are: those that were made before this worker was."""
        ids = {number: self._match_id(number) for number in self._ledger.open}
        heads = await self._hall.store.heads(tuple(ids.values())) if ids else ()
        self._matches = {
            number: match for (number, match), head in zip(ids.items(), heads, strict=True) if head
        }
        self._touched.update(self._matches.values())

    async def _refresh(self) -> None:
        """Know what others have written."""
        before = self._standing
        self._standing = await self._hall.tournaments.load(self._id, before.entries)
        if self._standing.document.has_begun and not before.document.has_begun:
            self._ledger = Ledger(self._standing.record)
            return
        for entry in self._standing.entries[len(before.entries) :]:
            self._take_in(entry)

    async def _step(self) -> bool:
        """Whether something was done, so that there may be more to be done at once."""
        document = self._standing.document
        if document.status not in ("running", "paused"):
            return False
        await self._tell_round()
        if entries := await self._look() or self._struck_out():
            return await self._write(document, entries)
        if is_over(self._ledger):
            return await self._finish()
        if document.status == "paused":
            return False
        if self._is_time_over():
            return await self._write(document, (Stopped(cause="time", at=self._now),))
        if orders := due(self._ledger):
            return await self._write(document, (Ordered(orders=orders, at=self._now),))
        return await self._make_matches()

    async def _tell_round(self) -> None:
        """Tell the entrants that a round is played, once for each."""
        if self._ledger.round_played != self._round_told:
            await tell_entrants(self._hall.store.link, self._id, self._ledger, is_over=False)
            self._round_told = self._ledger.round_played

    @property
    def _now(self) -> int:
        return self._hall.store.clock()

    def _match_id(self, number: int) -> str:
        return match_id_of(self._hall.tokens, self._id, number, self._ledger.voids[number])

    def _struck_out(self) -> tuple[Entry, ...]:
        """Who has more strikes than are allowed is to leave."""
        return tuple(
            Left(entrant=name, cause="struck_out", at=self._now) for name in struck_out(self._ledger)
        )

    def _is_time_over(self) -> bool:
        document = self._standing.document
        duration = getattr(document.manifest.format, "duration_ms", 0)
        return bool(duration) and self._now >= document.started_at + duration

    async def _write(self, document: Document, entries: Sequence[Entry]) -> bool:
        """Whether it was written, and nobody else wrote before."""
        rev = await self._hall.tournaments.commit(self._standing.rev, document, entries)
        if rev is None:
            self._looked_at = 0
            return True  # what others wrote is read, then it is decided anew
        self._standing = Standing(rev, document, (*self._standing.entries, *entries))
        for entry in entries:
            self._take_in(entry)
        await self._release_deals()
        return True

    def _take_in(self, entry: Entry) -> None:
        """Know an entry, whoever wrote it: a match that it is about is not looked after any more."""
        self._ledger.add(entry)
        if isinstance(entry, Ended | Voided):
            self._matches.pop(_order_of(entry), None)

    async def _finish(self) -> bool:
        over = replace(self._standing.document, status="finished", ended_at=self._now)
        done = await self._write(over, ())
        _log.info("The tournament %s is finished.", self._id)
        return done

    async def _look(self) -> tuple[Entry, ...]:
        """What has come of the matches that something has happened in, or of all if that is due."""
        now = self._now
        numbers = self._due_for_a_look(now)
        if not numbers:
            return ()
        self._touched.clear()
        struck = strikes(self._ledger)
        seen = await asyncio.gather(*(self._attend(number, struck) for number in numbers[:AT_ONCE]))
        self._touched.update(self._matches[number] for number in numbers[AT_ONCE:])
        self._looked_at = now
        return tuple(entry for entry in seen if entry is not None)

    def _due_for_a_look(self, now: int) -> tuple[int, ...]:
        if now >= self._looked_at + LOOK_MS:
            return tuple(self._matches)
        return tuple(number for number, match in self._matches.items() if match in self._touched)

    async def _attend(self, number: int, struck: Counter[str]) -> Entry | None:
        """What has come of a match, None if it goes on."""
        order, document = self._ledger.orders[number], self._standing.document
        game = self._hall.catalogue.game(document.manifest.game, document.manifest.edition.digest)
        gone = frozenset(self._ledger.left)
        return await self._referee.attend(self._matches[number], document.manifest, order, game, struck, gone)

    async def _make_matches(self) -> bool:
        """Make the matches for which there is room, in the sequence of their orders."""
        wanted = tuple(room_for(self._ledger, self._matches))[:AT_ONCE]
        made = await asyncio.gather(*(self._make(order) for order in wanted))
        return any(made)

    async def _make(self, order: MatchOrder) -> bool:
        """The match of an order is there, made now or before."""
        document, attempt = self._standing.document, self._ledger.voids[order.number]
        try:
            game = self._hall.catalogue.game(document.manifest.game, document.manifest.edition.digest)
            record = match_record(document, order, attempt, game, self._hall.tokens, self._now)
            await self._hall.store.commit(0, record)
        except Stale:
            pass
        except (Refused, EngineError) as error:
            _log.error("No match can be made in the tournament %s: %s", self._id, error)
            return False
        match_id = self._match_id(order.number)
        self._matches[order.number] = match_id
        self._touched.add(match_id)
        return True

    async def _release_deals(self) -> None:
        """Publish the seeds of the matches of deals that are over."""
        is_over = self._standing.document.is_over
        over = {
            order.deal
            for order in self._ledger.orders.values()
            if order.deal not in self._released and (is_over or self._ledger.is_deal_over(order.deal))
        }
        for deal in sorted(over):
            numbers = [number for number, order in self._ledger.orders.items() if order.deal == deal]
            for number in numbers:
                for attempt in range(self._ledger.voids[number] + 1):
                    match_id = match_id_of(self._hall.tokens, self._id, number, attempt)
                    await self._referee.release(match_id)
            self._released.add(deal)

    async def _close(self) -> None:
        """Leave nothing undone: what is still open is ended, and every seed is published."""
        for match_id in self._matches.values():
            await self._referee.end(match_id)
        await self._release_deals()
        await tell_entrants(self._hall.store.link, self._id, self._ledger, is_over=True)
        await self._hall.tournaments.rest(self._id)
        await self._hall.tournaments.release(self._id, self._hall.worker)

    async def _sleep(self) -> None:
        """Nothing, when something has happened, or when it is time to look."""
        seconds = (EAGER_MS if self._touched else LOOK_MS) / 1_000
        try:
            async with asyncio.timeout(seconds):
                await self._is_woken.wait()
        except TimeoutError:
            return
        finally:
            self._is_woken.clear()


def _order_of(entry: Ended | Voided) -> int:
    return entry.result.order if isinstance(entry, Ended) else entry.order
