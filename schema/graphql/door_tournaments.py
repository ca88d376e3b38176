"""The door to tournaments: what the schema asks of the service about them, in values of the contract."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Protocol

from schema.manifest import Manifest
from schema.tournament_record import Record
from schema.wire_tournaments import (
    CrosstableView,
    EntryPage,
    EntryView,
    StandingsView,
    TournamentMatchesQuery,
    TournamentMatchPage,
    TournamentsQuery,
    TournamentSummary,
    TournamentView,
)


class StoredTournament(Protocol):
    """A tournament as it was when it was read, and as it is told to one player or to guests."""

    @property
    def view(self) -> TournamentView:
        """What is told of it first."""
        ...

    @property
    def manifest(self) -> Manifest: ...

    @property
    def record(self) -> Record:
        """All entries, and what is fixed."""
        ...

    async def standings(self) -> StandingsView:
        """Everybody's place so far."""
        ...

    async def crosstable(self) -> CrosstableView:
        """Who has got how much against whom."""
        ...

    async def matches(self, query: TournamentMatchesQuery) -> TournamentMatchPage:
        """Some of its matches, by number."""
        ...

    def entries(self, after: int, first: int) -> EntryPage:
        """So many entries of the record after a number."""
        ...


class TournamentPage(NamedTuple):
    """Some tournaments with the cursor of each, and the cursor of the next page, None at the end."""

    tournaments: tuple[tuple[str, TournamentSummary], ...]
    next: str | None


class TournamentDoor(Protocol):
    """The service, as far as it has tournaments."""

    async def tournaments(self, query: TournamentsQuery) -> TournamentPage:
        """Tournaments, newest first. Raises BadCursor."""
        ...

    async def asking(self, token: str | None) -> str:
        """The id of the player who asks, empty for a guest.

        Raises UnknownToken, TokenExpired, MissingScope.
        """
        ...

    async def tournament(self, tournament_id: str, player: str) -> StoredTournament:
        """The tournament with this id, as the player is told of it. Raises NoSuchTournament."""
        ...

    def tournament_events(self, tournament_id: str, after: int, context: Any) -> AsyncIterator[EntryView]:
        """Every entry of its record after a number, once and in order, until it is over.

        Raises NoSuchTournament.
        """
        ...
