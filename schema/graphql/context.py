"""What goes with one request through all resolvers."""

from typing import Any, Final, Protocol

import strawberry

from engine.match import AnyGame
from engine.speech import ENGLISH, Speech
from schema.graphql.door import Door
from schema.graphql.errors import TooCostly


class Budget:
    """What the fields of a request may cost while it is carried out, beyond what was known before."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, price: int, what: str) -> None:
        """Nothing, if there is enough left. Raises TooCostly."""
        if price > self.left:
            raise TooCostly(f"{what} costs {price}; {self.left} are left for this request. Ask for less.")
        self.left -= price


class Language(Protocol):
    """A language that sentences are told in. There is one object of each."""

    def __hash__(self) -> int:
        """By identity."""
        ...

    def of(self, game: AnyGame) -> Speech:
        """What a game says."""
        ...


class _AsWritten:
    """English."""

    def of(self, game: AnyGame) -> Speech:
        return ENGLISH


AS_WRITTEN: Final[Language] = _AsWritten()
"""The language that sentences are written in."""


class Context:
    """The door, who asks, and what the request may still cost.

    `token` is what the request presents, None if it presents none; `language` is that of sentences; `asker`
    is what the door has to know of the client besides, where something is changed or followed.
    """

    __slots__ = ("asker", "budget", "door", "language", "token")

    def __init__(
        self,
        door: Door,
        token: str | None,
        budget: Budget,
        language: Language = AS_WRITTEN,
        asker: Any = None,
    ) -> None:
        self.asker: Final = asker
        self.door: Final = door
        self.token: Final = token
        self.budget: Final = budget
        self.language: Final = language


Info = strawberry.Info[Context, None]
"""What resolvers are told of their field."""
