"""What may be chosen for a match."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.speech import choice

Colour = Literal["yellow", "blue", "red", "green"]
TURN_LIMIT: Final = 1000


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """Contested rulings; every default is the ruling of the rules. Source: part 11."""

    market_gain: Annotated[
        Literal["dice", "pips"],
        choice(
            "Market gain",
            "Obtain times the dice in the space, or times the moved die's value",
            dice="Times the dice",
            pips="Times the value",
        ),
    ] = "dice"
    market_roll: Annotated[
        Literal["after", "before"],
        choice(
            "Market roll",
            "Roll the destination after the market actions, or before them",
            after="After the actions",
            before="Before the actions",
        ),
    ] = "after"
    tower_places: Annotated[
        Literal["halving", "one"],
        choice(
            "Tower places",
            "Third and fourth in a tower: halved again, or 1 point and none",
            halving="Halved again",
            one="1 point and none",
        ),
    ] = "halving"
    tower_ties: Annotated[
        Literal["pool", "split"],
        choice(
            "Tower ties",
            "Tied players share the places they fill, or only their own place",
            pool="All places they fill",
            split="Their own place",
        ),
    ] = "pool"
    two_seat_towers: Annotated[
        Literal["third", "standard"],
        choice(
            "Towers of two",
            "With two seats the second gets a third, or half as with more",
            third="A third",
            standard="Half",
        ),
    ] = "third"
    trade_moments: Annotated[
        Literal["one", "any"],
        choice(
            "Trade moments", "Trade at one moment of a turn, or at any", one="One moment", any="Any moment"
        ),
    ] = "one"
    jewel_pairs: Annotated[
        Literal["any", "different"],
        choice(
            "Jewel pairs",
            "Two jewels of an ornament may be equal, or must differ",
            any="Equal or not",
            different="Different",
        ),
    ] = "any"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match. Source: RC-1.10."""

    workshop: Annotated[
        Literal["basic", "advanced"],
        choice(
            "Workshop",
            "The side of the workshop boards that everybody plays with",
            basic="Basic",
            advanced="Advanced",
        ),
    ] = "basic"
    influence: Annotated[
        Literal["random", "beginner"],
        choice(
            "Influence cards",
            "Drawn at random, or the four cards for beginners",
            random="At random",
            beginner="For beginners",
        ),
    ] = "random"
    colours: Annotated[
        tuple[Colour, ...],
        Meta(
            title="Colours",
            description="Distinct colours by seat; the rest is filled up in order",
            max_length=4,
        ),
    ] = ()
    turn_limit: Annotated[
        int,
        Meta(
            title="Turn limit",
            description="Turns per seat after which the match is scored; 0 is none",
            ge=0,
            le=TURN_LIMIT,
        ),
    ] = 200
    difficulty: Annotated[
        Literal["easy", "normal", "hard"],
        choice(
            "Difficulty",
            "How strong Ivan is in a match of one seat",
            easy="Easy",
            normal="Normal",
            hard="Hard",
        ),
    ] = "normal"
    house_rules: Annotated[
        HouseRules, Meta(title="House rules", description="Contested rulings, each with its other reading")
    ] = HouseRules()

    def __post_init__(self) -> None:
        if len(set(self.colours)) != len(self.colours):
            raise ValueError("colours must be distinct")
