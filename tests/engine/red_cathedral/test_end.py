"""Part 7 of the rules: how a match ends. Scoring has a file of its own."""

import pytest

from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    EASY_ROLL,
    at,
    claimed,
    finished,
    holding,
    legal,
    listed,
    lying,
    match,
    play,
    positions,
    turn,
)


def idle(state: State) -> State:
    """After a turn that moves a die and nothing else."""
    move = next(text for text in listed(state) if text.startswith("move:"))
    return play(state, move, "end", EASY_ROLL)


def before_the_sixth(state: State, seat: int, *five: str) -> State:
    """The turn of `seat`, who has five sections finished and brings the last brick for a1 (llb)."""
    state = lying(claimed(finished(state, seat, *five), seat, "a1"), "a1", lumber=2)
    return turn(holding(state, seat, brick=1), seat)


def three() -> State:
    """Three seats; seat 1 is about to finish its sixth section."""
    return before_the_sixth(match(3), 1, "b1", "b2", "b3", "b4", "c1")


def test_rc_7_1_the_sixth_section_gives_three_prestige_points() -> None:
    state = play(three(), "deliver:a1:brick")
    assert positions(state) == [2, 13, 2]  # 2 + 2 recognition points, then 5, 9, 13
    assert state.trigger == 1


def test_rc_7_1_not_the_fifth() -> None:
    state = lying(claimed(finished(match(3), 1, "b1", "b2", "b3", "b4"), 1, "a1"), "a1", lumber=2)
    state = play(turn(holding(state, 1, brick=1), 1), "deliver:a1:brick")
    assert positions(state)[1] == 4
    assert state.trigger is None


def test_rc_7_1_every_other_player_has_exactly_one_more_turn() -> None:
    state = play(three(), "deliver:a1:brick", "end")
    for seat, text in ((2, "claim:a2:yellow:down"), (0, "claim:d1:yellow:down")):
        assert GAME.to_move(state) == seat
        state = play(state, text, "end")
    assert GAME.to_move(state) is None
    assert legal(state) == set()


def test_rc_7_1_the_turn_of_the_trigger_goes_on_to_its_end() -> None:
    state = holding(three(), 1, lumber=1, purple=1)
    state = play(state, "deliver:a1:brick", "ornament:a1:purple")
    assert positions(state)[1] == 17
    assert GAME.to_move(state) == 1
    assert legal(state, "end") == {"end"}


def test_rc_7_1_only_the_first_to_do_so_gains_them() -> None:
    state = finished(match(3), 2, "c2", "c3", "c4", "c5", "d1")
    state = lying(claimed(state, 2, "d2"), "d2", brick=2)  # m07: bba
    state = holding(state, 2, purple=1)
    state = before_the_sixth(state, 1, "b1", "b2", "b3", "b4", "c1")
    state = play(state, "deliver:a1:brick", "end", "deliver:d2:purple")
    assert positions(state) == [2, 13, 6]
    assert state.trigger == 1
    state = play(state, "end", "claim:e1:yellow:down", "end")
    assert GAME.to_move(state) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_rc_7_1_with_two_seats_the_other_has_one_more_turn(seat: int) -> None:
    state = before_the_sixth(match(), seat, "b1", "b2", "b3", "b4", "c1")
    state = play(state, "deliver:a1:brick", "end")
    assert GAME.to_move(state) == 1 - seat
    assert GAME.to_move(play(state, "claim:d1:yellow:down", "end")) is None


def test_rc_7_1_the_sixth_section_costs_others_a_penalty_like_any_other() -> None:
    """The sixth is a2, above blue's unfinished a1."""
    state = claimed(finished(match(), 0, "b1", "b2", "b3", "b4", "c1"), 1, "a1")
    state = at(lying(claimed(state, 0, "a2"), "a2", brick=1, stone=1), 1, 20)
    state = play(holding(state, 0, gold=1), "deliver:a2:gold")
    assert positions(state) == [17, 19]  # 2 + 4, then 9, 13, 17


def test_rc_7_7_the_match_is_over_after_the_last_turn_of_the_limit() -> None:
    state = match(3, {"turn_limit": 2})
    for name, space in (("a1", "yellow"), ("b1", "blue")):
        for level in range(3):
            assert GAME.to_move(state) == level
            state = play(state, f"claim:{name[0]}{level + 1}:{space}:down", "end")
    assert GAME.to_move(state) is None


def test_rc_7_7_it_is_scored_even_if_a_last_turn_is_owed() -> None:
    """Seat 1 of three triggers in the last round: seat 2 still plays, seat 0 does not."""
    state = before_the_sixth(match(3, {"turn_limit": 1}), 1, "b1", "b2", "b3", "b4", "c1")
    state = play(state, "deliver:a1:brick", "end")
    assert GAME.to_move(state) == 2
    assert GAME.to_move(play(state, "claim:d1:yellow:down", "end")) is None


def test_rc_7_7_zero_is_no_limit_and_two_hundred_the_default() -> None:
    assert match(options={"turn_limit": 0}).table.turn_limit == 0
    assert match().table.turn_limit == 200
    for limit, turns in ((0, 450), (3, 6), (200, 400)):
        state = match(options={"turn_limit": limit})
        played = 0
        while GAME.to_move(state) is not None and played < 450:
            state = idle(state)
            played += 1
        assert played == turns


def test_rc_7_7_a_match_over_by_the_sixth_section_needs_no_limit() -> None:
    state = before_the_sixth(match(options={"turn_limit": 0}), 1, "b1", "b2", "b3", "b4", "c1")
    state = play(state, "deliver:a1:brick", "end", "claim:d1:yellow:down", "end")
    assert GAME.to_move(state) is None
