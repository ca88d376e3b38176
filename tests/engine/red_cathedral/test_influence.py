"""Influence (RC-6.5 to RC-6.7): the rules, and both effects of each of the twelve cards."""

from typing import Any

import pytest

from engine.game import CHANCE
from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    BEGINNER,
    at,
    claimed,
    dice_at,
    die,
    finished,
    holding,
    inventory,
    is_legal,
    legal,
    lying,
    match,
    materials,
    play,
    player,
    positions,
    refused_by,
    reserve,
    reserve_with,
    rolled_dice,
    section,
    tile_up,
)

SPACES = {"craftsmen": 1, "teamsters": 3, "merchants": 5, "clergy": 8}
ALL = ("lumber", "brick", "stone", "gold", "green", "purple")


def before(card: str, seats: int = 2, **changed: Any) -> State:
    """Yellow is about to move one space to the quadrant of this card; the others lie on 2, 4, 6 and 7."""
    group = card[:-1]
    cards = [card if other[:-1] == group else other for other in BEGINNER]
    state = match(seats, influence=cards, **changed)
    space = SPACES[group]
    return dice_at(
        state, yellow=((space - 2) % 8 + 1, 1), blue=(2, 1), red=(4, 1), green=(6, 1), white=(7, 1)
    )


def visit(card: str, **held: int) -> State:
    """Yellow has moved there, and seat 0 holds this besides its 3 rubles."""
    return play(holding(before(card), 0, **held), "move:yellow")


def effects(state: State) -> set[str]:
    """The influence moves without their first word."""
    return {text.removeprefix("influence:") for text in legal(state, "influence")}


# ------------------------------------------------------------------------------------------- rules


def test_rc_6_5_one_of_the_two_effects() -> None:
    state = visit("craftsmen1")
    assert effects(state) == {"1", "2"}
    assert effects(play(state, "influence:1")) == set()
    assert effects(play(state, "influence:2")) == set()
    state = visit("craftsmen2", lumber=2, brick=1)
    assert effects(play(state, "influence:2:lumber")) == {"2:lumber", "2:brick"}


def test_rc_6_5_once_is_once() -> None:
    state = play(visit("merchants2", lumber=3), "influence:2:lumber")
    assert effects(state) == set()
    assert "RC-6.5" in refused_by(state, "influence:2:lumber")


def test_rc_6_5_repeat_as_often_as_one_can_pay() -> None:
    state = visit("clergy1", rubles=7)
    for _ in range(3):
        state = play(state, "influence:2")
    assert positions(state)[0] == 5
    assert player(state, 0).rubles == 1
    assert effects(state) == set()


def test_rc_6_5_obtain_in_between_closes_it() -> None:
    state = play(visit("merchants1", lumber=3), "influence:2:lumber")
    assert effects(state) == {"2:lumber"}
    assert effects(play(state, "take:1")) == set()


def test_rc_6_5_obtain_in_between_closes_a_first_effect_too() -> None:
    state = play(visit("merchants2"), "influence:1:lumber")
    assert effects(state) == {"1:lumber", "1:brick", "1:stone"}
    assert effects(play(state, "take:1")) == set()


def test_rc_6_5_activate_in_between_closes_it() -> None:
    state = holding(tile_up(before("merchants1"), 0, "yellow", "b1"), 0, lumber=3)
    state = play(state, "move:yellow", "influence:2:lumber")
    assert effects(play(state, "activate:yellow")) == set()


def test_rc_6_5_market_actions_before_it_do_not() -> None:
    state = holding(tile_up(before("merchants1"), 0, "yellow", "b1"), 0, lumber=3)
    state = play(state, "move:yellow", "take:1", "activate:yellow", "influence:2:lumber")
    assert "2:lumber" in effects(state)


def test_rc_6_5_an_optional_action_in_between_does_not_close_it() -> None:
    state = play(at(visit("merchants1", lumber=3), 0, 40), "influence:2:lumber")
    assert effects(play(state, "trade")) == {"2:lumber"}
    assert effects(play(state, "reroll:2", "*blue6")) == {"2:lumber"}
    assert effects(play(state, "trade", "influence:2:lumber")) == {"2:lumber"}


def test_rc_6_6_what_cannot_be_paid_is_not_open() -> None:
    assert effects(visit("craftsmen1", rubles=0)) == {"1"}
    assert effects(visit("craftsmen3", rubles=1)) == {"1"}
    assert "RC-6.6" in refused_by(visit("craftsmen1", rubles=0), "influence:2")


def test_rc_6_6_at_least_one_material_must_fit() -> None:
    assert effects(visit("craftsmen1", purple=6)) == set()
    assert effects(visit("craftsmen1", purple=5)) == {"1", "2"}


def test_rc_6_6_what_is_paid_makes_room_for_what_is_gained() -> None:
    assert effects(visit("merchants3", gold=6)) == {f"1:gold:{kind}" for kind in ALL if kind != "gold"}


def test_rc_6_6_the_reserve_must_have_what_is_gained() -> None:
    state = visit("craftsmen1")
    assert effects(reserve_with(state, brick=0)) == {"2"}
    assert effects(reserve_with(state, gold=0)) == {"1"}
    assert effects(reserve_with(state, brick=1, gold=1)) == {"1", "2"}
    assert effects(reserve_with(visit("teamsters1"), rubles=0)) == set()


def test_rc_6_6_payment_reaches_the_reserve_before_the_gain() -> None:
    """A section's rubles come out of the two just paid for its delivery."""
    state = lying(claimed(before("teamsters3"), 0, "a1"), "a1", lumber=2)
    state = reserve_with(holding(state, 0, brick=1), rubles=0)
    state = play(state, "move:yellow", "influence:1:brick>a1")
    assert section(state, "a1").finished
    assert player(state, 0).rubles == 3 - 2 + 2
    assert reserve(state, "rubles") == 0


def test_rc_6_6_paid_materials_are_in_the_reserve_before_the_gain() -> None:
    """`other` cannot return what was paid, so only its own kind grows."""
    state = reserve_with(visit("merchants1", lumber=2), lumber=0, brick=0)
    assert effects(state) == {
        "1:lumber:stone",
        "1:lumber:gold",
        "1:lumber:green",
        "1:lumber:purple",
        "2:lumber",
    }
    state = play(state, "influence:1:lumber:stone")
    assert reserve(state, "lumber") == 2


def test_rc_6_6_recognition_always_counts_as_a_gain() -> None:
    state = visit("clergy1", purple=6)
    assert effects(reserve_with(state, rubles=0)) == {"1", "2"}


def test_rc_6_7_a_delivery_by_an_effect_finishes_charges_and_rewards() -> None:
    state = claimed(claimed(before("teamsters2"), 1, "a1"), 0, "a2")
    state = at(holding(lying(state, "a2", brick=1, stone=1), 0, gold=1), 1, 20)
    state = play(state, "move:yellow", "influence:1:gold>a2")
    assert section(state, "a2").finished
    assert positions(state) == [6, 19]
    assert player(state, 0).rubles == 5


def test_rc_6_7_a_delivery_by_an_effect_can_end_the_match() -> None:
    state = finished(claimed(before("teamsters2"), 0, "a1"), 0, "b1", "b2", "b3", "c1", "c2")
    state = holding(lying(state, "a1", lumber=2), 0, brick=1)
    state = play(state, "move:yellow", "influence:1:brick>a1")
    assert state.trigger == 0
    assert positions(state)[0] == 13  # 2 + 2, then three prestige points


def test_rc_6_7_it_does_not_decorate() -> None:
    state = holding(finished(before("teamsters2"), 0, "a1"), 0, lumber=1)
    assert effects(play(state, "move:yellow")) == {f"2:{space}" for space in (3, 2, 4, 6, 7)}


def test_rc_6_7_two_deliveries_are_one_move_in_the_order_written() -> None:
    """Yellow's b1 and b3 lack one each, blue's b2 between them is finished."""
    state = finished(claimed(before("teamsters3"), 0, "b1"), 1, "b2")
    state = claimed(state, 0, "b3")
    state = lying(lying(state, "b1", lumber=1, brick=1), "b3", lumber=2)
    state = play(at(holding(state, 0, brick=1, green=1), 0, 20), "move:yellow")
    low_first, high_first = "influence:1:brick>b1,green>b3", "influence:1:green>b3,brick>b1"
    assert {low_first, high_first} <= legal(state)
    assert positions(play(state, low_first))[0] == 26
    assert positions(play(state, high_first))[0] == 25


def test_rc_6_7_the_second_delivery_must_be_possible_after_the_first() -> None:
    state = lying(claimed(before("teamsters3"), 0, "a1"), "a1", lumber=1)
    state = play(holding(state, 0, lumber=2, brick=1), "move:yellow")
    singles = {"1:lumber>a1", "1:brick>a1"}
    pairs = {"1:lumber>a1,brick>a1", "1:brick>a1,lumber>a1"}
    assert {text for text in effects(state) if text[0] == "1"} == singles | pairs


# ------------------------------------------------------------------------------------------- cards


def test_craftsmen1() -> None:
    state = visit("craftsmen1")
    after = play(state, "influence:1")
    assert (inventory(after, 0), player(after, 0).rubles) == ({"brick": 1}, 3)
    after = play(state, "influence:2")
    assert (inventory(after, 0), player(after, 0).rubles) == ({"gold": 1}, 2)
    assert reserve(after, "rubles") == 54


def test_craftsmen2() -> None:
    state = visit("craftsmen2", lumber=1, brick=1, stone=1, gold=1, green=1)
    assert effects(state) == {"1", "2:lumber", "2:brick", "2:stone"}
    assert inventory(play(state, "influence:1"), 0)["stone"] == 2
    state = play(state, "influence:2:lumber", "influence:2:brick", "influence:2:stone")
    assert (inventory(state, 0), player(state, 0).rubles) == ({"gold": 1, "green": 1}, 6)
    assert effects(state) == set()
    assert effects(reserve_with(visit("craftsmen2", lumber=1), rubles=0)) == {"1"}
    assert effects(visit("craftsmen2", lumber=6)) == {"2:lumber"}


def test_craftsmen3() -> None:
    state = visit("craftsmen3")
    assert effects(state) == {"1", "2:green", "2:purple"}
    assert inventory(play(state, "influence:1"), 0) == {"lumber": 1}
    after = play(state, "influence:2:purple")
    assert (inventory(after, 0), player(after, 0).rubles) == ({"purple": 1}, 1)
    assert effects(after) == set()
    assert effects(reserve_with(state, green=0)) == {"1", "2:purple"}


def test_teamsters1() -> None:
    state = claimed(claimed(before("teamsters1"), 0, "a1", "b1"), 1, "c1")
    state = play(holding(state, 0, lumber=2, stone=1), "move:yellow")
    assert effects(state) == {"1:lumber>a1", "1:lumber>b1", "2"}
    after = play(state, "influence:2")
    assert (player(after, 0).rubles, effects(after)) == (4, set())
    after = play(state, "influence:1:lumber>a1", "influence:1:lumber>b1")
    assert player(after, 0).rubles == 1
    assert (
        materials(section(after, "a1").delivered)
        == materials(section(after, "b1").delivered)
        == {"lumber": 1}
    )
    assert effects(after) == set()
    assert effects(holding(state, 0, rubles=0)) == {"2"}
    assert effects(reserve_with(state, rubles=0)) == {"1:lumber>a1", "1:lumber>b1"}


def test_teamsters1_may_deliver_more_than_a_build_action() -> None:
    state = claimed(before("teamsters1"), 0, "a1", "b1")
    state = play(holding(state, 0, lumber=3, brick=2, rubles=5), "move:yellow")
    for text in ("lumber>a1", "lumber>a1", "lumber>b1", "brick>b1", "brick>b1"):
        state = play(state, f"influence:1:{text}")
    assert section(state, "b1").finished
    assert player(state, 0).rubles == 2


def test_teamsters2() -> None:
    state = claimed(before("teamsters2"), 0, "a1")
    state = play(holding(state, 0, lumber=2, stone=1, rubles=0), "move:yellow")
    assert effects(state) == {"1:lumber>a1", *(f"2:{space}" for space in (2, 3, 4, 6, 7))}
    after = play(state, "influence:1:lumber>a1")
    assert materials(section(after, "a1").delivered) == {"lumber": 1}
    assert effects(after) == set()
    after = play(state, "influence:2:6")
    assert GAME.to_move(after) == CHANCE
    assert rolled_dice(after) == {"green"}
    after = play(after, "*green4")
    assert die(after, "green") == (6, 4)
    assert (GAME.to_move(after), effects(after)) == (0, set())
    assert positions(after)[0] == 2
    assert is_legal(after, "take:1")


def test_teamsters3() -> None:
    state = claimed(before("teamsters3"), 0, "a1", "b1")  # llb, lbb
    state = play(holding(state, 0, lumber=1, brick=1, rubles=2), "move:yellow")
    rerolls = {f"2:{space}" for space in (2, 3, 4, 6, 7)}
    singles = [f"{kind}>{name}" for kind in ("lumber", "brick") for name in ("a1", "b1")]
    pairs = {f"1:{one},{two}" for one in singles for two in singles if one.split(">")[0] != two.split(">")[0]}
    assert len(pairs) == 8
    assert effects(state) == rerolls | {f"1:{one}" for one in singles} | pairs
    after = play(state, "influence:1:brick>b1,lumber>a1")
    assert (player(after, 0).rubles, inventory(after, 0), effects(after)) == (0, {}, set())
    assert effects(holding(state, 0, rubles=1)) == rerolls
    same = play(holding(claimed(before("teamsters3"), 0, "a1"), 0, lumber=2), "move:yellow")
    assert effects(same) == rerolls | {"1:lumber>a1", "1:lumber>a1,lumber>a1"}
    assert rolled_dice(play(state, "influence:2:3")) == {"yellow"}


def test_merchants1() -> None:
    state = visit("merchants1", lumber=2, gold=3, green=1)
    swaps = {f"1:{paid}:{gained}" for paid in ("lumber", "gold") for gained in ALL if paid != gained}
    assert effects(state) == swaps | {"2:lumber", "2:gold", "2:green"}
    after = play(state, "influence:1:gold:green")
    assert inventory(after, 0) == {"lumber": 2, "gold": 1, "green": 2}
    assert effects(after) == set()
    assert (reserve(after, "gold"), reserve(after, "green")) == (14, 8)
    after = play(state, "influence:2:green", "influence:2:gold")
    assert inventory(after, 0) == {"lumber": 2, "gold": 2}
    assert player(after, 0).rubles == 5
    assert effects(after) == {"2:lumber", "2:gold"}
    assert effects(reserve_with(state, rubles=0)) == swaps
    assert effects(visit("merchants1", lumber=1, brick=1)) == {"2:lumber", "2:brick"}


def test_merchants2() -> None:
    state = visit("merchants2", purple=1)
    assert effects(state) == {"1:lumber", "1:brick", "1:stone", "2:purple"}
    after = play(state, "influence:1:stone", "influence:1:stone", "influence:1:lumber")
    assert (inventory(after, 0), player(after, 0).rubles) == ({"purple": 1, "stone": 2, "lumber": 1}, 0)
    assert effects(after) == set()
    after = play(state, "influence:2:purple")
    assert (inventory(after, 0), player(after, 0).rubles) == ({}, 5)
    assert effects(after) == set()
    assert player(play(reserve_with(state, rubles=1), "influence:2:purple"), 0).rubles == 4
    assert effects(reserve_with(state, rubles=0)) == {"1:lumber", "1:brick", "1:stone"}
    assert effects(visit("merchants2", purple=6, rubles=2)) == {"2:purple"}


def test_merchants3() -> None:
    state = visit("merchants3", gold=1, purple=1, lumber=1)
    swaps = {f"1:{paid}:{gained}" for paid in ("gold", "purple") for gained in ALL if paid != gained}
    assert effects(state) == swaps | {"2:gold", "2:green", "2:purple"}
    after = play(state, "influence:1:purple:lumber")
    assert (inventory(after, 0), effects(after)) == ({"gold": 1, "lumber": 2}, set())
    after = play(holding(state, 0, rubles=5), "influence:2:gold", "influence:2:green")
    assert inventory(after, 0) == {"lumber": 1, "gold": 2, "green": 1, "purple": 1}
    assert (player(after, 0).rubles, effects(after)) == (1, set())
    assert effects(holding(state, 0, rubles=1)) == swaps


def test_clergy1() -> None:
    state = visit("clergy1", rubles=5)
    assert effects(state) == {"1", "2"}
    after = play(state, "influence:1")
    assert (positions(after)[0], player(after, 0).rubles, effects(after)) == (3, 5, set())
    after = play(state, "influence:2")
    assert (positions(after)[0], player(after, 0).rubles, effects(after)) == (3, 3, {"2"})
    assert effects(visit("clergy1", rubles=1)) == {"1"}


def test_clergy2() -> None:
    state = visit("clergy2", gold=2)
    assert effects(state) == {"1", "2"}
    after = play(state, "influence:1")
    assert (positions(after)[0], player(after, 0).rubles, effects(after)) == (4, 1, set())
    after = play(state, "influence:2")
    assert (positions(after)[0], inventory(after, 0), effects(after)) == (4, {"gold": 1}, set())
    assert reserve(after, "gold") == 14
    assert effects(visit("clergy2", rubles=1, green=1)) == set()


def test_clergy3() -> None:
    state = visit("clergy3", green=2, purple=1, gold=1)
    assert effects(state) == {"1", "2:green", "2:purple"}
    after = play(state, "influence:1")
    assert (positions(after)[0], effects(after)) == (3, set())
    after = play(state, "influence:2:green", "influence:2:purple")
    assert positions(after)[0] == 6
    assert effects(after) == {"2:green"}
    assert effects(visit("clergy3")) == {"1"}


@pytest.mark.parametrize(
    "text", ["influence:2:gold", "influence:1:brick", "influence:1:3", "influence:2:gold:brick"]
)
def test_choices_are_spelled_only_where_the_card_gives_one(text: str) -> None:
    assert not is_legal(visit("craftsmen1"), text)


@pytest.mark.parametrize("text", ["influence:2", "influence:2:gold", "influence:2:green:purple"])
def test_a_choice_that_the_card_gives_is_spelled_even_if_one_thing_is_possible(text: str) -> None:
    state = reserve_with(visit("craftsmen3"), green=0)
    assert is_legal(state, "influence:2:purple")
    assert not is_legal(state, text)
