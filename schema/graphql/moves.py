"""Moves as they are shown: the fields of the engine's Struct, and the move in notation and in words."""

from functools import cache, lru_cache
from math import gcd
from typing import Annotated, Any, get_args

import msgspec
import strawberry
from msgspec import Struct

from engine.game import CHANCE
from engine.match import AnyGame
from schema.graphql.context import Language

FIELDS = ("notation", "text", "kind")


@strawberry.interface(
    description="A move: an action of a seat, or an outcome of chance. Its type has its fields."
)
class Move:
    """What all moves have."""

    notation: str = strawberry.field(description="The one spelling of the move: what is posted.")
    text: str = strawberry.field(description="The move in words, a sentence.")
    kind: str = strawberry.field(description="The kind of move: the same for all moves of a type.")


@strawberry.type(description="An exact fraction, in lowest terms.")
class Rational:
    """A probability."""

    numerator: int
    denominator: int


@strawberry.type(description="What chance may do, and how likely it is.")
class Outcome:
    """An entry of a chance node."""

    notation: str = strawberry.field(description="The outcome as it is recorded, and as a preview names it.")
    text: str = strawberry.field(description="The outcome in words, a sentence.")
    odds: Rational = strawberry.field(description="Its probability.")
    move: Annotated[Any, "Move"] = strawberry.field(
        description="The outcome with its fields.", graphql_type=Move
    )


@cache
def shown_type(kind: type[Struct]) -> Any:
    """The class of the moves of one kind as they are shown."""
    fields = [(name, Any) for name in (*FIELDS, *kind.__struct_fields__)]
    return msgspec.defstruct(f"Shown{kind.__name__}", fields, module=kind.__module__, frozen=True, gc=False)


def kinds_of(game: AnyGame) -> tuple[type[Struct], ...]:
    """The Structs of a game's moves."""
    return get_args(game.move_type)


@lru_cache(maxsize=16_384)
def shown(game: AnyGame, move: Any, language: Language) -> Any:
    """A move as it is shown. The same moves are legal again and again."""
    kind: Any = type(move)
    values = (getattr(move, name) for name in kind.__struct_fields__)
    return shown_type(kind)(
        game.write(move), game.sentence(move, language.of(game)), kind.__struct_config__.tag, *values
    )


def moves_in(game: AnyGame, state: Any, language: Language) -> tuple[Any, ...]:
    """The legal moves in a state, at chance the outcomes, as they are shown, in their order."""
    return tuple([shown(game, move, language) for move in game.legal(state)])


@lru_cache(maxsize=1_024)
def moves_at(game: AnyGame, data: bytes, language: Language) -> tuple[Any, ...]:
    """The same for an encoded state. The players and all who watch ask for the same ones."""
    return moves_in(game, msgspec.msgpack.decode(data, type=game.state_type), language)


def odds_of(game: AnyGame, state: Any) -> list[Rational]:
    """At chance the probability of each legal move; else nothing."""
    if game.to_move(state) != CHANCE:
        return []
    weights = tuple(game.odds(state))
    total = sum(weights)
    return [
        Rational(numerator=weight // gcd(weight, total), denominator=total // gcd(weight, total))
        for weight in weights
    ]
