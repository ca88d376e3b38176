"""What follows from a box and a deal and never changes in a match, worked out once.

Sections with their figures and ready-made moves, the market by space, prices by seat. Layouts are derived:
they are cached here and never stored.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from msgspec import Struct

from engine.red_cathedral.components import Box, Card, Effect, InfluenceCard, Payment, Strength, Tile
from engine.red_cathedral.model import (
    DICE,
    MATERIALS,
    ORNAMENTS,
    WHITE,
    WORKSHOP,
    Jewel,
    Section,
    Table,
)
from engine.red_cathedral.moves import (
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Face,
    Influence,
    Kinds,
    MoveDie,
    Outcome,
    Reroll,
    Spot,
    Take,
)

JEWELS: Final[tuple[tuple[Jewel, ...], ...]] = (
    (),
    ("green",),
    ("purple",),
    ("green", "purple"),
    ("green", "green"),
    ("purple", "purple"),
)
"""Every set of jewels an ornament may carry, in the order of the legal list. Source: RC-5.4."""

DIE_MOVES: Final = tuple(tuple(MoveDie(die, extra) for extra in range(8)) for die in DICE)
TAKES: Final = tuple(Take(amount) for amount in range(100))
REROLLS: Final = tuple(Reroll(space) for space in range(1, 9))
FACES: Final = tuple(tuple(Face(die, value) for value in range(1, 7)) for die in DICE)


@lru_cache(maxsize=32)
def outcomes(dice: tuple[int, ...]) -> tuple[Outcome, ...]:
    """Every outcome of rolling these dice (ascending), the first die slowest. Source: RC-8.1."""
    return tuple(Outcome(faces) for faces in product(*(FACES[die] for die in dice)))


QUADRANTS: Final = (0, 0, 1, 1, 2, 2, 3, 3)
"""The quadrant of each space of the ring. Source: RC-1.3."""


class Use(Struct, frozen=True):
    """One use of an influence effect that asks for no delivery: what it costs and gives.

    `resource` is a number of RESOURCES; a use with a `space` re-rolls that space instead.
    """

    move: Influence
    payment: Payment
    resource: int
    amount: int
    space: int


class PlayableEffect:
    """An effect of a card with the moves that use it."""

    def __init__(self, number: int, effect: Effect) -> None:
        self.number: Final = number
        self.effect: Final = effect
        self.repeat: Final = effect.repeat
        self.delivers: Final = effect.amount if effect.gain == "deliver" else 0
        self.payments: Final = tuple((payment, _uses(number, effect, payment)) for payment in effect.payments)
        self.uses: Final = {use.move: use for _, uses in self.payments for use in uses}


Effects = tuple[PlayableEffect, PlayableEffect]


def _uses(number: int, effect: Effect, payment: Payment) -> tuple[Use, ...]:
    paid = () if payment.choice is None else (payment.choice,)
    if effect.gain == "deliver":
        return ()
    if effect.gain == "reroll":
        return tuple(
            Use(Influence(number, (*paid, Spot(space))), payment, -1, 0, space) for space in range(1, 9)
        )
    excluded = payment.kinds if effect.other else ()
    return tuple(
        Use(
            Influence(number, (*paid, Kinds((MATERIALS[kind],))) if effect.chooses else paid),
            payment,
            kind,
            effect.amount,
            0,
        )
        for kind in effect.resources
        if kind not in excluded
    )


class SectionMoves:
    """The moves that touch the section of a name, ready-made."""

    def __init__(self, name: str) -> None:
        self.deliveries: Final = tuple(Deliver(name, material) for material in MATERIALS)
        self.decorations: Final = tuple(Decorate(name, jewels) for jewels in JEWELS)
        self.for_ivan: Final = ClaimForIvan(name)
        self._claims: Final = {
            (space, up): Claim(name, word, up) for space, word in enumerate(WORKSHOP) for up in (True, False)
        }
        self._claim_lists: Final[dict[Ways, tuple[Claim, ...]]] = {}

    def claims(self, ways: "Ways") -> tuple[Claim, ...]:
        """The claims of this section in these ways."""
        known = self._claim_lists.get(ways)
        if known is None:
            known = self._claim_lists[ways] = tuple(self._claims[way] for way in ways)
        return known


Ways = tuple[tuple[int, bool], ...]
"""Workshop spaces (numbers of WORKSHOP), each with whether the tile lies face up."""


@cache
def section_moves(name: str) -> SectionMoves:
    """The moves of a section; names are few (a letter and a digit)."""
    return SectionMoves(name)


class Place:
    """A section: where it is, and what its card and its tile say. `below` is the index one level down."""

    def __init__(self, index: int, tower: int, level: int, card: Card, tile: Tile) -> None:
        self.index: Final = index
        self.tower: Final = tower
        self.level: Final = level
        self.name: Final = section_name(tower, level)
        self.card: Final = card
        self.cost: Final = card.cost
        self.kind: Final = card.kind
        self.tile: Final = tile
        self.below: Final = index - 1 if level else None
        self.moves: Final = section_moves(self.name)


def section_name(tower: int, level: int) -> str:
    """The name of a section, as in `a1`. Source: RC-1.6."""
    return f"{chr(ord('a') + tower)}{level + 1}"


def _jewel_sets(table: Table) -> tuple[tuple[int, int, int], ...]:
    """The allowed ones of JEWELS: number, count of green, of purple. Source: RC-5.4, part 11."""
    return tuple(
        (number, jewels.count("green"), jewels.count("purple"))
        for number, jewels in enumerate(JEWELS)
        if not table.jewels_differ or len(set(jewels)) == len(jewels)
    )


class TowerRules(NamedTuple):
    """What of a table says how towers score; most tables agree. Source: RC-7.4, RC-7.5, part 11."""

    sides: int
    two_as_many: bool
    third_is_one: bool
    split_ties: bool

    @classmethod
    def of(cls, table: Table) -> "TowerRules":
        """Those that were agreed on for a match."""
        return cls(len(table.colours), table.two_as_many, table.third_is_one, table.split_ties)


class Layout:
    """The table of one match.

    `market` (numbers of RESOURCES), `amounts` and `effects` go by space, 1 to 8; `prices` by side
    and workshop space; `towers` holds the indices of sections from the bottom; `locks`, by kind of ornament,
    the workshop spaces that lock one.
    """

    def __init__(self, box: Box, effects: Mapping[str, Effects], table: Table) -> None:
        self.box: Final = box
        self.table: Final = table
        self.seats: Final = table.seats
        self.sides: Final = len(table.colours)
        self.solitaire: Final = table.seats == 1
        self.sections: Final = _sections(box, table)
        self.index: Final = {section.name: section.index for section in self.sections}
        self.towers: Final = tuple(
            tuple(section.index for section in self.sections if section.tower == tower)
            for tower in range(len(table.cards))
        )
        self.market: Final = (-1, *table.market)
        self.amounts: Final = (0, *(box.resource_amounts[resource] for resource in table.market))
        self.cards: Final[tuple[InfluenceCard, ...]] = tuple(box.influence[name] for name in table.influence)
        self.effects: Final = (
            effects[table.influence[0]],
            *(effects[table.influence[quadrant]] for quadrant in QUADRANTS),
        )
        self.prices: Final = tuple(self._prices(seat) for seat in range(self.sides))
        self.strength: Final[Strength] = box.difficulty[table.difficulty]
        self.locks: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(space for space, kind in box.ornament_spaces.items() if kind == wanted and table.advanced)
            for wanted in range(len(ORNAMENTS))
        )
        self.jewel_sets: Final = _jewel_sets(table)
        self.tower_rules: Final = TowerRules.of(table)

    def by_tower(self, sections: tuple[Section, ...]) -> list[tuple[Section, ...]]:
        """The sections of each tower, from the bottom."""
        return [sections[tower[0] : tower[-1] + 1] for tower in self.towers]

    def _prices(self, seat: int) -> tuple[int, ...]:
        """The price of a face-up tile by workshop space. Source: RC-4.4, RC-4.5."""
        if self.table.advanced:
            return (self.box.advanced_price,) * len(WORKSHOP)
        own, other, white1, white2 = self.box.basic_prices
        colour = self.table.colours[seat]
        return (*(own if die == colour else other for die in range(WHITE)), white1, white2)


def _sections(box: Box, table: Table) -> tuple[Place, ...]:
    places: list[Place] = []
    for tower, (cards, tiles) in enumerate(zip(table.cards, table.tiles, strict=True)):
        for level, (card, tile) in enumerate(zip(cards, tiles, strict=True)):
            places.append(Place(len(places), tower, level, box.cards[card], box.tiles[tile]))
    return tuple(places)


def layouts(box: Box) -> Callable[[Table], Layout]:
    """The function from a table to its layout, the recent ones kept."""
    effects = {
        card.id: (PlayableEffect(1, card.effects[0]), PlayableEffect(2, card.effects[1]))
        for card in box.influence.values()
    }

    @lru_cache(maxsize=1024)
    def layout(table: Table) -> Layout:
        return Layout(box, effects, table)

    return layout
