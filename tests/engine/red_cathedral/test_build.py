"""Part 5 of the rules: building and decorating."""

import pytest

from tests.engine.red_cathedral.table import (
    BOX,
    at,
    box_total,
    claimed,
    decorated,
    finished,
    holding,
    inventory,
    is_legal,
    legal,
    lying,
    match,
    materials,
    ornaments,
    play,
    player,
    positions,
    refused_by,
    reserve,
    reserve_with,
    section,
    turn,
)


def test_rc_5_1_up_to_three_materials_to_any_own_unfinished_sections() -> None:
    state = holding(claimed(match(), 0, "a1", "b1"), 0, lumber=2, brick=2)
    assert legal(state, "deliver") == {
        "deliver:a1:lumber",
        "deliver:a1:brick",
        "deliver:b1:lumber",
        "deliver:b1:brick",
    }
    state = play(state, "deliver:a1:lumber", "deliver:b1:brick", "deliver:a1:lumber")
    assert legal(state) == {"end"}
    assert materials(section(state, "a1").delivered) == {"lumber": 2}
    assert materials(section(state, "b1").delivered) == {"brick": 1}
    assert inventory(state, 0) == {"brick": 1}
    assert box_total(state) == BOX


def test_rc_5_1_only_from_the_own_inventory() -> None:
    state = holding(claimed(match(), 0, "a1"), 1, lumber=2)
    assert legal(state, "deliver") == set()
    assert is_legal(holding(state, 0, lumber=1), "deliver:a1:lumber")


def test_rc_5_1_not_to_sections_of_others_unclaimed_or_finished_ones() -> None:
    state = holding(finished(claimed(match(), 1, "a1"), 0, "b1"), 0, lumber=3, brick=3, stone=3)
    assert legal(state, "deliver") == set()
    for name in ("a1", "b1", "c1"):
        assert refused_by(state, f"deliver:{name}:lumber")


def test_rc_5_1_at_least_one_delivery() -> None:
    state = holding(claimed(match(), 0, "a1"), 0, lumber=1)
    assert not is_legal(state, "end")
    assert is_legal(play(state, "deliver:a1:lumber"), "end")


def test_rc_5_2_only_what_the_cost_still_lacks() -> None:
    state = holding(claimed(match(), 0, "a1"), 0, lumber=3, brick=2, stone=2)  # llb
    assert legal(state, "deliver") == {"deliver:a1:lumber", "deliver:a1:brick"}
    state = play(state, "deliver:a1:lumber")
    assert legal(state, "deliver") == {"deliver:a1:lumber", "deliver:a1:brick"}
    state = play(state, "deliver:a1:lumber")
    assert legal(state, "deliver") == {"deliver:a1:brick"}
    assert "RC-5.2" in refused_by(state, "deliver:a1:lumber")


def test_rc_5_2_what_was_delivered_stays_there() -> None:
    state = play(holding(claimed(match(), 0, "a1"), 0, lumber=1), "deliver:a1:lumber", "end")
    state = play(state, "claim:b1:blue:down", "end")
    assert materials(section(state, "a1").delivered) == {"lumber": 1}
    assert inventory(state, 0) == {}


def test_rc_5_3_a_complete_cost_finishes_the_section() -> None:
    state = holding(lying(claimed(match(), 0, "a1"), "a1", lumber=2), 0, brick=1)
    state = play(state, "deliver:a1:brick")
    assert section(state, "a1").finished
    assert not any(section(state, "a1").delivered)
    assert positions(state)[0] == 4
    assert player(state, 0).rubles == 5
    assert state.reserve[:3] == (20, 20, 20)
    assert box_total(state) == BOX


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_rc_5_3_every_owner_gains_recognition_and_rubles(seat: int) -> None:
    state = holding(lying(claimed(match(4), seat, "a1"), "a1", lumber=2), seat, brick=1)
    after = play(turn(state, seat), "deliver:a1:brick")
    assert positions(after) == [4 if other == seat else 2 for other in range(4)]
    assert player(after, seat).rubles == player(state, seat).rubles + 2


def test_rc_5_3_rubles_as_far_as_the_reserve_has_them() -> None:
    state = holding(lying(claimed(match(), 0, "a1"), "a1", lumber=2), 0, brick=1)
    for left, gained in ((1, 1), (0, 0), (2, 2)):
        after = play(reserve_with(state, rubles=left), "deliver:a1:brick")
        assert player(after, 0).rubles == 3 + gained
        assert reserve(after, "rubles") == left - gained
        assert positions(after)[0] == 4


def test_rc_5_3_two_and_three_sections_at_once() -> None:
    state = claimed(match(), 0, "a1", "b1", "c1")
    state = lying(lying(lying(state, "a1", lumber=2), "b1", lumber=1, brick=1), "c1", lumber=1, brick=1)
    state = play(
        holding(state, 0, brick=2, stone=1), "deliver:c1:stone", "deliver:a1:brick", "deliver:b1:brick"
    )
    assert all(section(state, name).finished for name in ("a1", "b1", "c1"))
    assert positions(state)[0] == 8
    assert player(state, 0).rubles == 9


def test_rc_5_3_own_reward_comes_before_the_own_penalty() -> None:
    """Yellow, on 0, finishes b3 above the own b1; blue's b2 is finished: gain 4, lose 1."""
    state = claimed(finished(claimed(match(), 0, "b1"), 1, "b2"), 0, "b3")
    state = holding(at(lying(state, "b3", lumber=2), 0, 0), 0, green=1)
    assert positions(play(state, "deliver:b3:green"))[0] == 3


def ready(**amounts: int) -> dict[str, int]:
    """Plenty of what ornaments need, unless said otherwise."""
    return {"lumber": 1, "stone": 1, "gold": 1, "green": 1, "purple": 1} | amounts


@pytest.mark.parametrize(
    ("name", "kind", "material"), [("b1", "door", "lumber"), ("b2", "arch", "stone"), ("b4", "cross", "gold")]
)
def test_rc_5_4_base_middle_and_dome_take_door_arch_and_cross(name: str, kind: str, material: str) -> None:
    state = turn(finished(match(), 1, "b1", "b2", "b3", "b4"), 0)
    state = holding(state, 0, **{material: 1})
    before = ornaments(state, 0)
    assert {text.split(":")[1] for text in legal(state, "ornament")} == (
        {"b2", "b3"} if kind == "arch" else {name}
    )
    state = play(state, f"ornament:{name}")
    assert section(state, name).ornament == 0
    assert ornaments(state, 0) == before | {kind: before[kind] - 1}
    assert inventory(state, 0) == {}
    assert box_total(state) == BOX
    assert reserve(state, material) == {"lumber": 20, "stone": 20, "gold": 15}[material]


def test_rc_5_4_anybody_may_decorate_any_finished_section_but_no_other() -> None:
    state = holding(finished(claimed(match(), 1, "a1"), 1, "b1"), 0, lumber=1)
    assert legal(state, "ornament") == {"ornament:b1"}
    assert legal(holding(finished(match(), 0, "b1"), 0, lumber=1), "ornament") == {"ornament:b1"}
    assert "RC-5.4" in refused_by(state, "ornament:a1")


def test_rc_5_4_a_section_holds_one_ornament() -> None:
    state = holding(decorated(finished(match(), 1, "b1"), 1, "b1"), 0, lumber=1)
    assert legal(state, "ornament") == set()
    assert "RC-5.4" in refused_by(state, "ornament:b1")


def test_rc_5_4_an_ornament_once_placed_is_gone() -> None:
    state = decorated(finished(match(), 0, "a1", "b1"), 0, "a1")
    assert legal(holding(state, 0, lumber=1), "ornament") == set()
    state = decorated(finished(match(), 0, "b1", "b2", "b3"), 0, "b2")
    assert legal(holding(state, 0, stone=1), "ornament") == {"ornament:b3"}  # the second arch


def test_rc_5_4_one_or_two_jewels_of_those_one_has() -> None:
    base = finished(match(), 1, "b1")
    every = {
        "ornament:b1" + jewels
        for jewels in ("", ":green", ":purple", ":green+purple", ":green+green", ":purple+purple")
    }
    assert legal(holding(base, 0, lumber=1, green=2, purple=2), "ornament") == every
    assert legal(holding(base, 0, **ready()), "ornament") == every - {
        "ornament:b1:green+green",
        "ornament:b1:purple+purple",
    }
    assert legal(holding(base, 0, lumber=1, green=2), "ornament") == {
        "ornament:b1",
        "ornament:b1:green",
        "ornament:b1:green+green",
    }
    assert legal(holding(base, 0, green=2, purple=2), "ornament") == set()


def test_rc_5_4_every_piece_counts_as_a_delivery() -> None:
    state = finished(claimed(match(), 0, "a1"), 1, "b1")
    state = holding(state, 0, lumber=3, green=1, purple=1)
    one_left = play(state, "deliver:a1:lumber", "deliver:a1:lumber")
    assert legal(one_left) == {"ornament:b1", "end"}
    two_left = play(state, "deliver:a1:lumber")
    assert legal(two_left, "ornament") == {"ornament:b1", "ornament:b1:green", "ornament:b1:purple"}
    full = play(state, "ornament:b1:green+purple")
    assert legal(full, "deliver") | legal(full, "ornament") == set()
    almost = play(state, "ornament:b1:green")
    assert legal(almost, "deliver") | legal(almost, "ornament") == {"deliver:a1:lumber"}
    assert refused_by(two_left, "ornament:b1:green+purple") & {"RC-5.1", "RC-5.4"}


def test_rc_5_4_the_pieces_return_to_the_reserve() -> None:
    state = holding(finished(match(), 1, "b1"), 0, lumber=1, green=1, purple=1)
    state = play(state, "ornament:b1:green+purple")
    assert state.reserve[:6] == (20, 20, 20, 15, 10, 10)
    assert inventory(state, 0) == {}


@pytest.mark.parametrize(
    ("jewels", "after"),
    [
        ("", 6),
        (":green", 9),
        (":purple", 9),
        (":green+green", 13),
        (":purple+purple", 13),
        (":green+purple", 17),
    ],
)
def test_rc_5_5_the_reward_of_jewels(jewels: str, after: int) -> None:
    state = holding(at(finished(match(), 1, "b1"), 0, 6), 0, lumber=1, green=2, purple=2)
    state = play(state, f"ornament:b1{jewels}")
    assert positions(state) == [after, 2]


def test_rc_5_6_everybody_unfinished_below_pays_for_all_finished_above() -> None:
    """a1 blue, a2 red, both unfinished; yellow finishes a3."""
    state = claimed(claimed(claimed(match(3), 1, "a1"), 2, "a2"), 0, "a3")
    state = lying(state, "a3", stone=1, gold=1)
    state = at(at(holding(state, 0, green=1), 1, 20), 2, 20)
    assert positions(play(state, "deliver:a3:green")) == [8, 19, 19]


def test_rc_5_6_own_finished_sections_above_do_not_count_against_oneself() -> None:
    state = claimed(match(), 0, "a1", "a2")
    state = holding(at(lying(state, "a2", brick=1, stone=1), 0, 20), 0, gold=1)
    assert positions(play(state, "deliver:a2:gold"))[0] == 24


def test_rc_5_6_sections_above_the_new_one_count_again_and_those_above_it_are_not_charged() -> None:
    """a1 blue and a3 red: a3 is finished already, now yellow finishes a2 between them."""
    state = finished(claimed(claimed(match(3), 1, "a1"), 0, "a2"), 2, "a3")
    state = lying(state, "a2", lumber=1, brick=1)
    state = at(at(holding(state, 0, gold=1), 1, 20), 2, 20)
    assert positions(play(state, "deliver:a2:gold")) == [6, 18, 20]


def test_rc_5_6_finished_sections_and_other_towers_are_not_charged() -> None:
    state = claimed(claimed(finished(match(), 1, "a1"), 0, "a2"), 1, "b1")
    state = holding(at(lying(state, "a2", brick=1, stone=1), 1, 20), 0, gold=1)
    assert positions(play(state, "deliver:a2:gold")) == [6, 20]


def test_rc_5_6_nobody_is_charged_for_an_unclaimed_or_a_lower_section() -> None:
    state = claimed(claimed(match(), 0, "a1"), 1, "a2")
    state = holding(at(lying(state, "a1", lumber=2), 1, 20), 0, brick=1)
    assert positions(play(state, "deliver:a1:brick")) == [4, 20]


def test_rc_5_7_a_section_finished_in_this_action_can_be_decorated_in_it() -> None:
    state = holding(lying(claimed(match(), 0, "a1"), "a1", lumber=2), 0, brick=1, lumber=1, purple=1)
    assert legal(state, "ornament") == set()
    state = play(state, "deliver:a1:brick", "ornament:a1:purple")
    assert section(state, "a1").ornament == 0
    assert positions(state)[0] == 5  # 2 + 2, then a prestige point
    assert legal(state) == {"end"}


def test_e4_one_gold_finishes_and_the_rest_decorates() -> None:
    """Yellow (0) and green (1): m03 gives 4 and 2 rubles."""
    state = match(options={"colours": ["yellow", "green"]})
    state = claimed(claimed(state, 1, "a1"), 0, "a2")
    state = lying(state, "a2", brick=1, stone=1)
    state = at(at(holding(state, 0, gold=1, stone=1, green=1), 0, 10), 1, 10)
    state = play(state, "deliver:a2:gold")
    assert positions(state) == [14, 9]
    assert player(state, 0).rubles == 5
    state = play(state, "ornament:a2:green")
    assert positions(state) == [17, 9]
    assert legal(state) - {"trade"} - {text for text in legal(state) if text.startswith("reroll")} == {"end"}


def test_e5_ornaments_in_one_action() -> None:
    state = at(finished(match(), 1, "b1", "b2", "b3", "b4"), 0, 5)
    dome = play(holding(state, 0, gold=1, green=1, purple=1), "ornament:b4:green+purple")
    assert positions(dome)[0] == 17
    assert not legal(dome, "ornament")
    two = play(holding(state, 0, lumber=1, gold=1, green=1), "ornament:b1:green", "ornament:b4")
    assert positions(two)[0] == 9
    assert (section(two, "b1").ornament, section(two, "b4").ornament) == (0, 0)
    arch = play(holding(state, 0, stone=1, green=2), "ornament:b2:green+green")
    assert positions(arch)[0] == 13


def test_e6_all_finished_sections_above_count_every_time() -> None:
    """Blue (1), red (2), blue, yellow (0) from the bottom of a tower of four."""
    state = claimed(claimed(claimed(claimed(match(3), 1, "b1"), 2, "b2"), 1, "b3"), 0, "b4")
    state = at(at(at(state, 0, 20), 1, 20), 2, 20)
    state = lying(lying(state, "b2", lumber=1, stone=1), "b4", brick=1, gold=1)  # lsg, bga
    state = play(turn(holding(state, 2, gold=1), 2), "deliver:b2:gold", "end")
    assert positions(state) == [20, 19, 24]
    state = play(turn(holding(state, 0, purple=1), 0), "deliver:b4:purple")
    assert positions(state) == [26, 16, 24]


def test_e7_finishing_the_upper_card_costs_its_owner_for_the_lower() -> None:
    state = finished(claimed(match(3), 1, "b1"), 2, "b2")
    state = claimed(claimed(state, 1, "b3"), 0, "b4")
    state = at(at(at(state, 0, 20), 1, 20), 2, 20)
    state = lying(lying(state, "b3", brick=1, stone=1), "b4", brick=1, gold=1)  # bsg, bga
    state = play(turn(holding(state, 1, gold=1), 1), "deliver:b3:gold", "end")
    assert positions(state) == [20, 20 + 4 - 1, 20]
    state = play(turn(holding(state, 0, purple=1), 0), "deliver:b4:purple")
    assert positions(state) == [26, 23 - 2, 20]
