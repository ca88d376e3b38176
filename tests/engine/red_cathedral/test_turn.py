"""Part 3 of the rules: a turn. Retirement (RC-3.6) has a file of its own."""

import pytest

from engine.game import CHANCE
from engine.red_cathedral import GAME
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    dice_at,
    die,
    holding,
    is_legal,
    legal,
    match,
    play,
    player,
    positions,
    reserve,
    reserve_with,
    rolled_dice,
    turn,
)

CLAIM = "claim:a1:green:down"


def kinds(texts: set[str]) -> set[str]:
    """The kinds of some moves."""
    return {text.split(":")[0] for text in texts}


def test_rc_3_1_turns_go_round() -> None:
    state = match(3)
    for seat, name in ((0, "a1"), (1, "a2"), (2, "a3"), (0, "b1")):
        assert GAME.to_move(state) == seat
        state = play(state, f"claim:{name}:{'blue' if name[0] == 'a' else 'red'}:down", "end")
    assert GAME.to_move(state) == 1


def test_rc_3_1_a_turn_begins_with_three_basic_actions_to_choose_from() -> None:
    state = holding(claimed(match(), 0, "a1"), 0, lumber=1)
    assert kinds(legal(state)) == {"claim", "deliver", "move"}


@pytest.mark.parametrize(
    ("first", "open_now"),
    [
        (CLAIM, {"end"}),
        ("deliver:b1:lumber", {"deliver", "end"}),
        ("move:yellow", {"take", "influence", "end"}),
    ],
)
def test_rc_3_1_exactly_one_basic_action_a_turn(first: str, open_now: set[str]) -> None:
    state = holding(claimed(match(), 0, "b1", "b2"), 0, lumber=2, brick=1)
    assert kinds(legal(play(state, first))) == open_now


def test_rc_3_1_a_turn_without_a_basic_action_does_not_end() -> None:
    state = at(match(), 0, 20)
    assert not is_legal(state, "end")
    assert not is_legal(play(state, "trade"), "end")
    assert not is_legal(play(state, "reroll:1", "*blue6"), "end")


def test_rc_3_2_optional_actions_are_open_at_every_moment_of_the_turn() -> None:
    start = holding(at(claimed(match(), 0, "b1"), 0, 20), 0, lumber=1, brick=2)
    moments = [
        start,
        play(start, CLAIM),
        play(start, "deliver:b1:lumber"),
        play(start, "deliver:b1:lumber", "deliver:b1:brick", "deliver:b1:brick"),
        play(start, "move:yellow"),
        play(start, "move:yellow", "take:1"),
        play(start, "move:yellow", "take:1", "influence:2"),
        play(start, "move:yellow", "done", "*yellow1,green1"),
    ]
    for state in moments:
        assert "trade" in legal(state)
        assert "reroll" in kinds(legal(state))


def test_rc_3_2_they_are_not_open_to_the_others() -> None:
    state = play(at(match(), 1, 20), CLAIM)
    assert legal(state) == {"end"}


def test_rc_3_2_a_trade_takes_two_rubles() -> None:
    state = play(at(match(), 0, 14), "trade")
    assert positions(state) == [13, 2]
    assert player(state, 0).rubles == 5
    assert reserve(state, "rubles") == 51


def test_rc_3_2_a_trade_takes_what_is_left_and_needs_something_left() -> None:
    state = play(at(reserve_with(match(), rubles=1), 0, 14), "trade")
    assert player(state, 0).rubles == 4
    assert reserve(state, "rubles") == 0
    assert positions(state)[0] == 13
    assert not is_legal(state, "trade")
    assert kinds(legal(state, "reroll")) == {"reroll"}


def test_rc_3_2_a_reroll_takes_a_space_with_dice_and_rolls_all_of_them_there() -> None:
    state = dice_at(at(match(), 0, 9), blue=(4, 2))
    assert legal(state, "reroll") == {"reroll:2", "reroll:3", "reroll:4", "reroll:8"}
    state = play(state, "reroll:4")
    assert positions(state)[0] == 5
    assert GAME.to_move(state) == CHANCE
    assert rolled_dice(state) == {"blue", "white"}
    state = play(state, "*blue6,white1")
    assert die(state, "blue") == (4, 6)
    assert die(state, "white") == (4, 1)
    assert GAME.to_move(state) == 0


def test_rc_3_2_a_reroll_in_the_middle_of_a_market_action_changes_the_die_that_moved() -> None:
    state = play(at(match(), 0, 30), "move:yellow", "take:2", "reroll:3", "*yellow6,green5")
    assert die(state, "yellow") == (3, 6)
    assert kinds(legal(state)) == {"influence", "end", "done", "trade"}
    assert not is_legal(state, "take:1")
    assert rolled_dice(play(state, "end")) == {"yellow", "green"}


def test_rc_3_3_a_trade_may_be_repeated_at_one_moment() -> None:
    state = play(at(match(), 0, 21), "trade", "trade", "trade")
    assert positions(state)[0] == 9
    assert player(state, 0).rubles == 9
    assert is_legal(state, "trade")
    assert not is_legal(play(state, "trade"), "trade")  # now on 5


@pytest.mark.parametrize(
    "between",
    [
        (CLAIM,),
        ("deliver:b1:lumber",),
        ("move:yellow",),
        ("reroll:1", "*blue1"),
    ],
)
def test_rc_3_3_any_other_move_closes_it_for_the_turn(between: tuple[str, ...]) -> None:
    state = holding(at(claimed(match(), 0, "b1"), 0, 40), 0, lumber=1)
    assert is_legal(play(state, *between), "trade")
    assert not is_legal(play(state, "trade", *between), "trade")


@pytest.mark.parametrize("between", ["take:1", "influence:2", "done", "activate:yellow"])
def test_rc_3_3_market_moves_close_it_too(between: str) -> None:
    state = match(workshop_tiles=[["recognition:1", "die:red", "gold:1"], *map(list, TILES[1:])])
    state = play(holding(state, 0, rubles=3), "claim:a1:yellow:up")
    state = play(at(turn(state, 0), 0, 40), "move:yellow", "trade", between)
    state = play(state, "*") if GAME.to_move(state) == CHANCE else state
    assert GAME.to_move(state) == 0
    assert not is_legal(state, "trade")


TILES = (
    ("lumber:1", "die:red", "gold:1"),
    ("brick:1", "recognition:1", "die:white", "green:1"),
    ("rubles:2", "die:yellow", "die:blue"),
    ("lumber:2", "die:green"),
)


def test_rc_3_3_it_is_open_again_in_the_next_turn() -> None:
    state = play(at(match(), 0, 40), "trade", CLAIM, "end", "claim:b1:blue:down", "end")
    assert is_legal(state, "trade")


def test_rc_3_4_a_reroll_is_open_once_a_turn() -> None:
    state = play(at(match(), 0, 40), "reroll:1", "*blue5")
    assert legal(state, "reroll") == set()
    state = play(state, CLAIM)
    assert legal(state, "reroll") == set()
    state = play(state, "end", "claim:b1:blue:down", "end")
    assert legal(state, "reroll") == {"reroll:1", "reroll:2", "reroll:3", "reroll:4", "reroll:8"}


def test_rc_3_4_the_reroll_of_an_influence_effect_is_not_counted() -> None:
    state = at(match(influence=["craftsmen1", "teamsters2", "merchants1", "clergy1"]), 0, 40)
    state = play(state, "move:yellow", "influence:2:1", "*blue6")
    assert is_legal(state, "reroll:1")
    state = play(state, "reroll:1", "*blue4")
    assert legal(state, "reroll") == set()
    other = play(
        at(match(influence=["craftsmen1", "teamsters2", "merchants1", "clergy1"]), 0, 40),
        "reroll:1",
        "*blue6",
    )
    assert is_legal(play(other, "move:yellow"), "influence:2:1")


def test_rc_3_5_a_turn_ends_with_end_and_never_by_itself() -> None:
    state = play(match(), CLAIM)
    assert GAME.to_move(state) == 0
    assert legal(state) == {"end"}
    assert GAME.forced(state) is None
    assert GAME.to_move(play(state, "end")) == 1


def test_rc_3_5_nothing_comes_between_the_parts_of_a_claim() -> None:
    state = play(at(match(), 0, 40), "claim:a1:blue:up")
    assert player(state, 0).banners == 5
    assert player(state, 0).rubles == 2
    assert player(state, 0).inventory[0] == 1
    assert GAME.to_move(state) == 0


def test_rc_3_5_end_closes_an_open_build_before_all_deliveries_are_made() -> None:
    state = holding(claimed(match(), 0, "b1"), 0, lumber=1, brick=2)
    state = play(state, "deliver:b1:lumber", "end")
    assert GAME.to_move(state) == 1
