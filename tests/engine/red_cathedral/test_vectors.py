"""The engine agrees with another implementation of the same rules, step by step."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from engine.opening import read_deal
from engine.perft import perft
from engine.red_cathedral import GAME
from engine.red_cathedral.components import Box, built_in
from engine.red_cathedral.facts import free_places
from engine.red_cathedral.layout import Layout, layouts
from engine.red_cathedral.model import (
    COLOURS,
    DICE,
    MATERIALS,
    ORNAMENTS,
    RESOURCES,
    WORKSHOP,
    Player,
    Section,
    State,
)

VECTORS = Path(__file__).parents[2] / "golden" / "vectors"
POSITIONS = ("p1_ivan", "p2_basic")
WALKS = ("walk_2_seats", "walk_solo")


def vector(name: str) -> dict[str, Any]:
    return json.loads((VECTORS / f"red_cathedral_{name}.json").read_text())


def start_of(data: dict[str, Any]) -> State:
    return GAME.setup(read_deal(GAME, data["deal"]))


def spelled(state: State) -> list[str]:
    return sorted(GAME.write(move) for move in GAME.legal(state))


def after(state: State, text: str) -> State:
    move = GAME.parse(text)
    assert GAME.write(move) == text
    assert GAME.normal(state, move) == move, text
    return GAME.apply(state, move)[0]


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_have_the_same_moves_and_sequences(name: str) -> None:
    data = vector(name)
    state = start_of(data)
    for text in data["moves"]:
        state = after(state, text)
    assert spelled(state) == data["legal_sorted"]
    counts = data["sequences_by_depth"]
    assert [perft(GAME, state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", WALKS)
def test_walks_have_the_same_moves_and_figures_all_the_way(name: str) -> None:
    data = vector(name)
    state, marks = start_of(data), {mark[0]: mark[1:] for mark in data["marks"]}
    for number, (text, count, digest) in enumerate(data["steps"], 1):
        texts = spelled(state)
        known = hashlib.sha256("\n".join(texts).encode()).hexdigest()[: len(digest)]
        assert (len(texts), known) == (count, digest), f"step {number}, before {text}: {texts}"
        state = after(state, text)
        if number in marks:
            assert figures(state) == marks.pop(number), f"step {number}"
    assert not marks
    assert GAME.to_move(state) is None
    shown = last_state(state)
    for section in data["final"]["sections"].values():
        del section["jewels"]
    assert shown == {entry: value for entry, value in data["final"].items() if entry in shown}
    assert set(data["final"]) - set(shown) <= {"turn"}
    assert standing(state) == data["standing"]


def figures(state: State) -> list[Any]:
    return [
        [player.position for player in state.players],
        [player.rubles for player in state.players],
        dict(zip(RESOURCES, state.reserve, strict=False)),
    ]


def last_state(state: State) -> dict[str, Any]:
    """The state in the words of the vectors, but for the turn, which is over."""
    table = state.table
    layout = layouts(Box(built_in()))(table)
    names = [place.name for place in layout.sections]
    return {
        "toMove": GAME.to_move(state),
        "seat": state.seat,
        "legalKinds": sorted({text.split(":")[0] for text in spelled(state)}),
        "market": {str(space): RESOURCES[tile] for space, tile in enumerate(table.market, 1)},
        "influence": {str(quadrant): card for quadrant, card in enumerate(table.influence, 1)},
        "dice": {die: [*at] for die, *at in zip(DICE, state.spaces, state.pips, strict=True)},
        "reserve": figures(state)[2],
        "players": [player_of(state, layout, side) for side in range(len(state.players))],
        "sections": {name: section_of(state, layout, index) for index, name in enumerate(names)},
        "ivan": ivan_of(state),
        "trigger": state.trigger,
        "over": GAME.to_move(state) is None,
    }


def counts(materials: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(MATERIALS, materials, strict=True))


def player_of(state: State, layout: Layout, side: int) -> dict[str, Any]:
    player = state.players[side]
    ivan = layout.solitaire and side == 1
    last_place = state.seat == layout.sides - 1
    return {
        "colour": COLOURS[state.table.colours[side]],
        "position": player.position,
        "prestige": layout.box.track.prestige(player.position),
        "rubles": player.rubles,
        "inventory": counts(player.inventory),
        "freePlaces": 0 if ivan else free_places(layout, player),
        "bannersInside": max(0, player.banners - layout.box.outside),
        "bannersOutside": min(player.banners, layout.box.outside),
        "ornaments": dict(zip(ORNAMENTS, player.ornaments, strict=True)),
        "locked": {},
        "workshop": workshop_of(player, layout),
        "turns": state.round if side <= state.seat or last_place else state.round - 1,
        "finished": sum(section.finished and section.owner == side for section in state.sections),
    }


def workshop_of(player: Player, layout: Layout) -> dict[str, Any]:
    return {
        space: placed and {"tile": layout.sections[placed.section].tile.id, "up": placed.up}
        for space, placed in zip(WORKSHOP, player.workshop, strict=True)
    }


def section_of(state: State, layout: Layout, index: int) -> dict[str, Any]:
    section: Section = state.sections[index]
    place = layout.sections[index]
    return {
        "card": place.card.id,
        "owner": section.owner,
        "delivered": {kind: count for kind, count in counts(section.delivered).items() if count},
        "finished": section.finished,
        "ornament": section.ornament,
        "tile": place.tile.id if section.owner is None else None,
    }


def ivan_of(state: State) -> dict[str, Any] | None:
    ivan = state.ivan
    if ivan is None:
        return None
    return {
        "row": [*state.table.ivan],
        "next": ivan.next,
        "inventory": counts(ivan.inventory),
        "construction": counts(ivan.construction),
    }


def standing(state: State) -> list[dict[str, Any]]:
    return [
        {
            "seat": row.seat,
            "prestige": row.scores["track"],
            "leftovers": row.scores["leftovers"],
            "towers": [points for category, points in row.scores.items() if category.startswith("tower_")],
            **row.ties,
            "total": row.total,
            "rank": row.rank,
        }
        for row in GAME.standing(state).rows
    ]
