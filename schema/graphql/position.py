"""A position, and the move tree below it: what can be asked of any state of any match.

Everything here follows from a state and is worked out when it is asked for; nothing waits for the store.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import strawberry

from engine.game import CHANCE
from engine.match import AnyGame
from schema.games import move_kinds
from schema.graphql import types
from schema.graphql.context import Context
from schema.graphql.errors import BadArgument
from schema.graphql.moves import Move, moves_at, moves_in


class Table(NamedTuple):
    """A state of a match at a version. `data` is the state encoded, where it is stored."""

    game: AnyGame
    state: Any
    version: int
    data: bytes | None
    stored: Any
    context: Context

    @property
    def seat(self) -> int | None:
        """Who decides, None at chance and when it is over."""
        mover = self.game.to_move(self.state)
        return None if mover == CHANCE else mover

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as they are shown."""
        if self.data is None:
            return moves_in(self.game, self.state)
        return moves_at(self.game, self.data)


Kinds = Annotated[list[str] | None, strawberry.argument(description="Only moves of these kinds.")]
First = Annotated[int | None, strawberry.argument(description="So many at most.")]


@strawberry.interface(
    description="What lies on the table and what may be done: of a match as it stands, at a past version, or"
    " after moves that nobody has made. Before the start of a match there is nothing yet."
)
class Position:
    """What all positions have. `table` is None before the start."""

    @property
    def table(self) -> Table | None:
        raise NotImplementedError

    @strawberry.field(description="The seat that decides; null at chance, before and after play.")
    def to_move(self) -> int | None:
        table = self.table
        return None if table is None else table.seat

    @strawberry.field(description="Whether an outcome is due: `legalMoves` are the outcomes then.")
    def is_chance(self) -> bool:
        table = self.table
        return table is not None and table.game.to_move(table.state) == CHANCE

    @strawberry.field(description="Everything on the table.", graphql_type=types.STATE | None)
    def state(self) -> Any:
        table = self.table
        return None if table is None else table.state

    @strawberry.field(description="What is asked now.", graphql_type=types.Decision | None)
    def decision(self) -> Any:
        table = self.table
        return None if table is None else table.state.decision

    @strawberry.field(
        description="Every move that is legal, in a fixed order; at chance every outcome.",
        graphql_type=list[Move],
    )
    def legal_moves(self, kinds: Kinds = None, first: First = None) -> Any:
        table = self.table
        if table is None:
            return ()
        moves = table.moves
        if kinds is not None:
            moves = _of_kinds(table.game, moves, kinds)
        return moves if first is None else moves[: _checked(first)]

    @strawberry.field(
        description="The notations of all legal moves, in the same order.", graphql_type=list[str]
    )
    def legal_notations(self) -> Any:
        table = self.table
        return () if table is None else [move.notation for move in table.moves]


def _of_kinds(game: AnyGame, moves: Sequence[Any], kinds: Sequence[str]) -> tuple[Any, ...]:
    known = move_kinds(game.slug)
    for kind in kinds:
        if kind not in known:
            raise BadArgument("kinds", f"The kinds of moves are {', '.join(known)}.")
    return tuple([move for move in moves if move.kind in kinds])


def _checked(first: int) -> int:
    if first < 0:
        raise BadArgument("first", "It counts from 0.")
    return first
