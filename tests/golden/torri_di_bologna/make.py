"""Make the committed transcripts of Le Torri di Bologna anew: `python -m tests.golden.torri_di_bologna.make`.

Needed only when the rules or the state change on purpose. Some matches are written down move by move, because
chance would hardly ever play them; the others are played at random, now and then by a way of one's own.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.chance import Draw
from engine.match import Step, digest, play, retire
from engine.opening import read_options
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import State
from engine.torri_di_bologna.moves import Move, Pass, Place
from engine.torri_di_bologna.routes import is_own
from engine.transcript import Transcript, write_text

FOLDER = Path(__file__).parent
NO_CHANCE = Draw(b"")


class Match(NamedTuple):
    """A match to make: its file, the options, and its moves as far as they are written down."""

    name: str
    seats: int
    options: dict[str, Any]
    script: tuple[str, ...] = ()


CORNER = ["G......", ".......", ".......", "...A...", ".......", ".......", "......."]
ELBOW = ["......", "......", "......", "......", "..####"]

MATCHES = (
    Match("two-basic", 2, {}),
    Match("two-drawn-wall", 2, {"wall": ELBOW, "battlements": 0}),
    Match("three-level", 3, {"wall": "3p-lontane", "bases": "hard", "plain": 10, "battlement_mode": "level"}),
    Match(
        "four-without-income",
        4,
        {"wall": "4p-porta", "plain": 12, "battlements": 8, "battlement_income": False},
    ),
    # Seat 0 spends its gold on fees before seat 1 builds on its tower.
    Match(
        "two-idle",
        2,
        {},
        (
            *(
                "place:a",
                "place:a",
                "build:c3",
                "build:b2",
                "build:b3",
                "walk:d3",
                "walk:b2",
                "walk:c3",
                "walk:c3",
            ),
            *("walk:d3", "walk:b3", "walk:c3", "walk:c3", "build:b3"),
            *("walk:d3", "walk:b2", "walk:c3", "walk:b3") * 4,
        ),
    ),
    Match(
        "three-all-but-one-leave",
        3,
        {"wall": "3p-gomito"},
        (
            *("place:a", "retire:1 resigned", "place:g", "build:b4", "build:e5", "walk:b5", "walk:b5"),
            "retire:2 flagged",
        ),
    ),
    # Seat 1 runs out of gold beside towers with builders on them, seat 0 out of pieces on a lonely tower.
    Match(
        "four-all-pass",
        4,
        {"wall": CORNER, "bases": "hard", "plain": 8},
        (
            *("place:g", "place:g", "place:g", "place:g", "build:b1", "build:a2", "walk:b1", "walk:a2"),
            *("retire:2 resigned", "retire:3 forfeited", "build:c1", "walk:a1", "build:d1", "walk:b1"),
            *("build:e1", "walk:a1", "build:f1", "walk:a2", "build:g1", "walk:a1", "build:g2", "walk:b1"),
            *("build:d4", "walk:a1"),
        ),
    ),
)


def main() -> None:
    """Write every transcript."""
    for match in MATCHES:
        deal = GAME.deal(read_options(GAME, match.options), match.seats, NO_CHANCE)
        steps = scripted(GAME.setup(deal), match) if match.script else random(GAME.setup(deal), match)
        last = steps[-1].state
        document = Transcript(
            game=GAME.slug,
            rules=GAME.rules,
            edition=GAME.edition,
            deal=msgspec.to_builtins(deal),
            events=tuple(step.event for step in steps),
            digest=digest(last),
            ranks=tuple(row.rank for row in GAME.standing(last).rows),
        )
        (FOLDER / f"{match.name}.txt").write_text(write_text(document))


def scripted(state: State, match: Match) -> list[Step]:
    """The match as it is written down; forced moves are added."""
    steps: list[Step] = []
    for line in match.script:
        if line.startswith("retire:"):
            seat, cause = line.removeprefix("retire:").split()
            steps += retire(GAME, state, len(steps), int(seat), cause, NO_CHANCE)
        else:
            steps += moved(state, len(steps), GAME.parse(line))
        state = steps[-1].state
    return steps


def random(state: State, match: Match) -> list[Step]:
    """A match of random moves."""
    steps: list[Step] = []
    while GAME.to_move(state) is not None:
        draw = Draw(f"golden {match.name} {len(steps)}".encode())
        moves = GAME.legal(state)
        move = moves[draw.below(len(moves), "move")]
        steps += moved(state, len(steps), detour(state, move, draw) if draw.below(4, "detour") else move)
        state = steps[-1].state
    return steps


def moved(state: State, version: int, move: Move) -> tuple[Step, ...]:
    """A move of the seat whose turn it is, and what the driver adds."""
    seat = GAME.to_move(state)
    assert seat is not None
    return play(GAME, state, version, seat, [move], NO_CHANCE).steps


def detour(state: State, move: Move, draw: Draw) -> Move:
    """The same move by another way over own towers, if one is found in a few tries."""
    seat = GAME.to_move(state)
    assert seat is not None
    own = [name for cell, name in enumerate(lattice(state.wall).names) if is_own(state, seat, cell)]
    if not own or isinstance(move, Pass | Place):
        return move
    for number in range(30):
        length = 1 + draw.below(2, "length", number)
        via = tuple(own[draw.below(len(own), "via", number, place)] for place in range(length))
        other = GAME.normal(state, type(move)(move.to, via))
        if other is not None and other != move:
            return other
    return move


if __name__ == "__main__":
    main()
