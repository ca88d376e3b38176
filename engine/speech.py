"""Languages: the games speak English templates, and a `Speech` says what these read in another language.

Every English text that a game can say is in its `messages`; who translates them needs nothing else.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from msgspec import Meta


class Speech(Protocol):
    """A language. What it has no words for it leaves in English."""

    def say(self, english: str) -> str:
        """The text or template that stands for an English one; its fields have the same names."""
        ...

    def count(self, one: str, many: str, n: int) -> str:
        """The template for `n` of something, English having `one` for 1 and `many` for all other numbers."""
        ...


class Counted(NamedTuple):
    """A message that reads otherwise for one than for many."""

    one: str
    many: str


Message = str | Counted

NAMES: Final = "x-names"
"""The keyword of a JSON schema that says what the values of an enum are called: an object, by value."""


def choice(title: str, description: str, **names: str) -> Meta:
    """What an option is, and what each of its values is called, for its JSON schema; in English."""
    return Meta(title=title, description=description, extra_json_schema={NAMES: names})


class _English:
    """The language of the templates themselves."""

    __slots__ = ()

    def say(self, english: str) -> str:
        return english

    def count(self, one: str, many: str, n: int) -> str:
        return one if n == 1 else many


ENGLISH: Final[Speech] = _English()


class Captions:
    """Short English texts by their keys, said in a language."""

    __slots__ = ("_texts", "speech")

    def __init__(self, texts: Mapping[str, Message], speech: Speech) -> None:
        self._texts = texts
        self.speech: Final = speech

    def say(self, key: str, **values: int | str) -> str:
        """The text with its values put in; one that counts reads as its value `amount` asks."""
        text = self._texts[key]
        if isinstance(text, str):
            return self.speech.say(text).format_map(values)
        return self.speech.count(*text, int(values["amount"])).format_map(values)
