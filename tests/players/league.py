"""Very many matches of greedy players against each other or against the game, and what comes of them.

As many as one likes: `python -m tests.players.league SLUG SEATS MATCHES` tells who wins by seat.
"""

import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from typing import Any, NamedTuple

from engine.game import Row
from engine.players.roster import GoOn, iterations
from engine.registry import GAMES
from tests.players.arena import PROCESSES, play_match

PLAYER = "greedy"
QUANTILES = (0, 10, 25, 50, 75, 90, 100)


class Share(NamedTuple):
    """How often a side won, shared victories in parts, with the standard error of that."""

    share: float
    error: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % +- {100 * self.error:.1f}"


def results(slug: str, seats: int, matches: int, **options: Any) -> Iterator[tuple[Row, ...]]:
    """The final standing of each of so many matches, the same ones every time."""
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        asked = (repeat(slug), repeat(seats), range(matches), repeat(options))
        yield from pool.map(_rows, *asked, chunksize=10)


def shares(standings: Sequence[tuple[Row, ...]]) -> list[Share]:
    """By row of the standing: how often it won. Rows that share a victory have a part of it each."""
    won = [[(row.rank == 1) / sum(other.rank == 1 for other in rows) for row in rows] for rows in standings]
    return [Share(statistics.fmean(side), _error(side)) for side in zip(*won, strict=True)]


def balance(slug: str, seats: int, matches: int) -> tuple[list[Share], str]:
    """Who wins by seat, and a line that tells it."""
    won = shares(list(results(slug, seats, matches)))
    told = ", ".join(f"seat {seat} {share}" for seat, share in enumerate(won))
    return won, f"{slug}, {seats} seats, {matches} matches: {told}"


def against_the_game(slug: str, matches: int, **options: Any) -> tuple[Share, list[str]]:
    """How often one greedy player alone wins, and lines with the points of both sides."""
    standings = list(results(slug, 1, matches, **options))
    won = shares(standings)[0]
    chosen = ", ".join(f"{name} {value}" for name, value in options.items())
    lines = [f"{slug}, {chosen}, {matches} matches: {PLAYER} wins {won}"]
    for side, row in enumerate(standings[0]):
        points = [rows[side].total for rows in standings]
        spread = " ".join(f"{quantile(points, percent):>4}" for percent in QUANTILES)
        lines.append(f"  {row.label or PLAYER:<8} mean {statistics.fmean(points):5.1f}, quantiles {spread}")
    return won, lines


def quantile(values: Sequence[int], percent: int) -> int:
    """The value that so many percent of all do not exceed."""
    ordered = sorted(values)
    return ordered[round((len(ordered) - 1) * percent / 100)]


def _rows(slug: str, seats: int, number: int, options: dict[str, Any]) -> tuple[Row, ...]:
    return play_match(GAMES[slug], [PLAYER] * seats, number, _enough, **options).standing.rows


def _enough() -> GoOn:
    """More than greedy can use."""
    return iterations(100)


def _error(values: Sequence[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


if __name__ == "__main__":
    sys.stdout.write(balance(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))[1] + "\n")
