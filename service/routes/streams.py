"""Events: those there are, those to come, and both in one stream."""

import re
from typing import Any, Final

from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import ASGIApp, Scope

from schema.operations import API, JSON, LIST_EVENTS, MSGPACK, OPEN_SOCKET
from schema.wire import EventsQuery
from schema.wire_streams import Subscribe
from service.accounts.caller import is_api_token, known_caller
from service.errors import InvalidHeader, InvalidQuery, UnknownToken, UpgradeRequired
from service.http import Incoming, Query, Reply, etag, language_of, next_page, said_in, shown, wanted
from service.limits.admission import admit
from service.live.frames import EVENT_STREAM, LINES, Framing
from service.live.http import Stream
from service.live.hub import Hub
from service.live.poll import polled
from service.live.socket import Talk
from service.routes.common import NO_QUERY, checked_id, desk, event_page, match_id, route
from service.shell import IS_HEAD
from service.store.store import Store
from service.tokens import is_token

EVENTS_QUERY: Final = Query(EventsQuery)
STREAMED: Final[dict[str, Framing]] = {framing.name: framing for framing in (EVENT_STREAM, LINES)}
OFFERED: Final = (JSON, MSGPACK, *STREAMED)
_VERSION: Final = re.compile(r"\d{1,8}")


@route(LIST_EVENTS)
async def list_events(request: Incoming) -> ASGIApp:
    """A page of events, at once or when there is something on it; or a stream of them."""
    query, last = EVENTS_QUERY.read(request), _last_event(request)
    media_type = wanted(request, OFFERED)
    if media_type in STREAMED:
        if query.wait:
            raise InvalidQuery("$.wait: A stream waits without being asked to.", where="$.wait")
        after = query.after if last is None else last
        return Stream(hub_of(request), match_id(request), after, STREAMED[media_type], last is not None)
    language = language_of(request.scope)
    if query.wait and IS_HEAD not in request.scope:
        page = await polled(hub_of(request), match_id(request), query, request.scope, request.receive)
    else:
        store = desk(request).store
        _, record, _ = await store.load(match_id(request))
        page = await event_page(store, record, query.after, query.limit, language)
    headers = (*next_page(request, query, after=page.next), *said_in(language))
    return shown(request, page, etag(media_type, page.version, page.status, language.code), headers)


@route(OPEN_SOCKET)
async def refuse_plain_request(request: Incoming) -> Reply:
    """A WebSocket was meant."""
    NO_QUERY.read(request)
    raise UpgradeRequired("Open a WebSocket here; for plain HTTP there is `events`.")


@WebsocketRouteHandler(API + OPEN_SOCKET.path, name=f"{OPEN_SOCKET.name} socket")
async def hold_socket(socket: WebSocket[Any, Any, State]) -> None:
    """A stream of events over a WebSocket."""
    await Talk(socket.app.state.hub, _admitted, socket.scope, socket.receive, socket.send).hold()


async def _admitted(scope: Scope, asked: Subscribe) -> str:
    """The match in the address, if its token was presented or none.

    Raises TooManyRequests, NoMatch, and as `known_caller`.
    """
    await admit(scope, "stream")
    found = checked_id(scope["path_params"]["match_id"])
    store: Store = scope["litestar_app"].state.desk.store
    if asked.token is not None and is_api_token(asked.token):
        await known_caller(store, asked.token, "read")
    elif asked.token is not None:
        _, record, _ = await store.load(found)
        hashes = (record.host_hash, *(seat.token_hash for seat in record.seats))
        if not any(is_token(asked.token, known) for known in hashes):
            raise UnknownToken("This match has not given that token, or its seat was freed.")
    return found


def _last_event(request: Incoming) -> int | None:
    """The version that a stream comes back after, None for a new one. Raises InvalidHeader."""
    text = request.header(b"last-event-id") or ""
    if text and not _VERSION.fullmatch(text):
        raise InvalidHeader("Last-Event-ID: It is the version of the last event received.")
    return int(text) if text else None


def hub_of(request: Incoming) -> Hub:
    """What tells the news in this process."""
    hub: Hub = request.app.state.hub
    return hub


ROUTES: Final[tuple[HTTPRouteHandler | WebsocketRouteHandler, ...]] = (
    list_events,
    refuse_plain_request,
    hold_socket,
)
