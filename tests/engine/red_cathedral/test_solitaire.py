"""Part 7 of the rules: solitaire against Ivan. How he builds has a file of its own."""

import pytest
from msgspec.structs import replace

from engine.game import CHANCE
from engine.red_cathedral import GAME
from engine.red_cathedral.model import DICE, Ivan
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.solitaire import after_human, cards_of, solo, with_stock, without_ornaments
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    dice_at,
    die,
    finished,
    holding,
    legal,
    lying,
    match,
    materials,
    ornaments,
    play,
    player,
    positions,
    reserve,
    reserve_with,
    rolled_dice,
    rows,
    section,
)

# --------------------------------------------------------------------------------------- 7.10, 7.11


def test_rc_7_10_the_table_of_two_with_ivan_as_seat_one() -> None:
    state = solo()
    assert [each.rubles for each in state.players] == [3, 0]
    assert positions(state) == [2, 2]
    assert (player(state, 1).banners, ornaments(state, 1)) == (6, {"door": 1, "arch": 2, "cross": 1})
    assert len(state.sections) == 12
    assert GAME.to_move(state) == 0
    sheet = rows(state)
    assert [row.seat for row in sheet] == [0, 1]
    assert [row.label for row in sheet] == [None, "Ivan"]


def test_rc_7_10_ivan_is_never_to_move() -> None:
    walk = random_match(GAME, 1, 5, turn_limit=25)
    assert {GAME.to_move(step.state) for step in walk.steps} == {0, CHANCE, None}


def test_rc_7_10_his_cards_are_used_in_order_again_and_again() -> None:
    """Each card moves its own die: renown white, then yellow, blue, red and green."""
    state = claimed(solo(), 0, "a1", "b1", "c1", "d1")  # a2 to d2 remain, so that Ivan's claim is a choice
    order = []
    for _ in range(11):
        before = state
        state = after_human(state)
        if state.decision != before.decision and legal(state, "ivan"):
            state = play(state, min(legal(state, "ivan")))
        (moved,) = [name for name in DICE if die(state, name)[0] != die(before, name)[0]]
        order.append(moved)
        state = play(state, "*")
    assert order == ["white", "yellow", "blue", "red", "green"] * 2 + ["white"]


def test_rc_7_11_he_takes_a_turn_after_each_human_one() -> None:
    state = play(solo(), "claim:a1:blue:down", "end")
    assert positions(state) == [2, 6]
    assert GAME.to_move(state) == CHANCE
    state = play(state, "*blue1,white3")
    assert GAME.to_move(state) == 0
    assert legal(state, "claim") != set()


def test_rc_7_11_the_human_who_triggers_gets_no_three_points_and_ivan_one_more_turn() -> None:
    state = claimed(finished(solo(), 0, "b1", "b2", "b3", "b4", "c1"), 0, "a1")
    state = holding(lying(state, "a1", lumber=2), 0, brick=1)
    state = play(state, "deliver:a1:brick")
    assert positions(state) == [4, 2]
    state = play(state, "end")
    assert positions(state) == [4, 6]
    assert GAME.to_move(state) == CHANCE
    assert GAME.to_move(play(state, "*")) is None


def test_rc_7_11_ivan_who_triggers_gets_none_either_and_the_human_one_more_turn() -> None:
    state = claimed(
        finished(without_ornaments(solo("construction")), 1, "b1", "b2", "b3", "b4", "c1"), 1, "a1"
    )
    state = after_human(with_stock(lying(state, "a1", lumber=2), purple=1))
    assert section(state, "a1").finished
    assert positions(state) == [2, 4]
    state = play(state, "*")
    assert GAME.to_move(state) == 0
    state = play(state, "claim:d1:blue:down", "end")
    assert GAME.to_move(state) is None
    assert positions(state) == [2, 4]


def test_rc_7_11_penalties_apply_both_ways() -> None:
    state = claimed(claimed(solo("construction"), 0, "a1"), 1, "a2")
    state = after_human(at(with_stock(lying(state, "a2", brick=1, stone=1), gold=1), 0, 20))
    assert positions(state) == [19, 6]
    state = claimed(claimed(solo(), 1, "a1"), 0, "a2")
    state = at(holding(lying(state, "a2", brick=1, stone=1), 0, gold=1), 1, 20)
    assert positions(play(state, "deliver:a2:gold")) == [6, 19]


def test_rc_7_11_towers_count_as_with_two_players_and_ivan_scores_no_leftovers() -> None:
    state = finished(finished(solo(), 0, "b1"), 1, "b2", "b3")
    state = with_stock(state, lumber=20)
    human, ivan = rows(state)
    assert (human.scores["tower_b"], ivan.scores["tower_b"]) == (2, 6)
    assert ivan.scores["leftovers"] == 0
    assert holding(state, 0, rubles=5).players[0].rubles == 5
    assert rows(holding(state, 0, rubles=5))[0].scores["leftovers"] == 1


def test_rc_7_7_in_solitaire_ivan_completes_the_round() -> None:
    state = play(match(1, {"turn_limit": 2}), "claim:a1:blue:down", "end", "*", "claim:b1:red:down")
    assert GAME.to_move(state) == 0
    state = play(state, "end")
    assert GAME.to_move(state) == CHANCE  # the die of his second card
    assert GAME.to_move(play(state, "*")) is None


# -------------------------------------------------------------------------------------------- 7.12


def test_rc_7_12_renown_is_four_recognition_points() -> None:
    assert positions(after_human(solo("renown"))) == [2, 6]
    assert positions(after_human(at(solo("renown"), 1, 9))) == [2, 13]


def test_rc_7_12_inventory_takes_from_the_fullest_pile_each_time() -> None:
    state = after_human(solo("inventory"))
    assert materials(cards_of(state).inventory) == {"lumber": 2, "brick": 1, "stone": 1}
    assert state.reserve[:6] == (18, 19, 19, 15, 10, 10)
    state = reserve_with(solo("inventory"), lumber=3, brick=5, stone=2, gold=6, green=5, purple=0)
    state = after_human(state)
    assert materials(cards_of(state).inventory) == {"gold": 2, "brick": 1, "green": 1}


def test_rc_7_12_inventory_takes_fewer_from_an_empty_reserve_and_adds_to_what_lies_there() -> None:
    state = reserve_with(solo("inventory"), lumber=0, brick=0, stone=0, gold=0, green=1, purple=2)
    state = replace(state, ivan=Ivan(0, (1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)))
    state = after_human(state)
    assert materials(cards_of(state).inventory) == {"lumber": 1, "green": 1, "purple": 2}
    assert state.reserve[:6] == (0, 0, 0, 0, 0, 0)


def test_rc_7_12_transport_moves_everything_to_construction() -> None:
    state = replace(solo("transport"), ivan=Ivan(0, (1, 2, 0, 0, 0, 3), (1, 0, 1, 0, 0, 0)))
    state = after_human(state)
    assert cards_of(state).inventory == (0, 0, 0, 0, 0, 0)
    assert cards_of(state).construction == (2, 2, 1, 0, 0, 3)


# -------------------------------------------------------------------------------------------- 7.13


def test_rc_7_13_first_a_section_directly_above_one_of_the_humans() -> None:
    state = after_human(finished(claimed(solo("claim"), 0, "a1"), 0, "c1"))
    assert legal(state) == {"ivan:a2", "ivan:c2"}
    assert GAME.to_move(state) == 0


def test_rc_7_13_not_above_his_own_if_there_is_one_above_the_humans() -> None:
    state = after_human(claimed(claimed(solo("claim"), 1, "a1"), 0, "b1"))
    assert section(state, "b2").owner == 1
    assert GAME.to_move(state) == CHANCE


def test_rc_7_13_then_a_base() -> None:
    assert legal(after_human(solo("claim"))) == {"ivan:a1", "ivan:b1", "ivan:c1", "ivan:d1"}
    state = claimed(claimed(solo("claim"), 0, "d1", "d2"), 1, "a1")
    assert legal(after_human(state)) == {"ivan:b1", "ivan:c1"}


def test_rc_7_13_then_any_section() -> None:
    """No base is left and nothing is free above the human's: a3 and c2 lie above his own, d2 too."""
    state = claimed(claimed(solo("claim"), 0, "a1", "b1", "d1"), 1, "a2", "b2", "c1")
    state = claimed(state, 0, "b3")
    state = claimed(claimed(state, 1, "b4"), 1, "d2")
    assert legal(after_human(state)) == {"ivan:a3", "ivan:c2"}


def test_rc_7_13_one_that_qualifies_is_claimed_without_a_choice_and_its_tile_is_gone() -> None:
    state = after_human(claimed(solo("claim"), 0, "b1"))
    assert section(state, "b2").owner == 1
    assert player(state, 1).banners == 5
    assert player(state, 1).workshop == (None,) * 6
    assert positions(state)[1] == 3  # the tile of b2 shows a recognition point


def test_rc_7_13_only_a_printed_recognition_tile_scores() -> None:
    state = after_human(claimed(solo("claim"), 0, "a1"))  # die:red, which lies on the recognition tile
    assert positions(state)[1] == 2
    tiles = [["die:red", "lumber:2", "gold:1"], ["brick:1", "recognition:1", "die:white", "green:1"]]
    tiles += [["rubles:2", "die:yellow", "die:blue"], ["recognition:1", "die:green"]]
    state = after_human(claimed(solo("claim", workshop_tiles=tiles), 0, "a1"))  # two lumber on a2
    assert section(state, "a2").owner == 1
    assert positions(state)[1] == 2
    assert reserve(state, "lumber") == 20
    state = claimed(solo("claim"), 0, "a1")
    state = after_human(dice_at(state, red=(8, 1)))
    assert section(state, "a2").owner == 1
    assert positions(state)[1] == 2
    assert reserve(state, "rubles") == 57


def test_rc_7_13_while_choosing_the_human_has_no_other_move() -> None:
    state = after_human(at(solo("claim"), 0, 40))
    assert {text.split(":")[0] for text in legal(state)} == {"ivan"}
    state = play(state, "ivan:c1")
    assert section(state, "c1").owner == 1
    assert rolled_dice(state) == {"red", "green"}


def test_rc_7_13_without_a_banner_or_a_section_the_die_moves_all_the_same() -> None:
    state = claimed(solo("claim"), 1, "a1", "a2", "b1", "b2", "c1", "c2")
    after = after_human(state)
    assert GAME.to_move(after) == CHANCE
    assert [each.owner for each in after.sections] == [each.owner for each in state.sections]
    assert die(after, "red") == (3, 1)


# -------------------------------------------------------------------------------------- 7.16, 7.17


@pytest.mark.parametrize(
    ("card", "name"),
    [("renown", "white"), ("inventory", "yellow"), ("transport", "blue"), ("construction", "green")],
)
def test_rc_7_16_the_die_of_the_card_moves_its_value(card: str, name: str) -> None:
    state = solo(card)
    space, value = die(state, name)
    state = after_human(state)
    assert die(state, name) == ((space + value - 1) % 8 + 1, value)
    assert name in rolled_dice(state)


def test_rc_7_16_all_dice_of_the_space_are_rolled() -> None:
    state = after_human(dice_at(solo(), white=(3, 1), red=(4, 2), blue=(4, 3), green=(5, 1)))
    assert rolled_dice(state) == {"white", "red", "blue"}


def test_rc_7_16_from_a_full_space_it_goes_on_to_the_next_with_room() -> None:
    full = {"yellow": (5, 1), "blue": (5, 1), "red": (5, 1)}
    state = after_human(dice_at(solo(), white=(4, 1), green=(6, 1), **full))
    assert die(state, "white") == (6, 1)
    assert rolled_dice(state) == {"green", "white"}
    assert (
        die(
            after_human(dice_at(solo(), white=(8, 6), green=(1, 1), yellow=(6, 1), blue=(6, 1), red=(6, 1))),
            "white",
        )[0]
        == 7
    )


def test_rc_7_16_an_end_that_closes_a_market_action_rolls_before_his_card() -> None:
    state = play(solo(), "move:yellow", "end")
    assert rolled_dice(state) == {"yellow", "green"}
    assert positions(state) == [2, 2]
    state = play(state, "*yellow1,green1")
    assert positions(state) == [2, 6]
    assert rolled_dice(state) == {"blue", "white"}  # white goes from 4 to 1, where blue lies


@pytest.mark.parametrize(
    ("difficulty", "points", "stored"), [("easy", 3, 3), ("normal", 4, 4), ("hard", 5, 5)]
)
def test_rc_7_17_difficulty_is_the_strength_of_renown_and_inventory(
    difficulty: str, points: int, stored: int
) -> None:
    assert positions(after_human(solo("renown", difficulty)))[1] == 2 + points
    assert sum(cards_of(after_human(solo("inventory", difficulty))).inventory) == stored
