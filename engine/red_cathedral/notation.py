"""Text and moves: one spelling each.

Source: part 8 of the rules.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from engine.errors import BadNotation
from engine.red_cathedral.layout import JEWELS
from engine.red_cathedral.model import DICE, MATERIALS, WORKSHOP, Die, Jewel, Material, WorkshopSpace
from engine.red_cathedral.moves import (
    Activate,
    Choice,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    Delivery,
    Done,
    End,
    Face,
    Influence,
    Kinds,
    Move,
    MoveDie,
    Outcome,
    Reroll,
    Spot,
    Take,
    Trade,
)

MAX_LENGTH: Final = 80
_SECTION: Final = re.compile("[a-z][1-9]")
_NUMBER: Final = re.compile("0|[1-9][0-9]?")
_DIE_MOVE: Final = re.compile("([a-z]+)(?:[+]([1-9][0-9]?))?")
_FACE: Final = re.compile("([a-z]+)([1-6])")

_Word = TypeVar("_Word", bound=str)


class _UnclearError(Exception):
    """Why a text is no move."""


def parse(text: str) -> Move:
    """The move that `text` spells. Raises BadNotation."""
    try:
        return _parse(text)
    except _UnclearError as why:
        raise BadNotation(text, str(why)) from None


def _parse(text: str) -> Move:
    if len(text) > MAX_LENGTH:
        raise _UnclearError(f"it has more than {MAX_LENGTH} characters")
    if text.startswith("*"):
        return _outcome(text[1:])
    kind, *fields = text.split(":")
    parser = _PARSERS.get(kind)
    if parser is None:
        raise _UnclearError(f"'{kind[:20]}' is no kind of move; there are {', '.join(_PARSERS)} and *<roll>")
    return parser(fields)


def _expect(fields: list[str], count: int, shape: str) -> list[str]:
    if len(fields) != count:
        raise _UnclearError(f"it must be spelled {shape}")
    return fields


def _word(text: str, words: tuple[_Word, ...], what: str) -> _Word:
    for word in words:
        if word == text:
            return word
    raise _UnclearError(f"'{text[:20]}' is no {what}; there are {', '.join(words)}")


def _section(text: str) -> str:
    if not _SECTION.fullmatch(text):
        raise _UnclearError(f"'{text[:20]}' is no section; they are named as in a1")
    return text


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise _UnclearError(f"'{text[:20]}' is no number of one or two digits")
    return int(text)


def _space(text: str) -> int:
    if len(text) != 1 or text not in "12345678":
        raise _UnclearError(f"'{text[:20]}' is no market space; they are numbered 1 to 8")
    return int(text)


def _claim(fields: list[str]) -> Claim:
    section, space, way = _expect(fields, 3, "claim:<section>:<space>:up or :down")
    if way not in ("up", "down"):
        raise _UnclearError(f"a tile is placed up or down, not '{way[:20]}'")
    return Claim(_section(section), _workshop(space), way == "up")


def _workshop(text: str) -> WorkshopSpace:
    return _word(text, WORKSHOP, "workshop space")


def _material(text: str) -> Material:
    return _word(text, MATERIALS, "material")


def _die(text: str) -> Die:
    return _word(text, DICE, "die")


def _deliver(fields: list[str]) -> Deliver:
    section, material = _expect(fields, 2, "deliver:<section>:<material>")
    return Deliver(_section(section), _material(material))


def _decorate(fields: list[str]) -> Decorate:
    if len(fields) not in (1, 2):
        raise _UnclearError("it must be spelled ornament:<section> or ornament:<section>:<jewels>")
    return Decorate(_section(fields[0]), _jewels(fields[1]) if len(fields) == 2 else ())


def _jewels(text: str) -> tuple[Jewel, ...]:
    known = {"+".join(jewels): jewels for jewels in JEWELS if jewels}
    if text not in known:
        raise _UnclearError(f"'{text[:20]}' is no set of jewels; there are {', '.join(known)}")
    return known[text]


def _move_die(fields: list[str]) -> MoveDie:
    (text,) = _expect(fields, 1, "move:<die> or move:<die>+<k>")
    match = _DIE_MOVE.fullmatch(text)
    if not match:
        raise _UnclearError(f"'{text[:20]}' is no die, with or without +<k> for k from 1")
    return MoveDie(_die(match[1]), int(match[2] or 0))


def _take(fields: list[str]) -> Take:
    (amount,) = _expect(fields, 1, "take:<n>")
    return Take(_number(amount))


def _influence(fields: list[str]) -> Influence:
    if not 1 <= len(fields) <= 3:
        raise _UnclearError("it must be spelled influence:<1 or 2> with at most two choices")
    effect, *choices = fields
    if effect not in ("1", "2"):
        raise _UnclearError(f"'{effect[:20]}' is no effect; a card has effects 1 and 2")
    return Influence(int(effect), tuple(_choice(choice) for choice in choices))


def _choice(text: str) -> Choice:
    if text.isdecimal():
        return Spot(_space(text))
    if ">" in text:
        return Deliveries(_deliveries(text))
    kinds: tuple[Material, ...] = tuple(_material(word) for word in text.split("+"))
    if len(kinds) > 3 or list(kinds) != sorted(kinds, key=MATERIALS.index):
        raise _UnclearError("materials joined by + are at most three, in their fixed order")
    return Kinds(kinds)


def _deliveries(text: str) -> tuple[Delivery, ...]:
    parts = text.split(",")
    if len(parts) > 2:
        raise _UnclearError("an effect delivers at most two materials")
    pairs = [_expect(part.split(">"), 2, "<material>><section>") for part in parts]
    return tuple(Delivery(_material(material), _section(section)) for material, section in pairs)


def _activate(fields: list[str]) -> Activate:
    (space,) = _expect(fields, 1, "activate:<workshop space>")
    return Activate(_workshop(space))


def _reroll(fields: list[str]) -> Reroll:
    (space,) = _expect(fields, 1, "reroll:<1..8>")
    return Reroll(_space(space))


def _ivan(fields: list[str]) -> ClaimForIvan:
    (section,) = _expect(fields, 1, "ivan:<section>")
    return ClaimForIvan(_section(section))


def _outcome(text: str) -> Outcome:
    faces: list[Face] = []
    for part in text.split(","):
        match = _FACE.fullmatch(part)
        if not match:
            raise _UnclearError(f"'{part[:20]}' is no die with a value, as in *yellow3,white5")
        faces.append(Face(_die(match[1]), int(match[2])))
    order = [DICE.index(face.die) for face in faces]
    if order != sorted(set(order)):
        raise _UnclearError(f"dice stand in the order {', '.join(DICE)}, each once")
    return Outcome(tuple(faces))


def _bare(word: str, move: Move) -> Callable[[list[str]], Move]:
    def parser(fields: list[str]) -> Move:
        _expect(fields, 0, word)
        return move

    return parser


_PARSERS: Final[Mapping[str, Callable[[list[str]], Move]]] = {
    "claim": _claim,
    "deliver": _deliver,
    "ornament": _decorate,
    "move": _move_die,
    "take": _take,
    "influence": _influence,
    "activate": _activate,
    "trade": _bare("trade", Trade()),
    "reroll": _reroll,
    "done": _bare("done", Done()),
    "end": _bare("end", End()),
    "ivan": _ivan,
}


def write(move: Move) -> str:
    """The one spelling of `move`; `parse` reads it back to an equal move."""
    return _WRITERS[type(move)](move)


def _write_decorate(move: Decorate) -> str:
    return f"ornament:{move.section}:{'+'.join(move.jewels)}" if move.jewels else f"ornament:{move.section}"


def _write_influence(move: Influence) -> str:
    return ":".join(("influence", str(move.effect), *(_write_choice(choice) for choice in move.choices)))


def _write_choice(choice: Choice) -> str:
    if isinstance(choice, Kinds):
        return "+".join(choice.materials)
    if isinstance(choice, Deliveries):
        return ",".join(f"{delivery.material}>{delivery.section}" for delivery in choice.deliveries)
    return str(choice.space)


_WRITERS: Final[Mapping[type, Callable[[Any], str]]] = {
    Claim: lambda move: f"claim:{move.section}:{move.workshop_space}:{'up' if move.up else 'down'}",
    Deliver: lambda move: f"deliver:{move.section}:{move.material}",
    Decorate: _write_decorate,
    MoveDie: lambda move: f"move:{move.die}+{move.extra}" if move.extra else f"move:{move.die}",
    Take: lambda move: f"take:{move.amount}",
    Influence: _write_influence,
    Activate: lambda move: f"activate:{move.workshop_space}",
    Trade: lambda _: "trade",
    Reroll: lambda move: f"reroll:{move.space}",
    Done: lambda _: "done",
    End: lambda _: "end",
    ClaimForIvan: lambda move: f"ivan:{move.section}",
    Outcome: lambda move: "*" + ",".join(f"{face.die}{face.value}" for face in move.dice),
}
