"""A match: what everybody may know of it, and its position as it stands."""

from typing import Any, Final

import strawberry

from schema.graphql import types
from schema.graphql.context import Context
from schema.graphql.door import Stored
from schema.graphql.position import Position, Table
from schema.graphql.scalars import JSON
from schema.wire_views import MatchSummary, MatchView

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

    @strawberry.field(description="The seat that decides; null at chance, before and after play.")
    def to_move(self) -> int | None:
        table = self.table
        return None if table is None or self.stored.is_over else table.seat

    @strawberry.field(description="The options of the match, as the schema of its game describes them.")
    def options(self) -> JSON:
        return JSON(self.stored.options)
