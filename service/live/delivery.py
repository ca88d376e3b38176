"""Delivering a story to a client: in order, as it happens, for as long as the client keeps up."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from litestar.types import Receive, Scope

from service.live.follower import Follower
from service.live.frames import Frame
from service.live.hub import Hub
from service.live.line import line_of
from service.observe.figures import SENT


class Story(Protocol):
    """What is told to one client."""

    is_over: bool
    """Whether `due` has given the last frame there will ever be."""

    async def due(self) -> Sequence[Frame]:
        """What is to be sent now; nothing if everything was, or the store is away."""

    def heartbeat(self) -> Frame:
        """A sign of life."""

    def cut(self, reason: Literal["stopping"]) -> Frame:
        """That the story is to be continued elsewhere."""


class Outlet(Protocol):
    """The way to a client."""

    async def write(self, frames: Sequence[Frame]) -> None:
        """Nothing, when the connection takes more or is lost, however long that lasts."""


async def deliver(story: Story, outlet: Outlet, follower: Follower, hub: Hub) -> None:
    """Send all there is and will be, until the story is over or the follower has to end."""
    while not story.is_over and follower.ended is None:
        frames = await story.due()
        if not frames and follower.heartbeat_at <= hub.time():
            frames = (story.heartbeat(),)
        if frames:
            await send(frames, outlet, follower, hub)
        else:
            await follower.sleep()
    if follower.ended == "stopping" and not story.is_over:
        await send((story.cut("stopping"),), outlet, follower, hub)


async def send(frames: Sequence[Frame], outlet: Outlet, follower: Follower, hub: Hub) -> None:
    """Nothing, when the connection has taken the frames or was cut: the hub sees how long that lasts."""
    follower.busy_since = hub.time()
    follower.heartbeat_at = follower.busy_since + hub.heartbeat
    await outlet.write(frames)
    follower.busy_since = None
    SENT.inc(len(frames))


def attend(follower: Follower, scope: Scope, receive: Receive) -> Callable[[], object]:
    """Have the follower end when its client is gone or the server stops; the answer undoes that."""
    line = line_of(scope)
    if line is None:
        return asyncio.create_task(_watch(receive, follower)).cancel
    line.on_end = follower.end
    follower.cut = line.cut
    if line.is_lost:
        follower.end("gone")
    return line.release


async def _watch(receive: Receive, follower: Follower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.end("gone")
