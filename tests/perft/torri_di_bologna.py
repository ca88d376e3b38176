"""Make the fixed positions of Le Torri di Bologna anew: `python -m tests.perft.torri_di_bologna`.

Needed only when the rules or the order of legal moves change on purpose. A position is a deal and the moves
that lead there, one of our transcripts up to a point; recorded are its legal moves in their order and the
number of move sequences of each length.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.opening import read_deal
from engine.perft import perft
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.model import State
from engine.transcript import parse_text

FOLDER = Path(__file__).parent
GOLDEN = FOLDER.parent / "golden" / "torri_di_bologna"
MOST_SEQUENCES = 30_000
"""Lengths are counted as long as there are no more sequences than this, more or less."""

POSITIONS = {
    "start_two": ("two-basic", 0),
    "middle_two": ("two-basic", 45),
    "no_battlements": ("two-drawn-wall", 50),
    "level": ("three-level", 30),
    "last_turns": ("three-level", -4),
    "crowded_four": ("four-without-income", 70),
    "seats_have_left": ("four-all-pass", 15),
    "passes": ("four-all-pass", -2),
}
"""Where a position stands: the transcript and the number of events, from the end if it is negative."""


def main() -> None:
    """Write every position."""
    for name, (file, count) in POSITIONS.items():
        transcript = parse_text((GOLDEN / f"{file}.txt").read_text())
        write(name, transcript.deal, [event.move for event in transcript.events[:count]])


def write(name: str, deal: Mapping[str, Any], moves: Sequence[str]) -> None:
    """One position with what the engine says of it."""
    state = position(deal, moves)
    counts = [1]
    while len(counts) < 5 and counts[-1] <= MOST_SEQUENCES // 20:
        counts.append(perft(GAME, state, len(counts)))
    values = {
        "deal": deal,
        "moves": list(moves),
        "legal": [GAME.write(move) for move in GAME.legal(state)],
        "sequences": counts[1:],
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items())
    (FOLDER / f"torri_di_bologna_{name}.json").write_text(f"{{\n{lines}\n}}\n")


def position(deal: Mapping[str, Any], moves: Sequence[str]) -> State:
    """The state after these moves, each of which must be legal."""
    state = GAME.setup(read_deal(GAME, deal))
    for text in moves:
        if text.startswith("retire:"):
            state, _ = GAME.retire(state, int(text.removeprefix("retire:")))
            continue
        move = GAME.parse(text)
        assert GAME.normal(state, move) == move, text
        state, _ = GAME.apply(state, move)
    return state


if __name__ == "__main__":
    main()
