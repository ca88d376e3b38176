"""Part 7 of the rules: how Ivan builds and decorates (RC-7.14, RC-7.15)."""

import pytest

from tests.engine.red_cathedral.solitaire import after_human, cards_of, lies, solo, with_stock
from tests.engine.red_cathedral.table import (
    BOX,
    box_total,
    claimed,
    decorated,
    finished,
    holding,
    lying,
    materials,
    ornaments,
    play,
    player,
    positions,
    reserve,
    section,
)


def test_rc_7_14_tower_by_tower_from_the_left_each_from_the_bottom() -> None:
    state = claimed(claimed(solo("construction"), 1, "c1", "b2"), 0, "b1")
    state = claimed(state, 1, "b3")
    state = after_human(with_stock(state, lumber=4))
    assert section(state, "b2").finished  # three of any kind
    assert lies(state, "b3") == {"lumber": 1}
    assert lies(state, "c1") == {}
    assert cards_of(state).construction == (0, 0, 0, 0, 0, 0)


def test_rc_7_14_the_kind_does_not_matter_and_they_leave_in_a_fixed_order() -> None:
    state = claimed(solo("construction"), 1, "d1", "d2")  # llbg, ggea: eight
    state = after_human(with_stock(state, purple=3, green=1, stone=1, lumber=1))
    assert section(state, "d1").finished  # lumber, stone, green, purple
    assert lies(state, "d2") == {"purple": 2}
    assert reserve(state, "stone") == 20
    assert reserve(state, "purple") == 8
    assert box_total(state) == BOX


def test_rc_7_14_materials_lie_on_the_section_until_it_is_finished() -> None:
    state = after_human(with_stock(claimed(solo("construction"), 1, "a1"), gold=1, purple=1))
    assert lies(state, "a1") == {"gold": 1, "purple": 1}
    assert not section(state, "a1").finished
    assert (reserve(state, "gold"), reserve(state, "purple")) == (14, 9)


def test_rc_7_14_leftovers_stay_on_the_card() -> None:
    state = after_human(with_stock(claimed(solo("construction"), 1, "a1"), lumber=5))
    assert materials(cards_of(state).construction) == {"lumber": 2}
    state = after_human(with_stock(solo("construction"), lumber=5))
    assert materials(cards_of(state).construction) == {"lumber": 5}


def test_rc_7_14_a_finished_section_gives_recognition_but_no_rubles() -> None:
    state = after_human(with_stock(claimed(solo("construction"), 1, "a1"), lumber=3))
    assert positions(state)[1] == 4
    assert player(state, 1).rubles == 0
    assert reserve(state, "rubles") == 57


def test_rc_7_14_the_lower_section_is_served_first_although_the_upper_could_be_finished() -> None:
    state = claimed(finished(claimed(solo("construction"), 1, "a1"), 0, "a2"), 1, "a3")
    state = after_human(with_stock(lying(state, "a3", stone=1, gold=1), lumber=2))
    assert lies(state, "a1") == {"lumber": 2}
    assert not section(state, "a3").finished


def test_rc_7_14_his_own_lower_section_costs_him_when_an_upper_one_is_finished_by_the_human() -> None:
    state = claimed(claimed(solo(), 1, "a1"), 0, "a2")
    state = holding(lying(state, "a2", brick=1, stone=1), 0, gold=1)
    assert positions(play(state, "deliver:a2:gold"))[1] == 1


def test_e13_what_is_left_goes_to_his_next_card() -> None:
    state = after_human(with_stock(claimed(solo("construction"), 1, "a1", "b1"), brick=4))
    assert section(state, "a1").finished
    assert lies(state, "b1") == {"brick": 1}
    assert materials(cards_of(state).construction) == {}


def test_rc_7_15_he_decorates_the_first_bare_finished_section() -> None:
    state = finished(finished(solo("construction"), 0, "b1"), 0, "a1")
    state = after_human(state)
    assert section(state, "a1").ornament == 1
    assert section(state, "b1").ornament is None
    assert ornaments(state, 1)["door"] == 0
    assert positions(state)[1] == 2
    assert box_total(state) == BOX


def test_rc_7_15_he_skips_what_is_decorated_or_lacks_the_kind() -> None:
    state = decorated(finished(solo("construction"), 0, "a1", "b1", "b2", "b3"), 1, "a1")
    state = after_human(state)  # no second door for b1, so an arch on b2
    assert (section(state, "b1").ornament, section(state, "b2").ornament) == (None, 1)
    state = after_human(decorated(finished(solo("construction"), 0, "a1", "a2"), 0, "a1"))
    assert section(state, "a2").ornament == 1


def test_rc_7_15_only_one_and_also_on_a_section_he_just_finished() -> None:
    state = after_human(with_stock(claimed(finished(solo("construction"), 0, "b1"), 1, "a1"), lumber=3))
    assert section(state, "a1").ornament == 1
    assert section(state, "b1").ornament is None


@pytest.mark.parametrize("card", ["renown", "inventory", "transport", "claim"])
def test_rc_7_15_after_no_other_card(card: str) -> None:
    state = after_human(finished(solo(card), 0, "a1"))
    assert section(state, "a1").ornament is None
