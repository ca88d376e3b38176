"""Make the committed transcripts of a game anew: `python -m tests.golden.make red_cathedral`.

Needed only when the rules or the state change on purpose. The folder's `features` module lists the matches
to make and says what a move shows. Each match is played at random, but by players who take a move that shows
something new whenever there is one; of some tries the one that shows most is kept, then the shortest. The
same engine makes the same files.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import RETIRE, AnyGame, Event, Kind, Step, digest, fold, is_due
from engine.opening import read_options
from engine.registry import find_game
from engine.transcript import Transcript, write_text
from tests.golden.recipe import Recipe

TRIES = 30


class Made(NamedTuple):
    """A match, and what it shows."""

    deal: Any
    steps: list[Step]
    shown: frozenset[str]


def main(folder: str) -> None:
    """Write every transcript of the game; fail if they do not show everything between them."""
    game = find_game(folder.replace("_", "-"))
    features = import_module(f"tests.golden.{folder}.features")
    missing = set(features.EVERYTHING)
    for recipe in features.RECIPES:
        tries = (play(game, features, recipe, number, missing) for number in range(TRIES))
        best = max(tries, key=lambda made: (len(made.shown & missing), -len(made.steps)))
        missing -= best.shown
        path = Path(__file__).parent / folder / f"{recipe.name}.txt"
        path.write_text(write_text(transcript(game, best)))
    if missing:
        sys.exit(f"not shown: {', '.join(sorted(missing))}")


def play(game: AnyGame, features: ModuleType, recipe: Recipe, number: int, missing: set[str]) -> Made:
    """Try `number` of a recipe, by players who look for what is missing."""
    draw = Draw(f"golden {recipe.name} {number}".encode())
    deal = game.deal(read_options(game, recipe.options), recipe.seats, draw)
    state = game.setup(deal)
    steps: list[Step] = []
    shown: set[str] = set()
    while game.to_move(state) is not None:
        leaver = recipe.leaves.get(len(steps))
        if leaver in game.active(state):
            event = Event(len(steps) + 1, "retire", leaver, f"{RETIRE}{leaver}", "resigned")
        else:
            moves = [game.write(move) for move in game.legal(state)]
            new = [text for text in moves if features.of_move(state, text) & (missing - shown)]
            event = next_event(game, state, len(steps) + 1, new or moves, draw)
        (step,) = fold(game, state, (event,))
        shown |= features.of_step(state, step)
        steps.append(step)
        state = step.state
    return Made(deal, steps, frozenset(shown))


def next_event(game: AnyGame, state: Any, version: int, texts: list[str], draw: Draw) -> Event:
    """What chance derives, the forced move, or any of the texts."""
    holder = game.to_move(state)
    if holder == CHANCE:
        return Event(version, "outcome", None, game.write(game.outcome(state, draw)))
    kind: Kind = "forced" if is_due(game, state) else "action"
    return Event(version, kind, holder, texts[draw.below(len(texts), "choice", version)])


def transcript(game: AnyGame, made: Made) -> Transcript:
    """A match as a document."""
    last = made.steps[-1].state
    return Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.to_builtins(made.deal),
        events=tuple(step.event for step in made.steps),
        digest=digest(last),
        ranks=tuple(row.rank for row in game.standing(last).rows),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
