"""What each side may expect: an estimate in points for players that look ahead, no rule.

The standing as it is, with the track and leftovers not rounded down, and for every claimed section not yet
finished what it will bring, by how much of its cost lies there or is in hand, less the penalties to fear.
Weights were set by hand and compared in matches of greedy players against each other. Nothing here depends on
dice or on whose turn it is, so what was worked out for one state serves its neighbours; but Ivan's next card
is known, and what it does counts as done.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from engine.red_cathedral.components import Card, Track
from engine.red_cathedral.draft import Draft
from engine.red_cathedral.facts import free_places, unlocked
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import GREEN, HUMAN, PURPLE, RUBLES, Ivan, Over, Player, Section, State
from engine.red_cathedral.scoring import LEFTOVERS, standing, tower_scores
from engine.red_cathedral.turn import pass_turn

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


class Needs(NamedTuple):
    """An unfinished section: what it lacks by material, how much of its cost lies there, what it will give.

    `gain` is that in points, `recognition` apart.
    """

    lacks: tuple[tuple[int, int], ...]
    progress: float
    cost: int
    recognition: int
    gain: float


class Prospect:
    """What the sections mean to one side, whatever it has in hand; compared by identity.

    `scored` are points of towers as they stand, `finished` the sections; `unfinished` those that are not,
    nearest to their end first; `danger` counts the unfinished ones of others above them.
    """

    __slots__ = ("danger", "finished", "scored", "unfinished")

    def __init__(self, scored: int, finished: int, unfinished: tuple[Needs, ...], danger: int) -> None:
        self.scored: Final = scored
        self.finished: Final = finished
        self.unfinished: Final = unfinished
        self.danger: Final = danger


def outlook(layout: Layout, state: State) -> tuple[float, ...]:
    """For each row of the standing, the points that side may expect."""
    if layout.solitaire and state.seat == HUMAN:
        state = _answered(layout, state)
    if isinstance(state.decision, Over):
        return tuple(float(row.total) for row in standing(layout, state).rows)
    sides = zip(state.players, _prospects(layout, state.sections), strict=True)
    if state.ivan is not None:
        (human, own), (ivan, his) = sides
        return _expected(layout, human, own), _expected_of_ivan(layout, ivan, his, state.ivan)
    if not state.retired:
        return tuple([_expected(layout, player, prospect) for player, prospect in sides])
    return tuple(
        _kept(layout, player, prospect) if side in state.retired else _expected(layout, player, prospect)
        for side, (player, prospect) in enumerate(sides)
    )


def _answered(layout: Layout, state: State) -> State:
    """The state after Ivan's next card, which everybody knows: every state of a turn is valued after it."""
    if isinstance(state.decision, Over):
        return state
    draft = Draft(layout, state)
    pass_turn(draft)
    return draft.state()


@lru_cache(maxsize=1024)
def _prospects(layout: Layout, sections: tuple[Section, ...]) -> tuple[Prospect, ...]:
    """The prospect of each side."""
    scored = [0] * layout.sides
    for tower in layout.by_tower(sections):
        for side, score in enumerate(tower_scores(layout.tower_rules, tower)):
            scored[side] += score
    finished = [section.owner for section in sections if section.finished]
    dangers = _dangers(layout, sections)
    return tuple(
        Prospect(scored[side], finished.count(side), _unfinished(layout, sections, side), dangers[side])
        for side in range(layout.sides)
    )


def _kept(layout: Layout, player: Player, prospect: Prospect) -> float:
    """What a side has and cannot lose."""
    return prestige(layout.box.track, player.position) + prospect.scored


@lru_cache(maxsize=8192)
def _expected(layout: Layout, player: Player, prospect: Prospect) -> float:
    hand = player.inventory
    value = _kept(layout, player, prospect) + (player.rubles + sum(hand)) / LEFTOVERS
    value += _workshop(layout, player) + _from_sections(layout, player, prospect, list(hand))
    if prospect.unfinished and not free_places(layout, player) and _lacks_all(player, prospect.unfinished):
        value -= STUCK
    return value


def _expected_of_ivan(layout: Layout, player: Player, prospect: Prospect, ivan: Ivan) -> float:
    hand = [sum(ivan.construction)] * RUBLES
    return _kept(layout, player, prospect) + _from_sections(layout, player, prospect, hand)


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


def _unfinished(layout: Layout, sections: Sequence[Section], side: int) -> tuple[Needs, ...]:
    """The side's unfinished sections, those nearest to their end first."""
    found = [
        _needs(layout.sections[index].card, section.delivered)
        for index, section in enumerate(sections)
        if section.owner == side and not section.finished
    ]
    return tuple(sorted(found, key=attrgetter("progress"), reverse=True))


@lru_cache(maxsize=4096)
def _needs(card: Card, delivered: tuple[int, ...]) -> Needs:
    lacks = tuple(
        (material, due - there)
        for material, (due, there) in enumerate(zip(card.cost, delivered, strict=True))
        if due > there
    )
    cost = sum(card.cost)
    return Needs(lacks, sum(delivered) / cost, cost, card.recognition, card.rubles / LEFTOVERS + TOWER)


def _lacks_all(player: Player, unfinished: Sequence[Needs]) -> bool:
    """Whether nothing in hand can be delivered."""
    return not any(player.inventory[material] for needs in unfinished for material, _ in needs.lacks)


def _from_sections(layout: Layout, player: Player, prospect: Prospect, hand: list[int]) -> float:
    """What claimed sections will bring; materials in hand go where most lies already."""
    track = layout.box.track
    value, chance, base = FINISHED * prospect.finished, 1.0, prestige(track, player.position)
    for lacks, progress, cost, recognition, gain in prospect.unfinished:
        covered = 0
        for material, lacking in lacks:
            if there := hand[material]:
                given = min(there, lacking)
                hand[material] = there - given
                covered += given
        done = progress + IN_HAND * covered / cost
        reward = prestige(track, player.position + recognition) - base + gain
        value += chance * (CLAIMED + (1 - CLAIMED) * done**POWER) * reward
        chance *= SPREAD
    return value - FEAR * prospect.danger * _slope(track, player.position)


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
