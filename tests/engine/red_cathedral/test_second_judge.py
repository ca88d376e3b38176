"""The engine against the second reading: the same legal moves and the same table after every event."""

import itertools
from typing import Any

import msgspec
import pytest

from engine.chance import Draw
from engine.game import CHANCE
from engine.opening import read_options
from engine.red_cathedral import GAME
from engine.red_cathedral.model import DICE, MATERIALS, ORNAMENTS, WORKSHOP, State
from tests.engine.red_cathedral.slow import Table
from tests.engine.red_cathedral.table import materials

HOUSE = {
    "market_gain": "pips",
    "market_roll": "before",
    "tower_places": "one",
    "tower_ties": "split",
    "two_seat_towers": "standard",
    "trade_moments": "any",
    "jewel_pairs": "different",
}
OPTIONS: list[dict[str, Any]] = [
    {"turn_limit": 60},
    {"workshop": "advanced", "turn_limit": 60, "difficulty": "hard", "colours": ["green", "red"]},
    {"influence": "beginner", "house_rules": HOUSE, "turn_limit": 60, "difficulty": "easy"},
    *({"house_rules": {name: reading}, "turn_limit": 15} for name, reading in HOUSE.items()),
]


def seen(state: State) -> dict[str, Any]:
    """Everything on the engine's table, in words."""
    tiles = [tile for tower in state.table.tiles for tile in tower]
    return {
        "dice": {name: [state.spaces[n], state.pips[n]] for n, name in enumerate(DICE)},
        "reserve": dict(zip((*MATERIALS, "rubles"), state.reserve, strict=True)),
        "players": [
            {
                "at": player.position,
                "rubles": player.rubles,
                "has": materials(player.inventory),
                "banners": player.banners,
                "ornaments": dict(zip(ORNAMENTS, player.ornaments, strict=True)),
                "workshop": {
                    space: (tiles[placed.section], placed.up)
                    for space, placed in zip(WORKSHOP, player.workshop, strict=True)
                    if placed is not None
                },
            }
            for player in state.players
        ],
        "sections": [
            (section.owner, materials(section.delivered), section.finished, section.ornament)
            for section in state.sections
        ],
        "trigger": state.trigger,
        "to move": GAME.to_move(state),
        "ivan": None
        if state.ivan is None
        else (state.ivan.next, materials(state.ivan.inventory), materials(state.ivan.construction)),
    }


def said(table: Table) -> dict[str, Any]:
    """The same of the second reading."""
    ivan = table.ivan
    return {
        "dice": table.dice,
        "reserve": table.reserve,
        "players": [player | {"has": +player["has"]} for player in table.players],
        "sections": [
            (section["owner"], +section["lies"], section["done"], section["ornament"])
            for section in table.sections.values()
        ],
        "trigger": table.trigger,
        "to move": table.to_move(),
        "ivan": (ivan["next"], +ivan["inventory"], +ivan["construction"]) if table.solo else None,
    }


def compared(seats: int, number: int, options: dict[str, Any], leave: int = 0) -> int:
    """How many events of a random match were compared; every `leave` events somebody may leave."""
    draw = Draw(f"second judge {seats} {number}".encode())
    deal = GAME.deal(read_options(GAME, options), seats, draw)
    state = GAME.setup(deal)
    table = Table(msgspec.json.decode(msgspec.json.encode(deal)))
    for count in itertools.count():
        assert seen(state) == said(table), count
        texts = [GAME.write(move) for move in GAME.legal(state)]
        assert set(texts) == table.legal(), count
        assert [row.total for row in GAME.standing(state).rows] == table.totals()
        if not texts:
            return count
        if leave and count % leave == leave - 1:
            active = GAME.active(state)
            leaver = active[draw.below(len(active), "leaver", count)]
            state, _ = GAME.retire(state, leaver)
            table.retire(leaver)
            continue
        if GAME.to_move(state) == CHANCE:
            text = GAME.write(GAME.outcome(state, draw))
        else:
            text = texts[draw.below(len(texts), "choice", count)]
        state, _ = GAME.apply(state, GAME.parse(text))
        table.play(text)
    raise AssertionError


@pytest.mark.parametrize("options", OPTIONS[:3], ids=["basic", "advanced", "house"])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_two_readings_agree(seats: int, options: dict[str, Any]) -> None:
    assert compared(seats, 1, options | {"turn_limit": 30}) > 60


@pytest.mark.parametrize("options", OPTIONS[3:], ids=list(HOUSE))
def test_they_agree_with_each_house_rule(options: dict[str, Any]) -> None:
    assert sum(compared(seats, 2, options) for seats in (1, 2, 3)) > 200


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("leave", [7, 61])
def test_they_agree_when_players_leave(seats: int, leave: int) -> None:
    assert compared(seats, leave, {"turn_limit": 20}, leave) >= 7


@pytest.mark.soak
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_they_agree_over_hundreds_of_matches(seats: int) -> None:
    for number in range(300):
        compared(seats, number, OPTIONS[number % len(OPTIONS)], number % 5 and 40 + 13 * (number % 29))
