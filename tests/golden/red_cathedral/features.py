"""What the committed transcripts of The Red Cathedral show between them, and the matches they are made of."""

from typing import get_args

from engine.match import Step
from engine.red_cathedral import GAME
from engine.red_cathedral.components import Box, built_in
from engine.red_cathedral.layout import JEWELS
from engine.red_cathedral.model import ORNAMENTS, ROOM, WORKSHOP, Market, State
from engine.red_cathedral.moves import Activate, Claim, Decorate, Influence, Move, MoveDie, Outcome
from engine.red_cathedral.sentences import CAUSES, CHANGES
from tests.golden.recipe import Recipe

OTHER_READINGS = {
    "market_gain": "pips",
    "market_roll": "before",
    "tower_places": "one",
    "tower_ties": "split",
    "two_seat_towers": "standard",
    "trade_moments": "any",
    "jewel_pairs": "different",
}

RECIPES = (
    Recipe("two-basic-beginner", 2, {"influence": "beginner"}),
    Recipe("two-advanced", 2, {"workshop": "advanced", "colours": ["red", "green"]}),
    Recipe("two-turn-limit", 2, {"turn_limit": 15}),
    Recipe("two-house-rules", 2, {"turn_limit": 60, "house_rules": OTHER_READINGS}),
    Recipe("three-basic", 3, {}),
    Recipe("three-all-but-one-leave", 3, {"workshop": "advanced"}, {150: 1, 260: 0}),
    Recipe("four-basic", 4, {}),
    Recipe("four-two-leave", 4, {"turn_limit": 40}, {90: 3, 211: 0}),
    Recipe("four-advanced-house-rules", 4, {"workshop": "advanced", "house_rules": {"market_gain": "pips"}}),
    Recipe("solo-normal", 1, {}),
    Recipe("solo-hard-advanced", 1, {"workshop": "advanced", "difficulty": "hard"}),
    Recipe("solo-easy-house-rules", 1, {"difficulty": "easy", "house_rules": OTHER_READINGS}),
    Recipe("solo-leaves", 1, {}, {40: 0}),
)

BOX = Box(built_in())
JEWEL_SETS = tuple("+".join(jewels) or "none" for jewels in JEWELS)

EVERYTHING = frozenset(
    {
        *(f"{kind.__struct_config__.tag} move" for kind in get_args(Move)),
        *("claim face up", "claim face down", "die moved further", "retirement"),
        *(f"roll of {dice} dice" for dice in range(1, ROOM + 1)),
        *(f"effect {number} of {card}" for card in BOX.influence for number in (1, 2)),
        *(f"{tile} placed" for tile in BOX.tiles),
        *(f"{tile} activated" for tile in BOX.tiles),
        *(f"{kind} with {jewels}" for kind in ORNAMENTS for jewels in JEWEL_SETS),
        *(f"over by {cause}" for cause in CAUSES),
        *(f"card {card} of Ivan" for card in BOX.ivan),
        *(f"{change} change" for change in CHANGES),
    }
)
"""All there is in the rules and in the box. Why moves are refused is shown by `test_refusals.py` of them."""


def of_move(state: State, text: str) -> set[str]:
    """What the choice of a move, or an outcome, shows."""
    move = GAME.parse(text)
    shown = {f"{type(move).__struct_config__.tag} move"}
    match move:
        case Claim():
            tile = _tile(state, move.section)
            shown |= {"claim face up", f"{tile} placed"} if move.up else {"claim face down"}
        case Decorate():
            level, height = int(move.section[1:]), len(state.table.cards[_tower(move.section)])
            kind = ORNAMENTS[0 if level == 1 else 2 if level == height else 1]
            shown.add(f"{kind} with {'+'.join(move.jewels) or 'none'}")
        case MoveDie(extra=extra) if extra:
            shown.add("die moved further")
        case Influence() if isinstance(state.decision, Market):
            quadrant = (state.spaces[state.decision.die] - 1) // 2
            shown.add(f"effect {move.effect} of {state.table.influence[quadrant]}")
        case Activate():
            placed = state.players[state.seat].workshop[WORKSHOP.index(move.workshop_space)]
            assert placed is not None
            tiles = [tile for tower in state.table.tiles for tile in tower]
            shown.add(f"{tiles[placed.section]} activated")
        case Outcome():
            shown.add(f"roll of {len(move.dice)} dice")
    return shown


def of_step(state: State, step: Step) -> set[str]:
    """What an event in this position shows with all it did."""
    retires = step.event.kind == "retire"
    shown = {"retirement"} if retires else of_move(state, step.event.move)
    for change in step.changes:
        shown.add(f"{change.code} change")
        if change.code == "match_over":
            shown.add(f"over by {change.values['cause']}")
        if change.code == "ivan_card":
            shown.add(f"card {change.values['card']} of Ivan")
    return shown & EVERYTHING


def _tower(section: str) -> int:
    return ord(section[0]) - ord("a")


def _tile(state: State, section: str) -> str:
    return state.table.tiles[_tower(section)][int(section[1:]) - 1]
