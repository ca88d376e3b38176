"""The rules of a game in plain words, as the page shows them, read from the game's own folder.

A guide is a `GUIDE.md`: `# title`, `## section`, and paragraphs that begin with what leads to them in
brackets: ids of rules, and kinds of moves in lower case, as in `[TB-2.1 TB-2.2 walk] A builder ...`.
"""

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.match import AnyGame

NAME: Final = "GUIDE.md"
_LEADS: Final = re.compile(r"\[([^\]]+)\] *(.+)")


class Paragraph(Struct, frozen=True):
    """A paragraph, the ids of the rules it tells, and the kinds of moves that are explained here."""

    rules: tuple[str, ...]
    moves: tuple[str, ...]
    text: str


class Section(Struct, frozen=True):
    """Paragraphs under a heading."""

    title: str
    paragraphs: tuple[Paragraph, ...]


class Guide(Struct, frozen=True):
    """The rules of the game `slug`."""

    slug: str
    title: str
    sections: tuple[Section, ...]


class BadGuide(Exception):
    """A guide that cannot be read; the message says where."""


def guides_of(games: Iterable[AnyGame]) -> tuple[Guide, ...]:
    """The guides of the games that have one. Raises BadGuide."""
    found = ((game, Path(inspect.getfile(type(game))).with_name(NAME)) for game in games)
    return tuple(read_guide(game, path.read_text()) for game, path in found if path.exists())


def read_guide(game: AnyGame, text: str) -> Guide:
    """The guide that the text says. Raises BadGuide."""
    sections: list[tuple[str, list[Paragraph]]] = []
    for number, block in enumerate(filter(None, map(str.strip, re.split(r"\n\s*\n", text))), 1):
        line = " ".join(block.split())
        if line.startswith("## "):
            sections.append((line[3:], []))
        elif sections and (leads := _LEADS.fullmatch(line)):
            names = leads[1].split()
            rules = tuple(name for name in names if name[0].isupper())
            moves = tuple(name for name in names if not name[0].isupper())
            sections[-1][1].append(Paragraph(rules, moves, leads[2]))
        elif not line.startswith("# "):
            raise BadGuide(
                f"{game.slug}, block {number}: neither heading nor paragraph with ids: {line[:40]}"
            )
    return Guide(game.slug, game.title, tuple(Section(title, tuple(told)) for title, told in sections))
