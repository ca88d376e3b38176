"""A player that takes any legal move, all equally likely."""

from collections.abc import Callable
from typing import Any

from engine.chance import Draw
from engine.match import AnyGame


def choose(game: AnyGame, state: Any, draw: Draw, go_on: Callable[[], bool]) -> tuple[Any, ...]:
    """One legal move."""
    moves = game.legal(state)
    return (moves[draw.below(len(moves), "move")],)
