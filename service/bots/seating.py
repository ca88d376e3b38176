"""Bots take seats: as much as the worker of the bots can play, and as long as there is one."""

from typing import Final

from msgspec import Struct

from engine.match import AnyGame
from schema.wire_players import AddBot, BotSeatedView
from service.accounts.credential import Credential, check_host
from service.bots import keys
from service.bots.errors import NoBots, TooManyBots
from service.clocks.referee import Moment
from service.desk import Deed, Desk
from service.errors import Failure
from service.languages import Language
from service.matches import Decision, free_seat, join
from service.store.record import MatchRecord, SeatRecord
from service.tokens import token_hash
from service.views import match_view

NOT_FINAL: Final = (NoBots, TooManyBots)
IN_PLAY: Final = 600_000
"""In ms: a match in which nothing has happened for longer is no work for the bots, and does not count."""


class SeatBot(Deed):
    """The host of a match has a bot take a seat. Its token is known to whoever has the server's secret."""

    def __init__(self, at_desk: Desk, shown: Credential, asked: AddBot) -> None:
        self._desk = at_desk
        self._shown = shown
        self._asked = asked
        self._game: AnyGame

    def admit(self, record: MatchRecord) -> None:
        check_host(record, self._shown)
        self._game = self._desk.catalogue.game_of(record)

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        seat = free_seat(record, self._asked.seat)
        at, bot = moment.applied, self._asked.player
        await self._check_room(at)
        hashed = token_hash(self._desk.tokens.bot_token(record.id, seat, at))
        return join(record, self._game, seat, SeatRecord(bot, hashed, "", at, bot=bot))

    def tell(self, decision: Decision) -> tuple[Struct, None]:
        return BotSeatedView(decision.seat, match_view(decision.record)), None

    async def explain(self, record: MatchRecord, error: Exception, language: Language) -> Failure | None:
        """None for what may be otherwise the next time."""
        return None if isinstance(error, NOT_FINAL) else await super().explain(record, error, language)

    async def _check_room(self, now: int) -> None:
        """Nothing, if the bots can play one more match. Raises NoBots, TooManyBots."""
        alive, matches = await self._desk.store.link.calls(
            [("EXISTS", keys.ALIVE), ("ZCOUNT", keys.CHANGED, now - IN_PLAY, "+inf")]
        )
        if not alive:
            raise NoBots("Nobody plays for the bots of this service now.")
        most = self._desk.settings.max_bot_matches
        if matches >= most:
            raise TooManyBots(f"The bots play in {most} matches, which is as many as they may.")
