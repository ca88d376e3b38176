"""A match that was read from the store, as the GraphQL schema sees it."""

from typing import Any, Final

import msgspec

from engine.match import AnyGame
from engine.transcript import write_text
from schema.games import shapes
from schema.wire_views import EditionView, EventPage, Links, MatchSummary, StandingRow
from service.catalogue import rules_of
from service.clocks.arithmetic import Stalls
from service.desk import Desk
from service.languages import Language
from service.routes.common import event_page, position
from service.routes.matches import transcript as transcript_in
from service.store.record import MatchRecord
from service.views import links, match_summary, published_seed, standing_view


class StoredMatch:
    """A record; what it does not hold itself is made when it is asked for. Satisfies `Stored`."""

    __slots__ = ("_desk", "_stalls", "_summary", "record")

    def __init__(self, record: MatchRecord, stalls: Stalls, desk: Desk) -> None:
        self.record: Final = record
        self._stalls: Final = stalls
        self._desk: Final = desk
        self._summary: MatchSummary | None = None

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def version(self) -> int:
        return self.record.version

    @property
    def is_over(self) -> bool:
        return self.record.is_over

    @property
    def summary(self) -> MatchSummary:
        if self._summary is None:
            self._summary = match_summary(self.record, self._stalls)
        return self._summary

    @property
    def rules(self) -> int:
        return self.record.rules

    @property
    def edition(self) -> EditionView:
        return EditionView(self.record.edition_name, self.record.edition_digest)

    @property
    def options(self) -> Any:
        game = rules_of(self.record)
        options = msgspec.json.decode(self.record.options, type=game.options_type)
        return msgspec.to_builtins(shapes(game.slug).options_view(options))

    @property
    def commitment(self) -> str:
        return self.record.commitment

    @property
    def seed(self) -> str | None:
        return published_seed(self.record)

    @property
    def links(self) -> Links:
        return links(self.record.id)

    @property
    def game(self) -> AnyGame:
        return self._desk.catalogue.game_of(self.record)

    @property
    def data(self) -> bytes:
        return self.record.state

    def standing(self, state: Any) -> tuple[StandingRow, ...]:
        return standing_view(self.game.standing(state), self.record.seats, 0).rows

    async def events(self, after: int, first: int, language: Language) -> EventPage:
        return await event_page(self._desk.store, self.record, after, first, language)

    async def transcript(self) -> str:
        return write_text(await transcript_in(self._desk.store, self.record))

    async def state_at(self, version: int) -> bytes:
        return (await position(self._desk, self.record, version)).data
