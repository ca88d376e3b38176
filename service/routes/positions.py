"""Questions about a position: legal moves, state, standing, pictures; and the events that led there."""

from typing import Final

from litestar.response.base import ASGIResponse

from schema.games import move_kinds, shapes
from schema.operations import (
    LIST_EVENTS,
    LIST_LEGAL_MOVES,
    SHOW_BOARD,
    SHOW_PICTURE,
    SHOW_STANDING,
    SHOW_VERSION,
    SVG,
)
from schema.wire import EventsQuery, LegalMovesQuery, VersionQuery
from schema.wire_views import EventPage, StateAt
from service.errors import InvalidQuery
from service.http import Incoming, Query, shown, written
from service.matches import game_of
from service.routes.common import NO_QUERY, Position, desk, match_id, position, route
from service.store.record import MatchRecord
from service.views import event_views, holder, legal_moves, standing_view

LEGAL_QUERY: Final = Query(LegalMovesQuery)
EVENTS_QUERY: Final = Query(EventsQuery)
VERSION_QUERY: Final = Query(VersionQuery)
INERT: Final = (
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("x-content-type-options", "nosniff"),
)
"""A drawing that is opened by itself loads nothing and runs nothing."""


@route(LIST_LEGAL_MOVES)
async def list_legal_moves(request: Incoming) -> ASGIResponse:
    """The legal moves at a version."""
    query = LEGAL_QUERY.read(request)
    _, (game, version, state) = await _asked_position(request, query.version)
    if query.kind is not None and query.kind not in (kinds := move_kinds(game.slug)):
        raise InvalidQuery(f"$.kind: The kinds of moves are {', '.join(kinds)}.", where="$.kind")
    return shown(request, legal_moves(game, state, version, query.kind))


@route(LIST_EVENTS)
async def list_events(request: Incoming) -> ASGIResponse:
    """A page of events."""
    query = EVENTS_QUERY.read(request)
    store = desk(request).store
    _, record, _ = await store.load(match_id(request))
    most = min(query.limit, record.version - query.after)
    events = await store.events(record.id, query.after, most) if most > 0 else ()
    last = query.after + len(events)
    following = last if events and last < record.version else None
    return shown(request, EventPage(record.version, event_views(game_of(record), events), following))


@route(SHOW_VERSION)
async def show_version(request: Incoming) -> ASGIResponse:
    """The state at a version."""
    NO_QUERY.read(request)
    _, (game, version, state) = await _asked_position(request, request.path_params["version"])
    return shown(request, StateAt(version, holder(game, state), shapes(game.slug).state_view(state)))


@route(SHOW_STANDING)
async def show_standing(request: Incoming) -> ASGIResponse:
    """The standing at a version."""
    record, (game, version, state) = await _asked_position(request, VERSION_QUERY.read(request).version)
    return shown(request, standing_view(game.standing(state), record.seats, version))


@route(SHOW_PICTURE)
async def show_picture(request: Incoming) -> ASGIResponse:
    """The table as text."""
    _, (game, _, state) = await _asked_position(request, VERSION_QUERY.read(request).version)
    return written(game.picture(state) + "\n")


@route(SHOW_BOARD)
async def show_board(request: Incoming) -> ASGIResponse:
    """The table as SVG."""
    _, (game, _, state) = await _asked_position(request, VERSION_QUERY.read(request).version)
    return written(game.board(state), SVG, INERT)


async def _asked_position(request: Incoming, version: int | None) -> tuple[MatchRecord, Position]:
    store = desk(request).store
    _, record, _ = await store.load(match_id(request))
    return record, await position(store, record, version)


ROUTES: Final = (list_legal_moves, list_events, show_version, show_standing, show_picture, show_board)
