"""Every committed transcript replays to its digest, move by move, and is written as we write it today."""

from pathlib import Path

import pytest

from engine.registry import GAMES
from engine.transcript import opening, parse_text, replay, write_text

FILES = sorted(Path(__file__).parent.glob("*/*.txt"))


def test_there_are_transcripts_and_they_are_small() -> None:
    assert FILES
    assert sum(path.stat().st_size for path in FILES if path.parent.name == "red_cathedral") < 300_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_replays_to_its_digest_and_ranks(path: Path) -> None:
    transcript = parse_text(path.read_text())
    game, state = opening(transcript)
    assert game is GAMES[path.parent.name.replace("_", "-")]
    for step in replay(transcript):
        state = step.state
    assert len(transcript.digest) == 64
    assert game.to_move(state) is None
    assert transcript.ranks == tuple(row.rank for row in game.standing(state).rows)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_is_written_back_to_the_same_text(path: Path) -> None:
    text = path.read_text()
    assert write_text(parse_text(text)) == text
