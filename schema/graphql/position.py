"""A position, and the move tree below it: what can be asked of any state of any match.

Everything here follows from a state and is worked out when it is asked for; nothing waits for the store.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import strawberry

from engine.game import CHANCE
from engine.match import AnyGame, Step, digest
from engine.speech import Speech
from schema.games import move_kinds, thing_kinds
from schema.graphql import types
from schema.graphql.basis import OF_BASIS
from schema.graphql.context import Context
from schema.graphql.door import Stored
from schema.graphql.errors import BadArgument
from schema.graphql.moves import Move, Outcome, Rational, moves_at, moves_in, odds_of
from schema.graphql.prices import PRICES

Kinds = Annotated[list[str] | None, strawberry.argument(description="Only moves of these kinds.")]
ThingKinds = Annotated[list[str] | None, strawberry.argument(description="Only things of these kinds.")]
Touching = Annotated[
    str | None,
    strawberry.argument(
        description="Only moves that are about this thing on the table, by the name that the game gives it: a"
        " cell or section as in notation (`b3`), other things by kind and name (`die:blue`, `space:3`)."
    ),
]
First = Annotated[int | None, strawberry.argument(description="So many at most.")]
Notation = Annotated[str, strawberry.argument(description="A move in notation.")]
Notations = Annotated[
    list[str],
    strawberry.argument(
        description="Moves in notation, in order. At chance the next one names an outcome; forced moves may"
        " be named or left out."
    ),
]


class Table(NamedTuple):
    """A state of a match at a version. `data` is the state encoded, where it is stored."""

    game: AnyGame
    state: Any
    version: int
    data: bytes | None
    stored: Stored
    context: Context

    @property
    def seat(self) -> int | None:
        """Who decides, None at chance and when it is over."""
        mover = self.game.to_move(self.state)
        return None if mover == CHANCE else mover

    @property
    def is_chance(self) -> bool:
        """Whether an outcome is due."""
        return self.game.to_move(self.state) == CHANCE

    @property
    def speech(self) -> Speech:
        """What the game says, in the language of the request."""
        return self.context.language.of(self.game)

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as they are shown."""
        language = self.context.language
        if self.data is None:
            return moves_in(self.game, self.state, language)
        return moves_at(self.game, self.data, language)

    def chosen(self, kinds: Sequence[str] | None, touching: str | None, first: int | None) -> Sequence[Any]:
        """Some of the legal moves. Raises BadArgument."""
        moves: Sequence[Any] = self.moves
        if touching is not None:
            legal = self.game.legal(self.state)
            about = (self.game.touched(self.state, move) for move in legal)
            moves = [move for move, things in zip(moves, about, strict=True) if touching in things]
        if kinds is not None:
            _check_kinds(kinds, "moves", move_kinds(self.game.slug))
            moves = [move for move in moves if move.kind in kinds]
        if first is not None and first < 0:
            raise BadArgument("first", "It counts from 0.")
        return moves if first is None else moves[:first]

    def after(self, moves: Sequence[str], likelihood: Fraction = Fraction(1)) -> "Preview":
        """What moves would come to. Raises BadNotation, IllegalMove, MatchOver."""
        door, language = self.context.door, self.context.language
        steps = door.tried(self.game, self.state, self.version, moves, language)
        state = steps[-1].state if steps else self.state
        below = Table(self.game, state, self.version + len(steps), None, self.stored, self.context)
        return Preview(self, steps, below, likelihood)


@strawberry.interface(
    description="What lies on the table and what may be done: of a match as it stands, at a past version, or"
    " after moves that nobody has made. Before the start of a match there is nothing yet."
)
class Position:
    """What all positions have. `table` is None before the start."""

    if TYPE_CHECKING:  # an interface of Strawberry cannot be abstract, and every attribute would be a field

        @property
        def table(self) -> Table | None:
            """What is asked about."""
            ...

    @property
    def basis(self) -> Hashable | None:
        """What the fields OF_BASIS follow from: a state that is stored, its game, and a language."""
        return None

    @property
    def likelihood_here(self) -> Fraction:
        """How likely the outcomes are that were named on the way here."""
        return Fraction(1)

    @strawberry.field(description="The seat that decides; null at chance, before and after play.")
    def to_move(self) -> int | None:
        table = self.table
        return None if table is None else table.seat

    @strawberry.field(description="Whether an outcome is due: `legalMoves` are the outcomes then.")
    def is_chance(self) -> bool:
        table = self.table
        return table is not None and table.is_chance

    @strawberry.field(
        description="Everything on the table.", graphql_type=types.STATE | None, metadata=OF_BASIS
    )
    def state(self) -> Any:
        table = self.table
        return None if table is None else table.state

    @strawberry.field(
        description="Everything on the table that has a name, ready to be shown, in a fixed order: what the"
        " ids in `state` stand for.",
        graphql_type=list[types.Thing],
        metadata=OF_BASIS,
    )
    def things(self, kinds: ThingKinds = None) -> Any:
        table = self.table
        if table is None:
            return ()
        found = table.game.things(table.state, table.speech)
        if kinds is None:
            return found
        _check_kinds(kinds, "things", thing_kinds(table.game.slug))
        return [thing for thing in found if thing.__struct_config__.tag in kinds]

    @strawberry.field(description="What is asked now.", graphql_type=types.Decision | None, metadata=OF_BASIS)
    def decision(self) -> Any:
        table = self.table
        return None if table is None else table.state.decision

    @strawberry.field(
        description="Every move that is legal, in a fixed order; at chance every outcome.",
        graphql_type=list[Move],
        metadata=OF_BASIS,
    )
    def legal_moves(self, kinds: Kinds = None, touching: Touching = None, first: First = None) -> Any:
        table = self.table
        return () if table is None else table.chosen(kinds, touching, first)

    @strawberry.field(
        description="The notations of all legal moves, in the same order.",
        graphql_type=list[str],
        metadata=OF_BASIS,
    )
    def legal_notations(self) -> Any:
        table = self.table
        return () if table is None else [move.notation for move in table.moves]

    @strawberry.field(
        description="At chance the probability of each of `legalMoves`, in the same order.", metadata=OF_BASIS
    )
    def odds(self) -> list[Rational]:
        table = self.table
        return [] if table is None else odds_of(table.game, table.state)

    @strawberry.field(
        description="At chance what may happen, and how likely it is; empty else.", metadata=OF_BASIS
    )
    def outcomes(self, first: First = None) -> list[Outcome]:
        table = self.table
        if table is None or not table.is_chance:
            return []
        moves = table.chosen(None, None, first)
        return [
            Outcome(notation=move.notation, text=move.text, odds=odds, move=move)
            for move, odds in zip(moves, odds_of(table.game, table.state), strict=False)
        ]

    @strawberry.field(
        description="The score sheet of each side, as if the match ended here.",
        graphql_type=list[types.STANDING_ROW] | None,
    )
    def standing(self) -> Any:
        table = self.table
        return None if table is None else table.stored.standing(table.state)

    @strawberry.field(description="The table as text, at most 80 columns wide.", metadata=OF_BASIS)
    def picture(self) -> str | None:
        table = self.table
        return None if table is None else table.game.picture(table.state, table.speech)

    @strawberry.field(description="The table as an SVG document.", metadata=OF_BASIS)
    def board(self) -> str | None:
        table = self.table
        return None if table is None else table.game.board(table.state, table.speech)

    @strawberry.field(
        description="SHA-256 (hex) of the state: equal if and only if the states are.", metadata=OF_BASIS
    )
    def digest(self) -> str | None:
        table = self.table
        return None if table is None else digest(table.state)

    @strawberry.field(
        description="Whether a move is legal here, and if not, every condition that it fails, with the rule's"
        " id and the figures, and the legal moves nearest to it.",
        graphql_type=types.WHY_NOT | None,
    )
    def why_not(self, move: Notation) -> Any:
        table = self.table
        if table is None:
            return None
        door, language = table.context.door, table.context.language
        return door.why_not(table.game, table.state, table.version, move, language)

    @strawberry.field(
        description="What moves would come to, made from here by whoever is to move. Nothing is stored, and"
        " nothing is rolled: it goes on to the next choice, or to the next roll. Null before the start."
    )
    def preview(self, moves: Notations) -> "Preview | None":
        table = self.table
        return None if table is None else table.after(moves, self.likelihood_here)

    @strawberry.field(description="What this outcome would come to, at chance.")
    def outcome(self, notation: Notation) -> "Preview | None":
        table = self.table
        if table is None:
            return None
        if not table.is_chance:
            raise BadArgument("notation", "No outcome is due here.")
        return table.after((notation,), self.likelihood_here)

    @strawberry.field(
        description="What each legal move, at chance each outcome, would come to: a tree, level by level."
    )
    def children(
        self, kinds: Kinds = None, touching: Touching = None, first: First = None
    ) -> "list[Preview]":
        table = self.table
        if table is None:
            return []
        moves = table.chosen(kinds, touching, first)
        price = PRICES["children"]
        unforeseen = 0 if first is not None else max(0, len(moves) - price.entries)
        table.context.budget.spend(unforeseen * price.base, f"children of {len(moves)} moves")
        return [table.after((move.notation,), self.likelihood_here) for move in moves]


@strawberry.type(
    description="A position that moves would lead to, and the events that would be recorded on the way."
    " Previews go on from previews, so that a query may have the shape of any move tree."
)
class Preview(Position):
    """The position after some steps from another one."""

    def __init__(self, start: Table, steps: Sequence[Step], table: Table, before: Fraction) -> None:
        self._start = start
        self._steps = steps
        self._table = table
        self._before = before

    @property
    def table(self) -> Table:
        return self._table

    @property
    def likelihood_here(self) -> Fraction:
        states = (self._start.state, *(step.state for step in self._steps))
        found = self._before
        for state, step in zip(states, self._steps, strict=False):
            if step.event.kind == "outcome":
                found *= _odds_of_one(self._table.game, state, step.event.move)
        return found

    @strawberry.field(description="The version that the match would be at.")
    def version(self) -> int:
        return self._table.version

    @strawberry.field(
        description="What would be recorded on the way here from the position above.",
        graphql_type=list[types.PREVIEWED_EVENT],
    )
    def events(self) -> Any:
        context = self._table.context
        return context.door.told(self._table.game, self._start.state, self._steps, context.language)

    @strawberry.field(
        description="How likely the outcomes are, all together, that were named on the way from the match."
    )
    def likelihood(self) -> Rational:
        found = self.likelihood_here
        return Rational(numerator=found.numerator, denominator=found.denominator)


def _check_kinds(kinds: Sequence[str], what: str, known: tuple[str, ...]) -> None:
    for kind in kinds:
        if kind not in known:
            raise BadArgument("kinds", f"The kinds of {what} are {', '.join(known)}.")


def _odds_of_one(game: AnyGame, state: Any, notation: str) -> Fraction:
    """How likely an outcome is in a state at chance."""
    weights = tuple(game.odds(state))
    place = [game.write(outcome) for outcome in game.legal(state)].index(notation)
    return Fraction(weights[place], sum(weights))
