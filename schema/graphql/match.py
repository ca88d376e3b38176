"""A match: what everybody may know of it, and its position as it stands."""

from collections.abc import Hashable
from typing import Annotated, Any, Final

import strawberry

from schema.graphql import types
from schema.graphql.context import Context
from schema.graphql.door import Stored
from schema.graphql.errors import BadArgument
from schema.graphql.position import Position, Table
from schema.graphql.scalars import JSON
from schema.wire import LARGEST_PAGE, LATEST_VERSION
from schema.wire_views import MatchSummary, MatchView

After = Annotated[int, strawberry.argument(description="The version after which to begin.")]
FirstEvents = Annotated[
    int, strawberry.argument(description=f"So many events at most, up to {LARGEST_PAGE}.")
]
_NOT_IN_LISTS: Final = frozenset(MatchView.__struct_fields__) - frozenset(MatchSummary.__struct_fields__)


@strawberry.type(description="A match as it stands.")
class Match(Position, types.MATCH):  # type: ignore[misc]  # its fields are derived
    """A match that was read from the store."""

    def __init__(self, stored: Stored, context: Context) -> None:
        self.stored: Final = stored
        self.context: Final = context
        self._table: Table | None = None

    def __getattr__(self, name: str) -> Any:
        """A derived field: what lists do not tell has the store itself."""
        return getattr(self.stored if name in _NOT_IN_LISTS else self.stored.summary, name)

    @classmethod
    def is_type_of(cls, value: Any, _info: Any) -> bool:
        return type(value) is cls

    @property
    def table(self) -> Table | None:
        """Its position. Raises OtherRules, EditionMissing."""
        if self._table is None and (data := self.stored.data):
            game, door = self.stored.game, self.context.door
            state = door.state(game, data)
            self._table = Table(game, state, self.stored.version, data, self.stored, self.context)
        return self._table

    @property
    def basis(self) -> Hashable | None:
        data = self.stored.data
        return (self.stored.game, data, self.context.language) if data else None

    @strawberry.field(description="The seat that decides; null at chance, before and after play.")
    def to_move(self) -> int | None:
        table = self.table
        return None if table is None or self.stored.is_over else table.seat

    @strawberry.field(description="The options of the match, as the schema of its game describes them.")
    def options(self) -> JSON:
        return JSON(self.stored.options)

    @strawberry.field(
        description="What was recorded after a version, in order: go on with `after: next`.",
        graphql_type=types.EVENT_PAGE,
    )
    async def events(self, after: After = 0, first: FirstEvents = LARGEST_PAGE) -> Any:
        if not 0 <= after <= LATEST_VERSION:
            raise BadArgument("after", "It is a version, and counts from 0.")
        if not 1 <= first <= LARGEST_PAGE:
            raise BadArgument("first", f"1 to {LARGEST_PAGE}.")
        return await self.stored.events(after, first, self.context.language)

    @strawberry.field(description="The match as it was at a version: 0 is the deal.")
    async def at(self, version: int) -> "MatchAt | None":
        data = await self.stored.state_at(version)
        game = self.stored.game
        state = self.context.door.state(game, data)
        return MatchAt(Table(game, state, version, data, self.stored, self.context))

    @strawberry.field(description="The whole match as a text that replays: null before the start.")
    async def transcript(self) -> str | None:
        return await self.stored.transcript() if self.stored.data else None


@strawberry.type(description="A match as it was at a version, where chance has its turns too.")
class MatchAt(Position):
    """A past position, or the present one as it was recorded."""

    def __init__(self, table: Table) -> None:
        self._table: Final = table

    @property
    def table(self) -> Table:
        return self._table

    @property
    def basis(self) -> Hashable:
        return self._table.game, self._table.data, self._table.context.language

    @strawberry.field(description="The version.")
    def version(self) -> int:
        return self._table.version
