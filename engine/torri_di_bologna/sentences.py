"""Every move, change and reason in words for people. One catalogue; the game speaks nowhere else."""

from collections.abc import Mapping
from typing import Final

from engine.game import Change, Reason
from engine.speech import ENGLISH, Message, Speech
from engine.torri_di_bologna.moves import Build, Move, Pass, Place, Walk

MOVES: Final = {
    "place": "Put the builder on {tower}.",
    "walk": "Walk to {to}.",
    "walk_over": "Walk over {via} to {to}.",
    "build": "Walk to {to} and build.",
    "build_over": "Walk over {via} to {to} and build.",
    "cap": "Walk to {to} and finish the tower with a battlement.",
    "cap_over": "Walk over {via} to {to} and finish the tower with a battlement.",
    "pass": "Pass: there is no other move.",
}

CHANGES: Final = {
    "placed": "Seat {seat} puts its builder on {cell}.",
    "walked": "Seat {seat} walks from {start} to {to}.",
    "walked_over": "Seat {seat} walks from {start} over {via} to {to}.",
    "fee": "Seat {seat} pays seat {payee} {gold} gold for entering {cell}.",
    "built": "Seat {seat} puts plain piece number {pieces} on {cell}.",
    "bought": "Seat {seat} pays {gold} gold for a battlement.",
    "capped": "Seat {seat} finishes the tower on {cell} with its battlement.",
    "earned": "Seat {seat} gets {gold} gold from the bank.",
    "collected": "Seat {seat} gets {gold} gold from seat {payer}.",
    "collected_nothing": "Seat {seat} gets nothing, for seat {payer} has no gold.",
    "closed": "The last plain piece of a player is placed: both central towers are closed.",
    "last_turns": "{turns} more turns are played.",
    "passed": "Seat {seat} has no legal move and passes.",
    "retired": "Seat {seat} leaves the match; its pieces stay.",
    "over_extra_round": "The extra round is complete: the match is over.",
    "over_all_passed": "Every player passed in a row: the match is over.",
    "over_idle": "No piece has been placed for eight rounds: the match is over.",
    "over_one_seat_left": "One seat is left: the match is over.",
}

REASONS: Final = {
    "match_over": "The match is over.",
    "builder_due": "The builder goes on a central tower first: Torre degli Asinelli or "
    "Torre della Garisenda.",
    "builder_placed": "The builder stands already; it is placed once, before the first turn.",
    "can_move": "A player who has another move does not pass.",
    "outside_wall": "{cell} lies outside the wall.",
    "standing_still": "The builder stands on {cell} already; a walk ends on another cell.",
    "no_route": "No way leads from {start} to {to}: one steps to neighbours and central towers, and on from "
    "one's own towers only.",
    "too_dear": "The way costs a fee of {fee} gold, and there is {gold}.",
    "cell_twice": "The route enters {cell} twice.",
    "start_on_route": "The route comes back to {cell}, where it starts.",
    "destination_on_route": "The route enters its destination {cell} before its end.",
    "not_adjacent": "{to} is no neighbour of {start}.",
    "between_centrals": "One does not step from one central tower, {start}, to the other, {to}.",
    "free_on_route": "{cell} is free, and a free cell is entered only to build on it.",
    "not_own": "The walk ends on {cell}: its top piece is not the walker's.",
    "free_cell": "{cell} is free; one walks to towers and bases only.",
    "no_plain_piece": "There is no plain piece in hand.",
    "no_battlement": "There is no battlement in hand.",
    "builder_there": "A builder stands on {cell}.",
    "finished": "The tower on {cell} is finished.",
    "closed": "The central tower on {cell} is closed.",
    "too_high": "The tower on {cell} would be {height} high; the lower central tower is {limit} high.",
    "central": "{cell} is a central tower, and these bear no player's battlement.",
    "no_tower": "There is no tower on {cell} to finish.",
    "no_gold": "A battlement costs {price} gold; after fees of {fee} there is {gold}.",
}

_TOWERS: Final = {"a": "Torre degli Asinelli", "g": "Torre della Garisenda"}

LABELS: Final[Mapping[str, str]] = {
    "control": "Towers controlled",
    "levels": "Levels built",
    "central": "Central towers",
    "gold": "Gold",
    "place": "Put the builder",
    "walk": "Walk",
    "build": "Walk and build",
    "cap": "Finish a tower",
    "pass": "Pass",
}
"""Names of what a score sheet counts, of what breaks a tie, and of the kinds of moves."""

MESSAGES: Final[tuple[Message, ...]] = tuple(
    dict.fromkeys(text for table in (MOVES, CHANGES, REASONS, LABELS) for text in table.values())
)
"""Everything that is ever said."""


def sentence(thing: Move | Change | Reason, speech: Speech = ENGLISH) -> str:
    """A move, change or reason in a language."""
    if isinstance(thing, Change):
        return speech.say(CHANGES[thing.code]).format(seat=thing.seat, **thing.values)
    if isinstance(thing, Reason):
        return speech.say(REASONS[thing.code]).format(**thing.values)
    return _told(thing, speech)


def _told(move: Move, speech: Speech) -> str:
    if isinstance(move, Pass):
        return speech.say(MOVES["pass"])
    if isinstance(move, Place):
        return speech.say(MOVES["place"]).format(tower=_TOWERS[move.base])
    word = "walk" if isinstance(move, Walk) else "build" if isinstance(move, Build) else "cap"
    template = MOVES[f"{word}_over" if move.via else word]
    return speech.say(template).format(to=move.to, via=", ".join(move.via))
