"""Part 4 of the rules: claiming a section. The advanced board has a file of its own."""

from typing import Any

import pytest

from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    claimed,
    dice_at,
    finished,
    holding,
    inventory,
    is_legal,
    legal,
    match,
    play,
    player,
    positions,
    refused_by,
    reserve,
    reserve_with,
    section,
    turn,
)

SPACES = ("yellow", "blue", "red", "green", "white1", "white2")


def claimable(state: State) -> set[str]:
    """The sections that may be claimed."""
    return {text.split(":")[1] for text in legal(state, "claim")}


def with_tile(tile: str, **changed: Any) -> State:
    """The usual match with this tile on a1; what lay there lies where the tile was."""
    tiles = [["lumber:1", "die:red", "gold:1"], ["brick:1", "recognition:1", "die:white", "green:1"]]
    tiles += [["rubles:2", "die:yellow", "die:blue"], ["recognition:1", "die:green"]]
    for tower in tiles:
        if tile in tower:
            tower[tower.index(tile)] = "lumber:1"
            break
    tiles[0][0] = tile
    return match(workshop_tiles=tiles, **changed)


def test_rc_4_1_bases_and_sections_above_a_banner_are_available() -> None:
    state = match()
    assert claimable(state) == {"a1", "b1", "c1", "d1"}
    state = turn(claimed(claimed(state, 0, "b1"), 1, "b2"), 0)
    assert claimable(state) == {"a1", "b3", "c1", "d1"}
    assert claimable(turn(state, 1)) == {"a1", "b3", "c1", "d1"}


def test_rc_4_1_a_finished_section_carries_the_next_one_too() -> None:
    assert claimable(finished(match(), 1, "a1")) == {"a2", "b1", "c1", "d1"}
    state = claimed(match(), 1, "d1", "d2")
    assert claimable(state) == {"a1", "b1", "c1"}


def test_rc_4_1_sections_with_a_banner_are_not() -> None:
    state = claimed(match(), 1, "a1")
    assert not is_legal(state, "claim:a1:yellow:down")
    assert "RC-4.1" in refused_by(state, "claim:a1:yellow:down")
    assert "RC-4.1" in refused_by(state, "claim:a3:yellow:down")


def test_rc_4_2_a_banner_goes_on_the_section() -> None:
    state = play(match(), "claim:c1:white1:down")
    assert section(state, "c1").owner == 0
    assert not section(state, "c1").finished
    assert player(state, 0).banners == 5


def test_rc_4_2_banners_in_the_inventory_go_first_and_free_a_place_each() -> None:
    """Free places for a space with six lumber to take, after 0 to 6 claims; five purple are held."""
    free = []
    state = holding(match(), 0, purple=5)
    for number, name in enumerate(("a1", "a2", "a3", "b1", "b2", "b3", "")):
        market = dice_at(turn(state, 0), yellow=(8, 1), red=(1, 1))
        free.append(max(int(text[5:]) for text in legal(play(market, "move:yellow"), "take")))
        if name:
            state = play(turn(state, 0), f"claim:{name}:{SPACES[number]}:down")
    assert free == [1, 2, 3, 4, 5, 5, 5]


def test_rc_4_3_the_tile_goes_to_a_free_workshop_space() -> None:
    state = holding(match(), 0, rubles=9)
    expected = {f"claim:a1:{space}:{side}" for space in SPACES for side in ("up", "down")}
    assert legal(state, "claim:a1") == expected
    state = turn(play(state, "claim:b1:red:down"), 0)
    assert legal(state, "claim:a1") == {text for text in expected if ":red:" not in text}
    assert "RC-4.3" in refused_by(state, "claim:a1:red:down")


def test_rc_4_3_face_up_costs_the_price_and_gives_the_benefit_at_once() -> None:
    state = play(match(), "claim:a1:blue:up")
    assert player(state, 0).rubles == 2
    assert reserve(state, "rubles") == 54
    assert inventory(state, 0) == {"lumber": 1}
    placed = player(state, 0).workshop[1]
    assert placed is not None
    assert placed.up


def test_rc_4_3_face_down_is_free_gives_nothing_and_uses_the_space_up() -> None:
    state = play(match(), "claim:a1:blue:down")
    assert player(state, 0).rubles == 3
    assert inventory(state, 0) == {}
    placed = player(state, 0).workshop[1]
    assert placed is not None
    assert not placed.up
    moved = play(dice_at(turn(state, 0), blue=(1, 2)), "move:blue")
    assert not is_legal(moved, "activate:blue")


def test_rc_4_3_face_down_is_always_allowed() -> None:
    state = holding(match(), 0, rubles=0)
    assert legal(state, "claim:a1") == {f"claim:a1:{space}:down" for space in SPACES}
    assert legal(holding(match(), 0, rubles=99), "claim:a1") >= {f"claim:a1:{space}:down" for space in SPACES}


@pytest.mark.parametrize(
    ("rubles", "seat", "up"),
    [
        (0, 0, set()),
        (1, 0, {"blue", "red", "green"}),
        (2, 0, {"yellow", "blue", "red", "green", "white1"}),
        (3, 0, set(SPACES)),
        (1, 1, {"yellow", "red", "green"}),
        (2, 1, {"yellow", "blue", "red", "green", "white1"}),
    ],
)
def test_rc_4_4_prices_of_the_basic_board(rubles: int, seat: int, up: set[str]) -> None:
    state = turn(holding(match(), seat, rubles=rubles), seat)
    assert {text.split(":")[2] for text in legal(state, "claim:a1") if text.endswith(":up")} == up


@pytest.mark.parametrize(
    ("space", "price"), [("yellow", 2), ("blue", 1), ("red", 1), ("green", 1), ("white1", 2), ("white2", 3)]
)
def test_rc_4_4_the_price_is_paid_to_the_reserve(space: str, price: int) -> None:
    state = play(match(), f"claim:a1:{space}:up")
    assert player(state, 0).rubles == 3 - price
    assert reserve(state, "rubles") == 53 + price


def test_rc_4_4_too_few_rubles_are_named() -> None:
    assert refused_by(holding(match(), 0, rubles=1), "claim:a1:white1:up") & {"RC-4.3", "RC-4.4"}


@pytest.mark.parametrize(
    ("tile", "gained"),
    [
        ("lumber:1", {"lumber": 1}),
        ("brick:1", {"brick": 1}),
        ("stone:1", {"stone": 1}),
        ("lumber:2", {"lumber": 2}),
        ("gold:1", {"gold": 1}),
        ("green:1", {"green": 1}),
        ("purple:1", {"purple": 1}),
    ],
)
def test_rc_4_6_a_resource_tile_gives_the_printed_amount(tile: str, gained: dict[str, int]) -> None:
    state = dice_at(with_tile(tile), blue=(1, 1), red=(1, 1), green=(1, 1))
    assert inventory(play(state, "claim:a1:blue:up"), 0) == gained


def test_rc_4_6_rubles_and_recognition_of_tiles() -> None:
    state = play(with_tile("rubles:2"), "claim:a1:blue:up")
    assert player(state, 0).rubles == 3 - 1 + 2
    state = play(with_tile("recognition:1"), "claim:a1:blue:up")
    assert positions(state)[0] == 3


@pytest.mark.parametrize(
    ("space", "gained"),
    [
        (1, {"lumber": 2}),
        (2, {"brick": 2}),
        (3, {"stone": 2}),
        (4, {"gold": 1}),
        (5, {"green": 1}),
        (6, {"purple": 1}),
    ],
)
def test_rc_4_6_a_die_tile_gives_the_base_amount_where_that_die_lies(
    space: int, gained: dict[str, int]
) -> None:
    state = dice_at(with_tile("die:red"), red=(space, 6), blue=(space, 6), green=(space, 1))
    assert inventory(play(state, "claim:a1:blue:up"), 0) == gained


def test_rc_4_6_a_die_tile_on_rubles_and_on_recognition() -> None:
    state = play(dice_at(with_tile("die:red"), red=(7, 6)), "claim:a1:blue:up")
    assert player(state, 0).rubles == 3 - 1 + 2
    state = play(dice_at(with_tile("die:red"), red=(8, 6)), "claim:a1:blue:up")
    assert positions(state)[0] == 3


def test_e3_a_tile_with_the_red_die_gives_two_stone_however_many_dice_lie_there() -> None:
    state = dice_at(with_tile("die:red"), red=(3, 4), green=(3, 1), white=(3, 2))
    assert inventory(play(state, "claim:a1:blue:up"), 0) == {"stone": 2}


def test_rc_4_7_a_benefit_is_gained_as_far_as_it_fits() -> None:
    """Six places are full; the banner leaves first, so one of two lumber fits."""
    state = holding(with_tile("lumber:2"), 0, purple=6)
    assert inventory(play(state, "claim:a1:blue:up"), 0) == {"purple": 6, "lumber": 1}
    state = holding(turn(claimed(state, 0, "b1", "b2", "b3", "b4"), 0), 0, purple=10)
    assert inventory(play(state, "claim:a1:white2:up"), 0) == {"purple": 10}


def test_rc_4_7_a_benefit_is_limited_by_the_reserve() -> None:
    state = reserve_with(with_tile("lumber:2"), lumber=1)
    assert inventory(play(state, "claim:a1:blue:up"), 0) == {"lumber": 1}
    state = reserve_with(with_tile("lumber:2"), lumber=0)
    assert inventory(play(state, "claim:a1:blue:up"), 0) == {}


def test_rc_4_7_the_price_is_in_the_reserve_before_the_benefit() -> None:
    state = reserve_with(with_tile("rubles:2"), rubles=0)
    state = play(state, "claim:a1:blue:up")
    assert player(state, 0).rubles == 3 - 1 + 1
    assert reserve(state, "rubles") == 0
    state = reserve_with(with_tile("rubles:2"), rubles=0)
    assert player(play(state, "claim:a1:white2:up"), 0).rubles == 2


def test_rc_4_7_face_up_is_legal_even_if_nothing_can_be_gained() -> None:
    state = reserve_with(match(), lumber=0)
    state = play(state, "claim:a1:blue:up")
    assert inventory(state, 0) == {}
    assert player(state, 0).rubles == 2


def test_rc_4_8_a_player_without_banners_cannot_claim() -> None:
    state = claimed(match(), 0, "a1", "a2", "a3", "b1", "b2", "b3")
    assert player(state, 0).banners == 0
    assert legal(turn(state, 0), "claim") == set()
    assert "RC-4.8" in refused_by(turn(state, 0), "claim:c1:yellow:down")
    assert legal(turn(state, 1), "claim") != set()
