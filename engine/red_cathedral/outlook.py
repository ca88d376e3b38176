"""What each side may expect: an estimate in points for players that look ahead, no rule.

The standing as it is, with the track and leftovers not rounded down, and for every claimed section not yet
finished what it will bring, by how much of its cost lies there or is in hand, less the penalties to fear.
Weights were set by hand and compared in matches of greedy players against each other. Nothing here depends on
dice or on whose turn it is, so what was worked out for one state serves its neighbours.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from engine.red_cathedral.components import Card, Track
from engine.red_cathedral.facts import free_places, unlocked
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import GREEN, IVAN, PURPLE, RUBLES, Ivan, Over, Player, Section, State
from engine.red_cathedral.scoring import LEFTOVERS, standing, tower_scores

CLAIMED: Final = 0.35
"""How likely a section with nothing on it yet is finished."""
IN_HAND: Final = 0.6
"""What a material in hand counts of one that is delivered."""
POWER: Final = 1.5
"""Progress counts the more the nearer the end: one finished section beats two halves."""
TOWER: Final = 4.0
"""What a finished section is worth in its tower, roughly."""
FINISHED: Final = 2.5
"""A finished section, beyond what its tower gives now: the tower grows, and it cannot be lost."""
TILE: Final = 0.8
"""A face-up workshop tile: it may be activated again and again."""
SPREAD: Final = 0.6
"""How much less likely every further unfinished section is finished."""
JEWEL: Final = 0.55
"""A jewel for an ornament that may still be placed."""
FEAR: Final = 0.25
"""How likely another finishes a section claimed above one's own first."""

STUCK: Final = 3.0
"""A full inventory without what the own sections lack: nothing can be finished before something is let go."""


def outlook(layout: Layout, state: State) -> tuple[float, ...]:
    """For each row of the standing, the points that side may expect."""
    if isinstance(state.decision, Over):
        return tuple(float(row.total) for row in standing(layout, state).rows)
    return _expected(layout, state.players, state.sections, state.retired, state.ivan)


@lru_cache(maxsize=4096)
def _expected(
    layout: Layout,
    players: tuple[Player, ...],
    sections: tuple[Section, ...],
    retired: tuple[int, ...],
    ivan: Ivan | None,
) -> tuple[float, ...]:
    values = [prestige(layout.box.track, player.position) for player in players]
    for tower in layout.by_tower(sections):
        scores = tower_scores(layout.table, tower)
        values = [value + score for value, score in zip(values, scores, strict=True)]
    dangers = _dangers(layout, sections)
    finished = [section.owner for section in sections if section.finished]
    for side, player in enumerate(players):
        if side in retired:
            continue
        hand = list(player.inventory)
        if ivan is not None and side == IVAN:
            hand = [sum(ivan.construction)] * RUBLES
        else:
            values[side] += (player.rubles + sum(hand)) / LEFTOVERS + _workshop(layout, player)
        values[side] += FINISHED * finished.count(side)
        unfinished = _unfinished(layout, sections, side)
        if unfinished and free_places(layout, player) == 0 and _lacks_all(player, unfinished):
            values[side] -= STUCK
        values[side] += _sections(layout, player, unfinished, hand)
        if dangers[side]:
            values[side] -= FEAR * dangers[side] * _slope(layout.box.track, player.position)
    return tuple(values)


@lru_cache(maxsize=1024)
def prestige(track: Track, position: int) -> float:
    """Prestige points of a position, the way to the next one counted in part."""
    last = track.behind(position + 1) or 0
    return track.prestige(position) + (position - last) / (track.ahead(position) - last)


def _slope(track: Track, position: int) -> float:
    """The prestige that the last recognition point made."""
    return prestige(track, position) - prestige(track, max(0, position - 1))


def _workshop(layout: Layout, player: Player) -> float:
    """Tiles that may be activated, and ornaments ready to carry jewels."""
    tiles = sum([placed is not None and placed.up for placed in player.workshop])
    jewels = player.inventory[GREEN] + player.inventory[PURPLE]
    if jewels:
        ornaments = sum([max(0, unlocked(layout, player, kind)) for kind in range(3)])
        jewels = min(jewels, 2 * ornaments)
    return TILE * tiles + JEWEL * jewels


class Needs(NamedTuple):
    """An unfinished section: its card, what it lacks by material, and how much of its cost lies there."""

    card: Card
    lacks: tuple[tuple[int, int], ...]
    progress: float


def _unfinished(layout: Layout, sections: Sequence[Section], side: int) -> list[Needs]:
    """The side's unfinished sections, those nearest to their end first."""
    found = [
        _needs(layout.sections[index].card, section.delivered)
        for index, section in enumerate(sections)
        if section.owner == side and not section.finished
    ]
    if len(found) > 1:
        found.sort(key=attrgetter("progress"), reverse=True)
    return found


@lru_cache(maxsize=4096)
def _needs(card: Card, delivered: tuple[int, ...]) -> Needs:
    lacks = tuple(
        (material, due - there)
        for material, (due, there) in enumerate(zip(card.cost, delivered, strict=True))
        if due > there
    )
    return Needs(card, lacks, sum(delivered) / sum(card.cost))


def _lacks_all(player: Player, unfinished: Sequence[Needs]) -> bool:
    """Whether nothing in hand can be delivered."""
    return not any(player.inventory[material] for needs in unfinished for material, _ in needs.lacks)


def _sections(layout: Layout, player: Player, unfinished: Sequence[Needs], hand: list[int]) -> float:
    """What claimed sections will bring; materials in hand go where most lies already."""
    track = layout.box.track
    value, chance, base = 0.0, 1.0, prestige(track, player.position)
    for card, lacks, progress in unfinished:
        covered = 0
        for material, lacking in lacks:
            given = min(lacking, hand[material])
            hand[material] -= given
            covered += given
        done = progress + IN_HAND * covered / sum(card.cost)
        reward = prestige(track, player.position + card.recognition) - base + card.rubles / LEFTOVERS + TOWER
        value += chance * (CLAIMED + (1 - CLAIMED) * done**POWER) * reward
        chance *= SPREAD
    return value


def _dangers(layout: Layout, sections: Sequence[Section]) -> list[int]:
    """For each side, how many unfinished sections of others lie above its own unfinished ones."""
    dangers = [0] * layout.sides
    for tower in layout.towers:
        above: list[int] = []
        for index in reversed(tower):
            section = sections[index]
            if section.owner is not None and not section.finished:
                dangers[section.owner] += len(above) - above.count(section.owner)
                above.append(section.owner)
    return dangers
