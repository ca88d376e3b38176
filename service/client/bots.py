"""Bots: functions from a position to moves."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from engine.chance import Draw
from engine.match import AnyGame
from engine.players.roster import PLAYERS


class Position(NamedTuple):
    """What a bot is asked about: the game, its state at a version, and the seat that is to move."""

    game: AnyGame
    state: Any
    version: int
    seat: int

    @property
    def legal(self) -> Sequence[Any]:
        """Every move the seat may choose."""
        return self.game.legal(self.state)


Bot = Callable[[Position], Sequence[Any]]
"""The moves to play now, at least one, all by the seat to move and none behind a roll."""


def engine_bot(name: str, seed: bytes, think: float = 1.0) -> Bot:
    """The player of the engine with this name. Its choices follow from `seed` and the position, unless it
    needs more than `think` seconds for one: then it answers with what it has found."""
    choose = PLAYERS[name]
    draw = Draw(seed)

    def bot(position: Position) -> Sequence[Any]:
        deadline = monotonic() + think
        own = draw.branch("choose", position.seat, position.version)
        return choose(position.game, position.state, own, lambda: monotonic() < deadline)

    return bot
