"""The languages that are spoken here: which there are, which one a client wants, and what texts read in it.

Catalogues are gettext files (`locale/<language>.po`), one for the texts of the service and one in the folder
of every game. Their ids are the English texts, so English needs none.
"""

import gettext
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from babel.core import negotiate_locale
from babel.messages.pofile import read_po

from engine.match import AnyGame
from engine.registry import GAMES
from engine.speech import ENGLISH as AS_WRITTEN
from engine.speech import NAMES, Counted, Speech
from service.negotiation import ranges

TRANSLATED: Final = ("pt", "es")
_OWN: Final = "service"
_TOLD: Final = ("title", "description")
Schema = dict[str, Any]


class Translation:
    """A catalogue, as a `Speech`."""

    __slots__ = ("_counted", "_plural", "_texts")

    def __init__(self, texts: dict[str, str], counted: dict[Counted, tuple[str, ...]], plural: str) -> None:
        self._texts = texts
        self._counted = counted
        self._plural: Callable[[int], int] = gettext.c2py(plural)

    @property
    def known(self) -> frozenset[str | Counted]:
        """The messages that it translates."""
        return frozenset((*self._texts, *self._counted))

    def say(self, english: str) -> str:
        """What an English text reads, itself where it is not known."""
        return self._texts.get(english, english)

    def count(self, one: str, many: str, n: int) -> str:
        """The template for `n` of something."""
        forms = self._counted.get(Counted(one, many))
        return AS_WRITTEN.count(one, many, n) if forms is None else forms[self._plural(n)]


class Language:
    """A language that clients may ask for. There is one object of each."""

    __slots__ = ("_games", "code", "own")

    def __init__(self, code: str, own: Speech, games: dict[str, Speech]) -> None:
        self.code: Final = code
        """As in `Accept-Language` and `Content-Language`."""
        self.own: Final = own
        """What the service says of itself."""
        self._games = games

    def of(self, game: AnyGame) -> Speech:
        """What a game says, with whichever box it is bound to."""
        return self._games[game.slug]


def translation(package: str, code: str) -> Translation:
    """The catalogue of a package in one of the languages TRANSLATED."""
    with files(package).joinpath("locale", f"{code}.po").open("rb") as data:
        catalogue = read_po(data, locale=code, abort_invalid=True)
    texts: dict[str, str] = {}
    counted: dict[Counted, tuple[str, ...]] = {}
    for message in catalogue:
        if isinstance(message.id, str):
            texts[message.id] = str(message.string)
        else:
            counted[Counted(*message.id)] = tuple(message.string or ())
    texts.pop("", None)  # the header of the file
    return Translation(texts, counted, catalogue.plural_expr)


def package_of(game: AnyGame) -> str:
    """The package of a game: its folder."""
    return type(game).__module__


ENGLISH: Final = Language("en", AS_WRITTEN, dict.fromkeys(GAMES, AS_WRITTEN))
CODES: Final = (ENGLISH.code, *TRANSLATED)


@cache
def languages() -> dict[str, Language]:
    """All languages by their codes, English first. The first call reads the catalogues."""
    spoken = {ENGLISH.code: ENGLISH}
    for code in TRANSLATED:
        games: dict[str, Speech] = {slug: translation(package_of(game), code) for slug, game in GAMES.items()}
        spoken[code] = Language(code, translation(_OWN, code), games)
    return spoken


@lru_cache(maxsize=512)
def wanted(accept_language: str) -> Language:
    """The language that a header `Accept-Language` likes best of those there are; English if none of them.

    Source: RFC 9110, 12.5.4; RFC 4647, 3.4 (lookup: `pt-BR` finds `pt`).
    """
    liked = sorted(ranges(accept_language), key=lambda found: -found.quality)
    names = [found.name for found in liked if found.quality > 0]
    code = negotiate_locale(names, CODES, sep="-")
    return languages()[code] if code else ENGLISH


def option_texts(schema: Any) -> Iterable[str]:
    """The titles, descriptions and names of what may be chosen, in the JSON Schema of a game's options."""
    for choice in _choices(schema):
        yield from (choice[name] for name in _TOLD if name in choice)
        yield from choice.get(NAMES, {}).values()


def with_option_texts(schema: Schema, speech: Speech) -> Schema:
    """The same JSON Schema of a game's options, with these texts in a language."""
    translated = deepcopy(schema)
    for choice in _choices(translated):
        choice |= {name: speech.say(choice[name]) for name in _TOLD if name in choice}
        if names := choice.get(NAMES):
            choice[NAMES] = {value: speech.say(name) for value, name in names.items()}
    return translated


def _choices(schema: Schema) -> Iterable[Schema]:
    for shape in (schema, *schema.get("$defs", {}).values()):
        yield from shape.get("properties", {}).values()
