"""Part 11 of the rules: each contested ruling beside its other reading, where they differ."""

from typing import Any

import pytest

from engine.game import CHANCE
from engine.red_cathedral import GAME, scoring
from engine.red_cathedral.layout import TowerRules
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    at,
    decorated,
    dice_at,
    die,
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
    rolled_dice,
    rows,
    tile_up,
    turn,
)


def house(seats: int = 2, /, **rules: str) -> State:
    """The usual match with house rules."""
    return match(seats, {"house_rules": rules})


def tower(state: State, letter: str) -> list[int]:
    """What a tower gives to each side."""
    return [row.scores[f"tower_{letter}"] for row in rows(state)]


# ------------------------------------------------------------------------------------- market_gain


def test_market_gain_pips_multiplies_by_the_moved_die() -> None:
    """Yellow shows 2 and comes to two brick, where red lies."""
    by_dice = play(dice_at(match(), yellow=(8, 2), blue=(5, 1)), "move:yellow")
    assert legal(by_dice, "take") == {f"take:{n}" for n in range(1, 5)}
    state = dice_at(house(market_gain="pips"), yellow=(7, 3), blue=(5, 1))
    assert legal(play(state, "move:yellow"), "take") == {f"take:{n}" for n in range(1, 7)}
    alone = dice_at(state, yellow=(1, 1), red=(6, 1))
    assert legal(play(alone, "move:yellow"), "take") == {"take:1", "take:2"}


def test_market_gain_pips_gives_recognition_in_full() -> None:
    for gain, full in (("dice", 2), ("pips", 5)):
        state = play(dice_at(house(market_gain=gain), yellow=(3, 5), blue=(8, 1)), "move:yellow")
        assert legal(state, "take") == {f"take:{full}"}
        assert positions(play(state, f"take:{full}"))[0] == 2 + full


def test_market_gain_pips_counts_the_value_not_the_spaces_paid_for() -> None:
    state = play(dice_at(house(market_gain="pips"), yellow=(6, 1)), "move:yellow+1")
    assert die(state, "yellow") == (8, 1)
    assert legal(state, "take") == {"take:1"}


def test_market_gain_leaves_die_tiles_alone() -> None:
    state = tile_up(
        dice_at(house(market_gain="pips"), yellow=(8, 3), red=(4, 6)), 0, "yellow", "a2"
    )  # die:red
    assert inventory(play(play(state, "move:yellow"), "activate:yellow"), 0) == {"gold": 1}


# ------------------------------------------------------------------------------------- market_roll


def test_market_roll_before_rolls_the_destination_when_the_die_stops() -> None:
    assert GAME.to_move(play(match(), "move:yellow")) == 0
    state = play(house(market_roll="before"), "move:yellow")
    assert GAME.to_move(state) == CHANCE
    assert rolled_dice(state) == {"yellow", "green"}
    state = play(state, "*yellow6,green5")
    assert (die(state, "yellow"), die(state, "green")) == ((3, 6), (3, 5))
    assert GAME.to_move(state) == 0
    assert legal(state, "take") == {f"take:{n}" for n in range(1, 5)}


def test_market_roll_before_rolls_nothing_at_the_end_and_knows_no_done() -> None:
    state = play(at(house(market_roll="before"), 0, 40), "move:yellow", "*yellow6,green5")
    assert not is_legal(state, "done")
    assert is_legal(play(at(match(), 0, 40), "move:yellow"), "done")
    state = play(state, "take:1", "trade", "reroll:3", "*yellow2,green2")
    assert not is_legal(state, "done")
    state = play(state, "end")
    assert GAME.to_move(state) == 1
    assert die(state, "yellow") == (3, 2)


def test_market_roll_before_with_pips_counts_the_value_the_die_moved_by() -> None:
    state = house(market_roll="before", market_gain="pips")
    state = play(dice_at(state, yellow=(5, 3), blue=(1, 1)), "move:yellow", "*yellow6")
    assert legal(state, "take") == {"take:3"}


def test_market_roll_before_closes_a_trade_and_ends_a_match_after_the_roll() -> None:
    state = play(at(house(market_roll="before"), 0, 40), "trade", "move:yellow", "*yellow1,green1")
    assert not is_legal(state, "trade")
    last = match(options={"turn_limit": 1, "house_rules": {"market_roll": "before"}})
    last = play(last, "claim:a1:blue:down", "end", "move:red", "*red1,green1", "end")
    assert GAME.to_move(last) is None


def test_market_roll_does_not_touch_the_die_of_ivan() -> None:
    """He has no market action: his die moves after his card and is rolled then, as ever."""
    options: dict[str, Any] = {"house_rules": {"market_roll": "before"}}
    state = play(match(1, options), "move:yellow", "*yellow1,green1", "end")
    assert positions(state) == [2, 6]
    assert rolled_dice(state) == {"blue", "white"}
    assert GAME.to_move(play(state, "*")) == 0


# ------------------------------------------------------------------- tower_places, ties, two seats


def steps(rules: dict[str, str]) -> State:
    """Presence 4, 3, 2 and 0 in tower c, worth 14."""
    state = finished(finished(house(4, **rules), 0, "c1", "c2"), 1, "c3", "c4")
    state = decorated(finished(state, 2, "c5"), 0, "c1", "c2")
    return decorated(decorated(state, 1, "c3"), 2, "c5")


def test_tower_places_one_gives_the_third_a_point_and_the_fourth_none() -> None:
    assert tower(steps({}), "c") == [14, 7, 3, 0]
    assert tower(steps({"tower_places": "one"}), "c") == [14, 7, 1, 0]


def test_tower_places_one_whatever_the_tower_is_worth() -> None:
    rules = TowerRules.of(house(4, tower_places="one").table)
    assert [scoring.place_values(value, rules) for value in (2, 7, 16)] == [
        (2, 1, 1, 0),
        (7, 3, 1, 0),
        (16, 8, 1, 0),
    ]


def test_tower_places_one_with_a_fourth_place() -> None:
    """One piece each but seat 0, in a tower worth 11: the places of the three are pooled."""

    def pieces(**rules: str) -> State:
        state = finished(finished(house(4, **rules), 0, "c1", "c2"), 1, "c3")
        state = finished(finished(state, 2, "c4"), 3, "c5")
        return decorated(state, 0, "c1")

    assert tower(pieces(), "c") == [11, 2, 2, 2]  # (5 + 2 + 1) div 3
    assert tower(pieces(tower_places="one"), "c") == [11, 2, 2, 2]  # (5 + 1 + 0) div 3
    assert tower(pieces(tower_places="one", tower_ties="split"), "c") == [11, 1, 1, 1]  # 5 div 3


def test_tower_ties_split_shares_the_value_of_the_own_place_only() -> None:
    """Source 000's example: V = 7, green 3 pieces, yellow and red tied second: 3 div 2 = 1 each."""

    def pieces(**rules: str) -> State:
        state = finished(finished(house(3, **rules), 0, "b1"), 1, "b2")
        return decorated(decorated(finished(state, 2, "b3"), 0, "b1"), 0, "b2")

    assert tower(pieces(), "b") == [8, 3, 3]  # (4 + 2) div 2
    assert tower(pieces(tower_ties="split"), "b") == [8, 2, 2]  # 4 div 2


def test_tower_ties_split_first_place_and_the_next_takes_the_real_place() -> None:
    def pieces(**rules: str) -> State:
        return finished(finished(finished(house(3, **rules), 0, "c1", "c2"), 1, "c3", "c4"), 2, "c5")

    assert tower(pieces(), "c") == [7, 7, 2]  # (10 + 5) div 2, then third
    assert tower(pieces(tower_ties="split"), "c") == [5, 5, 2]


@pytest.mark.parametrize("seats", [1, 2])
def test_two_seat_towers_standard(seats: int) -> None:
    def pieces(**rules: str) -> State:
        return finished(finished(house(seats, **rules), 0, "b1", "b2"), 1, "b3")

    assert tower(pieces(), "b") == [6, 2]
    assert tower(pieces(two_seat_towers="standard"), "b") == [6, 3]
    assert tower(decorated(pieces(), 1, "b1"), "b") == [0, 0]
    assert tower(decorated(pieces(two_seat_towers="standard"), 1, "b1"), "b") == [5, 5]  # (7 + 3) div 2


def test_two_seat_towers_is_for_two_seats_only() -> None:
    for reading in ("third", "standard"):
        state = finished(finished(house(3, two_seat_towers=reading), 0, "b1", "b2"), 1, "b3")
        assert tower(state, "b") == [6, 3, 0]


# ----------------------------------------------------------------------- trade_moments, jewel_pairs


def test_trade_moments_any_lets_it_be_taken_up_again() -> None:
    moves = ("trade", "claim:a1:blue:down")
    assert not is_legal(play(at(match(), 0, 40), *moves), "trade")
    state = play(at(house(trade_moments="any"), 0, 40), *moves)
    assert is_legal(state, "trade")
    assert player(play(state, "trade", "reroll:1", "*blue4", "trade"), 0).rubles == 9


def test_trade_moments_any_keeps_done_open_after_a_trade_and_a_reroll() -> None:
    moves = ("trade", "reroll:1", "*blue4", "move:yellow")
    assert not is_legal(play(at(match(), 0, 40), *moves), "done")
    assert is_legal(play(at(house(trade_moments="any"), 0, 40), *moves), "done")


def test_trade_moments_any_still_needs_a_point_and_a_ruble() -> None:
    assert not is_legal(house(trade_moments="any"), "trade")


def test_jewel_pairs_different_forbids_two_of_one_colour() -> None:
    def ready(**rules: str) -> State:
        state = finished(house(**rules), 1, "b1")
        return turn(holding(state, 0, lumber=1, green=2, purple=2), 0)

    both = {"ornament:b1:green+green", "ornament:b1:purple+purple"}
    assert both <= legal(ready())
    state = ready(jewel_pairs="different")
    assert legal(state, "ornament") == {
        "ornament:b1",
        "ornament:b1:green",
        "ornament:b1:purple",
        "ornament:b1:green+purple",
    }
    for text in both:
        assert refused_by(state, text)
    assert positions(play(state, "ornament:b1:green+purple"))[0] == 13
