"""Moves, changes and reasons in words for people: a catalogue of English templates.

A template names the values of its change or reason; `who` is the seat it befalls, `goods` an amount of
something. Values that are words, alone or in a list, are said in the language too.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, Final

from msgspec.structs import asdict

from engine.game import Change, Reason
from engine.red_cathedral.model import DICE, MATERIALS, ORNAMENTS, WORKSHOP
from engine.red_cathedral.moves import (
    Activate,
    Choice,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    Done,
    End,
    Influence,
    Kinds,
    Move,
    MoveDie,
    Outcome,
    Reroll,
    Take,
    Trade,
)
from engine.speech import ENGLISH, Counted, Message, Speech

CHANGES: Final[Mapping[str, str]] = {
    "claimed": "{who} claims {section} and puts its tile ({tile}) on the {workshop_space} workshop space.",
    "unlocked": "{who} unlocks an ornament: the {ornament}.",
    "gained": "{who} gains {goods}.",
    "paid": "{who} returns {goods} to the reserve.",
    "recognition_gained": "{who} gains {amount} recognition and stands on {position}.",
    "recognition_lost": "{who} loses {amount} recognition and stands on {position}.",
    "prestige_gained": "{who} gains {amount} prestige and stands on {position}.",
    "prestige_lost": "{who} gives up {amount} prestige and stands on {position}.",
    "delivered": "{who} delivers {goods} to {section}.",
    "finished": "{who} finishes {section}.",
    "penalised": "{who} is penalised for the unfinished {section}: {amount} recognition.",
    "last_turns": "{who} has finished the last section: everybody else has one more turn.",
    "decorated": "{who} decorates {section} with the {ornament}.",
    "die_moved": "The {die} die moves to space {space}.",
    "rolled": "The {die} die shows {value}.",
    "turn_ended": "{who} ends the turn.",
    "turn_begun": "{who} begins turn {round}.",
    "match_over": "The match is over: {reason}.",
    "retired": "{who} leaves the match.",
    "ivan_card": "Ivan uses his card {card}.",
    "ivan_claimed": "Ivan claims {section}.",
    "ivan_skips": "Ivan has nothing to claim.",
    "ivan_stored": "Ivan stores {goods}.",
    "ivan_transported": "Ivan takes {goods} to his construction card.",
    "ivan_delivered": "Ivan delivers {goods} to {section}.",
}

CAUSES: Final[Mapping[str, str]] = {
    "sixth_section": "everybody has had the last turn after the first player finished all sections",
    "turn_limit": "the agreed number of turns has been played",
    "retired": "only one player is left",
}

REASONS: Final[Mapping[str, str]] = {
    "match_over": "The match is over.",
    "roll_pending": "Dice have to be rolled first: {dice}.",
    "ivan_first": "First choose the section that Ivan claims.",
    "basic_action_taken": "The basic action of this turn is something else, or done.",
    "basic_action_owed": "A turn cannot end before its basic action.",
    "no_such_section": "There is no section {section} in this cathedral.",
    "section_claimed": "Section {section} has the banner of seat {owner}.",
    "nothing_below": "Section {section} cannot be claimed before {below}.",
    "no_banners": "No banner is left.",
    "workshop_space_used": "The {workshop_space} workshop space holds a tile already.",
    "too_few_rubles": "It costs {goods}, with {rubles} in hand.",
    "too_many_deliveries": "Deliveries it takes: {pieces}; left: {left}.",
    "not_own_section": "Section {section} does not carry your banner.",
    "section_finished": "Section {section} is finished.",
    "not_missing": "Section {section} needs {due} {material} in all and has {delivered}.",
    "not_in_inventory": "It takes {goods}, the inventory has {held}.",
    "jewels_misspelled": "'{jewels}' is no set of jewels.",
    "jewels_must_differ": "Two jewels must differ in colour at this table.",
    "not_finished": "Section {section} is not finished.",
    "decorated_already": "Section {section} has an ornament of seat {owner}.",
    "no_ornament": "No {ornament} is left.",
    "ornament_locked": "The {ornament} is locked until a tile lies face up on its workshop space.",
    "not_own_die": "Only the {own} and the white die move further for rubles, not the {die} one.",
    "too_far": "A die moves at most {most} spaces further, not {extra}.",
    "space_full": "Space {space} holds three other dice.",
    "no_prestige": "There is no prestige to lose on space {position}.",
    "trade_closed": "Trading was possible at one moment of this turn, which is over.",
    "rerolled_already": "Dice were re-rolled for prestige in this turn already.",
    "no_dice": "No dice lie on space {space}.",
    "no_market_action": "No die was moved: there is no market action open.",
    "rolled_before": "At this table the dice are rolled before the market actions.",
    "nothing_after": "Nothing but the end of the turn could follow.",
    "no_choice_for_ivan": "There is nothing to choose for Ivan now.",
    "not_for_ivan": "Ivan cannot claim {section}; he may claim {choices}.",
    "no_roll_pending": "No dice are to be rolled now.",
    "other_dice": "The dice to be rolled are {dice}.",
    "taken_already": "The resource of the space was taken already.",
    "recognition_in_full": "Recognition is taken in full: {amount}.",
    "at_least_one": "At least one must be taken.",
    "more_than_yield": "The space yields {goods}, not {amount}.",
    "reserve_short": "The reserve has {goods}.",
    "too_few_places": "There is no room for {amount}; free places: {free}.",
    "no_free_place": "The inventory has no free place.",
    "activated_already": "A workshop tile was activated in this turn already.",
    "other_colour": "The {workshop_space} workshop space does not belong to the {die} die.",
    "no_tile": "There is no tile on the {workshop_space} workshop space.",
    "tile_face_down": "The tile on the {workshop_space} workshop space lies face down.",
    "other_effect_used": "Effect {effect} of the card was chosen in this turn.",
    "effect_closed": "Effect {effect} cannot be used again in this turn.",
    "choices_misfit": "Effect {effect} of the card reads otherwise: {text}.",
    "kind_just_paid": "The card gives another kind than the {material} paid.",
}

MOVES: Final[Mapping[str, str]] = {
    "claim_up": "Claim {section}, its tile face up on the {workshop_space} space.",
    "claim_down": "Claim {section}, its tile face down on the {workshop_space} space.",
    "deliver": "Deliver {goods} to {section}.",
    "decorate": "Decorate {section}.",
    "decorate_with": "Decorate {section} with {jewels}.",
    "move": "Move the {die} die its value.",
    "move_further": "Move the {die} die its value and {extra} further for {goods}.",
    "take": "Take {amount} from the market space.",
    "influence": "Use effect {effect} of the influence card.",
    "influence_with": "Use effect {effect} of the influence card: {choices}.",
    "activate": "Activate the tile on the {workshop_space} workshop space.",
    "trade": "Trade a prestige point for 2 rubles.",
    "reroll": "Re-roll the dice of space {space} for a prestige point.",
    "done": "Close the market action and go on.",
    "end": "End the turn.",
    "ivan": "Let Ivan claim {section}.",
    "roll": "The dice show {dice}.",
}

PARTS: Final[Mapping[str, str]] = {
    "seat": "Seat {seat}",
    "both": "{first} and {second}",
    "then": "{first}, then {second}",
    "delivery": "{material} to {section}",
    "space": "space {space}",
    "face": "{die} {value}",
    "die": "{die} die",
    "green_jewel": "a green jewel",
    "purple_jewel": "a purple jewel",
}

IVAN_CARDS: Final = ("renown", "inventory", "transport", "claim", "construction")

WORDS: Final = frozenset({*MATERIALS, *DICE, *WORKSHOP, *ORNAMENTS, *IVAN_CARDS, "rubles", "recognition"})

GOODS: Final[Mapping[str, Counted]] = {
    "lumber": Counted("{amount} lumber", "{amount} lumber"),
    "brick": Counted("{amount} brick", "{amount} brick"),
    "stone": Counted("{amount} stone", "{amount} stone"),
    "gold": Counted("{amount} gold", "{amount} gold"),
    "green": Counted("{amount} green jewel", "{amount} green jewels"),
    "purple": Counted("{amount} purple jewel", "{amount} purple jewels"),
    "rubles": Counted("{amount} ruble", "{amount} rubles"),
    "recognition": Counted("{amount} recognition", "{amount} recognition"),
    "materials": Counted("{amount} material", "{amount} materials"),
}

LABELS: Final[Mapping[str, str]] = {
    "track": "Prestige track",
    "leftovers": "Left over",
    **{f"tower_{letter}": f"Tower {letter.upper()}" for letter in "abcdef"},
    "finished": "Sections finished",
    "ornaments": "Ornaments placed",
    "claim": "Claim",
    "deliver": "Deliver",
    "ornament": "Decorate",
    "move": "Move a die",
    "take": "Take goods",
    "influence": "Use an effect",
    "activate": "Activate a tile",
    "trade": "Trade prestige",
    "reroll": "Re-roll dice",
    "done": "Close the market",
    "end": "End the turn",
    "ivan": "Ivan claims",
    "roll": "Roll of dice",
}
"""Names of what a score sheet counts, of what breaks a tie, and of the kinds of moves."""

_AMOUNTS: Final[Mapping[str, str]] = {
    "too_few_rubles": "price",
    "not_in_inventory": "needed",
    "more_than_yield": "most",
    "reserve_short": "there",
}
"""Of reasons that tell an amount of goods, the value that is the amount."""

_TABLES: Final = (CHANGES, CAUSES, REASONS, MOVES, PARTS, GOODS, LABELS)
MESSAGES: Final[tuple[Message, ...]] = tuple(
    dict.fromkeys((*(text for table in _TABLES for text in table.values()), *sorted(WORDS)))
)
"""Everything that is ever said."""


def sentence(thing: Move | Change | Reason, speech: Speech = ENGLISH) -> str:
    """A move, change or reason in a language."""
    if isinstance(thing, Change):
        return speech.say(CHANGES[thing.code]).format_map(_words(thing, speech))
    if isinstance(thing, Reason):
        return speech.say(REASONS[thing.code]).format_map(_why(thing, speech))
    return _MOVES[type(thing)](thing, speech)


def goods(amount: int, resource: str, speech: Speech = ENGLISH) -> str:
    """An amount of a resource, as in `2 rubles` or `1 green jewel`."""
    return speech.count(*GOODS[resource], amount).format(amount=amount)


def _tile(name: str, speech: Speech) -> str:
    """A workshop tile by its id, such as `rubles:2` or `die:red`: `2 rubles`, `red die`."""
    kind, _, what = name.partition(":")
    if kind == "die":
        return speech.say(PARTS["die"]).format(die=_word(speech, what))
    return goods(int(what), kind, speech)


def _words(change: Change, speech: Speech) -> dict[str, int | str]:
    values = change.values
    words = _said(values, speech)
    words["who"] = values.get("name", speech.say(PARTS["seat"]).format(seat=change.seat))
    words["goods"] = goods(int(values.get("amount", 1)), _resource(values, "materials"), speech)
    if "tile" in values:
        words["tile"] = _tile(str(values["tile"]), speech)
    if "cause" in values:
        words["reason"] = speech.say(CAUSES[str(values["cause"])])
    return words


def _why(reason: Reason, speech: Speech) -> dict[str, int | str]:
    words = _said(reason.values, speech)
    if (name := _AMOUNTS.get(reason.code)) is not None:
        words["goods"] = goods(int(reason.values[name]), _resource(reason.values, "rubles"), speech)
    return words


def _resource(values: Mapping[str, int | str], usual: str) -> str:
    """What an amount among the values is of."""
    return str(values.get("resource", values.get("material", usual)))


def _said(values: Mapping[str, int | str], speech: Speech) -> dict[str, int | str]:
    """The values with their words in the language, also those of a list such as `red, white`."""
    if speech is ENGLISH:
        return dict(values)
    return {
        name: ", ".join(map(partial(_word, speech), value.split(", "))) if isinstance(value, str) else value
        for name, value in values.items()
    }


def _word(speech: Speech, word: str) -> str:
    return speech.say(word) if word in WORDS else word


def _plain(name: str) -> Callable[[Any, Speech], str]:
    """What says moves of a kind whose template needs nothing but their fields."""

    def say(move: Any, speech: Speech) -> str:
        return speech.say(MOVES[name]).format_map(_said(asdict(move), speech))

    return say


def _joined(parts: Sequence[str], link: str, speech: Speech) -> str:
    """The parts in a row, each two of them joined by a template."""
    template = speech.say(PARTS[link])
    return reduce(lambda first, second: template.format(first=first, second=second), parts)


def _claim(move: Claim, speech: Speech) -> str:
    return _plain("claim_up" if move.up else "claim_down")(move, speech)


def _deliver(move: Deliver, speech: Speech) -> str:
    return speech.say(MOVES["deliver"]).format(goods=goods(1, move.material, speech), section=move.section)


def _decorate(move: Decorate, speech: Speech) -> str:
    if not move.jewels:
        return speech.say(MOVES["decorate"]).format(section=move.section)
    jewels = _joined([speech.say(PARTS[f"{jewel}_jewel"]) for jewel in move.jewels], "both", speech)
    return speech.say(MOVES["decorate_with"]).format(section=move.section, jewels=jewels)


def _move_die(move: MoveDie, speech: Speech) -> str:
    die = _word(speech, move.die)
    if not move.extra:
        return speech.say(MOVES["move"]).format(die=die)
    paid = goods(move.extra, "rubles", speech)
    return speech.say(MOVES["move_further"]).format(die=die, extra=move.extra, goods=paid)


def _influence(move: Influence, speech: Speech) -> str:
    if not move.choices:
        return speech.say(MOVES["influence"]).format(effect=move.effect)
    choices = ", ".join(_choice(choice, speech) for choice in move.choices)
    return speech.say(MOVES["influence_with"]).format(effect=move.effect, choices=choices)


def _choice(choice: Choice, speech: Speech) -> str:
    if isinstance(choice, Kinds):
        return _joined([_word(speech, material) for material in choice.materials], "both", speech)
    if isinstance(choice, Deliveries):
        template = speech.say(PARTS["delivery"])
        told = [
            template.format(material=_word(speech, delivery.material), section=delivery.section)
            for delivery in choice.deliveries
        ]
        return _joined(told, "then", speech)
    return speech.say(PARTS["space"]).format(space=choice.space)


def _outcome(move: Outcome, speech: Speech) -> str:
    template = speech.say(PARTS["face"])
    faces = [template.format(die=_word(speech, face.die), value=face.value) for face in move.dice]
    return speech.say(MOVES["roll"]).format(dice=", ".join(faces))


_MOVES: Final[Mapping[type, Callable[[Any, Speech], str]]] = {
    Claim: _claim,
    Deliver: _deliver,
    Decorate: _decorate,
    MoveDie: _move_die,
    Take: _plain("take"),
    Influence: _influence,
    Activate: _plain("activate"),
    Trade: _plain("trade"),
    Reroll: _plain("reroll"),
    Done: _plain("done"),
    End: _plain("end"),
    ClaimForIvan: _plain("ivan"),
    Outcome: _outcome,
}
