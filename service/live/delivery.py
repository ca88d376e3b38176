"""Delivering a story to a client: in order, as it happens, for as long as the client keeps up."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import Literal, Protocol

from service.live.follower import Follower
from service.live.frames import Frame
from service.live.hub import Hub
from service.observe.figures import CUT, SENT


class Story(Protocol):
    """What is told to one client."""

    is_over: bool
    """Whether `due` has given the last frame there will ever be."""

    async def due(self) -> Sequence[Frame]:
        """What is to be sent now; nothing if everything was."""

    def heartbeat(self) -> Frame:
        """A sign of life."""

    def cut(self, reason: Literal["stopping"]) -> Frame:
        """That the story is to be continued elsewhere."""


class TooSlow(Exception):
    """The client has taken in nothing for too long."""


class Outlet(ABC):
    """The way to a client."""

    __slots__ = ("_patience",)

    def __init__(self, patience: float) -> None:
        self._patience = patience

    async def send(self, frames: Sequence[Frame]) -> None:
        """Nothing, when the connection has taken them. Raises TooSlow."""
        await self._in_time(self._write(frames))
        SENT.inc(len(frames))

    async def finish(self) -> None:
        """Nothing, when the connection has taken that nothing follows. Raises TooSlow."""
        await self._in_time(self._end())

    async def _in_time(self, writing: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await writing
        except TimeoutError:
            CUT.inc()
            raise TooSlow from None

    @abstractmethod
    async def _write(self, frames: Sequence[Frame]) -> None:
        """Nothing, when the connection has taken them, however long that lasts."""

    @abstractmethod
    async def _end(self) -> None:
        """Nothing, when the connection has taken that nothing follows."""


async def deliver(story: Story, outlet: Outlet, follower: Follower, hub: Hub) -> None:
    """Send all there is and will be, until the story is over or the follower has to end. Raises TooSlow."""
    time = asyncio.get_running_loop().time
    while not story.is_over and follower.ended is None:
        frames = await story.due()
        if not frames and follower.heartbeat_at <= time():
            frames = (story.heartbeat(),)
        if frames:
            await outlet.send(frames)
            follower.heartbeat_at = hub.next_heartbeat()
        else:
            await follower.sleep()
    if follower.ended == "stopping" and not story.is_over:
        await outlet.send((story.cut("stopping"),))
