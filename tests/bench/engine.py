"""Uniformly random play with the full legal list at each step, in one process."""

import statistics
import time
from collections.abc import Iterator
from typing import Any

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame
from engine.opening import read_options
from engine.registry import GAMES

MATCHES = 20
RUNS = 3
AIM = 20_000


def figures() -> Iterator[str]:
    """For every game and number of seats: events a second, and those by seats alone."""
    yield f"{'game':<20}{'seats':>6}{'events/s':>11}{'of seats/s':>12}{'of the aim':>12}{'events/match':>14}"
    for game in GAMES.values():
        for seats in game.seats:
            starts = [_start(game, seats, number) for number in range(MATCHES)]
            runs = [_run(game, starts) for _ in range(RUNS)]
            events, actions = runs[0][1:]
            seconds = statistics.median(run[0] for run in runs)
            yield (
                f"{game.slug:<20}{seats:>6}{events / seconds:>11,.0f}{actions / seconds:>12,.0f}"
                f"{events / seconds / AIM:>12.2f}{events / MATCHES:>14.0f}"
            )


def _start(game: AnyGame, seats: int, number: int) -> Any:
    return game.setup(game.deal(read_options(game, {}), seats, Draw(b"bench %d" % number)))


def _run(game: AnyGame, starts: list[Any]) -> tuple[float, int, int]:
    """Seconds, events and events by seats of playing a match from each start, the same ones every time."""
    events = actions = 0
    dice = 1
    started = time.perf_counter()
    for start in starts:
        state = start
        while (holder := game.to_move(state)) is not None:
            moves = game.legal(state)
            dice = dice * 48271 % 2_147_483_647
            state, _ = game.apply(state, moves[dice % len(moves)])
            events += 1
            actions += holder != CHANCE
    return time.perf_counter() - started, events, actions
