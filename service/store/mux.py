"""The one connection to the server that all callers share, made when needed and again when lost."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Any, Final

from redis.exceptions import ResponseError

from service.observe.figures import STORE, STORE_CONNECTIONS, STORE_FAILURES, STORE_LOSSES
from service.store.address import Address
from service.store.channel import Channel, Command, Deposed
from service.store.errors import StoreGone

MOST_UNDER_WAY: Final = 10_000
"""Calls without an answer at most; who comes then waits until there is room."""
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 1.0


class Mux:
    """The connection to one server: nobody waits for the round trip of somebody else.

    No command is repeated: after an error it is not known whether it was carried out. What is not answered
    within `timeout` seconds ends the connection, so commands that block do not belong here. A caller may be
    cancelled at any time: its answer is dropped when it comes.
    """

    def __init__(self, address: Address, timeout: float, most: int = MOST_UNDER_WAY) -> None:
        self.losses = 0
        """How often the connection was lost. The server behind the next one may know less than the last."""
        self._address = address
        self._timeout = timeout
        self._most = most
        self._channel: Channel | None = None
        self._opening: asyncio.Task[str | None] | None = None
        self._pause = 0.0
        self._not_before = 0.0

    async def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """The answers, all in one round trip; others' commands may come between these.

        Raises StoreGone while the server does not answer, and redis.exceptions.ResponseError if a command is
        wrong.
        """
        if not commands:
            return []
        try:
            return await self._answers(commands)
        except StoreGone:
            STORE_FAILURES.inc()
            raise

    async def _answers(self, commands: Sequence[Command]) -> list[Any]:
        channel = self._channel
        if channel is None or not channel.room.is_set():
            channel = await self._channel_with_room()
        began = perf_counter()
        answers = await channel.send(commands)
        STORE.observe(perf_counter() - began)
        for answer in answers:
            if isinstance(answer, Exception):
                if isinstance(answer, Deposed):
                    channel.end(answer.why)
                raise answer
        return answers

    async def close(self) -> None:
        """End the connection. Who waits for an answer is told StoreGone; a later call connects anew."""
        if (opening := self._opening) is not None:
            opening.cancel()
            await asyncio.wait((opening,))
        if (channel := self._channel) is not None:
            channel.end("the connection was closed.")
            await channel.gone.wait()

    async def _channel_with_room(self) -> Channel:
        try:
            async with asyncio.timeout(self._timeout):
                while True:
                    channel = self._channel
                    if channel is None:
                        await self._opened()
                    elif channel.room.is_set():
                        return channel
                    else:
                        await channel.room.wait()
        except TimeoutError:
            raise StoreGone("it takes too long.") from None

    async def _opened(self) -> None:
        """Nothing, when there is a connection. All who wait share one attempt, whoever of them gives up."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._open(), name="store connection")
        opening = self._opening
        await asyncio.wait((opening,))
        why = "the connection was closed." if opening.cancelled() else opening.result()
        if why is not None:
            raise StoreGone(why)

    async def _open(self) -> str | None:
        """Make the connection; why that is not possible."""
        try:
            await asyncio.sleep(self._not_before - asyncio.get_running_loop().time())
            async with asyncio.timeout(self._timeout):
                self._channel = await self._connected()
        except (OSError, TimeoutError, StoreGone, ResponseError) as error:
            self._wait_longer()
            return getattr(error, "why", str(error)) or "it takes too long."
        finally:
            self._opening = None
        STORE_CONNECTIONS.inc()
        return None

    async def _connected(self) -> Channel:
        """A new connection over which the server has accepted the greeting."""
        address, loop = self._address, asyncio.get_running_loop()

        def made() -> Channel:
            return Channel(self._timeout, self._most, self._lose)

        if address.path is None:
            _, channel = await loop.create_connection(made, address.host, address.port, ssl=address.tls)
        else:
            _, channel = await loop.create_unix_connection(made, address.path)
        try:
            answers = await channel.send(address.greeting) if address.greeting else ()
        except asyncio.CancelledError:
            channel.end("the connection was closed.")
            raise
        for answer in answers:
            if isinstance(answer, Exception):
                channel.end(str(answer))
                raise answer
        if channel.ended_for is not None:  # as soon as it was made, before anybody had it
            raise StoreGone(channel.ended_for)
        return channel

    def _lose(self, channel: Channel) -> None:
        if self._channel is not channel:
            return
        self._channel = None
        self.losses += 1
        STORE_LOSSES.inc()
        if asyncio.get_running_loop().time() - channel.since > _LONGEST_PAUSE:
            self._pause = 0.0
        else:
            self._wait_longer()

    def _wait_longer(self) -> None:
        """Have the next attempt come later after this one than this one did after the last."""
        self._pause = min(2 * self._pause, _LONGEST_PAUSE) or _FIRST_PAUSE
        self._not_before = asyncio.get_running_loop().time() + self._pause
