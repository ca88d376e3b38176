"""What is asked of a table by moves, reasons and consequences alike."""

from collections.abc import Sequence
from typing import Final

from engine.red_cathedral.components import Tile
from engine.red_cathedral.layout import Layout, Place
from engine.red_cathedral.model import (
    DELIVERIES,
    RECOGNITION,
    ROOM,
    RUBLES,
    WHITE,
    Build,
    Decision,
    Player,
    Section,
)

ENDLESS: Final = 1 << 30
"""How much recognition there is."""


def free_places(layout: Layout, player: Player) -> int:
    """Places of the inventory that hold neither a banner nor a material. Source: RC-1.8, RC-4.2."""
    inside = player.banners - layout.box.outside
    return layout.box.places - sum(player.inventory) - max(0, inside)


def room_for(layout: Layout, reserve: Sequence[int], player: Player, resource: int) -> int:
    """How much of a resource can be gained: what the reserve has and what fits. Source: RC-4.7."""
    if resource == RECOGNITION:
        return ENDLESS
    there = reserve[resource]
    return there if resource == RUBLES else min(there, free_places(layout, player))


def benefit(layout: Layout, spaces: Sequence[int], tile: Tile) -> tuple[int, int]:
    """The resource and the amount that a workshop tile gives. Source: RC-4.6."""
    if tile.die is None:
        return tile.resource, tile.amount
    space = spaces[tile.die]
    return layout.market[space], layout.amounts[space]


def can_lose_prestige(layout: Layout, player: Player) -> bool:
    """Whether there is a prestige space behind. Source: RC-2.5."""
    return layout.box.track.behind(player.position) is not None


def is_open(sections: Sequence[Section], place: Place) -> bool:
    """Whether a section may be claimed by anybody. Source: RC-4.1."""
    if sections[place.index].owner is not None:
        return False
    return place.below is None or sections[place.below].owner is not None


def landing(space: int, steps: int) -> int:
    """The space so many steps on in arrow direction. Source: RC-6.1."""
    return (space - 1 + steps) % 8 + 1


def has_room(spaces: tuple[int, ...], die: int, space: int) -> bool:
    """Whether a lifted die may stop on a space. Source: RC-6.2."""
    return spaces.count(space) - (spaces[die] == space) < ROOM


def workshop_spaces(die: int) -> tuple[int, ...]:
    """The workshop spaces of a die's colour. Source: RC-6.8."""
    return (WHITE, WHITE + 1) if die == WHITE else (die,)


def deliveries_left(decision: Decision) -> int:
    """How many deliveries the build action has left, begun or not. Source: RC-5.1."""
    return decision.left if isinstance(decision, Build) else DELIVERIES


def unlocked(layout: Layout, player: Player, kind: int) -> int:
    """How many ornaments of a kind (for BASE, MIDDLE, DOME) a player may place. Source: RC-4.5, RC-5.4."""
    left = player.ornaments[kind]
    for space in layout.locks[kind]:
        placed = player.workshop[space]
        if placed is None or not placed.up:
            left -= 1
    return left
