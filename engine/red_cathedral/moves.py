"""Moves: actions of the seats and outcomes of chance, one frozen Struct a kind.

Sections are named as in `a1` (tower, level), materials, dice and workshop spaces by their words.
Source: part 8 of the rules.
"""

from typing import Annotated

from msgspec import Meta, Struct

from engine.red_cathedral.model import Die, Jewel, Material, WorkshopSpace

SectionName = Annotated[str, Meta(description="Tower letter and level", pattern="^[a-z][1-9]$")]
SpaceNumber = Annotated[int, Meta(description="A space of the market ring", ge=1, le=8)]


class Claim(Struct, frozen=True, tag_field="kind", tag="claim"):
    """A banner on a section, its workshop tile on a workshop space. Source: RC-4.2, RC-4.3."""

    section: SectionName
    workshop_space: Annotated[WorkshopSpace, Meta(description="Where the workshop tile goes.")]
    up: Annotated[bool, Meta(description="Whether the tile lies face up.")]


class Deliver(Struct, frozen=True, tag_field="kind", tag="deliver"):
    """One material for an own section. Source: RC-5.1."""

    section: SectionName
    material: Annotated[Material, Meta(description="What is delivered.")]


class Decorate(Struct, frozen=True, tag_field="kind", tag="ornament"):
    """An ornament with its jewels on a finished section. Source: RC-5.4."""

    section: SectionName
    jewels: Annotated[tuple[Jewel, ...], Meta(description="The jewels on the ornament.")] = ()


class MoveDie(Struct, frozen=True, tag_field="kind", tag="move"):
    """A die moved its value and `extra` spaces further, a ruble each. Source: RC-6.1."""

    die: Annotated[Die, Meta(description="The die that is moved.")]
    extra: Annotated[int, Meta(description="Spaces beyond the value", ge=0, le=99)] = 0


class Take(Struct, frozen=True, tag_field="kind", tag="take"):
    """So much of the resource of the space. Source: RC-6.4."""

    amount: Annotated[int, Meta(description="How many", ge=0, le=999)]


class Kinds(Struct, frozen=True, tag_field="kind", tag="materials"):
    """A choice of materials to pay or to gain; one unless the card asks for several of any kind."""

    materials: Annotated[tuple[Material, ...], Meta(description="The materials chosen.")]


class Delivery(Struct, frozen=True):
    """One material for a section."""

    material: Annotated[Material, Meta(description="What is delivered.")]
    section: SectionName


class Deliveries(Struct, frozen=True, tag_field="kind", tag="deliveries"):
    """A choice of one or two deliveries, in the order in which they are carried out."""

    deliveries: Annotated[tuple[Delivery, ...], Meta(description="The deliveries, in order.")]


class Spot(Struct, frozen=True, tag_field="kind", tag="space"):
    """A choice of a market space."""

    space: SpaceNumber


Choice = Kinds | Deliveries | Spot


class Influence(Struct, frozen=True, tag_field="kind", tag="influence"):
    """Effect 1 or 2 of the quadrant's card, with the choices it asks for. Source: RC-6.5."""

    effect: Annotated[int, Meta(description="Which effect of the card", ge=1, le=2)]
    choices: Annotated[tuple[Choice, ...], Meta(description="What the effect asks for, in order.")] = ()


class Activate(Struct, frozen=True, tag_field="kind", tag="activate"):
    """The benefit of a face-up workshop tile. Source: RC-6.8."""

    workshop_space: Annotated[WorkshopSpace, Meta(description="Where the tile lies.")]


class Trade(Struct, frozen=True, tag_field="kind", tag="trade"):
    """A prestige point for 2 rubles. Source: RC-3.2."""


class Reroll(Struct, frozen=True, tag_field="kind", tag="reroll"):
    """A prestige point for rolling the dice of a space. Source: RC-3.2."""

    space: SpaceNumber


class Done(Struct, frozen=True, tag_field="kind", tag="done"):
    """The market action is closed, the turn goes on. Source: RC-6.9."""


class End(Struct, frozen=True, tag_field="kind", tag="end"):
    """The turn ends. Source: RC-3.5."""


class ClaimForIvan(Struct, frozen=True, tag_field="kind", tag="ivan"):
    """The section that Ivan claims. Source: RC-7.13."""

    section: SectionName


class Face(Struct, frozen=True):
    """A die and what it shows."""

    die: Annotated[Die, Meta(description="The die.")]
    value: Annotated[int, Meta(description="What the die shows", ge=1, le=6)]


class Outcome(Struct, frozen=True, tag_field="kind", tag="roll"):
    """What a roll shows, dice in their fixed order. Source: RC-8.1."""

    dice: Annotated[tuple[Face, ...], Meta(description="What each die shows that was rolled.")]


Move = (
    Claim
    | Deliver
    | Decorate
    | MoveDie
    | Take
    | Influence
    | Activate
    | Trade
    | Reroll
    | Done
    | End
    | ClaimForIvan
    | Outcome
)
