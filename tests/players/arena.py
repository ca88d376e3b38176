"""Matches between players, in one process or in two."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from typing import Any, NamedTuple

from engine.chance import Draw
from engine.game import Standing
from engine.match import AnyGame, advance, play
from engine.opening import read_options
from engine.players.roster import PLAYERS, GoOn, iterations
from engine.registry import GAMES

PROCESSES = 2
"""Two cores are what is there."""


class Result(NamedTuple):
    """How a match ended, and how many events it took."""

    standing: Standing
    events: int


def play_match(
    game: AnyGame, names: Sequence[str], number: int, budget: Callable[[], GoOn], **options: Any
) -> Result:
    """Match `number` between these players, one a seat; every turn gets a new budget."""
    draw = Draw(f"arena {game.slug} {number}".encode())
    state = game.setup(game.deal(read_options(game, options), len(names), draw))
    version = 0
    steps = advance(game, state, version, draw)
    while True:
        state, version = (steps[-1].state, version + len(steps)) if steps else (state, version)
        seat = game.to_move(state)
        if seat is None:
            return Result(game.standing(state), version)
        moves = PLAYERS[names[seat]](game, state, draw.branch("player", seat, version), budget())
        steps = list(play(game, state, version, seat, moves, draw).steps)


def score(game: AnyGame, first: str, second: str, numbers: range, budget: Callable[[], GoOn]) -> float:
    """Matches won by the first player against the second, seats changing, a shared win for half."""
    won = 0.0
    for number in numbers:
        seats = (first, second) if number % 2 else (second, first)
        ranks = [row.rank for row in play_match(game, seats, number // 2, budget).standing.rows]
        mine = seats.index(first)
        won += 0.5 if ranks[0] == ranks[1] else float(ranks[mine] == 1)
    return won


def long_score(slug: str, first: str, second: str, matches: int, most: int) -> float:
    """The same with a budget of `most` iterations, many matches at a time."""
    asked = (repeat(slug), repeat(first), repeat(second), range(matches), repeat(most))
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        return sum(pool.map(_one, *asked, chunksize=2))


def _one(slug: str, first: str, second: str, number: int, most: int) -> float:
    return score(GAMES[slug], first, second, range(number, number + 1), lambda: iterations(most))
