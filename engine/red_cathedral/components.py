"""The box: cards, tiles, costs and track, ready to be looked up by id.

Source: RC-1.1 to RC-1.8 and part 9; the figures are those of the file of component data.
"""

import hashlib
from bisect import bisect_left, bisect_right
from importlib import resources
from itertools import combinations_with_replacement
from typing import Final, Literal

from msgspec import Struct

from engine.game import Edition
from engine.red_cathedral.boxcheck import read
from engine.red_cathedral.boxfile import CODES, BoxFile, EffectEntry, Pay, amounts, letters
from engine.red_cathedral.model import (
    DICE,
    KINDS,
    MATERIALS,
    NOTHING,
    ORNAMENTS,
    RECOGNITION,
    RESOURCES,
    RUBLES,
    WORKSHOP,
)
from engine.red_cathedral.moves import Choice, Kinds


class Card(Struct, frozen=True):
    """A cathedral card. `kind` is one of BASE, MIDDLE, DOME, `cost` counts materials."""

    id: str
    kind: int
    cost: tuple[int, ...]
    recognition: int
    rubles: int


class Tile(Struct, frozen=True):
    """A workshop tile: a resource (a number of RESOURCES) with its amount, or a die (a number of DICE)."""

    id: str
    resource: int
    amount: int
    die: int | None


class Payment(Struct, frozen=True):
    """One way to pay for an effect: `choice` spells it where the card leaves one."""

    choice: Choice | None
    materials: tuple[int, ...]
    rubles: int

    @property
    def kinds(self) -> tuple[int, ...]:
        """The materials that are paid, each named once."""
        return tuple(material for material, count in enumerate(self.materials) if count)


GainKind = Literal["resource", "deliver", "reroll"]


class Phrase(Struct, frozen=True):
    """A price or a gain in words: `kinds` to choose from, else the key of a resource or of a caption; and
    how much."""

    key: str = ""
    amount: int = 0
    kinds: tuple[int, ...] = ()


class Effect(Struct, frozen=True):
    """An effect of an influence card.

    `gain` tells what it gives: one unit-priced `resources` to choose from (with `amount`), up to `amount`
    deliveries, or a re-roll. `other` excludes the kinds paid. `chooses` says whether the gain is spelled;
    `price` and `yields` are the effect in words.
    """

    repeat: bool
    payments: tuple[Payment, ...]
    gain: GainKind
    resources: tuple[int, ...]
    amount: int
    other: bool
    chooses: bool
    price: Phrase | None
    yields: Phrase


class InfluenceCard(Struct, frozen=True):
    """An influence card."""

    id: str
    group: str
    beginner: bool
    effects: tuple[Effect, Effect]


class Strength(Struct, frozen=True):
    """What Ivan's Renown and Inventory are worth."""

    recognition: int
    materials: int


class Box:
    """All components of one edition. Immutable; equal editions have equal digests."""

    def __init__(self, data: bytes) -> None:
        """Read the component data. Raises BadBox that names the entry at fault."""
        file = read(data)
        self.data: Final = data
        self.edition: Final = Edition(file.edition, hashlib.sha256(data).hexdigest())
        self.reserve: Final = amounts(file.reserve, RESOURCES[:RECOGNITION])
        self.track: Final = Track(file.track.prestige, file.track.length, file.track.start)
        self.start_rubles: Final = file.players.start_rubles
        self.banners: Final = file.players.banners
        self.outside: Final = file.players.banners - file.players.banners_in_inventory
        self.places: Final = file.players.inventory
        self.ornaments: Final[tuple[int, ...]] = tuple(
            getattr(file.players.ornaments, name) for name in ORNAMENTS
        )
        self.ornament_costs: Final[tuple[int, ...]] = tuple(
            CODES.index(getattr(file.ornaments, name).cost) for name in ORNAMENTS
        )
        self.resource_amounts: Final = amounts(file.resource_tiles)
        basic = file.workshop.basic
        self.basic_prices: Final = (basic.own_colour, basic.other_colour, basic.white1, basic.white2)
        self.advanced_price: Final = file.workshop.advanced.price
        self.ornament_spaces: Final = {
            WORKSHOP.index(space): ORNAMENTS.index(name)
            for space, name in file.workshop.advanced.ornament_spaces.items()
            if space in WORKSHOP
        }
        self.plans: Final = {int(players): plans for players, plans in file.plans.items()}
        self.cards: Final = _cards(file)
        self.tiles: Final = _tiles(file)
        self.tile_copies: Final = {tile.id: (tile.copies, tile.plus) for tile in file.workshop_tiles.tiles}
        self.influence: Final = _influence(file)
        self.ivan: Final[dict[str, int]] = {card.id: DICE.index(card.die) for card in file.ivan}
        self.difficulty: Final = _strengths(file)

    def pile(self, kind: int) -> tuple[str, ...]:
        """The ids of the cathedral cards of a kind, in the order of the file."""
        return tuple(card.id for card in self.cards.values() if card.kind == kind)

    def tile_pile(self, seats: int) -> tuple[str, ...]:
        """The workshop tiles in play, one entry a copy. Source: RC-1.7."""
        return tuple(
            name
            for name, (copies, plus) in self.tile_copies.items()
            for _ in range(copies - plus if seats <= 2 else copies)
        )


class Track:
    """The score track, without end: its prestige spaces recur every lap. Source: RC-2.1."""

    def __init__(self, prestige: tuple[int, ...], length: int, start: int) -> None:
        self.length: Final = length
        self.start: Final = start
        self._spaces: Final = prestige

    def prestige(self, position: int) -> int:
        """The prestige points that a position stands for. Source: RC-2.1."""
        laps, space = divmod(position, self.length)
        return laps * len(self._spaces) + bisect_right(self._spaces, space)

    def ahead(self, position: int) -> int:
        """The next prestige space strictly ahead. Source: RC-2.4."""
        return self._at(self.prestige(position) + 1)

    def behind(self, position: int) -> int | None:
        """The nearest prestige space strictly behind, None if there is none. Source: RC-2.5."""
        laps, space = divmod(position, self.length)
        passed = laps * len(self._spaces) + bisect_left(self._spaces, space)
        return self._at(passed) if passed else None

    def _at(self, prestige: int) -> int:
        laps, index = divmod(prestige - 1, len(self._spaces))
        return laps * self.length + self._spaces[index]


def _cards(file: BoxFile) -> dict[str, Card]:
    piles = (file.cards.base, file.cards.middle, file.cards.dome)
    return {
        name: Card(name, kind, letters(entry.cost), entry.recognition, entry.rubles)
        for kind in range(len(KINDS))
        for name, entry in piles[kind].items()
    }


def _tiles(file: BoxFile) -> dict[str, Tile]:
    return {
        tile.id: Tile(
            tile.id,
            RESOURCES.index(tile.gain) if tile.gain else -1,
            tile.amount or 0,
            DICE.index(tile.die) if tile.die else None,
        )
        for tile in file.workshop_tiles.tiles
    }


def _influence(file: BoxFile) -> dict[str, InfluenceCard]:
    cards: dict[str, InfluenceCard] = {}
    for entry in file.influence:
        first, second = entry.effects
        effects = (_effect(first), _effect(second))
        cards[entry.id] = InfluenceCard(entry.id, entry.group, entry.beginner, effects)
    return cards


def _strengths(file: BoxFile) -> dict[str, Strength]:
    levels = file.ivan_difficulty
    named = {"easy": levels.easy, "normal": levels.normal, "hard": levels.hard}
    return {name: Strength(level.recognition, level.materials) for name, level in named.items()}


def _effect(entry: EffectEntry) -> Effect:
    payments = _payments(entry.pay)
    gain, repeat = entry.gain, entry.use == "repeat"
    said = (_price(entry.pay), _yields(entry))
    if gain.deliver:
        return Effect(repeat, payments, "deliver", (), gain.deliver, False, True, *said)
    if gain.reroll:
        return Effect(repeat, payments, "reroll", (), gain.reroll, False, True, *said)
    if gain.other:
        return Effect(repeat, payments, "resource", tuple(range(RUBLES)), gain.other, True, True, *said)
    if gain.one_of:
        kinds = _kinds(gain.one_of)
        return Effect(repeat, payments, "resource", kinds, 1, False, len(kinds) > 1, *said)
    resource = RECOGNITION if gain.recognition else RUBLES
    return Effect(
        repeat, payments, "resource", (resource,), gain.recognition or gain.rubles or 0, False, False, *said
    )


def _payments(pay: Pay | None) -> tuple[Payment, ...]:
    if pay is None:
        return (Payment(None, NOTHING, 0),)
    if pay.rubles:
        return (Payment(None, NOTHING, pay.rubles),)
    if pay.identical:
        return tuple(_payment(kind, pay.identical) for kind in range(RUBLES))
    if pay.any:
        picks = combinations_with_replacement(range(RUBLES), pay.any)
        return tuple(
            Payment(
                Kinds(tuple(MATERIALS[kind] for kind in pick)),
                tuple(pick.count(kind) for kind in range(RUBLES)),
                0,
            )
            for pick in picks
        )
    kinds = _kinds(pay.one_of)
    if len(kinds) == 1:
        return (Payment(None, _payment(kinds[0], 1).materials, 0),)
    return tuple(_payment(kind, 1) for kind in kinds)


def _payment(kind: int, count: int) -> Payment:
    materials = tuple(count if kind == other else 0 for other in range(RUBLES))
    return Payment(Kinds((MATERIALS[kind],)), materials, 0)


def _price(pay: Pay | None) -> Phrase | None:
    if pay is None:
        return None
    if pay.rubles:
        return Phrase("rubles", pay.rubles)
    if pay.identical:
        return Phrase("identical", pay.identical)
    if pay.any:
        return Phrase("any", pay.any)
    return Phrase(kinds=_kinds(pay.one_of))


def _yields(entry: EffectEntry) -> Phrase:
    gain = entry.gain
    if gain.deliver:
        return Phrase("deliver", gain.deliver)
    if gain.reroll:
        return Phrase("reroll")
    if gain.other:
        return Phrase("other")
    if gain.one_of:
        return Phrase("", 1, _kinds(gain.one_of))
    return Phrase("recognition", gain.recognition) if gain.recognition else Phrase("rubles", gain.rubles or 0)


def _kinds(codes: str | None) -> tuple[int, ...]:
    return tuple(CODES.index(code) for code in codes or "")


def built_in() -> bytes:
    """The component data that comes with the engine."""
    return resources.files(__package__ or "").joinpath("components.toml").read_bytes()
