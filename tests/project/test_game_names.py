"""A game is one folder and one registry line: no other source file names it."""

import re
from pathlib import Path

from tests.project.sources import MODULES, ROOT, name_of

ENGINE = ROOT / "engine"
FOLDERS = tuple(path.parent for path in sorted(ENGINE.glob("*/model.py")))
NICKNAMES = {"torri_di_bologna": "torri"}


def names_of(game: Path) -> re.Pattern[str]:
    """The game's name in any spelling: as a folder, a slug, a class or a title."""
    name = NICKNAMES.get(game.name, game.name).replace("_", "[-_ ]?")
    return re.compile(name, re.IGNORECASE)


def test_a_game_is_named_in_its_folder_and_the_registry_only() -> None:
    strangers = [path for path in MODULES if path != ENGINE / "registry.py"]
    named = [
        f"{name_of(path)}:{number} {game.name}"
        for game in FOLDERS
        for path in strangers
        if not path.is_relative_to(game)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if names_of(game).search(line)
    ]
    assert named == []
