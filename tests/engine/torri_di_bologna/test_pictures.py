"""The table as text and as SVG."""

import re
from xml.etree import ElementTree as ET

import pytest

from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.board import WIDTH, _tag
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import State
from tests.engine.torri_di_bologna import randoms
from tests.engine.torri_di_bologna.positions import DRAW, legal, on_wall, opening, played, position

WIDE = """
edition = "wide"
starting_gold = [0, 0, 1, 2]
cords = [
    { seats = 2, colour = "red", shortest = 20, longest = 60, area = 20, preset = "strip" },
    { seats = 3, colour = "red", shortest = 20, longest = 60, area = 20, preset = "strip3" },
    { seats = 4, colour = "red", shortest = 20, longest = 60, area = 20, preset = "strip4" },
]
presets = [
    { name = "strip", seats = 2, bases = "standard", rows = ["ROW", "BASES", "ROW"] },
    { name = "strip3", seats = 3, bases = "standard", rows = ["ROW", "BASES", "ROW"] },
    { name = "strip4", seats = 4, bases = "standard", rows = ["ROW", "BASES", "ROW"] },
]
supply = { plain = { least = 8, most = 30 }, battlements = { least = 0, most = 8 } }
""".replace("ROW", "." * 24).replace("BASES", "...A.G" + "." * 18)

SVG = "{http://www.w3.org/2000/svg}"


def drawn(state: State) -> ET.Element:
    """The board, read as XML."""
    return ET.fromstring(GAME.board(state))  # noqa: S314 it is our own document


def test_a_picture() -> None:
    state = position(
        "2p-quadrato",
        "a1[0] b1[0,1] c1[1,0,0!] b3[0,1,1] e5[1,1!]",
        builders="b1 b3",
        gold=(2, 11),
        battlements={1: 0},
        turns_left=2,
    )
    assert GAME.picture(state).splitlines() == [
        "Turn of seat 0. Turns left, this one included: 2.",
        "",
        "   a      b      c      d      e",
        " 1 0/1    1/2*   0/2!   .      .",
        " 2 .      .      .      .      .",
        " 3 .      A-/3!* .      G-/0!  .",
        " 4 .      .      .      .      .",
        " 5 .      .      .      .      1/1!",
        "",
        "owner/pieces, ! finished, * builder, . free, A Asinelli, G Garisenda, - nobody",
        "",
        "seat  gold  plain  battlements  builder",
        "   0     2     16            3  b1",
        "   1    11     15            0  b3",
        "",
        "towers a1[0] b1[0,1] c1[1,0,0!] b3[0,1,1] e5[1,1!]",
    ]


def test_a_picture_of_the_opening_and_of_the_end() -> None:
    state = on_wall("2p-ottagono")
    assert GAME.picture(state).startswith("Seat 0 puts its builder on a central tower.")
    assert " 1        .      .      .\n" in GAME.picture(state)
    state = GAME.retire(played(state, "place:a", "place:a"), 0)[0]
    assert GAME.picture(state).startswith("Over, with one seat left.")


def states() -> list[State]:
    return [*map(randoms.thrown, range(60)), *list(randoms.reached(7))[::9], opening(4), *over()]


def over() -> list[State]:
    state = opening(2)
    return [GAME.retire(state, seat)[0] for seat in range(2)]


def test_pictures_fit_eighty_columns() -> None:
    for state in states():
        assert max(map(len, GAME.picture(state).splitlines())) <= 80
    tall = position("2p-quadrato", f"b3[{','.join('01' * 40)}] a1[0]", builders="a1 b3", plain={0: 0, 1: 0})
    assert max(map(len, GAME.picture(tall).splitlines())) <= 80
    assert "A1/80*" in GAME.picture(tall)


def test_a_wall_too_wide_for_the_picture_is_shown_in_bands() -> None:
    game = GAME.with_box(WIDE.encode())
    state = game.setup(game.deal(game.options_type(), 2, DRAW))
    lines = game.picture(state).splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.startswith("   ") and line.strip()[:1] in "alw"] == [
        "a",
        "l",
        "w",
    ]
    assert len(list(drawn(state).iter(f"{SVG}g"))) == 72


def test_a_board_marks_every_legal_move_once() -> None:
    for state in states():
        root = drawn(state)
        marked = [text for group in root.iter(f"{SVG}g") for text in group.get("data-move", "").split()]
        assert sorted(marked) == sorted(text for text in legal(state) if text != "pass")
        cells = [group.get("data-cell") for group in root.iter(f"{SVG}g")]
        assert tuple(cells) == lattice(state.wall).names
        for group in root.iter(f"{SVG}g"):
            for text in group.get("data-move", "").split():
                assert text.split(":")[1] in (group.get("data-cell"), "a", "g")


def test_a_board_is_a_phone_wide_and_everything_lies_on_it() -> None:
    for state in states():
        root = drawn(state)
        left, top, width, height = map(float, root.get("viewBox", "").split())
        assert (left, top, width) == (0, 0, WIDTH)
        assert 300 < height < 800
        for shape in root.iter(f"{SVG}rect"):
            x, y = float(shape.get("x", 0)), float(shape.get("y", 0))
            assert 0 <= x <= x + float(shape.get("width", 0)) <= width
            assert 0 <= y <= y + float(shape.get("height", 0)) <= height
        for text in root.iter(f"{SVG}text"):
            assert 0 <= float(text.get("x", -1)) <= width
            assert 0 <= float(text.get("y", -1)) <= height


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_builders_of_a_cell_stand_in_it_beside_its_number(seats: int) -> None:
    state = played(opening(seats), *["place:a"] * seats)
    ground = lattice(state.wall)
    groups = {group.get("data-cell"): group for group in drawn(state).iter(f"{SVG}g")}
    group = groups[ground.names[ground.asinelli]]
    box = group.find(f"{SVG}rect")
    assert box is not None
    x, y, side = (float(box.get(name, 0)) for name in ("x", "y", "width"))
    discs = list(group.iter(f"{SVG}circle"))
    assert len(discs) == seats
    for disc in discs:
        middle, height, radius = (float(disc.get(name, 0)) for name in ("cx", "cy", "r"))
        assert x + 0.65 * side < middle - radius
        assert middle + radius < x + side
        assert y < height - radius
        assert height + radius < y + side


class Hidden:
    """A language without a letter."""

    def say(self, english: str) -> str:
        return re.sub(r"(?<![{\w])[A-Za-z]+(?![\w}])", "_", english)

    def count(self, one: str, many: str, n: int) -> str:
        return self.say(many)


def test_pictures_and_boards_say_nothing_but_in_the_language() -> None:
    closed = position("2p-quadrato", "a1[0] b3[0,1] e5[1,1!]", builders="a1 b3", plain={0: 0})
    for state in (opening(3), *over(), closed):
        root = ET.fromstring(GAME.board(state, Hidden()))  # noqa: S314 it is our own document
        told = [text.text or "" for name in ("text", "title") for text in root.iter(f"{SVG}{name}")]
        said = " ".join((*told, GAME.picture(state, Hidden())))
        assert set(re.findall("[A-Za-z]{2,}", said)) <= {"Torre", "degli", "Asinelli", "della", "Garisenda"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_board_tells_seats_by_pattern_and_digit(seats: int) -> None:
    row = " ".join(f"{'abcd'[seat]}1[{seat}]" for seat in range(seats))
    builders = " ".join(f"{'abcd'[seat]}1" for seat in range(seats))
    root = drawn(position(f"{seats}p-quadrato", row, builders=builders))
    strokes = {pattern.get("id"): pattern[1].get("d") for pattern in root.iter(f"{SVG}pattern")}
    assert len(set(strokes.values())) == 4
    for seat, group in zip(range(seats), root.iter(f"{SVG}g"), strict=False):
        assert any(shape.get("fill") == f"url(#seat{seat})" for shape in group.iter(f"{SVG}rect"))
        assert str(seat) in [text.text for text in group.iter(f"{SVG}text")]
        title = group.find(f"{SVG}title")
        assert title is not None
        assert title.text == f"{'abcd'[seat]}1, from the bottom {seat}, builder of seat {seat}"


def test_markup_is_escaped() -> None:
    assert _tag("a", data_x="\"<&'") == '<a data-x="&quot;&lt;&amp;&#x27;"/>'


def test_the_battlements_of_a_seat_are_counted() -> None:
    board = GAME.board(position("2p-quadrato", "", builders="b3 d3", gold=(2, 11), battlements={0: 1, 1: 2}))
    assert "2 gold, 20 plain, 1 battlement<" in board
    assert "11 gold, 20 plain, 2 battlements<" in board
