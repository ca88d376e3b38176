"""The advanced workshop board (RC-4.5)."""

import pytest

from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    claimed,
    finished,
    holding,
    inventory,
    is_legal,
    legal,
    match,
    play,
    player,
    refused_by,
    reserve,
    reserve_with,
    turn,
)

SPACES = ("yellow", "blue", "red", "green", "white1", "white2")
DECORABLE = {"b1": "door", "b2": "arch", "b3": "arch", "b4": "cross"}


def advanced(seats: int = 2) -> State:
    """The usual match on the advanced side, with every section of tower b finished by seat 1."""
    state = finished(match(seats, {"workshop": "advanced"}), 1, "b1", "b2", "b3", "b4")
    return holding(state, 0, lumber=1, stone=2, gold=1, rubles=9)


def open_ornaments(state: State) -> set[str]:
    """The sections that seat 0 could decorate now."""
    return {text.split(":")[1] for text in legal(turn(state, 0), "ornament")}


def test_rc_4_5_every_face_up_placement_costs_three() -> None:
    state = advanced()
    for space in SPACES:
        after = play(state, f"claim:a1:{space}:up")
        assert player(after, 0).rubles == 6
        assert reserve(after, "rubles") == reserve(state, "rubles") + 3
    poor = holding(state, 0, rubles=2)
    assert legal(poor, "claim:a1") == {f"claim:a1:{space}:down" for space in SPACES}
    assert refused_by(poor, "claim:a1:blue:up") & {"RC-4.3", "RC-4.5"}


def test_rc_4_5_all_four_ornaments_start_locked() -> None:
    assert open_ornaments(advanced()) == set()
    assert refused_by(advanced(), "ornament:b1") & {"RC-4.5", "RC-5.4"}


@pytest.mark.parametrize(
    ("space", "unlocked"),
    [
        ("yellow", {"b1"}),
        ("blue", {"b2", "b3"}),
        ("red", {"b2", "b3"}),
        ("green", {"b4"}),
        ("white1", set()),
        ("white2", set()),
    ],
)
def test_rc_4_5_a_face_up_tile_unlocks_the_ornament_of_its_space(space: str, unlocked: set[str]) -> None:
    assert open_ornaments(play(advanced(), f"claim:a1:{space}:up")) == unlocked


@pytest.mark.parametrize("space", SPACES)
def test_rc_4_5_a_face_down_tile_unlocks_nothing(space: str) -> None:
    assert open_ornaments(play(advanced(), f"claim:a1:{space}:down")) == set()


def test_rc_4_5_each_arch_has_its_own_space() -> None:
    state = turn(play(advanced(), "claim:a1:blue:up"), 0)
    state = turn(play(state, "ornament:b2"), 0)
    assert open_ornaments(state) == set()
    assert open_ornaments(play(state, "claim:c1:red:down")) == set()
    assert open_ornaments(play(state, "claim:c1:red:up")) == {"b3"}
    both = turn(play(turn(play(advanced(), "claim:a1:blue:up"), 0), "claim:c1:red:up"), 0)
    assert legal(play(both, "ornament:b2"), "ornament") == {"ornament:b3"}


def test_rc_4_5_it_unlocks_even_if_the_benefit_gives_nothing() -> None:
    state = play(reserve_with(advanced(), lumber=0), "claim:a1:yellow:up")
    assert inventory(state, 0) == {"lumber": 1, "stone": 2, "gold": 1}
    assert open_ornaments(state) == {"b1"}


def test_rc_4_5_it_is_unlocked_for_its_owner_only() -> None:
    state = play(advanced(), "claim:a1:yellow:up")
    state = turn(holding(state, 1, lumber=1), 1)
    assert legal(state, "ornament") == set()


def test_rc_4_5_on_the_basic_side_nothing_is_locked() -> None:
    state = finished(match(), 1, "b1", "b2", "b3", "b4")
    assert open_ornaments(holding(state, 0, lumber=1, stone=1, gold=1)) == set(DECORABLE)


def test_rc_4_5_the_board_changes_nothing_else() -> None:
    state = claimed(match(options={"workshop": "advanced"}), 0, "a1")
    assert is_legal(holding(state, 0, lumber=1), "deliver:a1:lumber")
    assert is_legal(state, "move:yellow+3")
