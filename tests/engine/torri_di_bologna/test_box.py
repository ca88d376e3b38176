"""The box: what is in it, that it is checked, and that another one is played with just as well."""

import hashlib
import re
from importlib.resources import files

import pytest

from engine.errors import BadBox, BadSetup
from engine.opening import read_options
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.components import built_in_box
from tests.engine.torri_di_bologna.positions import DRAW, PRESETS

FOLDER = files("engine.torri_di_bologna")
DATA = FOLDER.joinpath("components.toml").read_text()


def changed(old: str, new: str) -> bytes:
    assert old in DATA
    return DATA.replace(old, new, 1).encode()


def test_the_built_in_box() -> None:
    box = built_in_box()
    assert box.edition == GAME.edition
    assert box.edition.digest == hashlib.sha256(DATA.encode()).hexdigest()
    assert set(box.presets) == set(PRESETS)
    assert {seats: cord.colour for seats, cord in box.cords.items()} == {2: "yellow", 3: "green", 4: "blue"}
    figures = {seats: (cord.shortest, cord.longest, cord.area) for seats, cord in box.cords.items()}
    assert figures == {2: (20, 22, 24), 3: (24, 26, 34), 4: (28, 30, 44)}


def test_figures_of_the_rules_are_the_box() -> None:
    """The walls that RULES.md draws side by side are those of the box, cell by cell."""
    figure = re.search(r"```\n(.*?)```", FOLDER.joinpath("RULES.md").read_text(), re.DOTALL)
    assert figure is not None
    drawn = {}
    for group in figure[1].split("\n\n"):
        names, *lines = group.splitlines()
        for name in re.finditer(r"\dp-\w+", names):
            cells = [re.match(r"[^ ]*", line[name.start() :]) for line in lines]
            drawn[name[0]] = tuple(row[0] for row in cells if row and row[0])
    assert drawn == {name: preset.rows for name, preset in built_in_box().presets.items()}


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('edition = "reconstruction-1"', "", "file"),
        ('"reconstruction-1"', '" "', "edition"),
        ('"reconstruction-1"', "7", "edition"),
        ("[0, 0, 1, 2]", "[0, 0, 1]", "starting_gold"),
        ("[0, 0, 1, 2]", "[0, 0, 1, -2]", "starting_gold"),
        ("least = 8", "least = 7", "supply.plain"),
        ("least = 8", "least = 21", "supply.plain"),
        ("most = 8", "most = 9", "supply.battlements"),
        ("most = 8", "most = 3", "supply.battlements"),
        ("least = 0", "fewest = 0", "supply.battlements"),
        ("seats = 2\ncolour", "seats = 3\ncolour", "cords"),
        ("shortest = 20", "shortest = 23", "cords.2"),
        ("area = 24", "area = 0", "cords.2"),
        ('preset = "2p-quadrato"', 'preset = "2p-tondo"', "cords.2"),
        ('preset = "2p-quadrato"', 'preset = "3p-gomito"', "cords.2"),
        ('preset = "4p-quadrato"', 'preset = "4p-gomito"', "cords.4"),
        ("longest = 22", "longest = 20", "presets.2p-ottagono"),
        ('"2p-ottagono"', '"2p-gomito"', "presets"),
        ('name = "2p-ottagono"\nseats = 2', 'name = "2p-ottagono"\nseats = 5', "presets.2p-ottagono"),
        ('".A.G."', '".A..."', "presets.2p-quadrato"),
        ('".A.G."', '"....."', "presets.2p-quadrato"),
        ('".A.G."', '".AG.."', "presets.2p-quadrato"),
        ('".A.G."', '".A.G?"', "presets.2p-quadrato"),
        ('".A.G."', '".A.G"', "presets.2p-quadrato"),
        ('bases = "hard"', 'bases = "soft"', "presets[9].bases"),
    ],
)
def test_a_bad_box_names_the_entry(old: str, new: str, where: str) -> None:
    with pytest.raises(BadBox) as error:
        GAME.with_box(changed(old, new))
    assert error.value.where == where


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"edition = ", b"[]", DATA.encode() + b"\nmore = 1\n"])
def test_no_box_at_all(data: bytes) -> None:
    with pytest.raises(BadBox):
        GAME.with_box(data)


def test_another_box_is_played_with() -> None:
    other = GAME.with_box(
        changed("[0, 0, 1, 2]", "[5, 0, 1, 2]")
        .replace(b"reconstruction-1", b"house")
        .replace(b"most = 30", b"most = 25")
        .replace(b'preset = "2p-quadrato"', b'preset = "2p-gomito"')
    )
    assert other.edition.name == "house"
    assert other.edition.digest != GAME.edition.digest
    state = other.setup(other.deal(read_options(other, {}), 2, DRAW))
    assert state.gold == (5, 0)
    assert state.wall.endswith("##.../##...")
    with pytest.raises(BadSetup, match="plain"):
        other.deal(read_options(other, {"plain": 26}), 2, DRAW)
    assert GAME.deal(read_options(GAME, {"plain": 26}), 2, DRAW).options.plain == 26
