"""The whole schema: what is committed, and what every game has in it."""

from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType

from engine.match import AnyGame
from engine.registry import GAMES
from schema.graphql import types
from schema.graphql.build import make_schema, printed

SDL = Path(__file__).parents[2] / "schema" / "schema.graphql"
each_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
core = make_schema()._schema


def test_the_sdl_is_committed() -> None:
    assert SDL.read_text() == printed(), "python -m schema graphql > schema/schema.graphql"


def test_everything_is_described() -> None:
    bare = [
        name
        for name, kind in core.type_map.items()
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
        and not name.startswith("__")
        and not kind.description
    ]
    assert bare == []


@each_game
def test_a_game_has_its_state_its_decisions_and_its_moves(game: AnyGame) -> None:
    prefix = types.prefix_of(game)
    state = core.type_map[prefix + game.state_type.__name__]
    union = core.type_map["State"]
    assert isinstance(union, GraphQLUnionType)
    assert state in union.types
    for interface, kinds in (
        ("Move", get_args(game.move_type)),
        ("Decision", get_args(get_type_hints(game.state_type)["decision"])),
        ("Thing", get_args(game.thing_type) or (game.thing_type,)),
    ):
        shared = core.type_map[interface]
        assert isinstance(shared, GraphQLInterfaceType)
        implementing = {kind.name for kind in core.get_possible_types(shared)}
        assert {prefix + kind.__name__ for kind in kinds} <= implementing


@each_game
def test_the_fields_of_a_state_are_described(game: AnyGame) -> None:
    """The SDL is the reference: a front-end is written from it."""
    prefix = types.prefix_of(game)
    own = {
        name: kind
        for name, kind in core.type_map.items()
        if name.startswith(prefix) and isinstance(kind, GraphQLObjectType)
    }
    bare = [
        f"{name}.{field}"
        for name, kind in own.items()
        for field, what in kind.fields.items()
        if not what.description
    ]
    assert bare == []
