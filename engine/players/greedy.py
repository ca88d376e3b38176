"""A player that looks to the end of its own turn and takes what leaves it best off.

It searches sequences of its own moves, keeping only the few most promising ones of each length, and values
where they lead by the game's `outlook`: its own less the best other's. Rolls are not looked into: a move that
buys one is tried once a turn, not after every other move.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame, is_due

LENGTH: Final = 12
"""Moves of a turn looked at, at most."""


class Breadth(NamedTuple):
    """How widely turns are searched.

    `width` sequences are kept of each length; the search ends when `patience` lengths on end brought nothing
    better: what is given up first may pay later.
    """

    width: int
    patience: int


USUAL: Final = Breadth(width=6, patience=2)


class Line(NamedTuple):
    """A sequence of own moves, where it leads and what that is worth."""

    value: float
    moves: tuple[Any, ...]
    state: Any


def choose(game: AnyGame, state: Any, draw: Draw, go_on: Callable[[], bool]) -> tuple[Any, ...]:
    """The best whole turn found, up to the first roll; at least its first move when the budget runs out."""
    lines = turns(game, state, USUAL, go_on)
    equals = [line.moves for line in lines if line.value == lines[0].value]
    return equals[draw.below(len(equals), "tie")]


def turns(game: AnyGame, state: Any, breadth: Breadth, go_on: Callable[[], bool]) -> list[Line]:
    """Whole turns of the seat to move, up to the first roll, the best first; one for each state they lead to.

    Turns broken off where none was seen to its end.
    """
    seat = game.to_move(state)
    assert seat is not None
    open_lines, bought = [Line(margin(game, state, seat), (), state)], set[Any]()
    ended: list[Line] = []
    top, waited = float("-inf"), 0
    for _ in range(LENGTH):
        longer = [line for start in open_lines for line in _continuations(game, seat, start, bought)]
        ended += [line for line in longer if game.to_move(line.state) != seat or is_due(game, line.state)]
        open_lines = _best((line for line in longer if game.to_move(line.state) == seat), breadth.width)
        reached = max([line.value for line in longer], default=top)
        top, waited = (reached, 0) if reached > top else (top, waited + 1)
        if not open_lines or (ended and waited == breadth.patience) or not go_on():
            break
    return _best(ended or open_lines, len(ended or open_lines))


def margin(game: AnyGame, state: Any, seat: int) -> float:
    """The outlook of `seat` less the best other's."""
    outlook = game.outlook(state)
    return outlook[seat] - max((value for row, value in enumerate(outlook) if row != seat), default=0.0)


def _continuations(game: AnyGame, seat: int, start: Line, bought: set[Any]) -> list[Line]:
    """The line with each move added; moves that buy a roll are noted, and left out once they are."""
    lines: list[Line] = []
    for move in game.legal(start.state):
        if move not in bought:
            after = game.apply(start.state, move)[0]
            value = margin(game, after, seat)
            lines.append(Line(value, (*start.moves, move), after))
            if value < start.value and game.to_move(after) == CHANCE:
                bought.add(move)
    return lines


def _best(lines: Iterable[Line], most: int) -> list[Line]:
    kept: dict[Any, Line] = {}
    for line in sorted(lines, key=lambda line: line.value, reverse=True):
        kept.setdefault(line.state, line)
        if len(kept) == most:
            break
    return list(kept.values())
