"""Fixed positions of Le Torri di Bologna: the legal moves in their order, and how many sequences follow."""

import json
from pathlib import Path

import pytest

from engine.perft import divide, perft
from engine.torri_di_bologna import GAME
from tests.perft.torri_di_bologna import POSITIONS, position

FILES = sorted(Path(__file__).parent.glob("torri_di_bologna_*.json"))


def test_there_are_positions() -> None:
    assert {path.stem.removeprefix("torri_di_bologna_") for path in FILES} == set(POSITIONS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_legal_moves_and_counts(path: Path) -> None:
    given = json.loads(path.read_text())
    state = position(given["deal"], given["moves"])
    assert [GAME.write(move) for move in GAME.legal(state)] == given["legal"]
    for depth, count in enumerate(given["sequences"], 1):
        assert perft(GAME, state, depth) == count
    parts = divide(GAME, state, 2)
    assert list(parts) == given["legal"]
    assert sum(parts.values()) == given["sequences"][1]
