"""The shapes of every game's options, deals, moves and states on the wire, made from its types."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

import msgspec

from engine.match import AnyGame
from engine.opening import misfit
from engine.opening import read_options as read_engine_options
from engine.registry import GAMES
from schema.twins import Projection, asked_twin, projection, twin
from schema.wire import with_whole_numbers


class Shapes(NamedTuple):
    """What a game's values look like when sent, and how they are made; clients send `asked_options`."""

    options: Any
    asked_options: Any
    deal: Any
    move: Any
    state: Any
    thing: Any
    options_view: Projection
    move_view: Projection
    state_view: Projection
    thing_view: Projection


@cache
def shapes(slug: str) -> Shapes:
    """The shapes of a registered game; their names begin with its own."""
    game = GAMES[slug]
    options: Any = game.options_type
    state: Any = game.state_type
    prefix = "".join(word.capitalize() for word in slug.split("-"))
    return Shapes(
        options=twin(options, prefix),
        asked_options=asked_twin(options, prefix),
        deal=game.deal_type,
        move=twin(game.move_type, prefix),
        state=twin(state, prefix),
        thing=twin(game.thing_type, prefix),
        options_view=projection(options, prefix),
        move_view=projection(game.move_type, prefix),
        state_view=projection(state, prefix),
        thing_view=projection(game.thing_type, prefix),
    )


def read_options(game: AnyGame, data: Mapping[str, Any]) -> Any:
    """The options of a match as a client spells them; what is absent has its default. Raises BadSetup."""
    kind = shapes(game.slug).asked_options
    try:
        asked = msgspec.convert(with_whole_numbers(data), kind)
        return msgspec.convert(asked, game.options_type, from_attributes=True)
    except msgspec.ValidationError as error:
        raise misfit("options", error, kind) from None


def own_options(game: AnyGame, data: Mapping[str, Any]) -> dict[str, Any]:
    """The same options as the game itself spells them, with all that have their defaults. Raises BadSetup."""
    own: dict[str, Any] = msgspec.to_builtins(read_options(game, data))
    return own


def default_options(game: AnyGame) -> Any:
    """The options of a match for which nothing is chosen."""
    return read_engine_options(game, {})


@cache
def schemas(slug: str) -> dict[str, dict[str, Any]]:
    """JSON Schemas (draft 2020-12) of `options`, `deal`, `move` and `state`."""
    shape = shapes(slug)
    kinds = {"options": shape.asked_options, "deal": shape.deal, "move": shape.move, "state": shape.state}
    return {name: msgspec.json.schema(kind) for name, kind in kinds.items()}


def move_kinds(slug: str) -> tuple[str, ...]:
    """The tags of a game's moves."""
    return tuple(member.__struct_config__.tag for member in get_args(shapes(slug).move))


def thing_kinds(slug: str) -> tuple[str, ...]:
    """The tags of what lies on a game's table."""
    thing = GAMES[slug].thing_type
    return tuple(member.__struct_config__.tag for member in get_args(thing) or (thing,))
