"""Fixed positions of The Red Cathedral: the legal moves in their order, and how many sequences follow."""

import json
from pathlib import Path

import pytest

from engine.perft import divide, perft
from engine.red_cathedral import GAME
from tests.perft.red_cathedral import position

FILES = sorted(Path(__file__).parent.glob("red_cathedral_*.json"))


def test_there_are_positions() -> None:
    assert len(FILES) == 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_legal_moves_and_counts(path: Path) -> None:
    given = json.loads(path.read_text())
    state = position(GAME, given["deal"], given["moves"])
    assert [GAME.write(move) for move in GAME.legal(state)] == given["legal"]
    for depth, count in enumerate(given["sequences"], 1):
        assert perft(GAME, state, depth) == count
    parts = divide(GAME, state, 2)
    assert list(parts) == given["legal"]
    assert sum(parts.values()) == given["sequences"][1]
