"""A player's own stream over HTTP: SSE and NDJSON, or a long poll."""

from typing import cast, get_args

from litestar.types import Receive, Scope, Send

from schema.wire_players import OwnEventPage, Told
from service.accounts import keys
from service.accounts.caller import Caller
from service.accounts.inbox import Inbox
from service.desk import Desk
from service.http import language_of
from service.live.delivery import attend
from service.live.follower import Follower
from service.live.frames import Framing
from service.live.http import address_of, head_of_stream, send_head, send_story
from service.live.hub import Hub
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
            await self._hub.listen(channel, follower)
            if IS_HEAD in scope:
                await send_head(send, head_of_stream(scope, self._framing))
                return
            inbox = Inbox(self._desk, self._caller, self._after, language_of(scope))
            inbox.wake = follower.wake
            await send_story(self._hub, inbox, self._framing, follower, (scope, receive, send))


async def polled_inbox(
    hub: Hub, inbox: Inbox, channel: str, wait: int, scope: Scope, receive: Receive
) -> OwnEventPage:
    """What the player is told, as soon as there is something, or when time is over.

    Raises TooManyStreams, Busy, StoreGone.
    """
    with hub.admitted(address_of(scope)) as follower:
        await hub.listen(channel, follower)
        inbox.wake = follower.wake
        release = attend(follower, scope, receive)
        try:
            return await _page(hub, inbox, follower, wait)
        finally:
            release()


async def page_of(inbox: Inbox) -> OwnEventPage:
    """What the player is told now. Raises StoreGone."""
    frames = await inbox.read()
    told = tuple(cast("Told", frame.message) for frame in frames if isinstance(frame.message, get_args(Told)))
    return OwnEventPage(told, inbox.after)


async def _page(hub: Hub, inbox: Inbox, follower: Follower, wait: int) -> OwnEventPage:
    deadline = follower.heartbeat_at = hub.time() + wait
    while True:
        page = await page_of(inbox)
        if page.messages or inbox.is_over or follower.ended is not None or hub.time() >= deadline:
            return page
        await follower.sleep()
