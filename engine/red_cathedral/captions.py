"""What is written on the board and in the picture, beside names and figures: a catalogue of English texts."""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.red_cathedral.components import Effect, Phrase, Tile
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import DICE, IVAN, MATERIALS, RECOGNITION, RESOURCES
from engine.red_cathedral.sentences import GOODS, goods
from engine.speech import ENGLISH, Captions, Counted, Message, Speech

DUE: Final[Mapping[str, Message]] = {
    "who": "Round {round}, seat {seat} ({name})",
    "action": "{who}: a basic action",
    "build": Counted("{who}: building, {amount} delivery left", "{who}: building, {amount} deliveries left"),
    "market": "{who}: on the market with the {die} die",
    "finish": "{who}: the basic action is done",
    "ivan": "Round {round}: seat 0 chooses what Ivan claims",
    "roll": "{who}: to be rolled: {dice}",
    "over": "The match is over",
    "taken": "taken",
    "activated": "activated",
    "effect": "effect {effect}",
    "effect_closed": "effect {effect} closed",
    "agreed": "agreed: {words}",
    "advanced": "advanced workshop",
    "easy": "easy Ivan",
    "hard": "hard Ivan",
}

MARKET: Final[Mapping[str, str]] = {
    "ring": "MARKET",
    "dice": "dice",
    "influence": "influence (* may be repeated)",
    "die_letters": "dice: {words}",
    "round": "Round {round}",
    "clockwise": "dice go clockwise",
    "repeat": "{effect} (repeat)",
    "pay": "pay {price}: {gain}",
    "identical": "{amount} identical",
    "any": "any {amount}",
    "deliver": "deliver {amount}",
    "reroll": "re-roll a space",
    "other": "1 of another kind",
    "craftsmen": "craftsmen",
    "teamsters": "teamsters",
    "merchants": "merchants",
    "clergy": "clergy",
}

CATHEDRAL: Final[Mapping[str, str]] = {
    "towers": "TOWERS",
    "cost": "cost",
    "there": "there",
    "reward": "RP+rubles",
    "cost_letters": "Costs: {words}",
    "tile": "tile {tile}",
    "die": "{die} die",
    "claimed": "claimed by {name}",
    "finished": "finished by {name}",
    "done": "{name}, done",
    "ornament": "{ornament} of {name}",
}

SIDES: Final[Mapping[str, Message]] = {
    "seat": "SEAT {seat}",
    "Ivan": "Ivan",
    "stands": "{name}: space {position} (PP {points})",
    "retired": "retired",
    "first": "finished first",
    "pieces": Counted("{amount} banner, {ornaments}", "{amount} banners, {ornaments}"),
    "door": Counted("{amount} door", "{amount} doors"),
    "arch": Counted("{amount} arch", "{amount} arches"),
    "cross": Counted("{amount} cross", "{amount} crosses"),
    "locked": "locked: {ornaments}",
    "lock": "{ornament} on {workshop_space}",
    "has": Counted(
        "{rubles}; inventory: {goods}; {amount} place free",
        "{rubles}; inventory: {goods}; {amount} places free",
    ),
    "ivan_cards": "cards, the next in brackets: {cards}",
    "ivan_has": "inventory: {goods}; construction: {built}",
    "nothing": "nothing",
    "workshop": "workshop: {tiles}",
    "empty": "empty",
    "face_down": "face down",
    "price": "price {price}",
    "reserve": "RESERVE",
    "reserve_goods": "Reserve: {goods}",
}

_CAPTIONS: Final[Mapping[str, Message]] = {**DUE, **MARKET, **CATHEDRAL, **SIDES}
MESSAGES: Final[tuple[Message, ...]] = tuple(dict.fromkeys(_CAPTIONS.values()))
"""Everything that is ever written."""


def captions_in(speech: Speech) -> Captions:
    """The captions in a language."""
    return Captions(_CAPTIONS, speech)


def name_of(layout: Layout, side: int) -> str:
    """What a side is called in English: Ivan, or the colour of its seat."""
    return "Ivan" if layout.solitaire and side == IVAN else DICE[layout.table.colours[side]]


def called(captions: Captions, layout: Layout, side: int) -> str:
    """What a side is called."""
    return captions.speech.say(name_of(layout, side))


def words(captions: Captions, names: Iterable[str]) -> str:
    """Names of dice, materials, ornaments or workshop spaces, as a list."""
    return ", ".join(map(captions.speech.say, names))


def tile_name(captions: Captions, tile: Tile) -> str:
    """What a workshop tile shows."""
    if tile.die is not None:
        return captions.say("die", die=captions.speech.say(DICE[tile.die]))
    return given(captions, tile.amount, tile.resource)


def given(captions: Captions, amount: int, resource: int) -> str:
    """What a tile gives. Recognition goes without the word for its points, which has no room there."""
    name = RESOURCES[resource]
    if resource == RECOGNITION:
        return f"{amount} {captions.speech.say(name)}"
    return goods(amount, name, captions.speech)


def letters(captions: Captions, named: Mapping[str, str]) -> str:
    """What letters stand for."""
    return ", ".join(f"{letter} {captions.speech.say(name)}" for letter, name in named.items())


def amounts(captions: Captions, counts: Iterable[tuple[int, int]]) -> str:
    """So much of each resource, a number of RESOURCES; a word for nothing at all."""
    told = [goods(count, RESOURCES[resource], captions.speech) for resource, count in counts]
    return ", ".join(told) or captions.say("nothing")


def effect_text(effect: Effect, speech: Speech = ENGLISH) -> str:
    """An effect of an influence card."""
    captions = captions_in(speech)
    gain = _phrase(captions, effect.yields)
    if effect.price is None:
        return gain
    return captions.say("pay", price=_phrase(captions, effect.price), gain=gain)


def _phrase(captions: Captions, phrase: Phrase) -> str:
    if phrase.kinds:
        kinds = "/".join(captions.speech.say(MATERIALS[kind]) for kind in phrase.kinds)
        return f"{phrase.amount} {kinds}" if phrase.amount else kinds
    if phrase.key in GOODS:
        return goods(phrase.amount, phrase.key, captions.speech)
    return captions.say(phrase.key, amount=phrase.amount)
