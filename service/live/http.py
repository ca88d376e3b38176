"""Streams over HTTP, as SSE or NDJSON."""

import logging
from collections.abc import Sequence
from typing import Any, Final

from litestar.types import Receive, Scope, Send

from service.addresses import subscriber
from service.details import detail
from service.errors import UnknownVersion
from service.http import language_of
from service.live.delivery import Story, attend, deliver
from service.live.feed import Feed, MatchStory
from service.live.follower import Follower
from service.live.frames import Frame, Framing
from service.live.hub import Hub
from service.live.line import line_of
from service.shell import IS_HEAD

HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"vary", b"accept, accept-language"),
    (b"x-accel-buffering", b"no"),
    (b"connection", b"close"),
)
"""Of every stream: nobody on the way is to keep or collect it, and its connection, whose buffers are small,
serves nothing else."""
Asgi = tuple[Scope, Receive, Send]
_log: Final = logging.getLogger(__name__)


class Stream:
    """The answer that does not end before the match does.

    `is_resumed` says that the client was told everything up to `after` by a stream before: if the match is
    over then, the answer is 204, which tells browsers not to come again (HTML, 9.2.1).
    """

    __slots__ = ("_after", "_framing", "_hub", "_is_resumed", "_match_id")

    def __init__(self, hub: Hub, match_id: str, after: int, framing: Framing, is_resumed: bool) -> None:
        self._hub = hub
        self._match_id = match_id
        self._after = after
        self._framing = framing
        self._is_resumed = is_resumed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. Raises what `Hub` raises and UnknownVersion before anything is sent."""
        with self._hub.admitted(address_of(scope)) as follower:
            feed = await self._hub.follow(self._match_id, follower)
            await check_reached(feed, self._after)
            if self._is_resumed and feed.is_over and feed.version == self._after:
                await send_head(send, _start(204))
            elif IS_HEAD in scope:
                await send_head(send, head_of_stream(scope, self._framing))
            else:
                story = MatchStory(feed, self._after, language_of(scope))
                await send_story(self._hub, story, self._framing, follower, (scope, receive, send))


async def send_head(send: Send, head: Any) -> None:
    """An answer without a body: what the head of a stream would be, or 204, that there is none."""
    await send(head)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def send_story(hub: Hub, story: Story, framing: Framing, follower: Follower, asgi: Asgi) -> None:
    """An answer whose body is all there is and will be, as long as the client keeps up."""
    scope, receive, send = asgi
    line = line_of(scope)
    if line is not None:
        line.prepare(hub.patience)
    release = attend(follower, scope, receive)
    try:
        await send(head_of_stream(scope, framing))
        await deliver(story, HttpOutlet(send, framing), follower, hub)
    finally:
        release()
    if follower.ended in (None, "stopping"):
        follower.busy_since = hub.time()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    elif follower.ended == "slow":
        _log.info("A stream was cut, %s: its client did not keep up.", scope["path"])


def head_of_stream(scope: Scope, framing: Framing) -> Any:
    """The head of a stream."""
    spoken = language_of(scope).code
    return _start(200, (b"content-type", framing.name.encode()), (b"content-language", spoken.encode()))


def _start(status: int, *headers: tuple[bytes, bytes]) -> Any:
    return {"type": "http.response.start", "status": status, "headers": [*HEADERS, *headers]}


class HttpOutlet:
    """The body of an answer."""

    __slots__ = ("_framing", "_opening", "_send")

    def __init__(self, send: Send, framing: Framing) -> None:
        self._send = send
        self._framing = framing
        self._opening = framing.opening

    async def write(self, frames: Sequence[Frame]) -> None:
        framing = self._framing
        body = self._opening + b"".join([frame.spelled(framing) for frame in frames])
        self._opening = b""
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


def address_of(scope: Scope) -> str:
    """What stands for the client where streams are counted: its address, or the /64 of IPv6; empty if it is
    not known."""
    client = scope["client"]
    return subscriber(client[0]) if client else ""


async def check_reached(feed: Feed, version: int) -> None:
    """Nothing, if the match has reached the version. Raises UnknownVersion, StoreGone."""
    await feed.reach(version)
    if version > feed.version:
        raise UnknownVersion(detail("versions", version=feed.version), version=feed.version)
