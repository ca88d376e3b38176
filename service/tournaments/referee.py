"""The matches of tournaments, looked after: what the judge says is done, until something has come of it."""

import logging
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from engine.match import AnyGame
from service.accounts import keys as players
from service.clocks.referee import Moment
from service.errors import Refused
from service.matches import FORFEITED, Decision, join, leave, state_of
from service.store.errors import MatchExpired, NoMatch, Stale
from service.store.record import MatchRecord, StoredEvent, ended
from service.store.store import Store
from service.tokens import Tokens
from service.tournaments.judge import Case, Count, End, Fill, Judgement, Retire, Void, judge
from service.tournaments.manifest import Manifest
from service.tournaments.matchmaking import with_absent
from service.tournaments.record import Ended, FaultCount, MatchOrder, Voided
from service.tournaments.refusals import refusals

MOST_STEPS: Final = 40
"""What is done to one match in a row at most: as many as it has seats, and as others may forestall."""
LONGEST: Final = 1_000_000
_log: Final = logging.getLogger(__name__)


class Referee:
    """Looks after matches, one at a call. Every method raises StoreGone while the server does not answer."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self._store = store
        self._tokens = tokens

    async def attend(
        self,
        match_id: str,
        manifest: Manifest,
        order: MatchOrder,
        game: AnyGame,
        struck: Mapping[str, int],
        gone: frozenset[str],
    ) -> Ended | Voided | None:
        """What has come of the match, None if it goes on."""
        for _ in range(MOST_STEPS):
            try:
                rev, record, _ = await self._store.load(match_id)
            except (NoMatch, MatchExpired):
                fault = FaultCount(seat=None, fault="server", count=1)
                return Voided(order=order.number, match=match_id, faults=(fault,), at=self._store.clock())
            case = await self._case(record, manifest, order, game)
            judgement = judge(case._replace(struck=struck, gone=gone))
            match judgement:
                case Count(result):
                    return Ended(result=result, at=record.ended_at)
                case Void(faults):
                    return Voided(order=order.number, match=match_id, faults=faults, at=record.ended_at)
                case Fill() | Retire() | End():
                    await self._do(rev, record, game, judgement)
                case _:
                    return None
        return None

    async def end(self, match_id: str) -> None:
        """The match is over, without a result if it was not before."""
        for _ in range(MOST_STEPS):
            try:
                rev, record, _ = await self._store.load(match_id)
                if not record.is_over:
                    await self._store.commit(rev, _without_result(record, self._store.clock()))
            except Stale:
                continue
            except (NoMatch, MatchExpired):
                return
            return

    async def release(self, match_id: str) -> None:
        """The seed of the match may be published, if the match is over."""
        for _ in range(MOST_STEPS):
            try:
                rev, record, _ = await self._store.load(match_id)
                if record.is_withheld:
                    await self._store.commit(rev, replace(record, is_withheld=False))
            except Stale:
                continue
            except (NoMatch, MatchExpired):
                return
            return

    async def _case(self, record: MatchRecord, manifest: Manifest, order: MatchOrder, game: AnyGame) -> Case:
        return Case(
            manifest,
            order,
            game,
            record,
            events=await self._events(record, game),
            refused=await refusals(self._store.link, record.id),
            present=await self._presence(record),
            struck={},
            gone=frozenset(),
            now=self._store.clock(),
        )

    async def _events(self, record: MatchRecord, game: AnyGame) -> tuple[StoredEvent, ...]:
        """All events, where they say something: when it is over, or somebody has left."""
        if record.status == "open":
            return ()
        everybody_plays = record.state and len(game.active(state_of(game, record.state))) == len(record.seats)
        if not record.is_over and everybody_plays:
            return ()
        return await self._store.events(record.id, 0, LONGEST)

    async def _presence(self, record: MatchRecord) -> dict[str, int]:
        """When each player listened last."""
        ids = [seat.player for seat in record.seats if seat.player] if record.status == "running" else []
        if not ids:
            return {}
        found = await self._store.link.calls([("GET", players.present(player)) for player in ids])
        return {player: int(at) for player, at in zip(ids, found, strict=True) if at is not None}

    async def _do(self, rev: int, record: MatchRecord, game: AnyGame, judgement: Judgement) -> None:
        """Do what the judge says, unless somebody else does something first."""
        now = self._store.clock()
        match judgement:
            case Fill(seats):
                decision = self._filled(record, game, seats, now)
            case Retire(seat):
                decision = leave(record, game, seat, FORFEITED, Moment(now, now))
            case _:
                decision = Decision(_without_result(record, now))
        try:
            await self._store.commit(rev, decision.record, decision.events, decision.snapshots)
        except Stale:
            return
        except Refused as error:
            _log.error("The match %s of a tournament cannot be looked after: %s", record.id, error)

    def _filled(self, record: MatchRecord, game: AnyGame, seats: tuple[int, ...], now: int) -> Decision:
        decision = Decision(record)
        for seat in seats:
            decision = join(decision.record, game, seat, with_absent(record, seat, self._tokens, now))
        return decision


def _without_result(record: MatchRecord, at: int) -> MatchRecord:
    return ended(record, "cancelled" if record.status == "open" else "aborted", at)
