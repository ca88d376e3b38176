"""Between them the transcripts show every kind of move, every consequence and every way to end."""

from pathlib import Path
from typing import get_args

from engine.torri_di_bologna.model import Ending
from engine.torri_di_bologna.sentences import CHANGES
from engine.transcript import parse_text, replay
from tests.golden.torri_di_bologna.make import MATCHES

FILES = sorted(Path(__file__).parent.glob("*.txt"))


def test_every_match_has_its_file() -> None:
    assert {path.stem for path in FILES} == {match.name for match in MATCHES}


def test_everything_is_shown() -> None:
    kinds: set[str] = set()
    changes: set[str] = set()
    endings: set[str] = set()
    causes: set[str | None] = set()
    for path in FILES:
        state = None
        for step in replay(parse_text(path.read_text())):
            word, _, rest = step.event.move.partition(":")
            kinds.add(f"{word}:via" if ":via:" in rest else word)
            causes.add(step.event.cause)
            changes |= {change.code for change in step.changes}
            state = step.state
        assert state is not None
        endings.add(state.decision.ending)
    steps = {"walk", "build", "cap"}
    assert kinds == {"place", "pass", "retire"} | steps | {f"{kind}:via" for kind in steps}
    assert causes == {None, "resigned", "flagged", "forfeited"}
    assert endings == set(get_args(Ending))
    assert changes == set(CHANGES)
