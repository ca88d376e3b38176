"""Retirement (RC-3.6): a seat leaves, its pieces stay."""

import pytest

from engine.game import CHANCE
from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    decorated,
    die,
    finished,
    holding,
    inventory,
    legal,
    lying,
    match,
    play,
    positions,
    ranks,
    rolled_dice,
    rows,
    section,
    turn,
)


def test_rc_3_6_a_seat_that_leaves_in_its_turn_ends_it_at_once() -> None:
    state = play(match(3), "retire:0")
    assert GAME.to_move(state) == 1
    assert GAME.active(state) == (1, 2)
    state = play(match(3), "claim:a1:blue:up", "retire:0")
    assert GAME.to_move(state) == 1
    assert inventory(state, 0) == {"lumber": 1}
    assert section(state, "a1").owner == 0


def test_rc_3_6_an_open_market_action_rolls_nothing() -> None:
    state = play(match(3), "move:yellow", "take:2", "retire:0")
    assert GAME.to_move(state) == 1
    assert die(state, "yellow") == (3, 3)
    assert inventory(state, 0) == {"stone": 2}
    assert GAME.to_move(play(state, "claim:a1:blue:down")) == 1


def test_rc_3_6_an_open_build_action_keeps_what_was_delivered() -> None:
    state = holding(claimed(match(3), 0, "a1"), 0, lumber=2)
    state = play(state, "deliver:a1:lumber", "retire:0")
    assert GAME.to_move(state) == 1
    assert inventory(state, 0) == {"lumber": 1}
    assert any(section(state, "a1").delivered)


def test_rc_3_6_its_turns_are_skipped_from_then_on() -> None:
    state = play(match(4), "retire:2")
    order = []
    for name in ("a1", "b1", "c1", "d1", "e1", "f1"):
        order.append(GAME.to_move(state))
        state = play(state, f"claim:{name}:{'yellow' if name < 'd' else 'blue'}:down", "end")
    assert order == [0, 1, 3, 0, 1, 3]


def test_rc_3_6_out_of_turn_only_the_skipping_applies() -> None:
    state = play(match(3), "move:yellow", "take:1")
    after = play(state, "retire:1")
    assert GAME.to_move(after) == 0
    assert legal(after) == legal(state)
    after = play(after, "end", "*")
    assert GAME.to_move(after) == 2


def test_rc_3_6_its_pieces_stay_and_others_may_build_above() -> None:
    state = play(claimed(match(3), 0, "a1"), "retire:0")
    assert "claim:a2:blue:down" in legal(state)
    assert "claim:a1:blue:down" not in legal(state)


def test_rc_3_6_penalties_are_charged_as_before() -> None:
    state = claimed(claimed(match(3), 0, "a1"), 1, "a2")  # llb, lbg 4+1
    state = at(lying(state, "a2", lumber=1, brick=1), 0, 20)
    state = play(holding(state, 1, gold=1), "retire:0", "deliver:a2:gold")
    assert positions(state) == [19, 6, 2]


def test_rc_3_6_its_sections_may_be_decorated() -> None:
    state = play(holding(finished(match(3), 0, "a1"), 1, lumber=1), "retire:0", "ornament:a1")
    assert section(state, "a1").ornament == 1


def test_rc_3_6_it_ranks_behind_all_active_seats() -> None:
    state = at(at(match(3), 0, 79), 1, 5)
    assert ranks(state) == [1, 2, 3]
    state = play(state, "retire:0")
    assert ranks(state) == [3, 1, 2]
    assert [row.retired for row in rows(state)] == [True, False, False]


def test_rc_3_6_of_several_who_left_later_ranks_higher() -> None:
    state = at(at(match(4), 0, 79), 3, 60)
    state = play(state, "retire:0", "retire:3")
    assert ranks(state)[0] == 4
    assert ranks(state)[3] == 3
    assert ranks(play(at(match(4), 3, 60), "retire:3", "retire:0"))[3] == 4


def test_rc_3_6_with_one_active_seat_left_the_match_is_over_at_once_and_it_wins() -> None:
    state = play(at(match(2), 0, 60), "retire:0")
    assert GAME.to_move(state) is None
    assert legal(state) == set()
    assert ranks(state) == [2, 1]
    state = play(at(match(3), 0, 60), "retire:0", "claim:a1:blue:down", "retire:2")
    assert GAME.to_move(state) is None
    assert ranks(state) == [3, 1, 2]


def test_rc_3_6_a_pending_roll_at_the_end_of_the_turn_is_completed_first() -> None:
    state = play(match(3), "move:yellow", "end", "retire:0")
    assert GAME.to_move(state) == CHANCE
    assert rolled_dice(state) == {"yellow", "green"}
    state = play(state, "*yellow6,green6")
    assert GAME.to_move(state) == 1
    assert die(state, "yellow") == (3, 6)


@pytest.mark.parametrize("first", [("reroll:1",), ("move:yellow", "done"), ("move:yellow", "reroll:3")])
def test_rc_3_6_the_turn_ends_after_a_pending_roll_within_it(first: tuple[str, ...]) -> None:
    state = play(at(match(3), 0, 30), *first, "retire:0")
    assert GAME.to_move(state) == CHANCE
    state = play(state, "*")
    assert GAME.to_move(state) == 1
    assert GAME.active(state) == (1, 2)


@pytest.mark.parametrize("first", [("reroll:1",), ("move:yellow", "done"), ("move:yellow", "end")])
@pytest.mark.parametrize("leaver", [0, 1])
def test_rc_3_6_a_match_is_over_after_the_pending_roll_when_one_seat_is_left(
    first: tuple[str, ...], leaver: int
) -> None:
    state = play(at(match(2), 0, 30), *first, f"retire:{leaver}")
    assert GAME.to_move(state) == CHANCE
    state = play(state, "*")
    assert GAME.to_move(state) is None
    assert ranks(state) == ([2, 1] if leaver == 0 else [1, 2])


def test_rc_3_6_out_of_turn_a_pending_roll_leads_on_as_before() -> None:
    state = play(at(match(3), 0, 30), "reroll:1", "retire:2", "*blue3")
    assert GAME.to_move(state) == 0
    state = play(state, "claim:a1:blue:down", "end", "claim:b1:blue:down", "end")
    assert GAME.to_move(state) == 0


# ------------------------------------------------------------------------------------ together with 7


def triggered(seats: int, seat: int, **options: int) -> State:
    """The position after `seat` finished its sixth section and ended its turn."""
    state = finished(match(seats, options), seat, "b1", "b2", "b3", "b4", "c1")
    state = lying(claimed(state, seat, "a1"), "a1", lumber=2)
    return play(turn(holding(state, seat, brick=1), seat), "deliver:a1:brick", "end")


def test_rc_3_6_it_is_owed_no_last_turn() -> None:
    state = play(triggered(4, 1), "retire:3")
    assert GAME.to_move(state) == 2
    state = play(state, "claim:d1:yellow:down", "end")
    assert GAME.to_move(state) == 0
    assert GAME.to_move(play(state, "claim:d2:yellow:down", "end")) is None


def test_rc_3_6_the_end_comes_over_the_place_of_a_trigger_that_left() -> None:
    state = play(triggered(4, 1), "retire:1")
    for seat, name in ((2, "d1"), (3, "d2"), (0, "d3")):
        assert GAME.to_move(state) == seat
        state = play(state, f"claim:{name}:yellow:down", "end")
    assert GAME.to_move(state) is None


def test_rc_3_6_no_turn_is_owed_after_the_last_active_one() -> None:
    """Seat 0 triggered; 1 has played its last turn, 2 leaves: over, although two seats are active."""
    state = play(triggered(3, 0), "claim:d1:yellow:down", "end")
    assert GAME.to_move(state) == 2
    state = play(state, "retire:2")
    assert GAME.to_move(state) is None
    assert GAME.active(state) == (0, 1)


def test_rc_3_6_leaving_out_of_turn_lets_the_last_turn_finish() -> None:
    state = play(triggered(3, 0), "retire:2")
    assert GAME.to_move(state) == 1
    state = play(state, "claim:d1:yellow:down")
    assert GAME.to_move(state) == 1
    assert GAME.to_move(play(state, "end")) is None


def test_rc_3_6_the_trigger_leaves_in_the_turn_in_which_it_triggered() -> None:
    state = finished(match(3), 1, "b1", "b2", "b3", "b4", "c1")
    state = lying(claimed(state, 1, "a1"), "a1", lumber=2)
    state = play(turn(holding(state, 1, brick=1), 1), "deliver:a1:brick", "retire:1")
    for seat, name in ((2, "d1"), (0, "d2")):
        assert GAME.to_move(state) == seat
        state = play(state, f"claim:{name}:yellow:down", "end")
    assert GAME.to_move(state) is None


def test_rc_3_6_the_round_ends_at_the_place_of_a_last_seat_that_left() -> None:
    state = play(match(3, {"turn_limit": 1}), "retire:2", "claim:a1:blue:down", "end")
    assert GAME.to_move(state) == 1
    assert GAME.to_move(play(state, "claim:b1:blue:down", "end")) is None


def test_rc_3_6_turns_are_counted_by_rounds_although_seats_are_skipped() -> None:
    state = play(
        match(3, {"turn_limit": 2}), "retire:0", "claim:a1:blue:down", "end", "claim:b1:blue:down", "end"
    )
    assert GAME.to_move(state) == 1
    state = play(state, "claim:c1:red:down", "end")
    assert GAME.to_move(state) == 2
    assert GAME.to_move(play(state, "claim:d1:red:down", "end")) is None


def test_rc_3_6_pieces_of_retired_seats_count_in_towers() -> None:
    """a1 and a2 seat 0, a3 seat 1, a door of seat 2: V = 7, presence 2, 1, 1."""
    state = decorated(finished(finished(match(3), 0, "a1", "a2"), 1, "a3"), 2, "a1")
    before = [row.scores for row in rows(state)]
    after = [row.scores for row in rows(play(state, "retire:0"))]
    assert after == before


def test_rc_3_6_in_solitaire_ivan_wins() -> None:
    state = play(at(match(1), 0, 60), "retire:0")
    assert GAME.to_move(state) is None
    assert ranks(state) == [2, 1]
    assert GAME.active(state) == ()


def test_rc_3_6_in_solitaire_too_a_pending_roll_comes_first() -> None:
    for first in (("move:yellow", "end"), ("claim:a1:blue:down", "end")):
        state = play(match(1), *first, "retire:0")
        assert GAME.to_move(state) == CHANCE
        before = positions(state)
        state = play(state, "*")
        assert GAME.to_move(state) is None
        assert positions(state) == before
        assert ranks(state)[1] == 1
