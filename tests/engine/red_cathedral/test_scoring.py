"""Part 7 of the rules: scores and ranks."""

from engine.game import Row
from engine.red_cathedral import GAME, scoring
from engine.red_cathedral.layout import TowerRules
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    decorated,
    finished,
    holding,
    lying,
    match,
    play,
    positions,
    ranks,
    rows,
)


def poor(state: State) -> State:
    """Nobody has rubles, so that leftovers count nothing."""
    for seat in range(len(state.players)):
        state = holding(state, seat, rubles=0)
    return state


def tower(state: State, letter: str) -> list[int]:
    """What a tower gives to each side."""
    return [row.scores[f"tower_{letter}"] for row in rows(state)]


def track(row: Row) -> int:
    """Prestige points of the track."""
    return row.scores["track"]


def test_rc_7_2_markers_fall_back_to_the_prestige_space_behind() -> None:
    for position, points in ((4, 0), (5, 1), (8, 1), (61, 22), (62, 23), (83, 40)):
        assert track(rows(at(match(), 0, position))[0]) == points


def test_rc_7_2_the_state_keeps_the_position_when_it_is_over() -> None:
    state = play(
        at(match(options={"turn_limit": 1}), 0, 61), "claim:a1:blue:down", "end", "claim:b1:red:down", "end"
    )
    assert GAME.to_move(state) is None
    assert positions(state)[0] == 61
    assert track(rows(state)[0]) == 22


def leftovers(**held: int) -> int:
    """The score of what seat 0 has left."""
    return rows(holding(match(), 0, **held))[0].scores["leftovers"]


def test_rc_7_3_five_materials_and_rubles_together_are_a_point() -> None:
    assert leftovers(rubles=4) == 0
    assert leftovers(rubles=5) == 1
    assert leftovers(rubles=4, lumber=1) == 1
    assert leftovers(rubles=4, lumber=3, purple=2) == 1
    assert leftovers(rubles=4, lumber=3, purple=3) == 2
    assert leftovers(rubles=0, lumber=3, purple=3) == 1


def test_rc_7_3_materials_on_cards_do_not_count() -> None:
    state = lying(claimed(match(), 0, "a1", "b1"), "a1", lumber=2, brick=1)
    state = lying(state, "b1", lumber=1, brick=1)
    assert rows(state)[0].scores["leftovers"] == 0


def test_e8_four_rubles_and_three_materials() -> None:
    assert leftovers(rubles=4, lumber=1, stone=1, green=1) == 1


def test_rc_7_4_a_tower_is_worth_two_a_finished_section_and_one_an_ornament() -> None:
    state = finished(match(3), 0, "c1")
    assert tower(state, "c") == [2, 0, 0]
    state = finished(state, 0, "c2", "c3")
    assert tower(state, "c") == [6, 0, 0]
    state = claimed(decorated(state, 0, "c1", "c2"), 0, "c4")
    assert tower(state, "c") == [8, 0, 0]


def test_rc_7_4_presence_is_finished_banners_and_ornaments() -> None:
    """Seat 1's two ornaments against seat 0's one banner, seat 2's unfinished banners count nothing."""
    state = finished(finished(match(3), 0, "c1"), 2, "d1")
    state = claimed(finished(state, 2, "c2"), 2, "c3", "c4")
    state = decorated(state, 1, "c1", "c2")
    assert tower(state, "c") == [(3 + 1) // 2, 6, (3 + 1) // 2]  # 6, and places two and three shared


def test_rc_7_4_no_presence_no_points() -> None:
    state = claimed(finished(match(4), 3, "b1"), 0, "b2")
    assert tower(state, "b") == [0, 0, 0, 2]
    assert tower(state, "a") == [0, 0, 0, 0]


def test_rc_7_4_each_place_gives_half_of_the_one_before() -> None:
    """A tower of five, all finished: 10. Presence 2, 1, 1, 1; then a door for seat 3: 11."""
    state = finished(finished(match(4), 0, "c1", "c2"), 1, "c3")
    state = finished(finished(state, 2, "c4"), 3, "c5")
    assert tower(state, "c") == [10, 2, 2, 2]  # (5 + 2 + 1) div 3
    state = decorated(state, 3, "c1")
    assert tower(state, "c") == [8, 1, 1, 8]  # (11 + 5) div 2, (2 + 1) div 2
    state = decorated(state, 0, "c2")
    assert tower(state, "c") == [12, 2, 2, 6]  # 12, 6, then (3 + 1) div 2


def test_rc_7_4_third_and_fourth_place() -> None:
    """Presence 4, 3, 2, 0 with V = 5 finished and 4 ornaments: 14, 7, 3."""
    state = finished(finished(match(4), 0, "c1", "c2"), 1, "c3", "c4")
    state = decorated(finished(state, 2, "c5"), 0, "c1", "c2")
    state = decorated(decorated(state, 1, "c3"), 2, "c5")
    assert tower(state, "c") == [14, 7, 3, 0]


def test_rc_7_4_each_half_is_rounded_down() -> None:
    rules = TowerRules.of(match(4).table)
    for value in range(40):
        second = value // 2
        third = second // 2
        assert scoring.place_values(value, rules) == (value, second, third, third // 2)


def test_e9_the_tower_of_four() -> None:
    """Green (0), yellow (1), red (2)."""
    state = match(3, {"colours": ["green", "yellow", "red"]})
    open_card = decorated(finished(finished(state, 0, "b1", "b2"), 1, "b3"), 0, "b1")
    state = finished(open_card, 2, "b4")
    assert tower(state, "b") == [9, 3, 3]
    assert tower(claimed(open_card, 2, "b4"), "b") == [7, 3, 0]


def test_e10_a_tower_worth_eleven() -> None:
    rules = TowerRules.of(match(4).table)
    assert scoring.place_values(11, rules) == (11, 5, 2, 1)
    for presence, scores in (
        ((4, 3, 2, 1), (11, 5, 2, 1)),
        ((3, 3, 1, 0), (8, 8, 2, 0)),
        ((1, 3, 1, 0), (3, 11, 3, 0)),
        ((2, 2, 0, 2), (6, 0 + 6, 0, 6)),
        ((1, 1, 1, 1), (4, 4, 4, 4)),
        ((0, 0, 0, 2), (0, 0, 0, 11)),
    ):
        assert scoring._many_sides(11, presence, rules) == scores


def test_e10_on_the_table() -> None:
    """Four finished and three ornaments: 3, 3 and 1 pieces; five and one: two each; 3, 2 and 2 pieces."""
    state = finished(finished(finished(match(4), 0, "b1", "b2"), 1, "b3"), 2, "b4")
    state = decorated(decorated(decorated(state, 0, "b1"), 1, "b2"), 1, "b3")
    assert tower(state, "b") == [8, 8, 2, 0]
    state = finished(finished(finished(match(4), 0, "c1", "c2"), 1, "c3", "c4"), 2, "c5")
    assert tower(decorated(state, 2, "c1"), "c") == [6, 6, 6, 0]
    state = finished(finished(finished(match(4), 0, "b1", "b2"), 1, "b3"), 2, "b4")
    state = decorated(decorated(decorated(state, 0, "b1"), 1, "b2"), 2, "b4")
    assert tower(state, "b") == [11, 3, 3, 0]


def test_rc_7_5_with_two_seats_the_other_gets_a_third() -> None:
    state = finished(finished(match(), 0, "b1", "b2"), 1, "b3")
    assert tower(state, "b") == [6, 2]
    state = decorated(decorated(state, 1, "b1"), 1, "b2")
    assert tower(state, "b") == [8 // 3, 8]
    assert tower(finished(match(), 1, "b1", "b2"), "b") == [0, 4]


def test_rc_7_5_equal_presence_scores_nothing() -> None:
    state = finished(finished(match(), 0, "b1"), 1, "b2")
    assert tower(state, "b") == [0, 0]
    assert tower(decorated(state, 0, "b1"), "b") == [5, 1]


def test_e11_two_players() -> None:
    state = finished(match(), 0, "a1", "a2", "b1", "b2", "c1", "d1")
    state = finished(finished(state, 1, "a3", "b3", "c2", "c3"), 1, "d2")
    state = decorated(state, 0, "c1", "c2", "a2", "d2")
    state = decorated(state, 1, "a3")
    sheets = [tower(state, letter) for letter in "abcd"]
    assert sheets == [[8, 2], [6, 2], [8, 2], [5, 1]]
    equal = finished(finished(match(), 0, "d1"), 1, "d2")
    assert tower(equal, "d") == [0, 0]


def test_rc_7_6_most_prestige_wins() -> None:
    assert ranks(poor(at(match(3), 1, 5))) == [2, 1, 2]


def test_rc_7_6_then_most_finished_sections() -> None:
    """Two points each: from a finished base, and from the track."""
    state = poor(at(finished(match(), 0, "a1"), 1, 9))
    assert [row.total for row in rows(state)] == [2, 2]
    assert ranks(state) == [1, 2]


def test_rc_7_6_then_most_ornaments() -> None:
    """Three points and one finished section each; seat 1 has an ornament."""
    state = finished(finished(match(), 0, "a1"), 1, "b1")
    state = poor(at(decorated(state, 1, "b1"), 0, 5))
    assert [row.total for row in rows(state)] == [3, 3]
    assert ranks(state) == [2, 1]


def test_rc_7_6_then_the_victory_is_shared() -> None:
    state = poor(at(at(match(3), 0, 9), 1, 12))
    assert ranks(state) == [1, 1, 3]


def test_rc_7_8_a_rank_is_one_more_than_the_number_of_better_seats() -> None:
    state = poor(at(at(at(match(4), 3, 40), 0, 21), 2, 22))
    assert ranks(state) == [2, 4, 2, 1]
    assert ranks(poor(match(4))) == [1, 1, 1, 1]
