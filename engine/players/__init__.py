"""Players that come with the engine. They know the protocol and no game.

A player is a function `choose(game, state, draw, go_on)`: the moves to play now, at least one, all by the
seat to move. `draw` is chance of the player's own, made for this one decision; `go_on()` says whether there
is budget left to think.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from engine.chance import Draw
from engine.match import AnyGame
from engine.players.greedy import choose as greedy
from engine.players.random import choose as random

GoOn = Callable[[], bool]


class Choose(Protocol):
    """The signature of a player."""

    def __call__(self, game: AnyGame, state: Any, draw: Draw, go_on: GoOn) -> tuple[Any, ...]: ...


PLAYERS: Final[Mapping[str, Choose]] = {"random": random, "greedy": greedy}
"""Every player by its name."""
