"""Part 1 of the rules: components and setup."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from engine.chance import Draw
from engine.errors import BadSetup
from engine.opening import read_deal, read_options
from engine.red_cathedral import GAME
from tests.engine.red_cathedral.table import (
    BOX,
    box_total,
    dice_at,
    holding,
    is_legal,
    legal,
    match,
    ornaments,
    play,
    player,
    positions,
    reserve,
    reserve_with,
    section,
    turn,
)
from tests.engine.red_cathedral.table import deal_document as document

MANY = 120
GROUPS = {"craftsmen", "teamsters", "merchants", "clergy"}


def deals(seats: int, **options: Any) -> list[Any]:
    """Many deals under different keys."""
    chosen = read_options(GAME, options)
    return [GAME.deal(chosen, seats, Draw(f"deal {number}".encode())) for number in range(MANY)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rc_1_1_everybody_has_six_banners_four_ornaments_and_a_workshop(seats: int) -> None:
    state = match(seats)
    assert len(state.players) == seats
    for seat in range(seats):
        assert player(state, seat).banners == 6
        assert ornaments(state, seat) == {"door": 1, "arch": 2, "cross": 1}
        assert player(state, seat).workshop == (None,) * 6


def test_rc_1_1_the_inventory_has_ten_places_when_all_its_banners_are_gone() -> None:
    state = match()
    for name, space in (("a1", "yellow"), ("a2", "blue"), ("b1", "red"), ("b2", "green")):
        state = play(turn(state, 0), f"claim:{name}:{space}:down")
    state = holding(turn(state, 0), 0, purple=7)
    state = dice_at(state, yellow=(8, 1), red=(1, 1))
    state = play(state, "move:yellow")  # lumber, three dice: six
    assert legal(state, "take") == {"take:1", "take:2", "take:3"}


@pytest.mark.parametrize(("seats", "rubles"), [(1, 57), (2, 53), (3, 49), (4, 44)])
def test_rc_1_2_the_reserve_holds_the_box_without_the_rubles_handed_out(seats: int, rubles: int) -> None:
    state = match(seats)
    assert state.reserve == (20, 20, 20, 15, 10, 10, rubles)
    assert box_total(state) == BOX


def test_rc_1_2_materials_of_the_reserve_are_finite() -> None:
    state = reserve_with(match(), stone=1)
    assert legal(play(state, "move:blue"), "take") == {"take:1"}
    state = reserve_with(match(), stone=0)
    assert legal(play(state, "move:blue"), "take") == set()


def test_rc_1_2_rubles_of_the_reserve_are_finite() -> None:
    state = reserve_with(match(), rubles=1)
    state = play(state, "move:green")
    assert legal(state, "take") == {"take:1"}
    state = play(state, "take:1")
    assert (player(state, 0).rubles, reserve(state, "rubles")) == (4, 0)


def test_rc_1_3_the_eight_tiles_lie_one_a_space_in_random_order() -> None:
    markets = [deal.market for deal in deals(2)]
    assert all(sorted(market) == sorted(document()["market"]) for market in markets)
    for space in range(8):
        assert len({market[space] for market in markets}) == 8
    assert len(set(markets)) > MANY // 2


def test_rc_1_3_the_ring_goes_from_eight_to_one() -> None:
    state = play(match(), "move:yellow")
    assert state.spaces[0] == 3  # from 8, three spaces on


@pytest.mark.parametrize(
    ("space", "effect"),
    [
        *((1, "influence:1"), (2, "influence:1"), (3, "influence:2"), (4, "influence:2")),
        *((5, "influence:2:gold"), (6, "influence:2:gold"), (7, "influence:1"), (8, "influence:1")),
    ],
)
def test_rc_1_3_two_spaces_share_the_card_of_their_quadrant(space: int, effect: str) -> None:
    """Craftsmen give brick, teamsters a ruble, merchants one for gold, clergy recognition."""
    state = dice_at(holding(match(), 0, gold=1), yellow=((space - 2) % 8 + 1, 1))
    state = play(state, "move:yellow")
    assert state.spaces[0] == space
    assert effect in legal(state)


def test_rc_1_4_one_card_of_each_group_comes_to_a_random_quadrant() -> None:
    drawn = [deal.influence for deal in deals(2)]
    assert all({card[:-1] for card in cards} == GROUPS for cards in drawn)
    assert {card for cards in drawn for card in cards} == {
        f"{group}{n}" for group in GROUPS for n in (1, 2, 3)
    }
    for quadrant in range(4):
        assert {cards[quadrant][:-1] for cards in drawn} == GROUPS


def test_rc_1_4_beginner_cards_are_not_drawn_but_placed_at_random() -> None:
    drawn = [deal.influence for deal in deals(3, influence="beginner")]
    assert all(set(cards) == {f"{group}1" for group in GROUPS} for cards in drawn)
    for quadrant in range(4):
        assert len({cards[quadrant] for cards in drawn}) == 4


def test_rc_1_5_dice_lie_one_a_space_from_the_recognition_tile_on() -> None:
    orders, values = Counter[tuple[str, ...]](), Counter[int]()
    for deal in deals(2):
        first = deal.market.index("recognition") + 1
        by_space = {space: die for die, (space, _) in deal.dice.items()}
        spaces = [(first + step - 1) % 8 + 1 for step in range(5)]
        assert set(by_space) == set(spaces)
        orders[tuple(by_space[space] for space in spaces)] += 1
        values.update(value for _, value in deal.dice.values())
    assert {die for order in orders for die in order[:1]} == set(document()["dice"])
    assert len(orders) > 50
    assert set(values) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_rc_1_6_a_plan_of_the_player_count_and_cards_from_shuffled_piles(seats: int) -> None:
    plans = {
        2: {(3, 4, 3, 2), (4, 2, 4, 2), (2, 5, 3, 2)},
        3: {(3, 4, 5, 4, 2), (2, 4, 6, 4, 2), (2, 3, 4, 4, 3, 2)},
        4: {(3, 4, 5, 5, 4, 3), (2, 4, 6, 6, 4, 2), (4, 5, 6, 5, 4)},
    }[max(seats, 2)]
    seen = deals(seats)
    assert {deal.plan for deal in seen} == plans
    for deal in seen:
        assert tuple(map(len, deal.cards)) == deal.plan
        cards = [card for tower in deal.cards for card in tower]
        assert len(set(cards)) == len(cards)
        for tower in deal.cards:
            assert [card[0] for card in tower] == ["f", *"m" * (len(tower) - 2), "d"]
    assert {tower[0] for deal in seen for tower in deal.cards} == {f"f{n:02}" for n in range(1, 11)}
    assert {tower[-1] for deal in seen for tower in deal.cards} == {f"d{n:02}" for n in range(1, 11)}
    assert {card for deal in seen for tower in deal.cards for card in tower[1:-1]} == {
        f"m{n:02}" for n in range(1, 21)
    }


def test_rc_1_6_towers_are_lettered_from_the_left_and_levels_counted_from_the_bottom() -> None:
    assert {text.split(":")[1] for text in legal(match(), "claim")} == {"a1", "b1", "c1", "d1"}
    assert {text.split(":")[1] for text in legal(match(3), "claim")} == {"a1", "b1", "c1", "d1", "e1"}
    state = play(match(), "claim:b1:yellow:down", "end")
    assert {text.split(":")[1] for text in legal(state, "claim")} == {"a1", "b2", "c1", "d1"}


@pytest.mark.parametrize("seats", [1, 2])
def test_rc_1_7_tiles_with_a_plus_are_left_out_with_one_or_two_players(seats: int) -> None:
    most = Counter(("lumber:1", "brick:1", "stone:1", "lumber:2", "gold:1", "green:1", "purple:1"))
    most += Counter({"rubles:2": 1, "recognition:1": 2} | {f"die:{die}": 1 for die in document()["dice"]})
    seen: set[str] = set()
    for deal in deals(seats):
        tiles = Counter(tile for tower in deal.workshop_tiles for tile in tower)
        assert tiles <= most
        assert tuple(map(len, deal.workshop_tiles)) == deal.plan
        seen |= set(tiles)
    assert seen == set(most)


def test_rc_1_7_all_tiles_are_in_play_with_three_or_four() -> None:
    seen: Counter[str] = Counter()
    for seats in (3, 4):
        for deal in deals(seats):
            tiles = Counter(tile for tower in deal.workshop_tiles for tile in tower)
            assert tuple(map(len, deal.workshop_tiles)) == deal.plan
            seen |= tiles
    twice = {
        "lumber:1",
        "brick:1",
        "stone:1",
        "gold:1",
        "rubles:2",
        *(f"die:{die}" for die in document()["dice"]),
    }
    once = {"lumber:2", "brick:2", "stone:2", "green:1", "purple:1"}
    assert seen == Counter(dict.fromkeys(twice, 2) | dict.fromkeys(once, 1) | {"recognition:1": 3})


def test_rc_1_8_the_start_of_everybody() -> None:
    state = match(4)
    assert positions(state) == [2, 2, 2, 2]
    assert [each.rubles for each in state.players] == [3, 4, 4, 5]
    assert all(not any(each.inventory) for each in state.players)


def test_rc_1_8_four_banners_in_the_inventory_leave_six_places() -> None:
    state = dice_at(holding(match(), 0, purple=3), yellow=(8, 1), red=(1, 1))
    assert legal(play(state, "move:yellow"), "take") == {"take:1", "take:2", "take:3"}


def test_rc_1_9_colours_are_in_order_unless_the_options_say_otherwise() -> None:
    own = {"yellow": "move:yellow+1", "blue": "move:blue+1", "red": "move:red+1", "green": "move:green+1"}

    def colours(seats: int, *chosen: str) -> list[str]:
        state = match(seats, {"colours": chosen})
        found = []
        for seat in range(seats):
            (colour,) = [colour for colour, move in own.items() if move in legal(turn(state, seat))]
            found.append(colour)
        return found

    assert colours(4) == ["yellow", "blue", "red", "green"]
    assert colours(4, "green", "red", "blue", "yellow") == ["green", "red", "blue", "yellow"]
    assert colours(4, "red") == ["red", "yellow", "blue", "green"]
    assert colours(3, "blue", "yellow") == ["blue", "yellow", "red"]
    assert colours(2, "yellow") == ["yellow", "blue"]


def test_rc_1_9_the_colour_decides_the_own_price() -> None:
    state = holding(match(options={"colours": ["green"]}), 0, rubles=1)
    ups = {text.split(":")[2] for text in legal(state, "claim:a1") if text.endswith(":up")}
    assert ups == {"yellow", "blue", "red"}  # green is the own one and costs 2


@pytest.mark.parametrize(
    "options",
    [
        {"workshop": "expert"},
        {"influence": "none"},
        {"colours": ["white"]},
        {"colours": ["red", "red"]},
        {"turn_limit": -1},
        {"turn_limit": "many"},
        {"difficulty": "brutal"},
        {"house_rules": {"market_gain": "none"}},
        {"house_rules": {"unknown": "any"}},
        {"unknown": 1},
    ],
)
def test_rc_1_10_unknown_options_and_values_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        read_options(GAME, options)


def test_rc_1_10_the_defaults() -> None:
    assert msgspec.to_builtins(read_options(GAME, {})) == {
        "workshop": "basic",
        "influence": "random",
        "colours": (),
        "turn_limit": 200,
        "difficulty": "normal",
        "house_rules": {
            "market_gain": "dice",
            "market_roll": "after",
            "tower_places": "halving",
            "tower_ties": "pool",
            "two_seat_towers": "third",
            "trade_moments": "one",
            "jewel_pairs": "any",
        },
    }


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_rc_1_11_a_deal_reads_back_from_its_spelling(seats: int) -> None:
    given = document(seats)
    deal = read_deal(GAME, given)
    written = msgspec.json.decode(msgspec.json.encode(deal))
    assert read_deal(GAME, written) == deal
    for name in ("seats", "market", "influence", "dice", "plan", "cards", "workshop_tiles"):
        assert written[name] == given[name]
    assert GAME.setup(deal) == GAME.setup(read_deal(GAME, written))


def test_rc_1_11_three_dice_may_lie_in_one_space() -> None:
    read_deal(GAME, document(dice=document()["dice"] | {"blue": [8, 5], "red": [8, 5]}))


def test_rc_1_11_the_table_is_laid_as_the_deal_says() -> None:
    state = match()
    assert (state.spaces, state.pips) == ((8, 1, 2, 3, 4), (3, 2, 1, 4, 5))
    assert len(state.sections) == 12
    assert section(state, "b4").owner is None
    assert GAME.to_move(state) == 0


SPOILT: list[tuple[str, Any]] = [
    ("market", ["lumber"] * 8),
    ("market", ["lumber", "brick", "stone", "gold", "green", "purple", "rubles"]),
    ("market", ["lumber", "brick", "stone", "gold", "green", "purple", "rubles", "eagle"]),
    ("influence", ["craftsmen1", "craftsmen2", "merchants1", "clergy1"]),
    ("influence", ["craftsmen1", "teamsters1", "merchants1"]),
    ("influence", ["craftsmen1", "teamsters1", "merchants1", "clergy9"]),
    ("dice", {"yellow": [8, 3], "blue": [1, 2], "red": [2, 1], "green": [3, 4]}),
    ("dice", document()["dice"] | {"white": [9, 5]}),
    ("dice", document()["dice"] | {"white": [0, 5]}),
    ("dice", document()["dice"] | {"white": [4, 7]}),
    ("dice", document()["dice"] | {"white": [4, 0]}),
    ("dice", document()["dice"] | {"black": [5, 1]}),
    ("dice", document()["dice"] | {"blue": [8, 5], "red": [8, 5], "white": [8, 5]}),
    ("plan", [3, 4, 3]),
    ("plan", [3, 3, 4, 2]),
    ("plan", []),
    ("cards", document()["cards"][:3]),
    (
        "cards",
        [["f01", "m03", "d01"], *document()["cards"][2:3], ["f02", "m01", "m06", "d02"], ["f09", "d10"]],
    ),
    ("cards", [["m04", "m03", "d01"], *document()["cards"][1:]]),
    ("cards", [["f01", "d04", "d01"], *document()["cards"][1:]]),
    ("cards", [["f01", "m03", "m04"], *document()["cards"][1:]]),
    ("cards", [["f02", "m03", "d01"], *document()["cards"][1:]]),
    ("cards", [["f99", "m03", "d01"], *document()["cards"][1:]]),
    ("workshop_tiles", document()["workshop_tiles"][:3]),
    ("workshop_tiles", [["lumber:1", "die:red"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["lumber:9", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["die:black", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["nonsense", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["green:1", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["die:green", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("workshop_tiles", [["brick:2", "die:red", "gold:1"], *document()["workshop_tiles"][1:]]),
    ("ivan", ["renown", "inventory", "transport", "claim", "construction"]),
    ("seats", 0),
    ("seats", 5),
    ("seats", 3),
]


@pytest.mark.parametrize(
    ("entry", "value"), SPOILT, ids=[f"{entry}-{n}" for n, (entry, _) in enumerate(SPOILT)]
)
def test_rc_1_11_a_given_deal_is_checked_against_the_box(entry: str, value: Any) -> None:
    with pytest.raises(BadSetup) as refusal:
        read_deal(GAME, document() | {entry: value})
    assert refusal.value.code == "bad_setup"


@pytest.mark.parametrize(
    "row",
    [
        [],
        ["renown", "inventory", "transport", "claim"],
        ["renown", "inventory", "transport", "claim", "claim"],
        ["renown", "inventory", "transport", "claim", "siesta"],
    ],
)
def test_rc_1_11_a_solitaire_deal_needs_the_five_cards_of_ivan(row: list[str]) -> None:
    with pytest.raises(BadSetup):
        read_deal(GAME, document(1, ivan=row))


def test_rc_1_11_two_tiles_of_a_kind_that_has_a_plus_need_three_seats() -> None:
    read_deal(GAME, document(3))
    with pytest.raises(BadSetup):
        read_deal(
            GAME,
            document(
                3,
                workshop_tiles=[
                    ["recognition:1"] * 3,
                    ["recognition:1"] * 4,
                    *document(3)["workshop_tiles"][2:],
                ],
            ),
        )


def test_rc_1_11_beginner_cards_and_the_option_for_them_belong_together() -> None:
    beginner = {"influence": "beginner"}
    read_deal(GAME, document(options=beginner))
    with pytest.raises(BadSetup):
        read_deal(
            GAME, document(options=beginner, influence=["craftsmen2", "teamsters1", "merchants1", "clergy1"])
        )


def test_rc_1_11_seats_and_options_beside_it_are_absent_or_equal() -> None:
    given = document(options={"turn_limit": 30})
    deal = read_deal(GAME, given)
    assert read_deal(GAME, given, seats=2, options={"turn_limit": 30}) == deal
    with pytest.raises(BadSetup):
        read_deal(GAME, given, seats=3)
    with pytest.raises(BadSetup):
        read_deal(GAME, given, options={})
    assert is_legal(GAME.setup(deal), "move:yellow")
