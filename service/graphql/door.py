"""The service as the GraphQL schema sees it: questions. Satisfies `schema.graphql.door.Door`."""

from typing import Any, Final

from engine.match import AnyGame
from engine.registry import find_game
from schema.graphql.door import StoredPage
from schema.wire import MatchesQuery
from schema.wire_views import GameView
from service.desk import Desk
from service.graphql.stored import StoredMatch
from service.lobby import lobby
from service.matches import state_of
from service.routes.common import checked_id
from service.store import keys
from service.store.index import write_cursor
from service.store.record import MatchRecord
from service.views import game_view


class ServiceDoor:
    """Questions answered from the store. One serves a whole process."""

    __slots__ = ("_desk",)

    def __init__(self, at_desk: Desk) -> None:
        self._desk: Final = at_desk

    def games(self) -> tuple[GameView, ...]:
        catalogue = self._desk.catalogue
        return tuple(game_view(game, catalogue.editions(game.slug)) for game in catalogue.games)

    def game(self, slug: str) -> GameView:
        catalogue = self._desk.catalogue
        return game_view(catalogue.game(slug), catalogue.editions(slug))

    async def match(self, match_id: str) -> StoredMatch:
        _, record, _ = await self._desk.store.load(checked_id(match_id))
        stalls = await self._desk.store.lease.stalls_for(record.clock)
        return StoredMatch(record, stalls, self._desk)

    async def matches(self, query: MatchesQuery) -> StoredPage:
        if query.game is not None:
            find_game(query.game)
        store = self._desk.store
        records, following = await lobby(store, query)
        running = next((record.clock for record in records if record.clock and record.clock.runs_out), None)
        stalls = await store.lease.stalls_for(running)
        found = tuple((_cursor(record), StoredMatch(record, stalls, self._desk)) for record in records)
        return StoredPage(found, following)

    def state(self, game: AnyGame, data: bytes) -> Any:
        return state_of(game, data)


def _cursor(record: MatchRecord) -> str:
    """The cursor of the matches that follow this one in a list."""
    return write_cursor(keys.member(record.created_at, record.id))
