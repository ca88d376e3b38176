"""The worked examples of section 7 of RULES.md, number by number."""

import pytest

from engine.errors import BadSetup
from engine.opening import read_options
from engine.perft import perft
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.legal import level_limit
from engine.torri_di_bologna.model import Over
from tests.engine.torri_di_bologna.positions import (
    DRAW,
    is_legal,
    legal,
    on_wall,
    opening,
    played,
    position,
    tower,
)


def test_t1_the_first_moves() -> None:
    state = played(on_wall("2p-quadrato"), "place:a", "place:a")
    assert legal(state) == ["build:b2", "build:a3", "build:c3", "build:b4"]
    state = played(state, "build:c3")
    assert state.gold == (2, 0)
    assert legal(state) == ["build:b2", "build:a3", "build:b4"]
    state = played(state, "build:b2")
    assert state.gold == (2, 2)
    assert legal(state) == ["build:c2", "walk:b3", "build:b3", "walk:d3", "build:d3", "build:c4"]
    state = played(state, "build:d3")
    assert state.gold == (2, 2)
    assert level_limit(state) == 1
    assert legal(state) == ["build:b1", "build:a2", "build:c2", "walk:b3", "build:b3", "walk:d3"]
    assert played(state, "walk:d3").gold == (3, 1)


def test_t2_the_lower_central_tower_limits_the_others() -> None:
    stacks = "b3[0] a1[0] b1[0] e5[1]"
    low = position("2p-quadrato", stacks, builders="a1 e5")
    assert level_limit(low) == 1
    assert not is_legal(low, "build:b1")
    high = position("2p-quadrato", f"{stacks} d3[1]", builders="a1 e5")
    assert level_limit(high) == 2
    assert is_legal(high, "build:b1")


@pytest.mark.parametrize(("before", "after"), [((0, 1), (1, 0)), ((0, 0), (0, 0))])
def test_t3_building_on_another_players_top(before: tuple[int, int], after: tuple[int, int]) -> None:
    state = position("2p-quadrato", "b3[0] d3[1] a1[0] b1[1]", builders="a1 d3", gold=before)
    assert played(state, "build:b1").gold == after


def test_t4_a_gold_for_each_builder() -> None:
    stacks = "a1[0] b1[1] b3[0] d3[1]"
    rich = position("3p-quadrato", stacks, builders="a1 b1 b1", gold=(2, 0, 0))
    assert is_legal(rich, "walk:b1")
    assert played(rich, "walk:b1").gold == (0, 1, 1)
    poor = position("3p-quadrato", stacks, builders="a1 b1 b1", gold=(1, 0, 0))
    assert not is_legal(poor, "walk:b1")
    richest = position("3p-quadrato", stacks, builders="a1 b1 b1", gold=(9, 0, 0))
    for state in (rich, poor, richest):
        assert not is_legal(state, "build:b1")
        assert not is_legal(state, "cap:b1")


@pytest.mark.parametrize(
    ("gold", "top", "after"),
    [((3, 0), 0, (1, 0)), ((3, 2), 1, (1, 1)), ((3, 0), 1, (0, 0)), ((2, 5), 1, None)],
)
def test_t5_the_price_of_a_battlement(gold: tuple[int, int], top: int, after: tuple[int, int] | None) -> None:
    state = position("2p-quadrato", f"b3[0] d3[1] a1[0] b1[0,{top}]", builders="a1 e5", gold=gold)
    assert is_legal(state, "cap:b1") == (after is not None)
    if after is not None:
        assert played(state, "cap:b1").gold == after


def test_t6_a_route_that_costs_a_fee() -> None:
    stacks = "a1[1] b1[0] c1[0] e5[1]"
    state = position("2p-quadrato", stacks, builders="a1 b1", gold=(1, 0))
    assert legal(state) == [
        *("walk:b1", "walk:c1", "build:d1", "build:a2", "build:b2", "build:c2"),
        *("walk:b3", "build:b3", "walk:d3", "build:d3"),
    ]
    assert played(state, "build:d1").gold == (2, 1)
    state = position("2p-quadrato", stacks, builders="a1 b1", gold=(0, 0))
    assert legal(state) == ["build:a2", "walk:b3", "build:b3", "walk:d3", "build:d3"]


def test_t7_a_central_tower_as_a_hub() -> None:
    state = position("2p-quadrato", "e5[0] b3[1,0] e1[1]", builders="e5 e1")
    assert legal(state) == [
        *("build:b2", "build:a3", "walk:b3", "build:b3", "build:c3", "walk:d3", "build:d3"),
        *("build:b4", "build:e4", "build:d5"),
    ]


def test_t8_leaving_a_central_tower() -> None:
    def with_towers(more: str) -> list[str]:
        return legal(position("2p-quadrato", f"e1[1] {more}", builders="b3 e1"))

    assert with_towers("") == ["build:b2", "build:a3", "build:c3", "build:b4"]
    assert with_towers("a3[0]") == [
        *("build:a2", "build:b2", "walk:a3", "build:c3", "walk:d3", "build:d3", "build:a4", "build:b4"),
    ]
    assert with_towers("a3[1]") == ["build:b2", "walk:a3", "build:c3", "build:b4"]


def test_t9_a_finished_tower_is_crossed() -> None:
    state = position("2p-quadrato", "a1[1] b1[0,0!] e5[1]", builders="a1 e5")
    assert is_legal(state, "walk:b1")
    assert not is_legal(state, "build:b1")
    assert is_legal(state, "build:c1")
    assert is_legal(state, "build:b2")


@pytest.mark.parametrize(
    ("seats", "turns"), [(2, (3, 2)), (3, (5, 4, 3)), (4, (7, 6, 5, 4))], ids=["two", "three", "four"]
)
def test_t10_turns_after_the_trigger(seats: int, turns: tuple[int, ...]) -> None:
    for seat, more in enumerate(turns):
        stacks = " ".join(
            f"{cell}[{who}]" for cell, who in zip(("a1", "b1", "c1", "d1"), range(seats), strict=False)
        )
        builders = " ".join(("a1", "b1", "c1", "d1")[:seats])
        state = position(f"{seats}p-quadrato", stacks, builders=builders, seat=seat, plain={seat: 1})
        state = played(state, next(text for text in legal(state) if text.startswith("build:")))
        assert state.turns_left == more
        for _ in range(more):
            assert not isinstance(state.decision, Over)
            state = GAME.apply(state, GAME.legal(state)[0])[0]
        assert state.decision == Over("extra_round")


def test_t11_the_last_plain_piece_on_a_central_tower() -> None:
    state = position("2p-quadrato", "c3[0] b3[1] e5[1]", builders="c3 e5", plain={0: 1})
    state = played(state, "build:b3")
    assert tower(state, "b3") == (1, 0)
    assert state.gold == (0, 0)
    assert state.is_closed
    assert state.turns_left == 3
    assert not {"build:b3", "build:d3"} & set(legal(state))


def test_t12_a_whole_score_sheet() -> None:
    state = position(
        "3p-quadrato",
        "a1[0,1,0] a2[1] a3[0,0,1,2!] f1[2,2,2!] f2[0] b3[0,0,1,1] d3[0,0,2,2,1,1]",
        builders="a1 a2 f1",
        gold=(5, 3, 0),
    )
    rows = GAME.standing(state).rows
    assert [row.scores["control"] for row in rows] == [4, 2, 4]
    assert [row.scores["levels"] for row in rows] == [5, 4, 5]
    assert [row.scores["central"] for row in rows] == [8, 4, 4]
    assert [row.scores["gold"] for row in rows] == [5, 3, 0]
    assert [row.total for row in rows] == [22, 13, 13]
    assert [row.rank for row in rows] == [1, 2, 3]


@pytest.mark.parametrize(
    ("asinelli", "garisenda", "points"),
    [
        ("0,0", "0,0", [8, 0, 0]),
        ("0,0,1,1", "0,0,2,2,1,1", [8, 4, 4]),
        ("0,0,0", "1,0", [8, 2, 0]),
        ("0,1,0", "1,0,1", [2, 2, 0]),
        ("0", "", [2, 0, 0]),
    ],
)
def test_t13_central_groups(asinelli: str, garisenda: str, points: list[int]) -> None:
    stacks = f"b3[{asinelli}]" + (f" d3[{garisenda}]" if garisenda else "")
    state = position("3p-quadrato", stacks, builders="b3 b3 b3")
    assert [row.scores["central"] for row in GAME.standing(state).rows] == points


def test_t14_an_automatic_pass() -> None:
    state = position("2p-quadrato", "e1[1]", builders="b3 e1", plain={0: 0})
    assert legal(state) == ["pass"]
    assert GAME.forced(state) == GAME.parse("pass")


@pytest.mark.parametrize(
    ("seats", "places", "counts"),
    [
        (2, "aa", [4, 12, 78, 458]),
        (2, "ag", [4, 15, 98, 580]),
        (3, "aaa", [4, 12, 48, 312]),
        (4, "aaaa", [4, 12, 48, 192]),
    ],
)
def test_t15_move_tree_sizes(seats: int, places: str, counts: list[int]) -> None:
    state = played(on_wall(f"{seats}p-quadrato"), *(f"place:{base}" for base in places))
    assert [perft(GAME, state, depth) for depth in range(1, 5)] == counts


NECK = ["....#....", "....#....", ".........", "....#....", "....#...."]
CORNER = [
    ".....####",
    ".....####",
    ".....####",
    ".....####",
    "#####....",
    "#####....",
    "#####....",
    "#####....",
]
ONE_EDGE = ["....####", "....####", "....####", "....####", "###.....", "###.....", "###.....", "###....."]
RING = ["........", "........", "........", "...#....", "........", "........", "........"]
TOUCH = ["##.....", "##.....", "..##...", "..##...", ".......", ".......", "......."]
SPUR = ["......", ".....#", ".....#", ".....#", ".....#"]


@pytest.mark.parametrize(
    ("rows", "checks"),
    [
        pytest.param(NECK, {"spur", "bottleneck"}, id="neck"),
        pytest.param(CORNER, {"not_connected", "bottleneck"}, id="corner"),
        pytest.param(ONE_EDGE, {"bottleneck"}, id="one edge"),
        pytest.param(RING, {"hole_or_self_touch"}, id="ring"),
        pytest.param(TOUCH, {"hole_or_self_touch"}, id="touch"),
        pytest.param(SPUR, {"spur"}, id="spur"),
    ],
)
def test_t16_walls_rejected(rows: list[str], checks: set[str]) -> None:
    with pytest.raises(BadSetup) as refusal:
        GAME.deal(read_options(GAME, {"wall": rows}), 2, DRAW)
    named = {word.strip(" :,()") for word in str(refusal.value).replace(":", " ").split()}
    every = {
        "not_connected",
        "hole_or_self_touch",
        "spur",
        "bottleneck",
        "perimeter",
        "area",
        "no_base_place",
    }
    assert named & every - {"perimeter", "area"} == checks


def test_t16_a_legal_wall_is_not() -> None:
    assert opening(2, wall=["....."] * 5).wall == "...../..A../...../..G../....."
