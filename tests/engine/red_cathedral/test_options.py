"""The options of a match (RC-1.10): published, recorded in the deal, and in force."""

from typing import Any

import msgspec
import pytest

from engine.chance import Draw
from engine.errors import BadSetup
from engine.opening import read_deal, read_options
from engine.red_cathedral import GAME
from tests.engine.red_cathedral.table import deal_document, legal, match, play, positions

CHOICES = {
    "workshop": ["basic", "advanced"],
    "influence": ["random", "beginner"],
    "difficulty": ["easy", "normal", "hard"],
}
HOUSE_RULES = {
    "market_gain": ["dice", "pips"],
    "market_roll": ["after", "before"],
    "tower_places": ["halving", "one"],
    "tower_ties": ["pool", "split"],
    "two_seat_towers": ["third", "standard"],
    "trade_moments": ["one", "any"],
    "jewel_pairs": ["any", "different"],
}


def schema_of(name: str) -> dict[str, Any]:
    """The published properties of a Struct."""
    properties: dict[str, Any] = msgspec.json.schema(GAME.options_type)["$defs"][name]["properties"]
    return properties


def test_rc_1_10_every_choice_is_published() -> None:
    options = schema_of("Options")
    assert set(options) == {*CHOICES, "colours", "turn_limit", "house_rules"}
    for name, choices in CHOICES.items():
        assert set(options[name]["enum"]) == set(choices)
        assert options[name]["default"] == choices[1 if name == "difficulty" else 0]
    house = schema_of("HouseRules")
    assert {name: set(field["enum"]) for name, field in house.items()} == {
        n: set(c) for n, c in HOUSE_RULES.items()
    }
    assert {name: field["default"] for name, field in house.items()} == {
        n: c[0] for n, c in HOUSE_RULES.items()
    }


@pytest.mark.parametrize(
    ("name", "choice"), [(name, choice) for name, choices in CHOICES.items() for choice in choices]
)
def test_rc_1_10_options_are_recorded_in_the_deal(name: str, choice: str) -> None:
    for seats in (1, 2, 4):
        deal = GAME.deal(read_options(GAME, {name: choice}), seats, Draw(b"options"))
        assert msgspec.to_builtins(deal)["options"][name] == choice
        assert read_deal(GAME, msgspec.json.decode(msgspec.json.encode(deal))) == deal


@pytest.mark.parametrize(
    ("name", "choice"), [(name, choice) for name, choices in HOUSE_RULES.items() for choice in choices]
)
def test_rc_1_10_house_rules_are_recorded_in_the_deal(name: str, choice: str) -> None:
    deal = GAME.deal(read_options(GAME, {"house_rules": {name: choice}}), 3, Draw(b"options"))
    assert msgspec.to_builtins(deal)["options"]["house_rules"][name] == choice
    assert read_deal(GAME, msgspec.json.decode(msgspec.json.encode(deal))) == deal


def test_rc_1_10_options_do_not_change_what_is_dealt() -> None:
    deals = [
        GAME.deal(read_options(GAME, options), 2, Draw(b"same"))
        for options in (
            {},
            {"workshop": "advanced"},
            {"turn_limit": 9},
            {"house_rules": {"market_gain": "pips"}},
        )
    ]
    assert (
        len({(deal.market, deal.cards, deal.workshop_tiles, tuple(deal.dice.items())) for deal in deals}) == 1
    )


def test_rc_1_10_more_colours_than_players_are_refused() -> None:
    for seats, colours in ((2, ["yellow", "blue", "red"]), (3, ["yellow", "blue", "red", "green"])):
        options = read_options(GAME, {"colours": colours})
        with pytest.raises(BadSetup):
            GAME.deal(options, seats, Draw(b"colours"))
        with pytest.raises(BadSetup):
            read_deal(GAME, deal_document(seats, {"colours": colours}))


def test_rc_1_10_a_short_limit_ends_a_match() -> None:
    state = match(options={"turn_limit": 1})
    state = play(state, "claim:a1:blue:down", "end", "claim:b1:red:down", "end")
    assert GAME.to_move(state) is None


def test_rc_1_10_difficulty_matters_in_solitaire_only() -> None:
    for difficulty in CHOICES["difficulty"]:
        state = match(options={"difficulty": difficulty})
        assert positions(play(state, "claim:a1:blue:down", "end")) == [2, 2]
        assert legal(state) == legal(match())


def test_rc_1_10_the_colour_of_the_human_and_of_ivan() -> None:
    state = match(1, {"colours": ["green"]})
    assert legal(state, "move:green+") == {"move:green+1", "move:green+2", "move:green+3"}
