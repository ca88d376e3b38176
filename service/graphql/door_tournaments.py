"""The service as the GraphQL schema sees it: tournaments."""

from typing import Final

from schema.graphql.door_tournaments import TournamentPage
from schema.manifest import Manifest
from schema.tournament_record import Record
from schema.wire_tournaments import (
    CrosstableView,
    EntryPage,
    StandingsView,
    TournamentMatchesQuery,
    TournamentMatchPage,
    TournamentsQuery,
    TournamentView,
)
from service.accounts.caller import player_or_guest
from service.desk import Desk
from service.graphql.door_play import PlayDoor
from service.tournaments.office import tournaments_of
from service.tournaments.pairings import match_page
from service.tournaments.reading import Reading, reading_of
from service.tournaments.reports import crosstable_view, standings_view
from service.tournaments.store import Standing, checked_id, cursor_of
from service.tournaments.story import entries_after
from service.tournaments.views import shown_record, tournament_summary, tournament_view


class StoredTournament:
    """A tournament that was read from the store. Satisfies `schema.graphql.door_tournaments`."""

    __slots__ = ("_desk", "_player", "_reading", "_standing", "view")

    def __init__(self, reading: Reading, standing: Standing, player: str, desk: Desk) -> None:
        """`player` is who is told of it, empty for a guest."""
        self._reading: Final = reading
        """Shared by all who wait for a table as long as one of them has it."""
        self._standing: Final = standing
        self._player: Final = player
        self._desk: Final = desk
        self.view: Final[TournamentView] = tournament_view(standing, player)

    @property
    def manifest(self) -> Manifest:
        return self._standing.document.manifest

    @property
    def record(self) -> Record:
        return shown_record(self._standing)

    async def standings(self) -> StandingsView:
        return await standings_view(self._standing)

    async def crosstable(self) -> CrosstableView:
        return await crosstable_view(self._standing)

    async def matches(self, query: TournamentMatchesQuery) -> TournamentMatchPage:
        desk = self._desk
        return await match_page(desk.store, desk.tokens, self._standing, self._player, query)

    def entries(self, after: int, first: int) -> EntryPage:
        return entries_after(self._standing, after, first)


class TournamentDoor(PlayDoor):
    """Questions about tournaments, and what its base does. One serves a whole process."""

    __slots__ = ()

    async def tournaments(self, query: TournamentsQuery) -> TournamentPage:
        """Tournaments, newest first. Raises BadCursor."""
        found, following = await tournaments_of(self._desk).page(query)
        listed = tuple((cursor_of(document), tournament_summary(document)) for document in found)
        return TournamentPage(listed, following)

    async def asking(self, token: str | None) -> str:
        """The id of the player who asks, empty for a guest. Raises what `player_or_guest` raises."""
        caller = await player_or_guest(self._desk.store, token, "read")
        return "" if caller is None else caller.player.id

    async def tournament(self, tournament_id: str, player: str) -> StoredTournament:
        """The tournament with this id, as the player is told of it. Raises NoSuchTournament."""
        reading = reading_of(self._desk, checked_id(tournament_id))
        standing, _ = await reading.now()
        return StoredTournament(reading, standing, player, self._desk)
