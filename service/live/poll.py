"""Long polls: a page of events that is not answered before there is something on it."""

from collections.abc import Iterable
from typing import cast

from litestar.types import Receive, Scope

from schema.wire import EventsQuery
from schema.wire_streams import EventMessage
from schema.wire_views import EventPage, EventView
from service.http import language_of
from service.languages import Language
from service.live.delivery import attend
from service.live.feed import Feed
from service.live.follower import Follower
from service.live.frames import Frame
from service.live.http import address_of, check_reached
from service.live.hub import Hub
from service.observe.requests import WAITING, count_as
from service.store.errors import StoreGone


async def polled(hub: Hub, match_id: str, query: EventsQuery, scope: Scope, receive: Receive) -> EventPage:
    """The events after a version, as soon as there is one, or the status is another one, or time is over.

    Raises UnknownVersion, StoreGone and what `Hub` raises.
    """
    count_as(scope, WAITING)
    with hub.admitted(address_of(scope)) as follower:
        feed = await hub.follow(match_id, follower)
        await check_reached(feed, query.after)
        release = attend(follower, scope, receive)
        try:
            await _sleep(hub, feed, follower, query)
        finally:
            release()
        return await _page(feed, query, language_of(scope))


async def _sleep(hub: Hub, feed: Feed, follower: Follower, query: EventsQuery) -> None:
    """Nothing, when there is something to answer, or time is over."""
    deadline = follower.heartbeat_at = hub.time() + query.wait
    known = query.status or feed.status
    while feed.version == query.after and feed.status == known and not (feed.is_over or feed.is_lost):
        if follower.ended is not None or hub.time() >= deadline:
            return
        await follower.sleep()


async def _page(feed: Feed, query: EventsQuery, language: Language) -> EventPage:
    frames = (await feed.after(query.after))[: query.limit]
    if not frames and feed.version > query.after:
        raise StoreGone("the events cannot be read.")
    last = query.after + len(frames)
    return EventPage(
        feed.version,
        feed.status,
        _views(frame.told_in(language) for frame in frames),
        last if last < feed.version else None,
    )


def _views(frames: Iterable[Frame]) -> tuple[EventView, ...]:
    messages = (cast("EventMessage", frame.message) for frame in frames)
    return tuple(
        EventView(*(getattr(message, name) for name in EventView.__struct_fields__)) for message in messages
    )
