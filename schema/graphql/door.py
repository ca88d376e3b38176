"""The door to the service: what the schema asks of it, in values of the engine and of the contract.

Only its asynchronous methods may wait for the store. What they refuse is raised, as on the other door.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from engine.match import AnyGame, Step
from schema.graphql.door_tournaments import TournamentDoor
from schema.operation import Operation
from schema.wire import MatchesQuery
from schema.wire_players import MeView, OwnMatchesQuery, PlayerView, TokenView
from schema.wire_previews import PreviewedEvent, WhyNotView
from schema.wire_views import (
    EditionView,
    EventPage,
    EventView,
    GameView,
    Links,
    MatchSummary,
    Problem,
    StandingRow,
)


class Stored(Protocol):
    """A match as it was when it was read."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def summary(self) -> MatchSummary:
        """What a list tells of it."""
        ...

    @property
    def rules(self) -> int: ...

    @property
    def edition(self) -> EditionView: ...

    @property
    def options(self) -> Any:
        """Its options as they are sent, in values of JSON. Raises OtherRules."""
        ...

    @property
    def commitment(self) -> str: ...

    @property
    def seed(self) -> str | None:
        """Its seed in hex, None as long as it must be secret."""
        ...

    @property
    def links(self) -> Links: ...

    @property
    def game(self) -> AnyGame:
        """Its game, bound to its box. Raises OtherRules, EditionMissing."""
        ...

    @property
    def data(self) -> bytes:
        """Its state, encoded; empty before the start."""
        ...

    def standing(self, state: Any) -> tuple[StandingRow, ...]:
        """The score sheets in a state, with the names of the players. Raises as `game`."""
        ...

    async def events(self, after: int, first: int, language: Any) -> EventPage:
        """The events after a version. Raises OtherRules."""
        ...

    async def transcript(self) -> str:
        """Its transcript as text. Raises MatchNotStarted, OtherRules."""
        ...

    async def state_at(self, version: int) -> bytes:
        """The encoded state at a version. Raises MatchNotStarted, UnknownVersion, and as `game`."""
        ...


class StoredPage(NamedTuple):
    """Some matches with the cursor of each, and the cursor of the next page, None at the end."""

    matches: tuple[tuple[str, Stored], ...]
    next: str | None


class Done(NamedTuple):
    """A change that was carried out: what the service tells of it, the id of the match or tournament that it
    was about, if any, and of the player who wanted it, where that matters."""

    told: Any
    about: str = ""
    player: str = ""


class Door(TournamentDoor, Protocol):
    """The service, as the schema sees it."""

    async def change(
        self,
        operation: Operation,
        path: Mapping[str, str],
        asked: Mapping[str, Any],
        key: str | None,
        context: Any,
    ) -> Done | Problem:
        """What an operation of REST that changes something comes to, with these values for its path and its
        body, under an idempotency key or none."""
        ...

    def match_events(self, match_id: str, after: int, context: Any) -> AsyncIterator[EventView]:
        """Every event of a match after a version, once and in order, until the match is over.

        Raises NoMatch, UnknownVersion, OtherRules.
        """
        ...

    def own_events(self, after: str | None, context: Any) -> AsyncIterator[Struct]:
        """What concerns the player who asks, from a position on: the messages of `wire_players`.

        Raises TokenRequired, WrongToken, UnknownToken, TokenExpired, MissingScope.
        """
        ...

    def language(self, liked: str) -> Any:
        """The language that is liked best of those there are, by what a header `Accept-Language` says."""
        ...

    def games(self, language: Any) -> tuple[GameView, ...]:
        """All games."""
        ...

    def game(self, slug: str, language: Any) -> GameView:
        """The game with this slug. Raises UnknownGame."""
        ...

    async def match(self, match_id: str) -> Stored:
        """The match with this id. Raises NoMatch, MatchExpired."""
        ...

    async def matches(self, query: MatchesQuery) -> StoredPage:
        """Public matches, newest first. Raises UnknownGame, BadCursor."""
        ...

    async def player(self, player_id: str) -> PlayerView:
        """A player as everybody sees it. Raises NoSuchPlayer."""
        ...

    async def me(self, token: str | None) -> MeView:
        """Who asks, by an API token. Raises as `own_events`."""
        ...

    async def own_matches(self, token: str | None, query: OwnMatchesQuery) -> StoredPage:
        """The matches of who asks, newest first. Raises BadCursor, and as `own_events`."""
        ...

    async def tokens(self, token: str | None) -> tuple[TokenView, ...]:
        """The API tokens of who asks. Raises as `own_events`."""
        ...

    def state(self, game: AnyGame, data: bytes) -> Any:
        """The state that the bytes encode."""
        ...

    def tried(
        self, game: AnyGame, state: Any, version: int, moves: Sequence[str], language: Any
    ) -> tuple[Step, ...]:
        """What the moves come to. Raises BadNotation, IllegalMove, MatchOver, each with its index."""
        ...

    def told(
        self, game: AnyGame, state: Any, steps: Sequence[Step], language: Any
    ) -> tuple[PreviewedEvent, ...]:
        """What would be recorded of these steps from a state."""
        ...

    def why_not(self, game: AnyGame, state: Any, version: int, move: str, language: Any) -> WhyNotView:
        """Whether a move is legal, and if not, why. Raises BadNotation."""
        ...
