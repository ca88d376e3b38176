"""Between them the committed transcripts show every kind of move, effect, tile, ornament and end."""

from pathlib import Path

import pytest

from engine.transcript import opening, parse_text, replay
from tests.golden.recipe import Recipe
from tests.golden.red_cathedral.features import EVERYTHING, RECIPES, of_step

FILES = sorted(Path(__file__).parent.glob("*.txt"))


def shown(path: Path) -> set[str]:
    """What a transcript shows."""
    transcript = parse_text(path.read_text())
    _, state = opening(transcript)
    found: set[str] = set()
    for step in replay(transcript):
        found |= of_step(state, step)
        state = step.state
    return found


def test_everything_occurs_in_some_transcript() -> None:
    assert set().union(*map(shown, FILES)) == EVERYTHING


def test_there_is_a_file_for_every_recipe() -> None:
    assert {path.stem for path in FILES} == {recipe.name for recipe in RECIPES}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_file_has_the_seats_and_options_of_its_recipe(recipe: Recipe) -> None:
    deal = parse_text((Path(__file__).parent / f"{recipe.name}.txt").read_text()).deal
    assert deal["seats"] == recipe.seats
    for name, value in recipe.options.items():
        given = deal["options"][name]
        assert {key: given[key] for key in value} == value if isinstance(value, dict) else given == value
