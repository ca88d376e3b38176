"""Score sheets and ranking, at any time.

Source: RC-3.6, RC-7.2 to RC-7.8 of the rules.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.game import Row, Standing
from engine.red_cathedral.layout import Layout, TowerRules
from engine.red_cathedral.model import IVAN, Section, State

LEFTOVERS = 5
"""Materials and rubles that make a prestige point. Source: RC-7.3."""


def standing(layout: Layout, state: State) -> Standing:
    """The sheet of every side: prestige of the track, leftovers, and what each tower gives."""
    towers = [tower_scores(layout.tower_rules, sections) for sections in layout.by_tower(state.sections)]
    sheets = [_sheet(layout, state, side, towers) for side in range(layout.sides)]
    totals = [sum(sheet.values()) for sheet in sheets]
    ties = [_ties(state, side) for side in range(layout.sides)]
    keys = [(_staying(state, side), totals[side], *ties[side].values()) for side in range(layout.sides)]
    return Standing(
        tuple(
            Row(
                seat=side,
                scores=sheets[side],
                total=totals[side],
                ties=ties[side],
                rank=1 + sum(key > keys[side] for key in keys),
                retired=side in state.retired,
                label="Ivan" if layout.solitaire and side == IVAN else None,
            )
            for side in range(layout.sides)
        )
    )


def _sheet(layout: Layout, state: State, side: int, towers: Sequence[Sequence[int]]) -> dict[str, int]:
    player = state.players[side]
    ivan = layout.solitaire and side == IVAN
    sheet = {
        "track": layout.box.track.prestige(player.position),
        "leftovers": 0 if ivan else (sum(player.inventory) + player.rubles) // LEFTOVERS,
    }
    for tower, scores in enumerate(towers):
        sheet[f"tower_{chr(ord('a') + tower)}"] = scores[side]
    return sheet


def _ties(state: State, side: int) -> dict[str, int]:
    """What decides between equal totals. Source: RC-7.6."""
    return {
        "finished": sum(section.finished and section.owner == side for section in state.sections),
        "ornaments": sum(section.ornament == side for section in state.sections),
    }


def _staying(state: State, side: int) -> int:
    """Higher for who stayed longer: active sides before all others. Source: RC-3.6."""
    return state.retired.index(side) if side in state.retired else len(state.players)


@lru_cache(maxsize=1024)
def tower_scores(rules: TowerRules, sections: tuple[Section, ...]) -> tuple[int, ...]:
    """What a tower of these sections gives to each side, as it stands. Source: RC-7.4, RC-7.5."""
    value, presence = _worth(sections, rules.sides)
    if rules.sides == 2 and not rules.two_as_many:
        return _two_sides(value, presence)
    return _many_sides(value, presence, rules)


def _worth(sections: Sequence[Section], sides: int) -> tuple[int, list[int]]:
    """V and the presence of each side: finished sections count 2 and 1, ornaments 1 and 1. Source: RC-7.4."""
    value, presence = 0, [0] * sides
    for section in sections:
        if section.finished and section.owner is not None:
            value += 2
            presence[section.owner] += 1
        if section.ornament is not None:
            value += 1
            presence[section.ornament] += 1
    return value, presence


def _two_sides(value: int, presence: Sequence[int]) -> tuple[int, ...]:
    """First V, the other a third; nothing for anybody if they are equal. Source: RC-7.5."""
    first, second = presence
    if first == second:
        return (0, 0)
    lesser = value // 3 if min(presence) else 0
    return (value, lesser) if first > second else (lesser, value)


def _many_sides(value: int, presence: Sequence[int], rules: TowerRules) -> tuple[int, ...]:
    """Halving by place; tied sides share what their places give. Source: RC-7.4, part 11 (`tower_ties`)."""
    places = place_values(value, rules)
    scores = [0] * len(presence)
    for place, tied in _places(presence):
        shared = places[place : place + 1] if rules.split_ties else places[place : place + len(tied)]
        for side in tied:
            scores[side] = sum(shared) // len(tied)
    return tuple(scores)


def place_values(value: int, rules: TowerRules) -> tuple[int, ...]:
    """What the places of a tower worth `value` give, first to last. Source: RC-7.4, part 11."""
    values = (value, value // 2, 1, 0) if rules.third_is_one else (value, value // 2, value // 4, value // 8)
    return values[: rules.sides]


def _places(presence: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Each place taken, counted from 0, with the sides that share it."""
    place = 0
    for most in sorted(set(presence) - {0}, reverse=True):
        tied = [side for side, count in enumerate(presence) if count == most]
        yield place, tied
        place += len(tied)
