"""A player's own stream over HTTP: SSE and NDJSON, or a long poll."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from typing import cast, get_args

from litestar.types import Receive, Scope, Send

from schema.wire_players import OwnEventPage, Told
from service.accounts import keys
from service.accounts.caller import Caller
from service.accounts.inbox import Inbox
from service.desk import Desk
from service.live.follower import Follower
from service.live.frames import Framing
from service.live.http import address_of, send_story, start_of, watched
from service.live.hub import Hub
from service.live.line import line_of
from service.shell import IS_HEAD


class OwnStream:
    """The answer that does not end as long as the client listens and its token counts."""

    __slots__ = ("_after", "_caller", "_desk", "_framing", "_hub")

    def __init__(self, hub: Hub, desk: Desk, caller: Caller, after: str | None, framing: Framing) -> None:
        self._hub = hub
        self._desk = desk
        self._caller = caller
        self._after = after
        self._framing = framing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. Raises TooManyStreams, Busy and StoreGone before anything is sent."""
        channel = keys.player(self._caller.player.id)
        with self._hub.admitted(address_of(scope)) as follower:
            async with self._hub.listening(channel, follower):
                await send(start_of(200, self._framing))
                if IS_HEAD in scope:
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    return
                inbox = Inbox(self._desk, self._caller, self._after)
                await send_story(self._hub, inbox, self._framing, follower, (scope, receive, send))


async def polled_inbox(
    hub: Hub, inbox: Inbox, channel: str, wait: int, scope: Scope, receive: Receive
) -> OwnEventPage:
    """What the player is told, as soon as there is something, or when time is over.

    Raises TooManyStreams, Busy, StoreGone.
    """
    async with AsyncExitStack() as stack:
        follower = stack.enter_context(hub.admitted(address_of(scope)))
        await stack.enter_async_context(hub.listening(channel, follower))
        line = line_of(scope)
        if line is not None:
            line.on_stop = partial(follower.end, "stopping")
            stack.callback(setattr, line, "on_stop", None)
        watch = asyncio.create_task(watched(receive, follower))
        stack.callback(watch.cancel)
        return await _page(inbox, follower, wait)


async def page_of(inbox: Inbox) -> OwnEventPage:
    """What the player is told now. Raises StoreGone."""
    frames = await inbox.read()
    told = tuple(cast("Told", frame.message) for frame in frames if isinstance(frame.message, get_args(Told)))
    return OwnEventPage(told, inbox.after)


async def _page(inbox: Inbox, follower: Follower, wait: int) -> OwnEventPage:
    time = asyncio.get_running_loop().time
    deadline = follower.heartbeat_at = time() + wait
    while True:
        page = await page_of(inbox)
        if page.messages or inbox.is_over or follower.ended is not None or time() >= deadline:
            return page
        await follower.sleep()
