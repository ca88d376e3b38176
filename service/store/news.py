"""News of commits: one connection on which the server tells what is published, made again when it is lost.

What is published while there is no connection is lost. Whoever needs everything looks again when told that
the connection was made anew.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, NamedTuple, NoReturn, cast

import redis.exceptions as trouble

from service.store.channel import Word
from service.store.errors import StoreGone
from service.store.link import GONE, Link
from service.store.record import Status

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0
_log: Final = logging.getLogger(__name__)


class Head(NamedTuple):
    """How far a match is: its revision, its version and its status."""

    rev: int
    version: int
    status: Status


def head(rev: bytes, version: bytes, status: bytes) -> Head:
    """The head that the server spells so."""
    return Head(int(rev), int(version), cast("Status", status.decode()))


def read_head(told: bytes) -> Head:
    """The head that `commit.lua` publishes."""
    return head(*told.split(b" "))


class News:
    """The channels followed on one server.

    `hear` is called with the channel and the content of whatever is published; `renewed` when a channel is
    followed again after the connection was lost.
    """

    def __init__(self, link: Link, hear: Callable[[str, bytes], None], renewed: Callable[[], None]) -> None:
        self._link = link
        self._hear = hear
        self._renewed = renewed
        self._connection: Any = None
        self._wanted: set[str] = set()
        self._confirmed: set[str] = set()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._is_silent = False

    async def run(self) -> NoReturn:
        """Connect, listen, and connect again, until cancelled."""
        pause = _FIRST_PAUSE
        while True:
            connection = self._link.connection()
            try:
                async with asyncio.timeout(self._link.timeout):
                    await connection.connect()
                self._connection, self._is_silent = connection, False
                if self._wanted:
                    await self._say("SUBSCRIBE", *self._wanted)
                while True:
                    self._take(await connection.read_response())
                    pause = _FIRST_PAUSE
            except (trouble.RedisError, *GONE) as error:
                _log.warning("No news from the store, again in %.2f s: %s", pause, error)
            finally:
                self._connection = None
                await connection.disconnect(nowait=True)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def follow(self, channel: str) -> None:
        """Nothing, as soon as the server tells what is published from now on. Raises StoreGone."""
        waiter = self._waiters[channel] = asyncio.get_running_loop().create_future()
        self._wanted.add(channel)
        try:
            async with asyncio.timeout(self._link.timeout):
                await self._say("SUBSCRIBE", channel)
                await waiter
        except TimeoutError:
            await self.leave(channel)
            raise StoreGone("it does not confirm that it will tell the news.") from None

    async def leave(self, channel: str) -> None:
        """Hear no more of a channel."""
        self._wanted.discard(channel)
        self._confirmed.discard(channel)
        self._waiters.pop(channel, None)
        await self._say("UNSUBSCRIBE", channel)

    async def check(self) -> None:
        """Give the connection up if nothing was heard since the last check, not even an answer to it."""
        connection = self._connection
        if connection is not None and self._is_silent:
            await connection.disconnect(nowait=True)
            return
        self._is_silent = True
        await self._say("PING")

    async def _say(self, *command: Word) -> None:
        """Send a command if there is a connection; when there is one again, `run` sends what is wanted."""
        connection = self._connection
        if connection is None:
            return
        try:
            await connection.send_command(*command, check_health=False)
        except (trouble.RedisError, *GONE):
            await connection.disconnect(nowait=True)  # `run` notices

    def _take(self, reply: Any) -> None:
        self._is_silent = False
        match reply:
            case [b"message", channel, content]:
                self._hear(channel.decode(), content)
            case [b"subscribe", channel, _]:
                self._confirm(channel.decode())

    def _confirm(self, channel: str) -> None:
        if channel in self._confirmed:
            self._renewed()
        elif channel in self._wanted:
            self._confirmed.add(channel)
        waiter = self._waiters.pop(channel, None)
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
