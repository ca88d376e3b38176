"""What lies on the table: the state and the opening deal.

A state holds component ids, seats and small counts, never figures of the components. Tuples that count
materials have six entries in the order of MATERIALS; dice stand in the order of DICE, the spaces of a
workshop in the order of WORKSHOP. Sections are numbered tower by tower from the left, each from the bottom.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.red_cathedral.options import Colour, Options

Material = Literal["lumber", "brick", "stone", "gold", "green", "purple"]
Jewel = Literal["green", "purple"]
Resource = Literal["lumber", "brick", "stone", "gold", "green", "purple", "rubles", "recognition"]
Die = Literal["yellow", "blue", "red", "green", "white"]
WorkshopSpace = Literal["yellow", "blue", "red", "green", "white1", "white2"]

MATERIALS: Final[tuple[Material, ...]] = ("lumber", "brick", "stone", "gold", "green", "purple")
RESOURCES: Final[tuple[Resource, ...]] = (*MATERIALS, "rubles", "recognition")
DICE: Final[tuple[Die, ...]] = ("yellow", "blue", "red", "green", "white")
COLOURS: Final[tuple[Colour, ...]] = ("yellow", "blue", "red", "green")
WORKSHOP: Final[tuple[WorkshopSpace, ...]] = ("yellow", "blue", "red", "green", "white1", "white2")
ORNAMENTS: Final = ("door", "arch", "cross")
"""What decorates a base, a middle section and a dome, in this order. Source: RC-5.4."""
KINDS: Final = ("base", "middle", "dome")

LUMBER, BRICK, STONE, GOLD, GREEN, PURPLE, RUBLES, RECOGNITION = range(8)
BASE, MIDDLE, DOME = range(3)
WHITE: Final = 4
NOTHING: Final[tuple[int, ...]] = (0, 0, 0, 0, 0, 0)

DELIVERIES: Final = 3
"""Materials that one build action may deliver. Source: RC-5.1."""
ROOM: Final = 3
"""Dice that a space holds at most. Source: RC-6.2."""
MAX_EXTRA: Final = 7
"""The most spaces a die may be moved beyond its value. Source: RC-6.1."""

HUMAN: Final = 0
IVAN: Final = 1
"""The sides of a solitaire match. Source: RC-7.10."""

# --------------------------------------------------------------------------------------------- deal


class Deal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The opening deal, spelled as in RC-1.11: a match replays from it and its moves alone."""

    seats: Annotated[int, Meta(description="Number of seats", ge=1, le=4)]
    options: Annotated[Options, Meta(description="The options of the match")] = Options()
    market: Annotated[tuple[Resource, ...], Meta(description="The resource tile of each space, 1 to 8")]
    influence: Annotated[tuple[str, ...], Meta(description="The influence card of each quadrant")]
    dice: Annotated[dict[Die, tuple[int, int]], Meta(description="Space and value of each die")]
    plan: Annotated[tuple[int, ...], Meta(description="Heights of the towers from the left")]
    cards: Annotated[tuple[tuple[str, ...], ...], Meta(description="Cathedral cards by tower, bottom first")]
    workshop_tiles: Annotated[tuple[tuple[str, ...], ...], Meta(description="The workshop tile on each card")]
    ivan: Annotated[tuple[str, ...], Meta(description="Ivan's cards in their row; only with one seat")] = ()


# -------------------------------------------------------------------------------------------- state


class Table(Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """What a match never changes: how it was dealt, and what was agreed.

    `colours` are numbers of DICE, one for each side (in solitaire Ivan's too); `market` numbers of RESOURCES
    by space; `ivan` is empty unless one seat plays.
    """

    seats: Annotated[int, Meta(description="Number of seats.")]
    colours: Annotated[
        tuple[int, ...],
        Meta(
            description="The colour of each side, in solitaire Ivan's too: 0 yellow, 1 blue, 2 red, 3 green."
        ),
    ]
    market: Annotated[
        tuple[int, ...],
        Meta(
            description="The resource of each space, 1 to 8: 0 lumber, 1 brick, 2 stone, 3 gold, 4 green,"
            " 5 purple, 6 rubles, 7 recognition."
        ),
    ]
    influence: Annotated[
        tuple[str, ...],
        Meta(
            description="The influence card of each quadrant, that is of spaces 1 and 2, 3 and 4, and so on."
        ),
    ]
    cards: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(description="The cathedral cards of each tower from the left, bottom first."),
    ]
    tiles: Annotated[
        tuple[tuple[str, ...], ...], Meta(description="The workshop tile dealt to each of these cards.")
    ]
    ivan: Annotated[
        tuple[str, ...], Meta(description="Ivan's cards in their row; empty unless one seat plays.")
    ]
    difficulty: Annotated[str, Meta(description="How strong Ivan is: easy, normal or hard.")]
    advanced: Annotated[bool, Meta(description="Whether the advanced side of the workshop boards is played.")]
    turn_limit: Annotated[
        int, Meta(description="Turns of each seat after which the match is scored; 0 is none.")
    ]
    gain_pips: Annotated[
        bool,
        Meta(description="Whether the moved die's value, not the dice there, says how often to obtain."),
    ]
    roll_before: Annotated[
        bool,
        Meta(description="Whether the dice of a space are rolled before the market actions, not after them."),
    ]
    third_is_one: Annotated[
        bool, Meta(description="Whether third in a tower is 1 point and fourth none, not halved again.")
    ]
    split_ties: Annotated[
        bool,
        Meta(description="Whether tied sides share their own place only, not all places that they fill."),
    ]
    two_as_many: Annotated[
        bool, Meta(description="Whether with two seats the second in a tower gets half, not a third.")
    ]
    trade_any: Annotated[
        bool, Meta(description="Whether trade is allowed at any moment of a turn, not at one.")
    ]
    jewels_differ: Annotated[bool, Meta(description="Whether two jewels of an ornament must differ.")]


class Placed(Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """A workshop tile on a workshop space: the section it came from, and whether it lies face up."""

    section: Annotated[
        int,
        Meta(description="The number of the section it came from, from 0: by tower, bottom first."),
    ]
    up: Annotated[bool, Meta(description="Whether it lies face up.")]


class Player(Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """A side. `position` counts spaces of the track, laps included (RC-2.1).

    `banners` not yet placed: all but the last two lie in the inventory. `ornaments` not yet placed are
    counted by ORNAMENTS, locked ones included. `workshop` has an entry for each of WORKSHOP.
    """

    position: Annotated[int, Meta(description="Spaces of the track so far, laps included.")]
    rubles: Annotated[int, Meta(description="Rubles in hand.")]
    inventory: Annotated[
        tuple[int, ...], Meta(description="Materials: lumber, brick, stone, gold, green, purple.")
    ]
    banners: Annotated[int, Meta(description="Banners not yet placed.")]
    ornaments: Annotated[
        tuple[int, ...], Meta(description="Ornaments not yet placed: doors, arches, crosses.")
    ]
    workshop: Annotated[
        tuple[Placed | None, ...],
        Meta(description="What lies on each workshop space: yellow, blue, red, green, white1, white2."),
    ]


class Section(Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """A cathedral card: whose banner is on it, the materials that lie on it, and who decorated it.

    Its workshop tile lies on it as long as it has no owner.
    """

    owner: Annotated[int | None, Meta(description="The side whose banner is on it.")]
    delivered: Annotated[
        tuple[int, ...],
        Meta(description="Materials that lie on it: lumber, brick, stone, gold, green, purple."),
    ]
    finished: Annotated[bool, Meta(description="Whether all its materials have been delivered.")]
    ornament: Annotated[int | None, Meta(description="The side that decorated it.")]


class Ivan(Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """Ivan's row: the number of the card he uses next, and the materials on two of them."""

    next: Annotated[int, Meta(description="The place in his row, from 0, of the card that he uses next.")]
    inventory: Annotated[
        tuple[int, ...],
        Meta(description="Materials on his inventory: lumber, brick, stone, gold, green, purple."),
    ]
    construction: Annotated[
        tuple[int, ...], Meta(description="Materials on his construction card, in the same order.")
    ]


UNUSED, OPEN, CLOSED = range(3)
"""Trade in this turn: not yet used, the last move was one, no longer possible. Source: RC-3.3."""


class Action(Struct, frozen=True, array_like=True, gc=False, tag="action"):
    """The seat owes a basic action."""


class Build(Struct, frozen=True, array_like=True, gc=False, tag="build"):
    """A build action is open, with so many deliveries `left`."""

    left: Annotated[int, Meta(description="Deliveries that are left.")]


class Market(Struct, frozen=True, array_like=True, gc=False, tag="market"):
    """A market action is open: `die` was moved by its `value`.

    `effect` is the influence effect used, 0 if none; `closed` says that it cannot be used again.
    """

    die: Annotated[
        int, Meta(description="The die that was moved: 0 yellow, 1 blue, 2 red, 3 green, 4 white.")
    ]
    value: Annotated[int, Meta(description="What it showed.")]
    taken: Annotated[bool, Meta(description="Whether the resource was taken.")] = False
    activated: Annotated[bool, Meta(description="Whether a workshop tile was activated.")] = False
    effect: Annotated[int, Meta(description="The influence effect used, 0 for none.")] = 0
    closed: Annotated[bool, Meta(description="Whether that effect cannot be used again.")] = False


class Finish(Struct, frozen=True, array_like=True, gc=False, tag="finish"):
    """The basic action is done: optional actions, and the end of the turn."""


class IvanClaim(Struct, frozen=True, array_like=True, gc=False, tag="ivan_claim"):
    """The human chooses which section Ivan claims."""


class Pass(Struct, frozen=True, array_like=True, gc=False, tag="pass"):
    """The turn is over as soon as the dice are rolled."""


class Over(Struct, frozen=True, array_like=True, gc=False, tag="over"):
    """The match is over."""


AfterRoll = Action | Build | Market | Finish | Pass | Over


class Roll(Struct, frozen=True, array_like=True, gc=False, tag="roll"):
    """`dice` are to be rolled where they lie; what follows is `then`."""

    dice: Annotated[
        tuple[int, ...], Meta(description="The dice to be rolled: 0 yellow, 1 blue, 2 red, 3 green, 4 white.")
    ]
    then: Annotated[AfterRoll, Meta(description="What is asked when they have been rolled.")]


Decision = Action | Build | Market | Finish | IvanClaim | Over | Roll


class State(Struct, frozen=True, array_like=True, gc=False):
    """Everything on the table.

    `seat` has the turn (in solitaire seat 1 is Ivan), `round` counts turns of each seat from 1, `trade` is
    one of UNUSED, OPEN, CLOSED. `spaces` (1..8) and `pips` (1..6) describe the dice, `rolls` how often each
    was rolled so far. `reserve` holds the materials and, last, the rubles. `trigger` finished the sixth
    section first; `retired` are the seats that left, in that order.
    """

    table: Annotated[Table, Meta(description="How the match was dealt, and what was agreed.")]
    decision: Annotated[Decision, Meta(description="What is asked now.")]
    seat: Annotated[int, Meta(description="Whose turn it is; in solitaire seat 1 is Ivan.")]
    round: Annotated[int, Meta(description="The turn of each seat, counted from 1.")]
    trade: Annotated[
        int,
        Meta(
            description="Trade in this turn: 0 not yet used, 1 the last move was one, 2 no longer possible."
        ),
    ]
    rerolled: Annotated[
        bool, Meta(description="Whether dice were re-rolled for a prestige point in this turn.")
    ]
    spaces: Annotated[
        tuple[int, ...], Meta(description="The space of each die, 1 to 8: yellow, blue, red, green, white.")
    ]
    pips: Annotated[tuple[int, ...], Meta(description="What each die shows, 1 to 6, in the same order.")]
    rolls: Annotated[
        tuple[int, ...], Meta(description="How often each die was rolled so far, in the same order.")
    ]
    reserve: Annotated[
        tuple[int, ...],
        Meta(
            description="What the reserve holds: lumber, brick, stone, gold, green, purple, and last rubles."
        ),
    ]
    players: Annotated[tuple[Player, ...], Meta(description="The sides, by seat.")]
    sections: Annotated[
        tuple[Section, ...],
        Meta(description="The cathedral cards: tower by tower from the left, bottom first."),
    ]
    trigger: Annotated[int | None, Meta(description="The side that finished its sixth section first.")]
    retired: Annotated[tuple[int, ...], Meta(description="The seats that left, first one first.")]
    ivan: Annotated[Ivan | None, Meta(description="Ivan's row, null unless one seat plays.")]
