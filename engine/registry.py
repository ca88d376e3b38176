"""The games there are."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from engine.errors import UnknownGame
from engine.match import AnyGame

PACKAGES: Final = (
    "red_cathedral",
    "torri_di_bologna",
)
"""One line a game: its folder, whose `GAME` satisfies the protocol."""


def _registered() -> Mapping[str, AnyGame]:
    games: list[AnyGame] = [import_module(f"engine.{package}").GAME for package in PACKAGES]
    return {game.slug: game for game in games}


GAMES: Final = _registered()
"""Every game by its slug, bound to its built-in box."""


def find_game(slug: str) -> AnyGame:
    """The game with this slug. Raises UnknownGame."""
    try:
        return GAMES[slug]
    except KeyError:
        raise UnknownGame(slug, tuple(GAMES)) from None
