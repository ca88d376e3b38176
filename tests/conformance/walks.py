"""Random walks through matches, reproducible from a number."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame, Event, Kind, Step, fold, is_due
from engine.opening import read_options

MOST_EVENTS = 20_000


class Walk(NamedTuple):
    """A match being walked: where it began and each step."""

    deal: Any
    start: Any
    steps: Iterator[Step]


def random_match(game: AnyGame, seats: int, number: int, **options: Any) -> Walk:
    """Match `number` of uniformly random play, ended by the rules."""
    draw = Draw(f"walk {game.slug} {seats} {number}".encode())
    deal = game.deal(read_options(game, options), seats, draw)
    start = game.setup(deal)
    return Walk(deal, start, _steps(game, start, draw))


def _steps(game: AnyGame, state: Any, draw: Draw) -> Iterator[Step]:
    for version in range(1, MOST_EVENTS):
        holder = game.to_move(state)
        if holder is None:
            return
        if holder == CHANCE:
            event = Event(version, "outcome", None, game.write(game.outcome(state, draw)))
        else:
            moves = game.legal(state)
            kind: Kind = "forced" if is_due(game, state) else "action"
            event = Event(version, kind, holder, game.write(moves[draw.below(len(moves), "walk", version)]))
        (step,) = fold(game, state, (event,))
        state = step.state
        yield step
    raise AssertionError(f"no end after {MOST_EVENTS} events")
