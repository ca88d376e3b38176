"""Who is to know of a match, players and built-in bots, and what: it follows from the record."""

import asyncio
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from service.accounts import keys
from service.bots import keys as bots
from service.catalogue import rules_of
from service.errors import OtherRules
from service.store.keys import member
from service.store.link import Link, Script
from service.store.record import MatchRecord
from service.tournaments import keys as tournaments

KEPT: Final = 1_000
"""Messages of a player's stream that are kept, about. Who comes back later is told what is pending."""
KEPT_FOR: Final = 30 * 86_400_000
"""How long a player's stream is kept after its last message, in ms."""
REMEMBERED: Final = 86_400_000
"""How long what a player was told of a match outlives the match, in ms."""
_TELL: Final = Script("tell.lua", __package__)
_TURN: Final = Script("turn.lua", bots.__package__)


class Notice(NamedTuple):
    """A player whom a match concerns: in a seat, or invited; `is_mover` if it has to choose."""

    player: str
    is_seated: bool
    is_mover: bool


def is_told(record: MatchRecord) -> bool:
    """Whether somebody is to know of each change."""
    return bool(record.invited) or any(seat.player or seat.bot for seat in record.seats)


def mover_of(record: MatchRecord) -> int | None:
    """The seat that has to choose; None if there is none, or this release does not know."""
    if record.status != "running":
        return None
    try:
        game = rules_of(record)
    except OtherRules:
        return None
    return game.to_move(msgspec.msgpack.decode(record.state, type=game.state_type))


def notices(record: MatchRecord, mover: int | None) -> Iterable[Notice]:
    """One for each player whom the match concerns."""
    seated = {seat.player: number for number, seat in enumerate(record.seats) if seat.player}
    for player, number in seated.items():
        yield Notice(player, is_seated=True, is_mover=number == mover)
    for player in dict.fromkeys(record.invited):
        if player not in seated:
            yield Notice(player, is_seated=False, is_mover=False)


class Notices:
    """What follows from matches for players. Raises StoreGone while the server does not answer."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def tell(self, rev: int, record: MatchRecord, pause: int) -> None:
        """Tell all whom it concerns how a match stands; who knows something newer is told nothing.

        `pause` is for how long the match may stand so at most, in ms.
        """
        if not is_told(record):
            return
        mover = mover_of(record)
        keep = pause + REMEMBERED
        telling = [self._tell(notice, rev, record, keep) for notice in notices(record, mover)]
        if record.tournament:
            channel = tournaments.matches(record.tournament)
            telling.append(self._link.call("PUBLISH", channel, f"{record.id} {record.status}"))
        if any(seat.bot for seat in record.seats):
            telling.append(self._queue(rev, record, mover))
        await asyncio.gather(*telling)

    async def _tell(self, notice: Notice, rev: int, record: MatchRecord, keep: int) -> None:
        player = notice.player
        await self._link.run(
            _TELL,
            (keys.told(player, record.id), keys.events(player), keys.live(player), keys.matches(player)),
            keys.player(player),
            record.id,
            member(record.created_at, record.id),
            rev,
            record.status,
            record.version,
            "seated" if notice.is_seated else "invited",
            record.version if notice.is_mover else "",
            KEPT,
            KEPT_FOR,
            keep,
        )

    async def _queue(self, rev: int, record: MatchRecord, mover: int | None) -> None:
        is_bot = mover is not None and bool(record.seats[mover].bot)
        turn = record.version if is_bot else ""
        changed = "" if record.is_over else record.updated_at
        await self._link.run(_TURN, (bots.KNOWN, bots.CHANGED, bots.TURNS), record.id, rev, turn, changed)
