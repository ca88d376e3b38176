"""Section 2 of RULES.md, a test for every paragraph."""

from msgspec.structs import replace

from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.legal import level_limit
from engine.torri_di_bologna.model import Over, State, Turn
from tests.engine.torri_di_bologna.positions import (
    builder,
    is_legal,
    legal,
    on_wall,
    played,
    position,
    reasons,
    told,
    tower,
)

HIGH = "b3[1,1] d3[1,1]"
"""Central towers of the other player, three high: ordinary towers may have three levels."""


def changes(state: State, text: str) -> list[str]:
    """What a legal move brings, in words."""
    move = GAME.normal(state, GAME.parse(text))
    assert move is not None
    return [GAME.sentence(change) for change in GAME.apply(state, move)[1]]


def test_tb_2_1_standing_still_is_forbidden() -> None:
    state = position("2p-quadrato", f"{HIGH} a1[0] b1[0]", builders="a1 b3", gold=(5, 0))
    for move in ("walk:a1", "build:a1", "cap:a1", "walk:a1:via:b1", "build:a1:via:b1"):
        assert not is_legal(state, move)
        assert ("TB-2.1", "standing_still") in reasons(state, move)


def test_tb_2_2_a_free_cell_is_entered_by_building_only() -> None:
    state = position("2p-quadrato", f"{HIGH} a1[0]", builders="a1 b3", gold=(5, 0))
    assert is_legal(state, "build:b1")
    assert reasons(state, "walk:b1") == {("TB-2.2", "free_cell")}
    assert not is_legal(state, "cap:b1")
    assert reasons(state, "build:c1:via:b1") == {("TB-2.2", "free_on_route")}
    assert ("TB-2.2", "not_adjacent") in reasons(state, "build:c2:via:b1")
    assert reasons(state, "build:c1") == {("TB-2.3", "no_route")}


def test_tb_2_3_one_goes_on_over_own_towers_only() -> None:
    row = f"{HIGH} a1[0] b1[1,1,0] c1[0] d1[0,1]"
    state = position("2p-quadrato", row, builders="a1 b3")
    assert is_legal(state, "walk:b1")  # going on is optional, and any difference of height is walked
    assert is_legal(state, "walk:c1")
    assert is_legal(state, "walk:d1")  # another's tower may be entered ...
    assert not is_legal(state, "build:e1")  # ... and ends the walk
    assert reasons(state, "build:e1:via:b1,c1,d1") == {("TB-2.3", "not_own")}
    # A finished tower is its battlement's owner's; a bare base is nobody's.
    capped = position("2p-quadrato", f"{HIGH} a1[0] b1[1,0!] c1[0,1!]", builders="a1 b3")
    assert is_legal(capped, "walk:c1")
    assert not is_legal(capped, "build:d1")
    bare = position("2p-quadrato", "a1[0] e5[1]", builders="a1 e5")
    assert reasons(bare, "build:b2:via:b3") == {("TB-2.4", "not_own")}


def test_tb_2_4_central_towers_are_a_step_from_everywhere_but_each_other() -> None:
    state = position("2p-quadrato", "a1[0] e5[1]", builders="a1 e5")
    assert {"walk:b3", "build:b3", "walk:d3", "build:d3"} <= set(legal(state))
    own = position("2p-quadrato", "a1[0] b3[0] e5[1]", builders="a1 e5")
    assert is_legal(own, "build:c3")
    assert not is_legal(own, "walk:d3:via:b3")
    assert reasons(own, "walk:d3:via:b3") == {("TB-2.4", "between_centrals")}
    # From the middle of a route, too; the first of two equally long ways is the canonical one.
    hubs = position("2p-quadrato", "a1[1] b1[0] b3[0] d3[0] e5[1]", builders="b3 e5")
    assert not is_legal(hubs, "walk:d3")
    assert is_legal(position("2p-quadrato", "b2[0] b3[1] e5[1]", builders="b3 e5"), "walk:d3")
    # Neutral battlements end it.
    closed = position("2p-quadrato", "a1[0] b3[0] d3[0] e5[1]", builders="a1 e5", turns_left=2)
    assert is_legal(closed, "walk:b3")
    assert not is_legal(closed, "build:c3")
    assert reasons(closed, "build:c3:via:b3") == {("TB-2.4", "not_own")}


def test_tb_2_5_every_builder_met_gets_a_gold() -> None:
    stacks = "a1[0] b1[0] c1[0] b3[1] d3[1]"
    state = position("4p-quadrato", stacks + " d4[1] c4[1]", builders="a1 b1 b1 c1", gold=(3, 0, 0, 0))
    assert is_legal(state, "walk:c1")
    assert played(state, "walk:c1").gold == (0, 1, 1, 1)
    short = replace(state, gold=(2, 9, 9, 9))
    assert is_legal(short, "walk:b1")
    assert reasons(short, "walk:c1") == {("TB-2.5", "too_dear")}
    # The income of the build at the end cannot pay the fees on the way.
    assert not is_legal(short, "build:d1")
    assert played(replace(state, gold=(3, 0, 0, 0)), "build:d1").gold == (2, 1, 1, 1)
    # Sharing the cell one leaves costs nothing.
    shared = position("2p-quadrato", f"{HIGH} a1[0] b1[0]", builders="a1 a1")
    assert played(shared, "walk:b1").gold == (0, 0)


def test_tb_2_6_fee_then_steps_then_lattice_order() -> None:
    ring = "a1[0] b1[0] c1[0] a2[0] c2[0] a3[0] c3[0]"
    dear = position("2p-quadrato", f"{ring} b3[1] d3[1]", builders="a1 c1", gold=(2, 0))
    # Over b1 and c1 it is 3 steps and a gold to c2, over a2 and a3 nothing leads on: b3 is not own.
    assert "over b1, c1 to c2" in changes(dear, "walk:c2")[0]
    assert played(dear, "walk:c2").gold == (1, 1)
    # With b3 own the way through it is free; two hubs are the shortest way of all.
    free = position("2p-quadrato", f"{ring} b3[0] d3[1]", builders="a1 c1", gold=(2, 0))
    assert "over b3, c3 to c2" in changes(free, "walk:c2")[0]
    assert played(free, "walk:c2").gold == (2, 0)
    # Equal fee and steps: the smaller sequence of cells, row by row.
    square = position("2p-quadrato", "a1[0] b1[0] a2[0] b3[1] d3[1]", builders="a1 b3")
    assert "over b1 to b2" in changes(square, "build:b2")[0]


def test_tb_2_6_a_client_names_another_route() -> None:
    state = position("2p-quadrato", "a1[0] b1[0] a2[0] b3[1] d3[1] e5[1]", builders="a1 a2", gold=(1, 0))
    assert legal(state).count("build:b2") == 1
    for text, recorded in (("build:b2:via:b1", "build:b2"), ("build:b2:via:a2", "build:b2:via:a2")):
        move = GAME.normal(state, GAME.parse(text))
        assert move is not None
        assert GAME.write(move) == recorded
    assert played(state, "build:b2").gold == (3, 0)
    assert played(state, "build:b2:via:a2").gold == (2, 1)
    assert reasons(replace(state, gold=(0, 0)), "build:b2:via:a2") == {("TB-2.5", "too_dear")}
    for text, code in (
        ("build:c1:via:b1,b1", "cell_twice"),
        ("build:c1:via:a2,a1,b1", "start_on_route"),
        ("walk:b1:via:a2,b1", "destination_on_route"),
    ):
        assert not is_legal(state, text)
        assert ("TB-2.6", code) in reasons(state, text)
    assert reasons(state, "walk:b1:via:z9") == {("TB-1.3", "outside_wall")}
    assert not any(":via:" in text for text in legal(state))


def test_tb_2_7_where_no_piece_is_put() -> None:
    stacks = f"{HIGH} a1[0] b1[0,0!] a2[1] c1[1]"
    state = position("2p-quadrato", stacks, builders="a1 a2", gold=(1, 0))
    assert reasons(state, "build:b1") == {("TB-2.7", "finished")}
    assert reasons(state, "build:a2") == {("TB-2.7", "builder_there")}
    assert is_legal(state, "walk:a2")
    # The walk comes first; one's own finished tower is crossed and built beyond.
    assert is_legal(state, "build:c1")
    after = played(state, "build:c1")
    assert tower(after, "c1") == (1, 0)
    assert builder(after, 0) == "c1"


def test_tb_2_8_income() -> None:
    state = position("2p-quadrato", "b3[1] d3[1,1] a1[0] b1[0] a2[1]", builders="a1 d3", gold=(0, 1))
    assert played(state, "build:b2").gold == (2, 1)
    assert played(state, "build:b1").gold == (1, 1)
    assert played(state, "build:a2").gold == (1, 0)
    assert played(state, "build:b3").gold == (1, 0)
    bare = position("2p-quadrato", "a1[0] e5[1]", builders="a1 e5", gold=(0, 1))
    assert played(bare, "build:b3").gold == (0, 1)
    poor = replace(state, gold=(0, 0))
    assert played(poor, "build:a2").gold == (0, 0)
    assert told(poor, "build:a2") == ["walked", "built", "collected_nothing"]
    # The fee is paid on the way, so its receiver has it when the piece is put down.
    way = position("2p-quadrato", "b3[1] d3[1] a1[0] b1[0] c1[1]", builders="a1 b1", gold=(1, 0))
    assert played(way, "build:c1").gold == (1, 0)


def test_tb_2_9_the_height_limit() -> None:
    stacks = "a1[0] b1[1,1] c1[0] b3[1,1] d3[1]"
    state = position("2p-quadrato", stacks, builders="a1 b3")
    assert level_limit(state) == 2
    assert reasons(state, "build:b1") == {("TB-2.9", "too_high")}
    assert GAME.sentence(GAME.why_not(state, GAME.parse("build:b1"))[0]) == (
        "The tower on b1 would be 3 high; the lower central tower is 2 high."
    )
    assert is_legal(position("2p-quadrato", f"{stacks[:-1]},1]", builders="a1 b3"), "build:b1")
    # A base is the first level; central towers have no limit.
    assert level_limit(on_wall("2p-quadrato")) == 1
    tall = position("2p-quadrato", "a1[0] b3[0,0,0,0,0,0,0] e5[1]", builders="a1 e5")
    assert is_legal(tall, "build:b3")


def test_tb_2_10_a_battlement() -> None:
    stacks = f"{HIGH} a1[0] b1[0,1,0] a2[1] d1[1]"
    state = position("2p-quadrato", stacks, builders="a1 a2", gold=(3, 0))
    assert is_legal(state, "cap:b1")
    after = played(state, "cap:b1")
    assert after.gold == (1, 0)
    assert tower(after, "b1") == (0, 1, 0, 4)
    assert (after.battlements, after.plain) == ((3, 4), state.plain)
    assert builder(after, 0) == "b1"
    # In hand after fees and before income.
    assert reasons(replace(state, gold=(2, 9)), "cap:b1") == {("TB-2.10", "no_gold")}
    far = position("2p-quadrato", f"{HIGH} a1[0] b1[0] c1[0]", builders="a1 b1", gold=(3, 0))
    assert reasons(far, "cap:c1") == {("TB-2.10", "no_gold")}
    assert played(replace(far, gold=(4, 0)), "cap:c1").gold == (1, 1)
    # Where none is put.
    rich = replace(state, gold=(9, 0))
    assert reasons(rich, "cap:a2") == {("TB-2.10", "builder_there")}
    assert reasons(rich, "cap:d3") == {("TB-2.10", "central")}
    assert reasons(rich, "cap:b2") == {("TB-2.10", "no_tower")} | reasons(rich, "build:b2")
    assert reasons(replace(rich, battlements=(0, 4)), "cap:b1") == {("TB-1.7", "no_battlement")}
    again = position("2p-quadrato", f"{HIGH} a1[0] b1[0,1!]", builders="a1 b3", gold=(9, 0))
    assert reasons(again, "cap:b1") == {("TB-2.10", "finished")}


def test_tb_2_10_without_income() -> None:
    state = position("2p-quadrato", f"{HIGH} a1[0] b1[0] a2[1]", builders="a1 b3", gold=(3, 5))
    without = replace(state, battlement_income=False)
    assert played(state, "cap:b1").gold == (1, 5)
    assert played(without, "cap:b1").gold == (0, 5)
    assert played(state, "cap:a2").gold == (1, 4)
    assert played(without, "cap:a2").gold == (0, 5)
    assert played(without, "build:b1").gold == (4, 5)


def test_tb_2_11_cap_and_level() -> None:
    state = position("2p-quadrato", "b3[1] d3[1] a1[0] b1[1,1] c1[0]", builders="a1 b3", gold=(3, 0))
    level = replace(state, battlement_mode="level")
    assert level_limit(state) == 2
    assert is_legal(state, "cap:b1")
    assert reasons(level, "cap:b1") == {("TB-2.11", "too_high")}
    capped = position("2p-quadrato", "b3[1] d3[1] a1[0] b1[1,0!]", builders="a1 b3")
    sheets = [row.scores["levels"] for row in GAME.standing(capped).rows]
    assert sheets == [1, 1]
    sheets = [row.scores["levels"] for row in GAME.standing(replace(capped, battlement_mode="level")).rows]
    assert sheets == [3, 1]
    # It decides ownership in both modes.
    for mode in ("cap", "level"):
        assert [
            row.scores["control"] for row in GAME.standing(replace(capped, battlement_mode=mode)).rows
        ] == [4, 0]


def stuck(seats: int, retired: tuple[int, ...] = ()) -> State:
    """Everybody on Asinelli without plain pieces, and no tower beside it."""
    no_pieces = dict.fromkeys(range(seats), 0)
    builders = " ".join(["b3"] * seats)
    return position(f"{seats}p-quadrato", "e1[1]", builders=builders, plain=no_pieces, retired=retired)


def test_tb_2_12_a_pass_is_forced_and_never_chosen() -> None:
    state = stuck(2)
    assert legal(state) == ["pass"]
    assert told(state, "pass") == ["passed"]
    after = played(state, "pass")
    assert (after.passes, after.idle, after.decision) == (1, 1, Turn(1))
    free = played(on_wall("2p-quadrato"), "place:a", "place:g")
    assert reasons(free, "pass") == {("TB-2.12", "can_move")}
    assert GAME.forced(free) is None


def test_tb_2_12_passes_all_round_end_the_match() -> None:
    after = played(stuck(2), "pass", "pass")
    assert after.decision == Over("all_passed")
    three = played(stuck(3), "pass", "pass")
    assert three.decision == Turn(2)
    assert played(three, "pass").decision == Over("all_passed")
    # With a seat gone two passes are all round; a walk between them starts the count again.
    assert played(stuck(3, retired=(1,)), "pass", "pass").decision == Over("all_passed")
    walked = position("2p-quadrato", "e1[1]", builders="b3 e1", plain={0: 0}, passes=1)
    assert played(replace(walked, decision=Turn(1)), "walk:d3").passes == 0


def test_tb_2_12_eight_idle_rounds_end_the_match() -> None:
    stacks = f"{HIGH} a1[0] b1[0] e1[1] d1[1]"
    almost = position("2p-quadrato", stacks, builders="a1 e1", gold=(9, 9), idle=15)
    assert played(almost, "walk:b1").decision == Over("idle")
    assert played(almost, "build:a2").idle == 0
    assert played(almost, "cap:b1").idle == 0
    early = replace(almost, idle=14)
    assert played(early, "walk:b1").decision == Turn(1)
    assert played(early, "walk:b1", "walk:d1").decision == Over("idle")
    # The end of the extra round comes before both counts.
    last = replace(almost, turns_left=1)
    assert played(last, "walk:b1").decision == Over("extra_round")
    # Eight rounds of those who are left.
    assert played(replace(three_walkers(), idle=15, retired=(2,)), "walk:b1").decision == Over("idle")
    assert played(replace(three_walkers(), idle=15), "walk:b1").decision == Turn(1)


def three_walkers() -> State:
    """Three players who can walk."""
    return position("3p-quadrato", "a1[0] b1[0] e1[1] e2[2] b3[1] d3[1]", builders="a1 e1 e2")


def test_tb_2_13_without_plain_pieces_one_walks_and_finishes() -> None:
    stacks = f"{HIGH} a1[0] b1[0] a2[1]"
    state = position("2p-quadrato", stacks, builders="a1 b3", gold=(3, 0), plain={0: 0})
    assert legal(state) == ["walk:b1", "cap:b1", "walk:a2", "cap:a2", "walk:b3", "walk:d3"]
    assert reasons(state, "build:b2") == {("TB-2.13", "no_plain_piece")}
