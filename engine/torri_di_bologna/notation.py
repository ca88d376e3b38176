"""Moves as text, one spelling each. Source: section 6 of RULES.md."""

import re
from typing import Final

from engine.errors import BadNotation
from engine.torri_di_bologna.moves import Build, Cap, Move, Pass, Place, Step, Walk

LONGEST_ROUTE: Final = 99
"""More cells than any wall has room for."""

_CELL: Final = re.compile(r"[a-z][1-9][0-9]?")
_STEPS: Final[dict[str, type[Step]]] = {"walk": Walk, "build": Build, "cap": Cap}
_WORDS: Final[dict[type[Step], str]] = {kind: word for word, kind in _STEPS.items()}


def parse(text: str) -> Move:
    """The move that `text` spells. Raises BadNotation."""
    word, *fields = text.split(":")
    if word in _STEPS:
        return _parse_step(text, _STEPS[word], fields)
    if word == "place":
        if fields == ["a"]:
            return Place("a")
        if fields == ["g"]:
            return Place("g")
        raise BadNotation(text, "a builder is placed by 'place:a' or 'place:g'")
    if text == "pass":
        return Pass()
    raise BadNotation(text, "it begins with 'place:', 'walk:', 'build:' or 'cap:', or is 'pass'")


def write(move: Move) -> str:
    """The spelling of `move`: `parse(write(move)) == move`."""
    if isinstance(move, Pass):
        return "pass"
    if isinstance(move, Place):
        return f"place:{move.base}"
    text = f"{_WORDS[type(move)]}:{move.to}"
    return f"{text}:via:{','.join(move.via)}" if move.via else text


def _parse_step(text: str, kind: type[Step], fields: list[str]) -> Step:
    if len(fields) not in (1, 3) or (len(fields) == 3 and fields[1] != "via"):
        raise BadNotation(text, "a cell follows, and then nothing or ':via:' and the cells before it")
    route = tuple(fields[2].split(",")) if len(fields) == 3 else ()
    if len(route) > LONGEST_ROUTE:
        raise BadNotation(text, f"no route has more than {LONGEST_ROUTE} cells")
    for cell in (fields[0], *route):
        if not _CELL.fullmatch(cell):
            raise BadNotation(
                text, f"'{cell[:20]}' is no cell; a cell is a letter and a number from 1, like b3"
            )
    return kind(fields[0], route)
