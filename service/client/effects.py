"""What a dialogue with a server may ask of whoever conducts it: a client, blocking or not.

A dialogue is a generator: it yields effects and is sent what each came to, so that what is decided in it is
written once. Errors of an effect are thrown into it.
"""

from collections.abc import Generator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from service.client.bots import AsyncBot, Bot, Position
from service.client.calls import Call
from service.client.mirror import Mirror
from service.client.news import News

T = TypeVar("T")


SIGN_EVERY: Final = 10.0
"""Seconds between two signs of life of a player that thinks; servers know of open streams no better."""


class Think(NamedTuple):
    """A bot is to choose for a seat: sent are its moves.

    While it thinks `sign`, if there is one, is asked now and then: it says that the player is there.
    """

    bot: Bot | AsyncBot
    mirror: Mirror
    seat: int
    sign: Call[Any] | None = None

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
