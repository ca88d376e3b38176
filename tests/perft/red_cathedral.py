"""Make the fixed positions of The Red Cathedral anew: `python -m tests.perft.red_cathedral`.

Needed only when the rules or the order of legal moves change on purpose. A position is a deal and the moves
that lead there; recorded are its legal moves in their order and the number of move sequences of each length.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.match import AnyGame
from engine.opening import read_deal
from engine.perft import perft
from engine.red_cathedral import GAME
from engine.transcript import parse_text
from tests.engine.red_cathedral.table import BEGINNER, deal_document

FOLDER = Path(__file__).parent
GOLDEN = FOLDER.parent / "golden" / "red_cathedral"
MOST_SEQUENCES = 15_000
"""Lengths are counted as long as there are no more sequences than this."""

FROM_TRANSCRIPTS = {
    "start_two": ("two-basic-beginner", 0),
    "start_four": ("four-advanced-house-rules", 0),
    "ornaments": ("two-basic-beginner", 212),
    "trade_or_done": ("two-turn-limit", 32),
    "house_rules": ("two-house-rules", 41),
    "advanced": ("two-advanced", 55),
    "seat_has_left": ("four-two-leave", 120),
    "roll_of_three": ("three-basic", 71),
    "ivan_claims": ("solo-hard-advanced", 19),
}
"""Where a position stands: the transcript and the number of events."""

TWO_DELIVERIES = (
    *("move:white", "take:4", "end", "*blue2,white4", "claim:c1:red:up", "end"),
    *("claim:a1:blue:down", "end", "claim:c2:yellow:down", "end"),
    *("claim:b1:red:down", "end", "claim:d1:green:up", "end", "move:yellow"),
)


def main() -> None:
    """Write every position."""
    for name, (file, count) in FROM_TRANSCRIPTS.items():
        transcript = parse_text((GOLDEN / f"{file}.txt").read_text())
        moves = [event.move for event in transcript.events[:count]]
        write(name, transcript.deal, moves)
    cards = ["teamsters3" if card == "teamsters1" else card for card in BEGINNER]
    write("two_deliveries", deal_document(influence=cards), TWO_DELIVERIES)


def write(name: str, deal: Mapping[str, Any], moves: Sequence[str]) -> None:
    """One position with what the engine says of it."""
    state = position(GAME, deal, moves)
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
    (FOLDER / f"red_cathedral_{name}.json").write_text(f"{{\n{lines}\n}}\n")


def position(game: AnyGame, deal: Mapping[str, Any], moves: Sequence[str]) -> Any:
    """The state after these moves, each of which must be legal."""
    state = game.setup(read_deal(game, deal))
    for text in moves:
        if text.startswith("retire:"):
            state, _ = game.retire(state, int(text.removeprefix("retire:")))
            continue
        move = game.parse(text)
        assert game.normal(state, move) == move, text
        state, _ = game.apply(state, move)
    return state


if __name__ == "__main__":
    main()
