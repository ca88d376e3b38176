"""What each side may expect: an estimate in points for players that look ahead, no rule.

The standing as it is, with the track and leftovers not rounded down, and for every claimed section not yet
finished what it will bring, by how much of its cost lies there or is in hand, less the penalties to fear.
Weights were set by hand and compared in matches of greedy players against each other.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.red_cathedral.components import Track
from engine.red_cathedral.facts import unlocked
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import GREEN, IVAN, PURPLE, RUBLES, Over, Player, State
from engine.red_cathedral.scoring import LEFTOVERS, standing, tower_scores

CLAIMED: Final = 0.35
"""How likely a section with nothing on it yet is finished."""
IN_HAND: Final = 0.6
"""What a material in hand counts of one that is delivered."""
POWER: Final = 1.5
"""Progress counts the more the nearer the end: one finished section beats two halves."""
TOWER: Final = 4.0
"""What a finished section is worth in its tower, roughly."""
TILE: Final = 0.8
"""A face-up workshop tile: it may be activated again and again."""
SPREAD: Final = 0.6
"""How much less likely every further unfinished section is finished."""
JEWEL: Final = 0.55
"""A jewel for an ornament that may still be placed."""
FEAR: Final = 0.25
"""How likely another finishes a section claimed above one's own first."""


class Needs(NamedTuple):
    """An own unfinished section: what it lacks, and how much of its cost lies there."""

    section: int
    lacks: tuple[int, ...]
    progress: float


def outlook(layout: Layout, state: State) -> tuple[float, ...]:
    """For each row of the standing, the points that side may expect."""
    if isinstance(state.decision, Over):
        return tuple(float(row.total) for row in standing(layout, state).rows)
    towers = [sum(scores) for scores in zip(*_tower_rows(layout, state), strict=True)]
    return tuple(towers[side] + _side(layout, state, side) for side in range(layout.sides))


def _tower_rows(layout: Layout, state: State) -> list[tuple[int, ...]]:
    return [tower_scores(layout, state, tower) for tower in range(len(layout.towers))]


@lru_cache(maxsize=1024)
def prestige(track: Track, position: int) -> float:
    """Prestige points of a position, the way to the next one counted in part."""
    last = track.behind(position + 1) or 0
    return track.prestige(position) + (position - last) / (track.ahead(position) - last)


def _side(layout: Layout, state: State, side: int) -> float:
    player = state.players[side]
    value = prestige(layout.box.track, player.position)
    if side in state.retired:
        return value
    if not (layout.solitaire and side == IVAN):
        value += (player.rubles + sum(player.inventory)) / LEFTOVERS
        value += _workshop(layout, player)
    return value + _sections(layout, state, side) - _fears(layout, state, side)


def _workshop(layout: Layout, player: Player) -> float:
    """Tiles that may be activated, and ornaments ready to carry jewels."""
    tiles = sum(placed is not None and placed.up for placed in player.workshop)
    ornaments = sum(max(0, unlocked(layout, player, kind)) for kind in range(3))
    jewels = min(player.inventory[GREEN] + player.inventory[PURPLE], 2 * ornaments)
    return TILE * tiles + JEWEL * jewels


def _sections(layout: Layout, state: State, side: int) -> float:
    """What the claimed sections will bring; materials in hand go where most lies already."""
    player, track = state.players[side], layout.box.track
    hand = list(player.inventory)
    if state.ivan is not None and side == IVAN:
        hand = [sum(state.ivan.construction)] * RUBLES
    value, chance, base = 0.0, 1.0, prestige(track, player.position)
    for needs in sorted(_needs(layout, state, side), key=lambda needs: needs.progress, reverse=True):
        card = layout.sections[needs.section].card
        covered = 0
        for material, lacking in enumerate(needs.lacks):
            given = min(lacking, hand[material])
            hand[material] -= given
            covered += given
        done = needs.progress + IN_HAND * covered / sum(card.cost)
        reward = prestige(track, player.position + card.recognition) - base + card.rubles / LEFTOVERS + TOWER
        value += chance * (CLAIMED + (1 - CLAIMED) * done**POWER) * reward
        chance *= SPREAD
    return value


def _needs(layout: Layout, state: State, side: int) -> list[Needs]:
    found: list[Needs] = []
    for index, section in enumerate(state.sections):
        if section.owner == side and not section.finished:
            cost = layout.sections[index].cost
            lacks = tuple(max(0, due - there) for due, there in zip(cost, section.delivered, strict=True))
            found.append(Needs(index, lacks, sum(section.delivered) / sum(cost)))
    return found


def _fears(layout: Layout, state: State, side: int) -> float:
    """Recognition that others' sections above own unfinished ones may cost, in points."""
    track, position = layout.box.track, state.players[side].position
    slope = prestige(track, position) - prestige(track, max(0, position - 1))
    dangers = 0
    for index, section in enumerate(state.sections):
        if section.owner == side and not section.finished:
            place = layout.sections[index]
            above = (state.sections[other] for other in layout.towers[place.tower][place.level + 1 :])
            dangers += sum(other.owner not in (None, side) and not other.finished for other in above)
    return FEAR * slope * dangers
