"""The file of component data: its shape.

Source: part 9 of the rules.
"""

from collections.abc import Iterable
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.boxes import EditionName
from engine.red_cathedral.model import RESOURCES, Die, Resource

CODES: Final = "lbsgea"
"""The letter of each of MATERIALS."""
GROUPS: Final = ("craftsmen", "teamsters", "merchants", "clergy")
MAX_HEIGHT: Final = 9
"""A level is named by one digit."""
MAX_YIELD: Final = 16
"""What a resource tile may give for one die: six times as much is still an amount of two digits."""

Count = Annotated[int, Meta(ge=0, le=999)]
Some = Annotated[int, Meta(ge=1, le=999)]
Yield = Annotated[int, Meta(ge=1, le=MAX_YIELD)]
Codes = Annotated[str, Meta(pattern=f"^[{CODES}]+$", max_length=9)]
Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=20)]


class _Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file, in which nothing may be missing or unknown."""


class Reserve(_Entry, frozen=True):
    """What the reserve holds before the first turn."""

    lumber: Some
    brick: Some
    stone: Some
    gold: Some
    green: Some
    purple: Some
    rubles: Some


class Track(_Entry, frozen=True):
    """The score track."""

    length: Some
    prestige: tuple[Some, ...]
    start: Count


class Ornaments(_Entry, frozen=True):
    """How many ornaments of each kind a player has."""

    door: Count
    arch: Count
    cross: Count


class Players(_Entry, frozen=True):
    """What each player has."""

    start_rubles: tuple[Count, ...]
    banners: Some
    banners_in_inventory: Count
    inventory: Some
    ornaments: Ornaments


class ResourceTiles(_Entry, frozen=True):
    """The gain of each resource tile for one die."""

    recognition: Yield
    lumber: Yield
    brick: Yield
    stone: Yield
    gold: Yield
    green: Yield
    purple: Yield
    rubles: Yield


class OrnamentKind(_Entry, frozen=True):
    """Where an ornament goes, and the material that it costs."""

    section: Literal["base", "middle", "dome"]
    cost: Annotated[str, Meta(pattern=f"^[{CODES}]$")]


class OrnamentKinds(_Entry, frozen=True):
    """The three kinds of ornament."""

    door: OrnamentKind
    arch: OrnamentKind
    cross: OrnamentKind


class Basic(_Entry, frozen=True):
    """Prices of the basic workshop."""

    own_colour: Count
    other_colour: Count
    white1: Count
    white2: Count


class Advanced(_Entry, frozen=True):
    """Price and places of the ornaments of the advanced workshop."""

    price: Count
    ornament_spaces: dict[str, Literal["door", "arch", "cross"]]


class Workshop(_Entry, frozen=True):
    """Both sides of the workshop board."""

    basic: Basic
    advanced: Advanced


class CardEntry(_Entry, frozen=True):
    """A cathedral card."""

    cost: Codes
    recognition: Count
    rubles: Count


class Cards(_Entry, frozen=True):
    """The three piles of cathedral cards."""

    base: dict[Id, CardEntry]
    middle: dict[Id, CardEntry]
    dome: dict[Id, CardEntry]


class TileEntry(_Entry, frozen=True):
    """A kind of workshop tile: a resource with its amount, or a die."""

    copies: Some
    plus: Count
    gain: Resource | None = None
    amount: Some | None = None
    die: Die | None = None

    @property
    def id(self) -> str:
        """The id, as in `lumber:2` or `die:red`."""
        return f"{self.gain}:{self.amount}" if self.die is None else f"die:{self.die}"


class WorkshopTiles(_Entry, frozen=True):
    """All workshop tiles."""

    tiles: tuple[TileEntry, ...]


class Pay(_Entry, frozen=True):
    """What an effect costs: exactly one of these."""

    rubles: Some | None = None
    any: Annotated[int, Meta(ge=1, le=3)] | None = None
    identical: Annotated[int, Meta(ge=2, le=9)] | None = None
    one_of: Codes | None = None


class Gain(_Entry, frozen=True):
    """What an effect gives: exactly one of these."""

    rubles: Some | None = None
    recognition: Some | None = None
    one_of: Codes | None = None
    other: Literal[1] | None = None
    deliver: Literal[1, 2] | None = None
    reroll: Literal[1] | None = None


class EffectEntry(_Entry, frozen=True):
    """An effect of an influence card."""

    use: Literal["once", "repeat"]
    gain: Gain
    pay: Pay | None = None


class InfluenceEntry(_Entry, frozen=True):
    """An influence card."""

    id: Id
    group: Literal["craftsmen", "teamsters", "merchants", "clergy"]
    effects: tuple[EffectEntry, EffectEntry]
    beginner: bool = False


class IvanEntry(_Entry, frozen=True):
    """A card of Ivan's, and the die that moves with it."""

    id: Literal["renown", "inventory", "transport", "claim", "construction"]
    die: Die


class Strength(_Entry, frozen=True):
    """What Renown and Inventory are worth."""

    recognition: Count
    materials: Count


class Strengths(_Entry, frozen=True):
    """Ivan's strength by difficulty."""

    easy: Strength
    normal: Strength
    hard: Strength


class BoxFile(_Entry, frozen=True):
    """The whole file."""

    edition: EditionName
    reserve: Reserve
    track: Track
    players: Players
    resource_tiles: ResourceTiles
    ornaments: OrnamentKinds
    workshop: Workshop
    plans: dict[str, tuple[tuple[Annotated[int, Meta(ge=2, le=MAX_HEIGHT)], ...], ...]]
    cards: Cards
    workshop_tiles: WorkshopTiles
    influence: tuple[InfluenceEntry, ...]
    ivan: tuple[IvanEntry, ...]
    ivan_difficulty: Strengths


def letters(codes: str) -> tuple[int, ...]:
    """How many of each of MATERIALS the letters name."""
    return tuple(codes.count(code) for code in CODES)


def amounts(entry: Reserve | ResourceTiles, names: Iterable[str] = RESOURCES) -> tuple[int, ...]:
    """The entry's figures in the order of `names`."""
    return tuple(getattr(entry, name) for name in names)
