"""What refusals that people meet say in detail: a catalogue of English texts."""

from collections.abc import Mapping
from typing import Final

from engine.speech import Speech

DETAILS: Final[Mapping[str, str]] = {
    "no_such_address": "There is nothing at this address.",
    "no_such_match": "There is no match '{match_id}'.",
    "match_expired": "The match '{match_id}' ended and is not kept any longer.",
    "versions": "The match has the versions 0 to {version}.",
    "seats": "The match has the seats 0 to {last}.",
    "stale_version": "The match is at version {version}; the move was chosen at {chosen_at}.",
    "not_your_turn": "It is the turn of seat {to_move}, not of seat {seat}.",
    "match_over": "The match is over.",
    "match_finished": "The match is finished.",
    "match_cancelled": "The match is cancelled.",
    "match_aborted": "The match is aborted.",
    "match_begun": "The match has begun.",
    "too_late_to_cancel": "The match has begun; it can only be played on or resigned.",
    "too_late_to_abort": "The second turn has begun; the match can only be played on or resigned.",
    "match_waits": "The match waits for {free} more to join.",
    "rematch_too_early": "A rematch follows a match that is over.",
    "not_invited": "This match is for its creator and the players invited: join with an API token.",
    "seated": "The player has a seat in this match.",
    "seat_taken": "Seat {seat} is taken.",
    "seats_held": "Every seat that is free is held for somebody else.",
    "seat_free": "Nobody has seat {seat}.",
    "seat_retired": "Seat {seat} has left the match before.",
    "creator_only": "This is for the creator of the match.",
    "host_only": "This needs the host token; a seat's token only plays.",
    "seat_only": "This needs the token of a seat; the host token does not play.",
    "no_seat": "The player has no seat in this match.",
    "no_token_of_match": "This match has not given that token.",
    "no_token_of_seat": "This match has not given that token, or its seat was freed.",
    "token_needed": "Send `Authorization: Bearer` and the token.",
    "address_limit": "Your address has used up '{bucket}': {quota} at once, and {quota} more in {window} s.",
    "token_limit": "Your token has used up '{bucket}': {quota} at once, and {quota} more in {window} s.",
    "match_busy": "Others changed the match again and again at the same time; try again.",
    "store_gone": "Try again soon. Whether a change was stored is not known: repeat it with the same"
    " Idempotency-Key.",
}
"""By key: the text, with fields for its values. Details that are not here are English in all languages."""


class Detail(str):
    """A text of the catalogue in English, which knows how to say itself in another language."""

    __slots__ = ("key", "values")
    key: str
    values: dict[str, int | str]

    def said(self, speech: Speech) -> str:
        """The text in a language."""
        return speech.say(DETAILS[self.key]).format_map(self.values)


def detail(key: str, **values: int | str) -> Detail:
    """The text with this key and its values."""
    made = Detail(DETAILS[key].format_map(values))
    made.key, made.values = key, values
    return made
