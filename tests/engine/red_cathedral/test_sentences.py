"""The catalogue of sentences has what the rules can say, and nothing else."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from engine.game import Change, Reason
from engine.red_cathedral import GAME
from engine.red_cathedral.sentences import CAUSES, CHANGES, REASONS, goods
from tests.engine.red_cathedral.table import match

SOURCES = [path.read_text() for path in sorted(Path(str(files("engine.red_cathedral"))).glob("*.py"))]


def codes(pattern: str) -> set[str]:
    return {code for source in SOURCES for code in re.findall(pattern, source)}


def test_every_change_has_a_sentence() -> None:
    assert codes(r'\.note\(\s*"(\w+)"') == set(CHANGES)


def test_every_reason_has_a_sentence() -> None:
    assert codes(r'reason\(\s*(?:"RC-[\d.]+"|rule),\s*"(\w+)"') == set(REASONS)


def test_every_cause_of_an_end_has_words() -> None:
    assert codes(r'end_match\(draft, "(\w+)"') == set(CAUSES)


@pytest.mark.parametrize(
    ("amount", "resource", "words"),
    [
        (1, "rubles", "1 ruble"),
        (2, "rubles", "2 rubles"),
        (1, "green", "1 green jewel"),
        (3, "lumber", "3 lumber"),
    ],
)
def test_goods_are_counted_in_english(amount: int, resource: str, words: str) -> None:
    assert goods(amount, resource) == words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("claim:a1:white1:down", "Claim a1, its tile face down on the white1 space."),
        ("ornament:b2:green+purple", "Decorate b2 with a green jewel and a purple jewel."),
        ("ornament:b2", "Decorate b2."),
        ("move:white+2", "Move the white die its value and 2 further for 2 rubles."),
        ("influence:1:lumber:gold", "Use effect 1 of the influence card: lumber, gold."),
        ("influence:2:gold>a1,stone>a2", "Use effect 2 of the influence card: gold to a1, then stone to a2."),
        ("*yellow3,white5", "The dice show yellow 3, white 5."),
    ],
)
def test_moves_in_english(text: str, sentence: str) -> None:
    assert GAME.sentence(GAME.parse(text)) == sentence


def test_changes_and_reasons_in_english() -> None:
    state, changes = GAME.apply(match(), GAME.parse("claim:a1:blue:up"))
    assert [GAME.sentence(change) for change in changes] == [
        "Seat 0 claims a1 and puts its tile (1 lumber) on the blue workshop space.",
        "Seat 0 returns 1 ruble to the reserve.",
        "Seat 0 gains 1 lumber.",
    ]
    claimed = Change("claimed", 0, {"section": "b2", "workshop_space": "white1", "tile": "die:red"})
    assert "its tile (red die) on the white1 workshop" in GAME.sentence(claimed)
    (reason,) = GAME.why_not(state, GAME.parse("deliver:b1:lumber"))[:1]
    assert GAME.sentence(reason) == "The basic action of this turn is something else, or done."
    ivan = Change("recognition_gained", 1, {"amount": 4, "position": 6, "name": "Ivan"})
    assert GAME.sentence(ivan) == "Ivan gains 4 recognition and stands on 6."
    assert GAME.sentence(Reason("RC-6.2", "space_full", {"space": 3})) == "Space 3 holds three other dice."


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (Reason("", "too_few_rubles", {"price": 1, "rubles": 0}), "It costs 1 ruble, with 0 in hand."),
        (Reason("", "too_few_rubles", {"price": 3, "rubles": 1}), "It costs 3 rubles, with 1 in hand."),
        (Reason("", "reserve_short", {"there": 1, "resource": "green"}), "The reserve has 1 green jewel."),
        (
            Reason("", "more_than_yield", {"most": 1, "resource": "rubles", "amount": 2}),
            "The space yields 1 ruble, not 2.",
        ),
        (
            Reason("", "not_in_inventory", {"needed": 2, "material": "purple", "held": 1}),
            "It takes 2 purple jewels, the inventory has 1.",
        ),
    ],
)
def test_reasons_count(reason: Reason, sentence: str) -> None:
    assert GAME.sentence(reason) == sentence


@pytest.mark.parametrize(("amount", "words"), [(1, "1 material"), (2, "2 materials")])
def test_what_ivan_transports_is_counted(amount: int, words: str) -> None:
    change = Change("ivan_transported", 1, {"amount": amount})
    assert GAME.sentence(change) == f"Ivan takes {words} to his construction card."
