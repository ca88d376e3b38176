"""Part 2 of the rules: the score track."""

import pytest

from tests.engine.red_cathedral.table import (
    at,
    claimed,
    decorated,
    dice_at,
    finished,
    holding,
    is_legal,
    legal,
    match,
    play,
    player,
    positions,
    rows,
    turn,
)

PRESTIGE = (
    5,
    9,
    13,
    17,
    21,
    24,
    27,
    30,
    33,
    36,
    38,
    40,
    42,
    44,
    46,
    48,
    50,
    52,
    54,
    56,
    58,
    60,
    *range(62, 80),
)


def prestige(position: int) -> int:
    """PP of a position by the standing of a match in which nothing else scores."""
    state = holding(at(match(), 0, position), 0, rubles=0)
    return rows(state)[0].total


@pytest.mark.parametrize(
    ("position", "points"),
    [
        (0, 0),
        (4, 0),
        (5, 1),
        (8, 1),
        (9, 2),
        (61, 22),
        (62, 23),
        (79, 40),
        (80, 40),
        (84, 40),
        (85, 41),
        (159, 80),
        (160, 80),
        (165, 81),
    ],
)
def test_rc_2_1_prestige_counts_spaces_and_forty_a_lap(position: int, points: int) -> None:
    assert prestige(position) == points


def test_rc_2_1_forty_two_points_stand_on_the_space_of_two_with_forty_up() -> None:
    assert prestige(80 + 9) == 42


def test_rc_2_1_the_marker_goes_on_past_the_end() -> None:
    state = dice_at(at(match(), 0, 79), blue=(7, 1), white=(8, 2), red=(8, 2), yellow=(1, 1))
    assert positions(play(state, "move:blue", "take:3"))[0] == 82


def test_rc_2_2_the_prestige_spaces_in_full() -> None:
    assert [space for space in range(1, 80) if prestige(space) > prestige(space - 1)] == list(PRESTIGE)
    assert prestige(0) == 0
    assert [space for space in range(80, 160) if prestige(space) > prestige(space - 1)] == [
        80 + space for space in PRESTIGE
    ]


def test_rc_2_3_recognition_points_move_the_marker_as_many_spaces() -> None:
    state = dice_at(match(), blue=(7, 1))  # to the recognition tile, where yellow lies
    assert positions(play(state, "move:blue", "take:2"))[0] == 4


def test_rc_2_3_a_loss_moves_it_back_and_never_below_zero() -> None:
    """Yellow finishes above the base of blue, who loses one point if there is one to lose."""
    below = holding(claimed(claimed(match(), 1, "a1"), 0, "a2"), 0, brick=1, stone=1, gold=1)
    for start, left in ((9, 8), (5, 4), (1, 0), (0, 0)):
        state = play(at(below, 1, start), "deliver:a2:brick", "deliver:a2:stone", "deliver:a2:gold")
        assert positions(state) == [6, left]


@pytest.mark.parametrize(
    ("start", "after"),
    [
        (0, 5),
        (2, 5),
        (4, 5),
        (5, 9),
        (7, 9),
        (9, 13),
        (21, 24),
        (61, 62),
        (62, 63),
        (78, 79),
        (79, 85),
        (80, 85),
        (85, 89),
    ],
)
def test_rc_2_4_a_prestige_point_is_the_next_prestige_space_strictly_ahead(start: int, after: int) -> None:
    state = finished(match(), 1, "c1")
    state = holding(at(state, 0, start), 0, lumber=1, green=1)
    assert positions(play(turn(state, 0), "ornament:c1:green"))[0] == after


def test_rc_2_4_several_points_repeat_it() -> None:
    state = holding(at(finished(match(), 1, "c1"), 0, 7), 0, lumber=1, green=1, purple=1)
    assert positions(play(turn(state, 0), "ornament:c1:green+purple"))[0] == 17


@pytest.mark.parametrize(
    ("start", "after"),
    [(6, 5), (7, 5), (9, 5), (10, 9), (13, 9), (62, 60), (63, 62), (80, 79), (84, 79), (85, 79), (86, 85)],
)
def test_rc_2_5_losing_a_point_moves_to_the_nearest_prestige_space_strictly_behind(
    start: int, after: int
) -> None:
    state = at(match(), 0, start)
    assert positions(play(state, "trade"))[0] == after
    assert positions(play(state, "reroll:8"))[0] == after


@pytest.mark.parametrize("start", range(6))
def test_rc_2_5_it_is_illegal_where_there_is_none_behind(start: int) -> None:
    state = at(match(), 0, start)
    assert not is_legal(state, "trade")
    assert legal(state, "reroll") == set()


def test_rc_2_5_between_prestige_spaces_it_costs_recognition_but_no_prestige() -> None:
    state = at(match(), 0, 10)
    before, after = rows(state)[0], rows(holding(play(state, "trade"), 0, rubles=3))[0]
    assert before.scores == after.scores


def test_e12_steps_of_the_marker() -> None:
    decorable = decorated(finished(match(), 1, "c1", "d1"), 1, "d1")
    for start, gained in ((2, 5), (5, 9), (7, 9)):
        state = holding(at(decorable, 0, start), 0, lumber=1, purple=1)
        assert positions(play(turn(state, 0), "ornament:c1:purple"))[0] == gained
    for start in (2, 5):
        assert not is_legal(at(match(), 0, start), "trade")
    for start, lost in ((7, 5), (9, 5)):
        after = play(at(match(), 0, start), "trade")
        assert (positions(after)[0], player(after, 0).rubles) == (lost, 5)
    assert prestige(61) == 22
    assert prestige(62) == 23
