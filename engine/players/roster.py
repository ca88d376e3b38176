"""The players there are.

A player is a function `choose(game, state, draw, go_on)`: the moves to play now, at least one, all by the
seat to move and none behind a roll. `draw` is chance of the player's own, made for this one decision;
`go_on()` says whether there is budget left to think.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from engine.chance import Draw
from engine.match import AnyGame
from engine.players import greedy, mcts, random

GoOn = Callable[[], bool]


class Choose(Protocol):
    """The signature of a player."""

    def __call__(self, game: AnyGame, state: Any, draw: Draw, go_on: GoOn) -> tuple[Any, ...]: ...


PLAYERS: Final[Mapping[str, Choose]] = {
    "random": random.choose,
    "greedy": greedy.choose,
    "mcts": mcts.choose,
}
"""Every player by its name."""


def iterations(most: int) -> GoOn:
    """A budget of so many steps of thinking, whatever time they take."""
    left = iter(range(most))
    return lambda: next(left, None) is not None
