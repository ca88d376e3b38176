"""Section 1 of RULES.md, a test for every paragraph."""

from typing import Any

import msgspec
import pytest

from engine.errors import BadSetup
from engine.game import CHANCE
from engine.opening import check_seats, read_deal, read_options
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.model import Deal, Options, Turn
from tests.engine.torri_di_bologna.positions import (
    DRAW,
    HARD,
    PRESETS,
    builder,
    is_legal,
    is_placing,
    legal,
    opening,
    played,
    position,
)
from tests.engine.torri_di_bologna.randoms import reached


def dealt(seats: int, **options: Any) -> Deal:
    return GAME.deal(read_options(GAME, options), seats, DRAW)


def refusal(seats: int, **options: Any) -> str:
    """The message of the refusal of these options."""
    with pytest.raises(BadSetup) as error:
        dealt(seats, **options)
    return str(error.value)


def test_tb_1_1_two_to_four_players_and_no_chance() -> None:
    for seats in range(2, 5):
        check_seats(GAME, seats)
    for seats in (1, 5):
        with pytest.raises(BadSetup):
            check_seats(GAME, seats)
    states = list(reached(3))
    assert all(GAME.to_move(state) != CHANCE and GAME.odds(state) == () for state in states)
    with pytest.raises(ValueError, match="no chance"):
        GAME.outcome(states[0], DRAW)


def test_tb_1_1_no_deal_for_other_numbers() -> None:
    for seats in (0, 1, 5):
        assert refusal(seats) == f"seats: there is no cord for {seats} seats"
        with pytest.raises(BadSetup, match="no cord"):
            GAME.check_deal(Deal(seats=seats, wall=(".A.G.",)))


def test_tb_1_2_cells_and_orthogonal_neighbours() -> None:
    state = position("2p-quadrato", "c3[0] b3[1] d3[1]", builders="c3 b3")
    assert legal(state) == ["build:c2", "walk:d3", "build:d3", "build:c4"]
    assert not is_legal(state, "build:b2")


@pytest.mark.parametrize(
    ("seats", "rows", "length"),
    [
        (2, ["." * 4] * 6, 20),
        (2, ["." * 5] * 6, 22),
        (3, ["." * 6] * 6, 24),
        (3, ["." * 7] * 6, 26),
        (4, ["." * 7] * 7, 28),
        (4, ["." * 8] * 7, 30),
    ],
)
def test_tb_1_3_the_cord_fits_the_number_of_seats(seats: int, rows: list[str], length: int) -> None:
    assert dealt(seats, wall=rows).seats == seats
    for other in {2, 3, 4} - {seats}:
        assert f"perimeter ({length}" in refusal(other, wall=rows)


def test_tb_1_3_area() -> None:
    assert "area (18 cells, at least 24" in refusal(2, wall=["." * 9] * 2)
    assert dealt(2, wall=["." * 8] * 3).wall == ("........", "..A.G...", "........")


@pytest.mark.parametrize("preset", PRESETS)
def test_tb_1_3_presets(preset: str) -> None:
    bases = "hard" if preset in HARD else "standard"
    assert dealt(int(preset[0]), wall=preset, bases=bases).seats == int(preset[0])
    assert f"{preset} is for" in refusal(2 + (int(preset[0]) - 1) % 3, wall=preset, bases=bases)


def test_tb_1_3_short_rows_are_padded_and_cells_called_as_drawn() -> None:
    deal = dealt(2, wall=["", "#.....", "#.....", "#.A.G.", "#.....", "#.....", "##"])
    assert deal.wall == ("######", "#.....", "#.....", "#.A.G.", "#.....", "#.....", "######")
    state = played(GAME.setup(deal), "place:a", "place:g")
    assert builder(state, 0) == "c4"
    assert legal(state) == ["build:c3", "build:b4", "build:d4", "build:c5"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["....x"] * 5, "'x'"),
        ([".....", ".....", ".A...", ".....", "....."], "or neither"),
        ([".....", ".A.G.", ".A...", ".....", "....."], "or neither"),
        (["." * 27] * 5, "length <= 26"),
        (["....."] * 27, "length <= 26"),
        ([], "length >= 1"),
        (["#####"] * 5, "area (0 cells"),
    ],
)
def test_tb_1_3_drawings_that_are_none(rows: list[str], why: str) -> None:
    assert why in refusal(2, wall=rows)


def test_tb_1_3_the_wall_of_a_match_that_names_none() -> None:
    for seats in GAME.seats:
        assert dealt(seats).wall == dealt(seats, wall=f"{seats}p-quadrato").wall
    assert "2p-gomito" in refusal(2, wall="3p-nowhere")


@pytest.mark.parametrize(
    ("wall", "standard", "hard"),
    [
        ([".....", ".....", ".A.G.", ".....", "....."], True, True),
        ([".....", ".A...", ".....", ".G...", "....."], True, True),
        ([".....", ".G...", ".....", ".A...", "....."], True, True),
        ([".....", ".A...", "...G.", ".....", "....."], False, True),
        (["A....", ".....", ".....", ".....", "....G"], False, True),
        (["A.G..", ".....", ".....", ".....", "....."], False, True),
        ([".....", ".....", ".AG..", ".....", "....."], False, False),
        ([".....", ".....", ".A...", "..G..", "....."], False, False),
    ],
)
def test_tb_1_4_places_of_the_central_towers(wall: list[str], standard: bool, hard: bool) -> None:
    for rule, fits in (("standard", standard), ("hard", hard)):
        if fits:
            assert dealt(2, wall=wall, bases=rule).wall == tuple(wall)
        else:
            assert "no_base_place" in refusal(2, wall=wall, bases=rule)


@pytest.mark.parametrize("rule", ["standard", "hard"])
def test_tb_1_4_unplaced_bases_are_standard(rule: str) -> None:
    assert dealt(2, wall=["....."] * 5, bases=rule).wall == (".....", "..A..", ".....", "..G..", ".....")
    assert dealt(2, wall=["......"] * 5, bases=rule).wall[1:4] == ("..A...", "......", "..G...")
    elbow = ["......", "......", "......", "......", "..####"]
    assert dealt(2, wall=elbow, bases=rule).wall[1:4] == ("......", ".A.G..", "......")


def test_tb_1_5_builders_are_placed_in_turn_order() -> None:
    state = opening(3)
    for seat, base in enumerate("aga"):
        assert is_placing(state)
        assert GAME.to_move(state) == seat
        assert legal(state) == ["place:a", "place:g"]
        state = played(state, f"place:{base}")
    assert state.decision == Turn(0)
    assert [builder(state, seat) for seat in range(3)] == ["b3", "d3", "b3"]


def test_tb_1_6_starting_gold() -> None:
    assert [opening(seats).gold for seats in GAME.seats] == [(0, 0), (0, 0, 1), (0, 0, 1, 2)]


def test_tb_1_7_pieces_and_options() -> None:
    assert Options() == Options(None, "standard", 20, 4, "cap", True)
    state = opening(2, plain=8, battlements=0)
    assert (state.plain, state.battlements) == ((8, 8), (0, 0))
    state = opening(2, plain=30, battlements=8)
    assert (state.plain, state.battlements) == ((30, 30), (8, 8))
    for wrong in (
        {"plain": 7},
        {"plain": 31},
        {"battlements": -1},
        {"battlements": 9},
        {"battlement_mode": "hat"},
    ):
        with pytest.raises(BadSetup):
            read_options(GAME, wrong)


def test_a_deal_can_choose_a_wall_that_the_options_leave_open() -> None:
    deal = read_deal(GAME, {"seats": 2, "wall": [".....", ".....", ".....", ".A.G.", "....."]})
    assert GAME.setup(deal).wall == "...../...../...../.A.G./....."


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"seats": 2, "wall": ["....."] * 5}, "wall"),
        (
            {
                "seats": 2,
                "wall": [".....", ".....", ".A.G.", ".....", "....."],
                "options": {"wall": "2p-gomito"},
            },
            "wall",
        ),
        ({"seats": 2, "wall": [".....", ".....", ".AG..", ".....", "....."]}, "wall"),
        ({"seats": 2, "wall": [".....", ".....", ".A.G.", ".....", "...."]}, "wall"),
        ({"seats": 3, "wall": [".....", ".....", ".A.G.", ".....", "....."]}, "wall"),
        ({"seats": 2}, "deal"),
        ({"seats": 2, "wall": [".A.G."], "options": {"plain": 5}}, "deal.options.plain"),
    ],
)
def test_deals_refused(document: dict[str, Any], where: str) -> None:
    with pytest.raises(BadSetup) as error:
        read_deal(GAME, document)
    assert error.value.where == where


def test_the_schema_of_the_options_says_what_they_are() -> None:
    fields = msgspec.json.schema(Options)["$defs"]["Options"]["properties"]
    assert set(fields) == {"wall", "bases", "plain", "battlements", "battlement_mode", "battlement_income"}
    assert (fields["plain"]["minimum"], fields["plain"]["maximum"]) == (8, 30)
