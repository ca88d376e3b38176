"""Part 8 of the rules: moves, their spelling and their order, and chance."""

import itertools
from typing import Any

import msgspec
import pytest

from engine.chance import Draw
from engine.errors import BadNotation
from engine.game import CHANCE
from engine.match import digest
from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from engine.transcript import Transcript, parse_text, replay, write_text
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    dice_at,
    finished,
    holding,
    is_legal,
    legal,
    listed,
    match,
    play,
    refused_by,
    reserve_with,
    rolled_dice,
    turn,
)

SPELLED = """
    claim:a1:yellow:up claim:f6:white2:down claim:b3:white1:up
    deliver:a1:lumber deliver:c2:purple
    ornament:a1 ornament:b2:green ornament:b2:purple
    ornament:b2:green+purple ornament:b2:green+green ornament:b2:purple+purple
    move:yellow move:white+7 move:blue+1
    take:1 take:6
    influence:1 influence:2 influence:1:gold influence:2:lumber:stone influence:2:8
    influence:1:green>a1 influence:1:green>a1,lumber>b2
    activate:yellow activate:white2
    trade reroll:1 reroll:8 done end
    ivan:a1 ivan:d2
    *yellow3 *yellow3,white5 *yellow1,blue2,red3,green4,white5
"""

MISSPELLED = """
    claim:a1:yellow claim:a1:yellow:left claim:a0:yellow:up claim:1a:yellow:up claim:A1:yellow:up
    claim:a1:white:up claim:a1:white3:up claim:a1:yellow:up:up claim:a01:yellow:up
    claim claim: Claim:a1:yellow:up
    deliver:a1 deliver:a1:wood deliver:a1:rubles deliver:lumber:a1 deliver:a1:Lumber
    ornament ornament:a1: ornament:a1:purple+green ornament:a1:gold ornament:a1:green+green+green
    ornament:a1:green:purple
    move move:yellow+0 move:yellow+ move:yellow+01 move:yellow-1 move:black move:yellow:1 move:yellow+1.5
    move:white1
    take take: take:01 take:-1 take:+1 take:one take:1:2 take:1.0
    influence influence: influence:0 influence:3 influence:12 influence:1: influence:1:wood
    influence:1:9 influence:1:0 influence:1:gold:green:purple influence:1:lumber> influence:1:>a1
    influence:1:a1>lumber influence:1:lumber>a1, influence:1:lumber>a1,lumber>a1,lumber>a1
    activate activate:white activate:white3 activate:1
    trade: trade:1 reroll reroll:0 reroll:9 reroll:01 reroll:10 done: end:1 end. END
    ivan ivan:a ivan:a1:b1 pass
    * *yellow *yellow0 *yellow7 *white5,yellow3 *yellow3,yellow3 *yellow3, *yellow3;white5 *3yellow
    *yellow3.5 yellow3 *yellow33
"""

BLANKS_AND_DIGITS = (
    "",
    "end ",
    " end",
    "end\n",
    "claim:a1:yellow: up",
    "move:yellow +1",
    "take:١",
    "*yellow³",
)


@pytest.mark.parametrize("text", SPELLED.split())
def test_rc_8_2_every_move_has_one_spelling(text: str) -> None:
    assert GAME.write(GAME.parse(text)) == text


@pytest.mark.parametrize("text", [*MISSPELLED.split(), *BLANKS_AND_DIGITS])
def test_rc_8_2_no_other_spelling_is_read(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.parse(text)


# ------------------------------------------------------------------------------------- done and end


@pytest.mark.parametrize(
    ("position", "before", "legal_then"),
    [
        (2, (), False),
        (5, (), False),
        (6, (), True),
        (40, ("trade",), True),  # a re-roll is left
        (40, ("reroll:1", "*blue4"), True),  # trade is left
        (40, ("trade", "reroll:1", "*blue4"), False),
        (40, ("reroll:1", "*blue4", "trade"), False),  # done would close the trade
        (9, ("trade",), False),  # on 5 nothing can be lost any more
    ],
)
def test_rc_8_2_done_is_open_only_if_a_trade_or_a_reroll_is_possible_after_it(
    position: int, before: tuple[str, ...], legal_then: bool
) -> None:
    state = at(dice_at(match(), blue=(1, 2)), 0, position)
    assert is_legal(play(play(state, "move:yellow"), *before), "done") == legal_then


def test_rc_8_2_done_after_a_reroll_needs_rubles_in_the_reserve() -> None:
    state = play(at(match(), 0, 40), "reroll:1", "*blue4", "move:yellow")
    assert is_legal(state, "done")
    assert not is_legal(reserve_with(state, rubles=0), "done")
    assert is_legal(reserve_with(play(at(match(), 0, 40), "move:yellow"), rubles=0), "done")


def test_rc_8_2_done_is_for_an_open_market_action_only() -> None:
    rich = holding(at(claimed(match(), 0, "a1"), 0, 40), 0, lumber=1)
    for moves in (
        (),
        ("claim:b1:green:down",),
        ("deliver:a1:lumber",),
        ("move:yellow", "done", "*yellow1,green1"),
    ):
        assert not is_legal(play(rich, *moves), "done")


def test_rc_8_2_a_build_stays_open_until_end() -> None:
    state = holding(at(claimed(match(), 0, "a1", "b1"), 0, 40), 0, lumber=3, brick=3)
    state = play(state, "deliver:a1:lumber", "deliver:a1:lumber", "deliver:b1:lumber")
    assert {text.split(":")[0] for text in legal(state)} == {"trade", "reroll", "end"}
    state = play(state, "trade", "reroll:1", "*blue3")
    assert legal(state) == {"end"}
    assert GAME.to_move(play(state, "end")) == 1


def test_rc_8_2_every_number_of_extra_spaces_with_room_is_a_move() -> None:
    state = dice_at(
        holding(match(), 0, rubles=60), yellow=(8, 6), blue=(1, 1), red=(1, 1), green=(1, 1), white=(2, 1)
    )
    extras = legal(state, "move:yellow")
    assert extras == {"move:yellow", *(f"move:yellow+{k}" for k in (1, 2, 4, 5, 6, 7))}  # +3 ends on 1
    assert legal(state, "move:blue") == {"move:blue"}


# ------------------------------------------------------------------------------------------- chance


def test_rc_8_1_outcomes_are_all_faces_of_the_dice_in_their_order_and_equally_likely() -> None:
    state = play(dice_at(match(), white=(3, 1), green=(6, 1)), "move:yellow", "end")
    expected = [f"*yellow{first},white{second}" for first, second in itertools.product(range(1, 7), repeat=2)]
    assert listed(state) == expected
    assert list(GAME.odds(state)) == [1] * 36


@pytest.mark.parametrize(("others", "count"), [((), 6), (("red",), 36), (("blue", "white"), 216)])
def test_rc_8_1_six_to_the_number_of_dice(others: tuple[str, ...], count: int) -> None:
    away = dict.fromkeys(("blue", "red", "green", "white"), (6, 1)) | {"green": (5, 1)}
    places = away | dict.fromkeys(others, (3, 1))
    state = play(dice_at(match(), **places), "move:yellow", "end")
    assert len(listed(state)) == count
    assert refused_by(state, "end")


def test_rc_8_1_chance_moves_after_end_done_reroll_and_a_reroll_effect() -> None:
    start = at(match(influence=["craftsmen1", "teamsters2", "merchants1", "clergy1"]), 0, 40)
    for moves, dice in (
        (("move:yellow", "end"), {"yellow", "green"}),
        (("move:yellow", "done"), {"yellow", "green"}),
        (("reroll:2",), {"red"}),
        (("move:yellow", "influence:2:1"), {"blue"}),
    ):
        state = play(start, *moves)
        assert GAME.to_move(state) == CHANCE
        assert rolled_dice(state) == dice


def test_rc_8_1_a_match_is_over_only_after_a_pending_roll() -> None:
    state = play(match(options={"turn_limit": 1}), "claim:a1:blue:down", "end", "move:blue", "end")
    assert GAME.to_move(state) == CHANCE
    assert GAME.to_move(play(state, "*")) is None


def test_rc_8_1_every_die_has_a_stream_of_its_own() -> None:
    """What a die shows at its k-th roll depends on neither what else is rolled nor when."""

    def rolls(state: State) -> list[tuple[int, ...]]:
        shown = []
        for _ in range(12):
            state, _ = GAME.apply(state, GAME.outcome(state, draw))
            shown.append(state.pips)
            assert state.rolls[4] == len(shown)
            state = play(at(turn(state, 0), 0, 40), "reroll:3")
        return shown

    draw = Draw(b"streams")
    together = rolls(play(at(dice_at(match(), white=(3, 1), green=(3, 1)), 0, 40), "reroll:3"))
    alone = rolls(play(at(dice_at(match(), white=(3, 1), green=(6, 1)), 0, 40), "reroll:3"))
    assert [pips[4] for pips in together] == [pips[4] for pips in alone]
    assert len({pips[4] for pips in alone}) > 2
    assert [pips[3] for pips in together] != [pips[4] for pips in together]


def test_rc_8_1_the_rules_draw_nothing_themselves() -> None:
    state = play(match(), "move:yellow", "end")
    for text in ("*yellow1,green1", "*yellow6,green6"):
        after = play(state, text)
        assert (after.pips[0], after.pips[3]) == (int(text[7]), int(text[-1]))


# ------------------------------------------------------------------------------------ order, replay

KINDS = (
    *("claim", "deliver", "ornament", "move", "take", "influence", "activate"),
    *("trade", "reroll", "done", "end", "ivan"),
)


def rank(text: str) -> tuple[Any, ...]:
    """Where a move stands among others of its list, by the documented order of the engine's legal module."""
    kind, _, rest = text.partition(":")
    words = ("yellow", "blue", "red", "green", "white", "white1", "white2")
    if kind == "claim":
        name, space, side = rest.split(":")
        return KINDS.index(kind), name, words.index(space), side == "down"
    if kind == "deliver":
        name, material = rest.split(":")
        return (
            KINDS.index(kind),
            name,
            ("lumber", "brick", "stone", "gold", "green", "purple").index(material),
        )
    if kind == "move":
        colour, _, extra = rest.partition("+")
        return KINDS.index(kind), words.index(colour), int(extra or 0)
    if kind in ("take", "reroll"):
        return KINDS.index(kind), int(rest)
    return KINDS.index(kind), rest if kind == "ivan" else ""


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_rc_8_3_legal_moves_come_in_their_documented_order(seats: int) -> None:
    walk = random_match(GAME, seats, 3, turn_limit=30)
    for step in itertools.chain([walk.start], (step.state for step in walk.steps)):
        ranks = [rank(text) for text in listed(step) if not text.startswith("*")]
        assert ranks == sorted(ranks)


def test_rc_8_3_the_order_is_the_same_for_equal_states() -> None:
    state = holding(finished(match(), 1, "b1", "b2"), 0, lumber=2, stone=2, green=2, purple=2)
    again = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert listed(again) == listed(state)
    assert listed(turn(state, 0)) == listed(state)


def test_rc_8_3_ornaments_influence_and_activations_in_order() -> None:
    state = holding(finished(match(), 1, "b1", "b2"), 0, lumber=1, stone=1, green=2, purple=2)
    jewels = ["", ":green", ":purple", ":green+purple", ":green+green", ":purple+purple"]
    assert [text for text in listed(state) if text.startswith("ornament")] == [
        f"ornament:{name}{jewel}" for name in ("b1", "b2") for jewel in jewels
    ]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_rc_8_4_a_match_replays_from_its_transcript_alone(seats: int) -> None:
    walk = random_match(GAME, seats, 8, turn_limit=20)
    steps = list(walk.steps)
    transcript = Transcript(
        game=GAME.slug,
        rules=GAME.rules,
        edition=GAME.edition,
        deal=msgspec.to_builtins(walk.deal),
        events=tuple(step.event for step in steps),
        digest=digest(steps[-1].state),
    )
    again = list(replay(parse_text(write_text(transcript))))
    assert [digest(step.state) for step in again] == [digest(step.state) for step in steps]
    assert again[-1].state == steps[-1].state
