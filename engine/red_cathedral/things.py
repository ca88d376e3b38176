"""The things on the table, as `touched` names them: sections, spaces, dice, effects, workshop spaces."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.red_cathedral.captions import effect_text
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import (
    DICE,
    KINDS,
    MATERIALS,
    ORNAMENTS,
    RESOURCES,
    WORKSHOP,
    Die,
    Material,
    Resource,
    State,
    WorkshopSpace,
)
from engine.speech import ENGLISH, Speech

Part = Literal["base", "middle", "dome"]
OrnamentKind = Literal["door", "arch", "cross"]
PARTS: dict[str, Part] = {"base": "base", "middle": "middle", "dome": "dome"}
DECORATIONS: dict[str, OrnamentKind] = {"door": "door", "arch": "arch", "cross": "cross"}


class Amount(Struct, frozen=True):
    """So much of a material."""

    material: Annotated[Material, Meta(description="The material.")]
    count: Annotated[int, Meta(description="How many cubes or gems.")]


class CathedralSection(Struct, frozen=True, tag_field="kind", tag="section"):
    """A section of a tower: a cathedral card, and what lies on it."""

    name: Annotated[str, Meta(description="Tower letter and level, as in `a1`.")]
    tower: Annotated[int, Meta(description="The tower, from 1 at the left.")]
    level: Annotated[int, Meta(description="The level, from 1 at the bottom.")]
    card: Annotated[str, Meta(description="The id of its card.")]
    part: Annotated[Part, Meta(description="Which part of a tower it is.")]
    cost: Annotated[tuple[Amount, ...], Meta(description="The materials that finish it.")]
    delivered: Annotated[tuple[Amount, ...], Meta(description="The materials that lie on it.")]
    owner: Annotated[int | None, Meta(description="The side whose banner is on it.")]
    finished: Annotated[bool, Meta(description="Whether all its materials have been delivered.")]
    ornament: Annotated[OrnamentKind, Meta(description="What decorates such a section.")]
    decorated_by: Annotated[int | None, Meta(description="The side that decorated it.")]
    tile: Annotated[str | None, Meta(description="The workshop tile that still lies on it.")]


class MarketSpace(Struct, frozen=True, tag_field="kind", tag="space"):
    """A space of the market ring."""

    name: Annotated[str, Meta(description="`space:` and its number, 1 to 8.")]
    number: Annotated[int, Meta(description="Its number, 1 to 8, clockwise.")]
    resource: Annotated[Resource, Meta(description="What is obtained here.")]
    amount: Annotated[int, Meta(description="How much of it, for each time.")]
    dice: Annotated[tuple[Die, ...], Meta(description="The dice that lie here.")]


class MarketDie(Struct, frozen=True, tag_field="kind", tag="die"):
    """A die on the market ring."""

    name: Annotated[str, Meta(description="`die:` and its colour.")]
    die: Annotated[Die, Meta(description="Its colour.")]
    space: Annotated[int, Meta(description="The space where it lies, 1 to 8.")]
    value: Annotated[int, Meta(description="What it shows, 1 to 6.")]
    rolls: Annotated[int, Meta(description="How often it was rolled so far.")]


class InfluenceEffect(Struct, frozen=True, tag_field="kind", tag="effect"):
    """An effect of an influence card."""

    name: Annotated[str, Meta(description="`effect:`, the quadrant, and which of the two: `effect:2:1`.")]
    card: Annotated[str, Meta(description="The id of its card.")]
    spaces: Annotated[tuple[int, ...], Meta(description="The spaces from which it can be used.")]
    repeat: Annotated[bool, Meta(description="Whether it can be used again and again in a turn.")]
    text: Annotated[str, Meta(description="What it does, in words.")]


class WorkshopPlace(Struct, frozen=True, tag_field="kind", tag="workshop"):
    """A space of a workshop board. Moves are about those of the side to move only."""

    name: Annotated[str, Meta(description="`workshop:` and the space; every side has one of each name.")]
    side: Annotated[int, Meta(description="Whose workshop it is in.")]
    workshop_space: Annotated[WorkshopSpace, Meta(description="Which space it is.")]
    price: Annotated[int, Meta(description="Rubles for a tile that is placed here face up.")]
    tile: Annotated[str | None, Meta(description="The workshop tile here, null for none.")]
    up: Annotated[bool, Meta(description="Whether the tile lies face up.")]


Thing = CathedralSection | MarketSpace | MarketDie | InfluenceEffect | WorkshopPlace


def things(layout: Layout, state: State, speech: Speech = ENGLISH) -> tuple[Thing, ...]:
    """Everything that has a name: sections by tower, spaces, dice, effects, and workshops by side."""
    return (
        *_sections(layout, state),
        *_spaces(layout, state),
        *(
            MarketDie(f"die:{die}", die, state.spaces[number], state.pips[number], state.rolls[number])
            for number, die in enumerate(DICE)
        ),
        *_effects(layout, speech),
        *_workshops(layout, state),
    )


def _sections(layout: Layout, state: State) -> Iterator[CathedralSection]:
    for place, section in zip(layout.sections, state.sections, strict=True):
        yield CathedralSection(
            name=place.name,
            tower=place.tower + 1,
            level=place.level + 1,
            card=place.card.id,
            part=PARTS[KINDS[place.kind]],
            cost=_amounts(place.cost),
            delivered=_amounts(section.delivered),
            owner=section.owner,
            finished=section.finished,
            ornament=DECORATIONS[ORNAMENTS[place.kind]],
            decorated_by=section.ornament,
            tile=place.tile.id if section.owner is None else None,
        )


def _amounts(counts: tuple[int, ...]) -> tuple[Amount, ...]:
    return tuple(Amount(material, count) for material, count in zip(MATERIALS, counts, strict=True) if count)


def _spaces(layout: Layout, state: State) -> Iterator[MarketSpace]:
    for number in range(1, 9):
        here: tuple[Die, ...] = tuple(
            die for die, space in zip(DICE, state.spaces, strict=True) if space == number
        )
        resource = RESOURCES[layout.market[number]]
        yield MarketSpace(f"space:{number}", number, resource, layout.amounts[number], here)


def _effects(layout: Layout, speech: Speech) -> Iterator[InfluenceEffect]:
    for quadrant, card in enumerate(layout.cards):
        for number, effect in enumerate(card.effects):
            name = f"effect:{quadrant + 1}:{number + 1}"
            spaces = (2 * quadrant + 1, 2 * quadrant + 2)
            yield InfluenceEffect(name, card.id, spaces, effect.repeat, effect_text(effect, speech))


def _workshops(layout: Layout, state: State) -> Iterator[WorkshopPlace]:
    for side, player in enumerate(state.players):
        for number, space in enumerate(WORKSHOP):
            placed = player.workshop[number]
            tile = None if placed is None else layout.sections[placed.section].tile.id
            up = placed is not None and placed.up
            price = layout.prices[side][number]
            yield WorkshopPlace(f"workshop:{space}", side, space, price, tile, up)
