"""The rules of a game in plain words, as the page shows them, read from the game's own folder.

A guide is a `GUIDE.md`: `# title`, `## section`, and paragraphs that begin with what leads to them in
brackets: ids of rules, and kinds of moves in lower case, as in `[TB-2.1 TB-2.2 walk] A builder ...`.
In another language it is a `GUIDE.<language>.md` with the same paragraphs.
"""

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.match import AnyGame
from service.languages import ENGLISH

_NAME: Final = "GUIDE.md"
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
    """The rules of the game `slug`; `language` is the one that it is written in."""

    slug: str
    language: str
    title: str
    sections: tuple[Section, ...]


class BadGuide(Exception):
    """A guide that cannot be read; the message says where."""


def guides_of(games: Iterable[AnyGame], language: str = ENGLISH.code) -> tuple[Guide, ...]:
    """The guides of the games that have one, in English where the language has none. Raises BadGuide."""
    return tuple(guide for game in games if (guide := _guide_of(game, language)) is not None)


def _guide_of(game: AnyGame, language: str) -> Guide | None:
    folder = Path(inspect.getfile(type(game))).parent
    for code, name in ((language, f"GUIDE.{language}.md"), (ENGLISH.code, _NAME)):
        if (folder / name).exists():
            return read_guide(game, (folder / name).read_text(), code)
    return None


def read_guide(game: AnyGame, text: str, language: str = ENGLISH.code) -> Guide:
    """The guide that the text says, which is written in a language. Raises BadGuide."""
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
    told = tuple(Section(title, tuple(paragraphs)) for title, paragraphs in sections)
    return Guide(game.slug, language, game.title, told)
