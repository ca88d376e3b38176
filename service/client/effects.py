"""What a dialogue with a server may ask of whoever conducts it: a client, blocking or not.

A dialogue is a generator: it yields effects and is sent what each came to, so that what is decided in it is
written once. Errors of an effect are thrown into it.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from service.client.bots import AsyncBot, Bot, Position
from service.client.calls import Call
from service.client.mirror import Mirror
from service.client.news import News

T = TypeVar("T")


LOOK_EVERY: Final = 5.0
"""Seconds between two looks of a player that thinks at what it is told."""


class Think(NamedTuple):
    """A bot is to choose for a seat: sent are its moves.

    While it thinks `meanwhile`, if there is one, is conducted now and then.
    """

    bot: Bot | AsyncBot
    mirror: Mirror
    seat: int
    meanwhile: "Callable[[], Dialogue[None]] | None" = None

    def position(self) -> Position:
        """What the bot is asked about, with a clock that does not run."""
        return Position(self.mirror.game, self.mirror.state, self.mirror.version, self.seat)


class Hear(NamedTuple):
    """The next news of a match after a version, as soon as there are some."""

    match: str
    after: int


class Pause(NamedTuple):
    """Some seconds in which nothing is done."""

    seconds: float


Effect = Call[Any] | Think | Hear | Pause
Dialogue = Generator[Effect, Any, T]


def ask(call: Call[T]) -> Dialogue[T]:
    """What the call is answered."""
    answer: T = yield call
    return answer


def think(choice: Think) -> Dialogue[Sequence[Any]]:
    """The moves that the bot chooses."""
    moves: Sequence[Any] = yield choice
    return moves


def hear(match: str, after: int) -> Dialogue[News]:
    """The next news."""
    news: News = yield Hear(match, after)
    return news


def pause(seconds: float) -> Dialogue[None]:
    """Nothing, some seconds later."""
    yield Pause(seconds)
