"""Long polls: a page of events that is not answered before there is something on it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import cast

from litestar.types import Receive, Scope

from schema.wire import EventsQuery
from schema.wire_streams import EventMessage
from schema.wire_views import EventPage, EventView
from service.live.feed import Feed
from service.live.follower import Follower
from service.live.frames import Frame
from service.live.http import address_of, check_reached, watched
from service.live.hub import Hub
from service.live.line import line_of
from service.observe.requests import WAITING, count_as
from service.store.errors import StoreGone


async def polled(hub: Hub, match_id: str, query: EventsQuery, scope: Scope, receive: Receive) -> EventPage:
    """The events after a version, as soon as there is one, or the status is another one, or time is over.

    Raises UnknownVersion, StoreGone and what `Hub` raises.
    """
    count_as(scope, WAITING)
    async with AsyncExitStack() as stack:
        follower = stack.enter_context(hub.admitted(address_of(scope)))
        feed = await stack.enter_async_context(hub.following(match_id, follower))
        check_reached(feed, query.after)
        line = line_of(scope)
        if line is not None:
            line.on_stop = partial(follower.end, "stopping")
            stack.callback(setattr, line, "on_stop", None)
        watch = asyncio.create_task(watched(receive, follower))
        stack.callback(watch.cancel)
        await _news(feed, follower, query)
        return await _page(feed, query)


async def _news(feed: Feed, follower: Follower, query: EventsQuery) -> None:
    """Sleep while there is nothing to answer."""
    time = asyncio.get_running_loop().time
    deadline = follower.heartbeat_at = time() + query.wait
    known = query.status or feed.status
    while feed.version == query.after and feed.status == known and not (feed.is_over or feed.is_lost):
        if follower.ended is not None or time() >= deadline:
            return
        await follower.sleep()


async def _page(feed: Feed, query: EventsQuery) -> EventPage:
    frames = (await feed.after(query.after))[: query.limit]
    if not frames and feed.version > query.after:
        raise StoreGone("the events cannot be read.")
    last = query.after + len(frames)
    return EventPage(feed.version, feed.status, _views(frames), last if last < feed.version else None)


def _views(frames: Sequence[Frame]) -> tuple[EventView, ...]:
    messages = (cast("EventMessage", frame.message) for frame in frames)
    return tuple(
        EventView(*(getattr(message, name) for name in EventView.__struct_fields__)) for message in messages
    )
