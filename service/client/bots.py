"""Bots: functions from a position to moves."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from time import monotonic
from typing import Any, Final, NamedTuple

from engine.chance import Draw
from engine.match import AnyGame
from engine.players.roster import PLAYERS

SHARE: Final = 20
"""A bot of the engine takes at most one part in so many of the time it has left for one choice."""


def unlimited() -> float | None:
    """The time left where nobody can run out of it."""
    return None


class Position(NamedTuple):
    """What a bot is asked about: the game, its state at a version, and the seat that is to move.

    `time_left()` is how many seconds the seat has before its time is over, None if it cannot run out; on a
    server the server is asked, each time.
    """

    game: AnyGame
    state: Any
    version: int
    seat: int
    time_left: Callable[[], float | None] = unlimited

    @property
    def legal(self) -> Sequence[Any]:
        """Every move the seat may choose."""
        return self.game.legal(self.state)


Bot = Callable[[Position], Sequence[Any]]
"""The moves to play now, at least one, all by the seat to move and none behind a roll."""

AsyncBot = Callable[[Position], Awaitable[Sequence[Any]]]
"""The same, for a program that does not block."""


def engine_bot(name: str, seed: bytes, think: float = 1.0) -> Bot:
    """The player of the engine with this name. Its choices follow from `seed` and the position, unless it
    needs more than `think` seconds for one, or a twentieth of the time it has left: then it answers with what
    it has found."""
    choose = PLAYERS[name]
    draw = Draw(seed)

    def bot(position: Position) -> Sequence[Any]:
        began = monotonic()
        own = draw.branch("choose", position.seat, position.version)

        @cache
        def deadline() -> float:
            left = position.time_left()
            return began + (think if left is None else min(think, left / SHARE))

        return choose(position.game, position.state, own, lambda: monotonic() < deadline())

    return bot
