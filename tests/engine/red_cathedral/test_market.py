"""Part 6 of the rules: acquiring resources. Influence cards have a file of their own."""

from engine.game import CHANCE
from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from tests.engine.red_cathedral.table import (
    at,
    claimed,
    dice_at,
    die,
    finished,
    holding,
    inventory,
    is_legal,
    legal,
    match,
    play,
    player,
    positions,
    refused_by,
    reserve,
    reserve_with,
    rolled_dice,
    tile_up,
    turn,
)


def visit(state: State, space: int, *others: str) -> State:
    """Yellow has moved one space to this one, where of the other dice only those named lie."""
    away = dict.fromkeys(("blue", "red", "green"), ((space + 1) % 8 + 1, 1))
    away["white"] = ((space + 2) % 8 + 1, 1)
    here = dict.fromkeys(others, (space, 6))
    return play(dice_at(state, yellow=((space - 2) % 8 + 1, 1), **(away | here)), "move:yellow")


def test_rc_6_1_any_die_moves_its_value() -> None:
    state = holding(match(), 0, rubles=0)
    assert legal(state, "move") == {"move:yellow", "move:blue", "move:red", "move:green", "move:white"}
    for name, space in (("yellow", 3), ("blue", 3), ("red", 3), ("green", 7), ("white", 1)):
        after = play(state, f"move:{name}")
        assert die(after, name) == (space, die(state, name)[1])
        assert sum(old != new for old, new in zip(state.spaces, after.spaces, strict=True)) == 1


def test_rc_6_1_white_and_the_own_colour_go_further_for_rubles() -> None:
    state = holding(match(), 0, rubles=2)
    assert legal(state, "move") == {
        f"move:{name}"
        for name in ("yellow", "yellow+1", "yellow+2", "blue", "red", "green", "white", "white+1", "white+2")
    }
    other = turn(holding(match(), 1, rubles=1), 1)
    assert legal(other, "move") == {
        f"move:{name}" for name in ("yellow", "blue", "blue+1", "red", "green", "white", "white+1")
    }
    after = play(state, "move:white+2")
    assert die(after, "white") == (3, 5)
    assert player(after, 0).rubles == 0
    assert reserve(after, "rubles") == reserve(state, "rubles") + 2


def test_rc_6_1_at_most_seven_spaces_further_and_beyond_six_in_all() -> None:
    state = holding(match(), 0, rubles=12)
    assert legal(state, "move:white") == {"move:white", *(f"move:white+{extra}" for extra in range(1, 8))}
    assert die(play(state, "move:white+7"), "white") == (8, 5)  # 4 and twelve on
    assert refused_by(holding(match(), 0, rubles=1), "move:white+2")
    assert "RC-6.1" in refused_by(state, "move:blue+1")


def test_rc_6_2_not_to_a_space_with_three_other_dice() -> None:
    state = dice_at(holding(match(), 0, rubles=1), blue=(3, 2), red=(3, 1), green=(3, 4))
    assert legal(state, "move") == {
        "move:yellow+1",
        "move:blue",
        "move:red",
        "move:green",
        "move:white",
        "move:white+1",
    }
    assert "RC-6.2" in refused_by(state, "move:yellow")


def test_rc_6_2_two_others_leave_room() -> None:
    state = dice_at(match(), blue=(3, 2), green=(3, 4), red=(2, 2))
    assert is_legal(state, "move:yellow")


def test_rc_6_2_a_full_lap_back_is_legal_because_the_die_is_lifted() -> None:
    state = dice_at(holding(match(), 0, rubles=2), yellow=(3, 6), blue=(3, 1), red=(4, 1))
    state = play(state, "move:yellow+2")
    assert die(state, "yellow") == (3, 6)
    assert legal(state, "take") == {f"take:{n}" for n in range(1, 7)}


def test_rc_6_3_each_at_most_once_and_in_any_order() -> None:
    start = tile_up(match(), 0, "yellow", "a1")  # lumber
    start = visit(start, 3)
    assert legal(start) == {"take:1", "take:2", "influence:2", "activate:yellow", "end"}
    for order in (
        ("take:1", "influence:2", "activate:yellow"),
        ("activate:yellow", "influence:2", "take:1"),
        ("influence:2", "activate:yellow", "take:1"),
    ):
        state = start
        for number, text in enumerate(order):
            state = play(state, text)
            left = {later.split(":")[0] for later in order[number + 1 :]}
            assert {each.split(":")[0] for each in legal(state)} == left | {"end"}
        assert inventory(state, 0) == {"lumber": 1, "stone": 1}
        assert player(state, 0).rubles == 4


def test_rc_6_3_none_of_them_is_a_duty() -> None:
    state = play(match(), "move:yellow", "end", "*yellow1,green2")
    assert GAME.to_move(state) == 1
    assert inventory(state, 0) == {}


def test_rc_6_4_the_tile_times_the_dice_in_the_space() -> None:
    assert legal(visit(match(), 2), "take") == {"take:1", "take:2"}
    assert legal(visit(match(), 2, "red"), "take") == {f"take:{n}" for n in range(1, 5)}
    assert legal(visit(match(), 2, "red", "white"), "take") == {f"take:{n}" for n in range(1, 7)}
    assert legal(visit(match(), 4, "red", "white"), "take") == {"take:1", "take:2", "take:3"}
    state = play(visit(match(), 2, "red"), "take:3")
    assert inventory(state, 0) == {"brick": 3}
    assert reserve(state, "brick") == 17


def test_rc_6_4_not_times_the_value_of_the_die() -> None:
    state = play(dice_at(match(), yellow=(4, 6), white=(8, 1)), "move:yellow")
    assert legal(state, "take") == {f"take:{n}" for n in range(1, 5)}  # with red on two brick


def test_rc_6_4_rubles_need_no_place() -> None:
    state = visit(holding(match(), 0, purple=6), 7, "red")
    assert legal(state, "take") == {"take:1", "take:2", "take:3", "take:4"}
    assert player(play(state, "take:4"), 0).rubles == 7


def test_rc_6_4_recognition_is_always_in_full() -> None:
    state = visit(match(), 8, "red", "blue")
    assert legal(state, "take") == {"take:3"}
    assert positions(play(state, "take:3"))[0] == 5


def test_rc_6_4_nothing_to_take_is_no_move() -> None:
    assert legal(visit(holding(match(), 0, purple=6), 2), "take") == set()
    assert legal(visit(reserve_with(match(), rubles=0), 7), "take") == set()
    assert refused_by(visit(match(), 2), "take:3") == {"RC-6.4"}


def test_e1_two_or_three_dice_on_two_lumber() -> None:
    assert legal(visit(match(), 1, "red"), "take") == {f"take:{n}" for n in range(1, 5)}
    state = visit(holding(match(), 0, purple=3), 1, "red", "green")
    assert legal(state, "take") == {"take:1", "take:2", "take:3"}


def test_e2_recognition_counts_dice_not_pips() -> None:
    state = play(dice_at(match(), yellow=(3, 5), blue=(8, 2)), "move:yellow")
    assert legal(state, "take") == {"take:2"}
    assert positions(play(state, "take:2"))[0] == 4


def test_rc_6_8_a_face_up_tile_on_a_space_of_the_dies_colour() -> None:
    state = tile_up(tile_up(match(), 0, "yellow", "a1"), 0, "blue", "c1")
    assert legal(visit(state, 2), "activate") == {"activate:yellow"}
    after = play(visit(state, 2), "activate:yellow")
    assert inventory(after, 0) == {"lumber": 1}
    blue = play(dice_at(state, blue=(1, 1)), "move:blue")
    assert legal(blue, "activate") == {"activate:blue"}
    assert player(play(blue, "activate:blue"), 0).rubles == 5


def test_rc_6_8_not_a_face_down_tile_an_empty_space_or_anothers() -> None:
    assert legal(visit(claimed(match(), 0, "a1"), 2), "activate") == set()
    assert legal(visit(tile_up(match(), 1, "yellow", "a1"), 2), "activate") == set()
    assert refused_by(visit(match(), 2), "activate:yellow") == {"RC-6.8"}


def test_rc_6_8_white_has_two_spaces_but_only_one_of_them_is_used() -> None:
    state = tile_up(tile_up(match(), 0, "white1", "a1"), 0, "white2", "c1")
    state = play(dice_at(state, white=(1, 1)), "move:white")
    assert legal(state, "activate") == {"activate:white1", "activate:white2"}
    for space in ("white1", "white2"):
        assert legal(play(state, f"activate:{space}"), "activate") == set()


def test_rc_6_8_a_die_tile_sees_the_dice_as_they_lie_after_the_move() -> None:
    state = match(
        workshop_tiles=[
            ["die:yellow", "die:red", "gold:1"],
            ["brick:1", "recognition:1", "die:white", "green:1"],
            ["rubles:2", "lumber:1", "die:blue"],
            ["recognition:1", "die:green"],
        ]
    )
    state = visit(tile_up(state, 0, "yellow", "a1"), 3, "white")
    assert inventory(play(state, "activate:yellow"), 0) == {"stone": 2}


def test_rc_6_8_only_if_something_is_gained() -> None:
    state = tile_up(match(), 0, "yellow", "a1")  # lumber
    assert legal(visit(holding(state, 0, purple=7), 2), "activate") == set()
    assert legal(visit(reserve_with(state, lumber=0), 2), "activate") == set()
    rubles = tile_up(match(), 0, "yellow", "c1")
    assert legal(visit(reserve_with(rubles, rubles=0), 2), "activate") == set()
    assert legal(visit(reserve_with(rubles, rubles=1), 2), "activate") == {"activate:yellow"}
    assert player(play(visit(reserve_with(rubles, rubles=1), 2), "activate:yellow"), 0).rubles == 4


def test_rc_6_8_a_tile_that_partly_fits_may_be_used() -> None:
    state = match(
        workshop_tiles=[
            ["lumber:2", "die:red", "gold:1"],
            ["brick:1", "recognition:1", "die:white", "green:1"],
            ["rubles:2", "die:yellow", "die:blue"],
            ["recognition:1", "die:green"],
        ]
    )
    state = holding(tile_up(state, 0, "yellow", "a1"), 0, purple=6)  # one of seven places is free
    assert inventory(play(visit(state, 2), "activate:yellow"), 0) == {"purple": 6, "lumber": 1}


def test_rc_6_9_all_dice_of_the_destination_are_rolled_at_the_end() -> None:
    state = play(visit(match(), 3, "red", "white"), "end")
    assert GAME.to_move(state) == CHANCE
    assert rolled_dice(state) == {"yellow", "red", "white"}
    state = play(state, "*yellow6,red5,white4")
    assert (die(state, "yellow"), die(state, "red"), die(state, "white")) == ((3, 6), (3, 5), (3, 4))
    assert die(state, "blue")[1] == 1
    assert GAME.to_move(state) == 1


def test_rc_6_9_done_rolls_once_and_end_does_not_roll_again() -> None:
    state = play(visit(at(match(), 0, 20), 3), "done")
    assert rolled_dice(state) == {"yellow"}
    state = play(state, "*yellow2")
    assert GAME.to_move(state) == 0
    assert legal(state) - {text for text in legal(state) if text.startswith("reroll")} == {"trade", "end"}
    state = play(state, "end")
    assert GAME.to_move(state) == 1


def test_rc_6_9_dice_are_rolled_in_the_last_turn_of_a_match_too() -> None:
    state = play(match(options={"turn_limit": 1}), "claim:a1:yellow:down", "end", "move:red", "end")
    assert GAME.to_move(state) == CHANCE
    assert rolled_dice(state) == {"red", "green"}
    assert GAME.to_move(play(state, "*red2,green5")) is None


def test_rc_6_9_nothing_is_rolled_after_claim_or_build() -> None:
    state = holding(finished(match(), 1, "b1"), 0, lumber=1)
    assert GAME.to_move(play(state, "ornament:b1", "end")) == 1
    assert GAME.to_move(play(state, "claim:a1:yellow:down", "end")) == 1
