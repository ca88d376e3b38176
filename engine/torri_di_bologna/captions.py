"""What is written on the board and in the picture, beside names and figures: a catalogue of English texts."""

from collections.abc import Mapping
from typing import Final

from engine.speech import Captions, Counted, Message, Speech

_CAPTIONS: Final[Mapping[str, Message]] = {
    "over_extra_round": "Over, after the extra round.",
    "over_all_passed": "Over, after passes all round.",
    "over_idle": "Over, without a piece for too long.",
    "over_one_seat_left": "Over, with one seat left.",
    "placement": "Seat {seat} puts its builder on a central tower.",
    "turn": "Turn of seat {seat}.",
    "turns_left": "Turns left, this one included: {turns}.",
    "closed_tower": "closed",
    "stack": "from the bottom {pieces}",
    "no_pieces": "no pieces",
    "builder_here": "builder of seat {seat}",
    "hand": Counted(
        "{gold} gold, {plain} plain, {amount} battlement", "{gold} gold, {plain} plain, {amount} battlements"
    ),
    "not_placed": "not placed",
    "retired": "left",
    "legend": "owner/pieces, ! finished, * builder, . free, A Asinelli, G Garisenda, - nobody",
    "seat": "seat",
    "gold": "gold",
    "plain": "plain",
    "battlements": "battlements",
    "builder": "builder",
    "towers": "towers {stacks}",
}

MESSAGES: Final[tuple[Message, ...]] = tuple(_CAPTIONS.values())
"""Everything that is ever written."""


def captions_in(speech: Speech) -> Captions:
    """The captions in a language."""
    return Captions(_CAPTIONS, speech)
