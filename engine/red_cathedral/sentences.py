"""Moves, changes and reasons in words for people: a catalogue of English templates.

A template names the values of its change or reason; `who` is the seat it befalls, `goods` an amount of
something, `own` and `other` what stands under those names.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.game import Change, Reason
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
    "ivan_transported": "Ivan takes {amount} materials to his construction card.",
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
    "too_few_rubles": "It costs {price} rubles, there are {rubles}.",
    "too_many_deliveries": "It takes {pieces} deliveries, {left} are left.",
    "not_own_section": "Section {section} does not carry your banner.",
    "section_finished": "Section {section} is finished.",
    "not_missing": "Section {section} needs {due} {material} in all and has {delivered}.",
    "not_in_inventory": "It takes {needed} {material}, the inventory has {held}.",
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
    "more_than_yield": "The space yields {most} {resource}, not {amount}.",
    "reserve_short": "The reserve has {there} {resource}.",
    "too_few_places": "{amount} do not fit; free places: {free}.",
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


def sentence(thing: Move | Change | Reason) -> str:
    """A move, change or reason in English."""
    if isinstance(thing, Change):
        return CHANGES[thing.code].format_map(_words(thing))
    if isinstance(thing, Reason):
        return REASONS[thing.code].format_map(thing.values)
    return _MOVES[type(thing)](thing)


def _words(change: Change) -> dict[str, int | str]:
    values = change.values
    words = {"who": values.get("name", f"Seat {change.seat}"), **values}
    resource = values.get("resource", values.get("material"))
    if resource is not None:
        words["goods"] = goods(int(values.get("amount", 1)), str(resource))
    if "cause" in values:
        words["reason"] = CAUSES[str(values["cause"])]
    return words


def goods(amount: int, resource: str) -> str:
    """An amount of a resource, as in `2 rubles` or `1 green jewel`."""
    if resource in ("green", "purple"):
        resource = f"{resource} jewel"
    elif resource == "rubles":
        resource = "ruble"
    plural = amount != 1 and resource.endswith(("jewel", "ruble"))
    return f"{amount} {resource}{'s' if plural else ''}"


def _claim(move: Claim) -> str:
    face = "up" if move.up else "down"
    return f"Claim {move.section}, its tile face {face} on the {move.workshop_space} space."


def _decorate(move: Decorate) -> str:
    jewels = " and ".join(f"a {jewel} jewel" for jewel in move.jewels)
    return f"Decorate {move.section}{' with ' if jewels else ''}{jewels}."


def _move_die(move: MoveDie) -> str:
    further = f" and {move.extra} further for {goods(move.extra, 'rubles')}" if move.extra else ""
    return f"Move the {move.die} die its value{further}."


def _influence(move: Influence) -> str:
    choices = ", ".join(_choice(choice) for choice in move.choices)
    return f"Use effect {move.effect} of the influence card{': ' if choices else ''}{choices}."


def _choice(choice: Choice) -> str:
    if isinstance(choice, Kinds):
        return " and ".join(choice.materials)
    if isinstance(choice, Deliveries):
        return ", then ".join(f"{delivery.material} to {delivery.section}" for delivery in choice.deliveries)
    return f"space {choice.space}"


def _outcome(move: Outcome) -> str:
    return f"The dice show {', '.join(f'{face.die} {face.value}' for face in move.dice)}."


_MOVES: Final[Mapping[type, Callable[[Any], str]]] = {
    Claim: _claim,
    Deliver: lambda move: f"Deliver {goods(1, move.material)} to {move.section}.",
    Decorate: _decorate,
    MoveDie: _move_die,
    Take: lambda move: f"Take {move.amount} from the market space.",
    Influence: _influence,
    Activate: lambda move: f"Activate the tile on the {move.workshop_space} workshop space.",
    Trade: lambda _: "Trade a prestige point for 2 rubles.",
    Reroll: lambda move: f"Re-roll the dice of space {move.space} for a prestige point.",
    Done: lambda _: "Close the market action and go on.",
    End: lambda _: "End the turn.",
    ClaimForIvan: lambda move: f"Let Ivan claim {move.section}.",
    Outcome: _outcome,
}
