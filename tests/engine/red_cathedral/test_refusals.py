"""Every reason for which a move is refused, each in a position where it is given: code, rule and figures.

Positions are the usual match of `table.py`; in it yellow comes to two stone, where green lies.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from engine.red_cathedral.moves import Decorate
from engine.red_cathedral.sentences import REASONS
from tests.engine.red_cathedral.solitaire import after_human, solo
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    decorated,
    dice_at,
    finished,
    holding,
    lying,
    match,
    play,
    reserve_with,
    tile_up,
)


class Refusal(NamedTuple):
    """A move that is refused in a position, and the reason with its rule and its figures."""

    code: str
    rule: str
    state: Callable[[], State]
    move: str
    values: dict[str, int | str]


def on_market(state: State | None = None) -> State:
    """The yellow die was moved to space 3: two stone, teamsters."""
    return play(state or match(), "move:yellow")


def house(**rules: str) -> State:
    return match(options={"house_rules": rules})


def over() -> State:
    return play(match(options={"turn_limit": 1}), "claim:a1:blue:down", "end", "claim:b1:red:down", "end")


def at_merchants(**held: int) -> State:
    """Yellow was moved to space 5: merchants, whose first effect takes two of a kind for another."""
    return play(dice_at(holding(match(), 0, **held), yellow=(2, 3)), "move:yellow")


def decorable(**held: int) -> State:
    """Section b1 is finished and bare."""
    return holding(finished(match(), 1, "b1"), 0, **held)


def crowded() -> State:
    """Three dice lie where yellow would come to."""
    return dice_at(match(), yellow=(8, 3), blue=(3, 1), red=(3, 1), green=(3, 1))


def full() -> State:
    """No place is free in the inventory of seat 0."""
    return holding(match(), 0, lumber=6)


REFUSALS = (
    Refusal("match_over", "RC-7.1", over, "end", {}),
    Refusal("roll_pending", "RC-8.1", lambda: play(on_market(), "end"), "end", {"dice": "yellow, green"}),
    Refusal("ivan_first", "RC-7.13", lambda: after_human(solo("claim")), "end", {}),
    Refusal("basic_action_taken", "RC-3.1", on_market, "claim:a1:blue:down", {}),
    Refusal("basic_action_owed", "RC-3.1", match, "end", {}),
    Refusal("no_such_section", "RC-1.6", match, "claim:z9:blue:down", {"section": "z9"}),
    Refusal(
        "section_claimed",
        "RC-4.1",
        lambda: claimed(match(), 1, "a1"),
        "claim:a1:blue:down",
        {"section": "a1", "owner": 1},
    ),
    Refusal("nothing_below", "RC-4.1", match, "claim:a2:blue:down", {"section": "a2", "below": "a1"}),
    Refusal(
        "no_banners",
        "RC-4.8",
        lambda: claimed(match(), 0, "a1", "a2", "a3", "b1", "b2", "b3"),
        "claim:c1:white2:down",
        {},
    ),
    Refusal(
        "workshop_space_used",
        "RC-4.3",
        lambda: claimed(match(), 0, "a1"),
        "claim:b1:yellow:down",
        {"workshop_space": "yellow"},
    ),
    Refusal(
        "too_few_rubles",
        "RC-4.4",
        lambda: holding(match(), 0, rubles=1),
        "claim:a1:yellow:up",
        {"price": 2, "rubles": 1},
    ),
    Refusal(
        "too_many_deliveries",
        "RC-5.1",
        lambda: play(holding(claimed(match(), 0, "a1"), 0, lumber=2, brick=2), *["deliver:a1:lumber"] * 2),
        "ornament:b1:green",
        {"pieces": 2, "left": 1},
    ),
    Refusal(
        "not_own_section",
        "RC-5.1",
        lambda: holding(claimed(match(), 1, "a1"), 0, lumber=1),
        "deliver:a1:lumber",
        {"section": "a1"},
    ),
    Refusal(
        "section_finished",
        "RC-5.2",
        lambda: holding(finished(match(), 0, "a1"), 0, lumber=1),
        "deliver:a1:lumber",
        {"section": "a1"},
    ),
    Refusal(
        "not_missing",
        "RC-5.2",
        lambda: lying(holding(claimed(match(), 0, "a1"), 0, brick=1), "a1", brick=1),
        "deliver:a1:brick",
        {"section": "a1", "material": "brick", "due": 1, "delivered": 1},
    ),
    Refusal(
        "not_in_inventory",
        "RC-5.1",
        lambda: claimed(match(), 0, "a1"),
        "deliver:a1:lumber",
        {"material": "lumber", "needed": 1, "held": 0},
    ),
    Refusal(
        "jewels_must_differ",
        "RC-5.5",
        lambda: holding(finished(house(jewel_pairs="different"), 1, "b1"), 0, lumber=1, green=2),
        "ornament:b1:green+green",
        {},
    ),
    Refusal("not_finished", "RC-5.4", match, "ornament:b1", {"section": "b1"}),
    Refusal(
        "decorated_already",
        "RC-5.4",
        lambda: decorated(decorable(lumber=1), 1, "b1"),
        "ornament:b1",
        {"section": "b1", "owner": 1},
    ),
    Refusal(
        "no_ornament",
        "RC-5.4",
        lambda: decorated(finished(decorable(lumber=1), 1, "a1"), 0, "a1"),
        "ornament:b1",
        {"ornament": "door"},
    ),
    Refusal(
        "ornament_locked",
        "RC-4.5",
        lambda: holding(finished(match(options={"workshop": "advanced"}), 1, "b1"), 0, lumber=1),
        "ornament:b1",
        {"ornament": "door"},
    ),
    Refusal("not_own_die", "RC-6.1", match, "move:blue+1", {"die": "blue", "own": "yellow"}),
    Refusal(
        "too_far", "RC-6.1", lambda: holding(match(), 0, rubles=20), "move:white+8", {"extra": 8, "most": 7}
    ),
    Refusal("space_full", "RC-6.2", crowded, "move:yellow", {"space": 3}),
    Refusal("no_prestige", "RC-2.5", lambda: at(match(), 0, 4), "trade", {"position": 4}),
    Refusal(
        "trade_closed", "RC-3.3", lambda: play(at(match(), 0, 40), "trade", "claim:a1:blue:down"), "trade", {}
    ),
    Refusal("rerolled_already", "RC-3.4", lambda: play(at(match(), 0, 40), "reroll:1", "*"), "reroll:1", {}),
    Refusal("no_dice", "RC-3.2", lambda: at(match(), 0, 40), "reroll:6", {"space": 6}),
    Refusal("no_market_action", "RC-6.3", match, "take:1", {}),
    Refusal("rolled_before", "RC-6.9", lambda: play(on_market(house(market_roll="before")), "*"), "done", {}),
    Refusal("nothing_after", "RC-3.2", on_market, "done", {}),
    Refusal("no_choice_for_ivan", "RC-7.13", match, "ivan:a1", {}),
    Refusal(
        "not_for_ivan",
        "RC-7.13",
        lambda: after_human(solo("claim")),
        "ivan:a2",
        {"section": "a2", "choices": "a1, b1, c1, d1"},
    ),
    Refusal("no_roll_pending", "RC-8.1", match, "*yellow1", {}),
    Refusal("other_dice", "RC-8.1", lambda: play(on_market(), "end"), "*red1", {"dice": "yellow, green"}),
    Refusal("taken_already", "RC-6.3", lambda: play(on_market(), "take:1"), "take:1", {}),
    Refusal(
        "recognition_in_full",
        "RC-6.4",
        lambda: play(dice_at(match(), yellow=(5, 3)), "move:yellow"),
        "take:2",
        {"amount": 1},
    ),
    Refusal("at_least_one", "RC-6.4", on_market, "take:0", {}),
    Refusal("more_than_yield", "RC-6.4", on_market, "take:5", {"amount": 5, "most": 4, "resource": "stone"}),
    Refusal(
        "reserve_short",
        "RC-6.4",
        lambda: on_market(reserve_with(match(), stone=1)),
        "take:2",
        {"resource": "stone", "there": 1},
    ),
    Refusal("too_few_places", "RC-6.4", lambda: on_market(full()), "take:1", {"amount": 1, "free": 0}),
    Refusal(
        "no_free_place",
        "RC-6.8",
        lambda: on_market(holding(tile_up(match(), 0, "yellow", "a1"), 0, lumber=7)),
        "activate:yellow",
        {},
    ),
    Refusal(
        "activated_already",
        "RC-6.3",
        lambda: play(on_market(tile_up(match(), 0, "yellow", "a1")), "activate:yellow"),
        "activate:yellow",
        {},
    ),
    Refusal(
        "other_colour", "RC-6.8", on_market, "activate:blue", {"workshop_space": "blue", "die": "yellow"}
    ),
    Refusal("no_tile", "RC-6.8", on_market, "activate:yellow", {"workshop_space": "yellow"}),
    Refusal(
        "tile_face_down",
        "RC-6.8",
        lambda: on_market(claimed(match(), 0, "a1")),
        "activate:yellow",
        {"workshop_space": "yellow"},
    ),
    Refusal(
        "other_effect_used",
        "RC-6.5",
        lambda: play(at_merchants(lumber=3), "influence:2:lumber"),
        "influence:1:lumber:brick",
        {"effect": 2},
    ),
    Refusal(
        "effect_closed",
        "RC-6.5",
        lambda: play(at_merchants(lumber=4), "influence:1:lumber:brick"),
        "influence:1:lumber:brick",
        {"effect": 1},
    ),
    Refusal(
        "choices_misfit",
        "RC-6.5",
        lambda: at_merchants(lumber=2),
        "influence:1:lumber",
        {"effect": 1, "text": "pay 2 identical: 1 of another kind"},
    ),
    Refusal(
        "kind_just_paid",
        "RC-6.6",
        lambda: at_merchants(lumber=2),
        "influence:1:lumber:lumber",
        {"material": "lumber"},
    ),
)


def told(state: State, move: Any) -> dict[str, tuple[str, dict[str, int | str]]]:
    """The reasons for which a move is refused: rule and figures by code."""
    return {reason.code: (reason.rule, reason.values) for reason in GAME.why_not(state, move)}


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.code)
def test_the_reason_is_given_with_its_rule_and_figures(refusal: Refusal) -> None:
    state, move = refusal.state(), GAME.parse(refusal.move)
    assert told(state, move)[refusal.code] == (refusal.rule, refusal.values)
    assert GAME.normal(state, move) is None
    sentences = [GAME.sentence(reason) for reason in GAME.why_not(state, move)]
    assert all(str(value) in " ".join(sentences) for value in refusal.values.values())


def test_jewels_that_no_notation_spells() -> None:
    """Only a move that was not parsed can have them."""
    move = Decorate("b1", ("purple", "green"))
    assert told(decorable(lumber=1), move)["jewels_misspelled"] == ("RC-5.4", {"jewels": "purple+green"})


def test_every_reason_is_told_in_some_position() -> None:
    assert sorted([*(refusal.code for refusal in REFUSALS), "jewels_misspelled"]) == sorted(REASONS)
