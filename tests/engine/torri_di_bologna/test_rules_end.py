"""Sections 3, 4 and 8 of RULES.md, a test for every paragraph."""

import pytest
from msgspec.structs import replace

from engine.game import Row
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.legal import level_limit
from engine.torri_di_bologna.model import Over, Placement, State, Turn
from tests.engine.torri_di_bologna.positions import (
    is_legal,
    legal,
    on_wall,
    played,
    position,
    reasons,
    told,
    tower,
)


def rows(state: State) -> tuple[Row, ...]:
    return GAME.standing(state).rows


def scores(state: State, category: str) -> list[int]:
    return [row.scores[category] for row in rows(state)]


def ranks(state: State) -> list[int]:
    return [row.rank for row in rows(state)]


def test_tb_3_1_the_last_plain_piece_closes_the_central_towers() -> None:
    state = position("2p-quadrato", "a1[0] b3[0,0] d3[1] e5[1]", builders="a1 e5", plain={0: 1})
    assert told(state, "build:b1") == ["walked", "built", "earned", "closed", "last_turns"]
    after = played(state, "build:b1")
    assert after.is_closed
    assert reasons(after, "build:b3") == {("TB-3.1", "closed")}
    assert is_legal(after, "walk:b3")
    assert not is_legal(replace(after, gold=(9, 9)), "cap:b3")
    # No level in either mode, for the limit and for the groups.
    for mode in ("cap", "level"):
        assert level_limit(replace(after, battlement_mode=mode)) == 2
        assert scores(replace(after, battlement_mode=mode), "central") == [4, 2]
    # Only the first time: a second player's last piece changes nothing.
    second = played(replace(after, plain=(0, 1)), "build:d5")
    assert (second.turns_left, second.plain) == (2, (0, 0))
    last = replace(after, plain=(0, 1), turns_left=1)
    assert played(last, "build:d5").decision == Over("extra_round")


def test_tb_3_1_income_comes_first() -> None:
    state = position("2p-quadrato", "c3[0] b3[1] e5[1]", builders="c3 e5", gold=(0, 1), plain={0: 1})
    assert told(state, "build:b3") == ["walked", "built", "collected", "closed", "last_turns"]
    assert played(state, "build:b3").gold == (1, 0)


@pytest.mark.parametrize(("retired", "order"), [((), [0, 1, 2, 0, 1, 2]), ((1,), [0, 2, 0, 2])])
def test_tb_3_2_the_round_is_completed_and_one_more_is_played(
    retired: tuple[int, ...], order: list[int]
) -> None:
    stacks = "a1[0] b1[0] f1[1] e1[1] f6[2] e6[2] b3[1] d3[2]"
    state = position(
        "3p-quadrato", stacks, builders="a1 f1 f6", plain={0: 1}, gold=(9, 9, 9), retired=retired
    )
    state = played(state, "build:a2")
    seen = [0]
    left = []
    while (seat := GAME.to_move(state)) is not None:
        seen.append(seat)
        left.append(state.turns_left)
        state = GAME.apply(state, GAME.legal(state)[0])[0]
    assert seen == order
    # Counted by places: a skipped seat uses up its turn.
    assert left == ([4, 3, 1] if retired else [5, 4, 3, 2, 1])
    assert state.decision == Over("extra_round")
    assert state.turns_left == 0
    assert legal(state) == []
    assert reasons(state, "walk:b1") == {("TB-3.2", "match_over")}


def test_tb_3_3_central_towers_are_not_closed_earlier() -> None:
    state = position(
        "2p-quadrato", "a1[0] b3[0,0,0] d3[1,1,1] e5[1]", builders="a1 e5", gold=(9, 9), plain={0: 2}
    )
    assert not state.is_closed
    assert not is_legal(state, "cap:b3")
    assert is_legal(state, "build:b3")
    assert not played(state, "build:b3").is_closed


def test_tb_4_1_control() -> None:
    stacks = "a1[0] b1[0,1] c1[0,1!] d1[1,0] b3[0,0] d3[1]"
    assert scores(position("2p-quadrato", stacks, builders="a1 b1"), "control") == [4, 4]


def test_tb_4_2_levels() -> None:
    stacks = "a1[0] b1[1,0,0,1] c1[0,1,0!] b3[1,1,1] d3[1,1,1]"
    assert scores(position("2p-quadrato", stacks, builders="a1 b1"), "levels") == [
        0 + 1 + 2 + 1 + 1,
        0 + 3 + 2,
    ]


def test_tb_4_3_the_largest_group_in_the_central_towers() -> None:
    # Across at equal height only, and never from one group to the next.
    state = position("2p-quadrato", "b3[0,1,0,0,0] d3[1,1,0,1,1]", builders="b3 d3")
    assert scores(state, "central") == [8, 6]
    state = position("2p-quadrato", "b3[0,1,1] d3[1,0,0]", builders="b3 d3")
    assert scores(state, "central") == [4, 4]


def test_tb_4_4_gold() -> None:
    state = position("2p-quadrato", "", builders="b3 d3", gold=(7, 0))
    assert scores(state, "gold") == [7, 0]
    assert [row.total for row in rows(state)] == [7, 0]


def test_tb_4_5_most_points_then_most_gold_then_shared() -> None:
    # Seat 0: a tower and two gold. Seat 1: two towers. Seat 2: four gold.
    state = position("3p-quadrato", "a1[0] b1[1] c1[1]", builders="a1 b1 c1", gold=(2, 0, 4))
    assert [row.total for row in rows(state)] == [4, 4, 4]
    assert ranks(state) == [2, 3, 1]
    assert [row.ties for row in rows(state)] == [{"gold": 2}, {"gold": 0}, {"gold": 4}]
    shared = position("3p-quadrato", "a1[0] b1[1]", builders="a1 b1 b1", gold=(1, 1, 1))
    assert ranks(shared) == [1, 1, 3]


def gone(state: State, seat: int) -> State:
    return GAME.retire(state, seat)[0]


def three() -> State:
    stacks = "a1[0] b1[0] f1[1] e1[1] f6[2] e6[2] b3[1] d3[2]"
    return position("3p-quadrato", stacks, builders="a1 f1 f6", gold=(3, 5, 1))


def test_tb_8_1_who_leaves_loses_the_turn_and_is_skipped() -> None:
    state = gone(three(), 0)
    assert state.decision == Turn(1)
    assert GAME.active(state) == (1, 2)
    state = played(state, "walk:e1", "walk:e6")
    assert state.decision == Turn(1)


def test_tb_8_1_out_of_turn_only_later_turns_are_lost() -> None:
    state = gone(three(), 1)
    assert state.decision == Turn(0)
    assert played(state, "walk:b1").decision == Turn(2)


def test_tb_8_1_pieces_builder_and_gold_stay() -> None:
    before = three()
    state = gone(before, 1)
    assert (state.towers, state.builders, state.gold) == (before.towers, before.builders, before.gold)
    paid = position(
        "3p-quadrato", "a1[0] b1[0] c1[1] b3[1] d3[2]", builders="a1 b1 d3", gold=(1, 5, 0), retired=(1,)
    )
    assert played(paid, "walk:b1").gold == (0, 6, 0)
    # And a tower of one who left is built on at the same terms.
    assert played(paid, "build:c1").gold == (1, 5, 0)


def test_tb_8_1_ranks() -> None:
    four = position("4p-quadrato", "a1[0] b1[0] c1[0]", builders="a1 a1 a1 a1", gold=(9, 0, 0, 1))
    state = gone(gone(four, 0), 1)
    assert ranks(state) == [4, 3, 2, 1]
    assert [row.retired for row in rows(state)] == [True, True, False, False]


def test_tb_8_1_the_last_one_wins() -> None:
    state = gone(three(), 1)
    state, changes = GAME.retire(state, 0)
    assert [change.code for change in changes] == ["retired", "over_one_seat_left"]
    assert state.decision == Over("one_seat_left")
    assert GAME.to_move(state) is None
    assert ranks(state) == [2, 3, 1]
    assert reasons(state, "pass") == {("TB-8.1", "match_over")}


def test_tb_8_1_turns_owed_after_the_trigger_are_lost() -> None:
    state = replace(three(), turns_left=2, decision=Turn(1))
    assert gone(state, 0).turns_left == 2
    last = gone(state, 1)
    assert (last.turns_left, last.decision) == (1, Turn(2))
    over, changes = GAME.retire(replace(three(), turns_left=1, decision=Turn(2)), 2)
    assert over.decision == Over("extra_round")
    assert [change.code for change in changes] == ["retired", "over_extra_round"]
    skipped = played(gone(replace(state, turns_left=2), 2), "walk:e1")
    assert skipped.decision == Over("extra_round")


def test_tb_8_1_leaving_before_the_builder_stands() -> None:
    state = played(on_wall("3p-quadrato"), "place:a")
    assert gone(state, 1).decision == Placement(2)
    assert gone(state, 2).decision == Placement(1)
    state = played(gone(state, 1), "place:a")
    assert state.decision == Turn(0)
    state = played(state, "build:b2", "build:a3")
    assert state.decision == Turn(0)
    assert GAME.board(state)
    assert "left" in GAME.picture(state)


def test_tb_8_1_leaving_ends_no_count_by_itself() -> None:
    state = gone(replace(three(), idle=17), 2)
    assert state.decision == Turn(0)
    assert played(state, "build:a2").idle == 0
    assert played(state, "walk:b1").decision == Over("idle")


def test_what_is_on_the_table_stays_there() -> None:
    state = three()
    assert tower(gone(state, 2), "f6") == (2,)
