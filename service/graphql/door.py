"""The service as the GraphQL schema sees it: questions. Satisfies `schema.graphql.door.Door`."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from engine.errors import EngineError
from engine.match import AnyGame, Step, parse_batch
from engine.registry import find_game
from schema.graphql.door import StoredPage
from schema.wire import MatchesQuery
from schema.wire_players import MeView, OwnMatchesQuery, PlayerView, TokenView
from schema.wire_previews import PreviewedEvent, WhyNotView
from schema.wire_views import GameView
from service.accounts.caller import caller_of
from service.accounts.shelf import own_records
from service.accounts.views import me_view, token_list
from service.errors import Refused, failure
from service.graphql.door_tournaments import TournamentDoor
from service.graphql.stored import StoredMatch
from service.languages import Language, wanted
from service.lobby import lobby
from service.matches import state_of
from service.previews import previewed, previewed_events, why_not_view
from service.routes.common import checked_id
from service.routes.players import player_with
from service.store import keys
from service.store.index import write_cursor
from service.store.record import MatchRecord
from service.views import game_view

_OF_EVERY_PROBLEM: Final = frozenset(("type", "title", "status", "detail", "code"))


class NotPlayable(Refused):
    """A move that is none, or not legal, in the words of its game: with the code that the engine gives."""

    def __init__(self, error: EngineError, game: AnyGame, language: Language) -> None:
        found = failure(error, game, language)
        assert found is not None
        told = msgspec.structs.asdict(found.problem)
        kept = {name: value for name, value in told.items() if name not in _OF_EVERY_PROBLEM}
        super().__init__(found.problem.detail, **kept)
        self.code = found.problem.code  # type: ignore[misc]  # there each class has one


class ServiceDoor(TournamentDoor):
    """Questions answered from the store, and what its base does. One serves a whole process."""

    __slots__ = ()

    def language(self, liked: str) -> Language:
        return wanted(liked)

    def games(self, language: Language) -> tuple[GameView, ...]:
        catalogue = self._desk.catalogue
        return tuple(game_view(game, catalogue.editions(game.slug), language) for game in catalogue.games)

    def game(self, slug: str, language: Language) -> GameView:
        catalogue = self._desk.catalogue
        return game_view(catalogue.game(slug), catalogue.editions(slug), language)

    async def player(self, player_id: str) -> PlayerView:
        return await player_with(self._desk.store, player_id)

    async def me(self, token: str | None) -> MeView:
        caller = await caller_of(self._desk.store, token, "read")
        _, _, used = await self._desk.store.players.load(caller.player.id)
        return me_view(caller.player, caller.grant, used.get(caller.grant.id, 0))

    async def tokens(self, token: str | None) -> tuple[TokenView, ...]:
        caller = await caller_of(self._desk.store, token, "account")
        _, player, used = await self._desk.store.players.load(caller.player.id)
        return token_list(player, used).tokens

    async def own_matches(self, token: str | None, query: OwnMatchesQuery) -> StoredPage:
        caller, store = await caller_of(self._desk.store, token, "read"), self._desk.store
        records, following = await own_records(
            store, caller.player.id, query.status, query.cursor, query.limit
        )
        return await self._page(records, following)

    async def match(self, match_id: str) -> StoredMatch:
        _, record, _ = await self._desk.store.load(checked_id(match_id))
        stalls = await self._desk.store.lease.stalls_for(record.clock)
        return StoredMatch(record, stalls, self._desk)

    async def matches(self, query: MatchesQuery) -> StoredPage:
        if query.game is not None:
            find_game(query.game)
        store = self._desk.store
        return await self._page(*await lobby(store, query))

    async def _page(self, records: tuple[MatchRecord, ...], following: str | None) -> StoredPage:
        stalls = await self._desk.store.lease.stalls_for(*(record.clock for record in records))
        found = tuple((_cursor(record), StoredMatch(record, stalls, self._desk)) for record in records)
        return StoredPage(found, following)

    def state(self, game: AnyGame, data: bytes) -> Any:
        return state_of(game, data)

    def tried(
        self, game: AnyGame, state: Any, version: int, moves: Sequence[str], language: Language
    ) -> tuple[Step, ...]:
        try:
            return previewed(game, state, version, parse_batch(game, moves))
        except EngineError as error:
            raise NotPlayable(error, game, language) from None

    def told(
        self, game: AnyGame, state: Any, steps: Sequence[Step], language: Language
    ) -> tuple[PreviewedEvent, ...]:
        return previewed_events(game, state, steps, language)

    def why_not(self, game: AnyGame, state: Any, version: int, move: str, language: Language) -> WhyNotView:
        try:
            (parsed,) = parse_batch(game, (move,))
        except EngineError as error:
            raise NotPlayable(error, game, language) from None
        return why_not_view(game, state, version, parsed, language)


def _cursor(record: MatchRecord) -> str:
    """The cursor of the matches that follow this one in a list."""
    return write_cursor(keys.member(record.created_at, record.id))
