"""Questions about a position: legal moves, state, standing, pictures."""

from typing import Final

from schema.games import move_kinds, shapes
from schema.operations import (
    LIST_LEGAL_MOVES,
    SHOW_BOARD,
    SHOW_PICTURE,
    SHOW_STANDING,
    SHOW_VERSION,
    SVG,
)
from schema.wire import LegalMovesQuery, VersionQuery
from schema.wire_views import StateAt
from service.errors import InvalidQuery
from service.http import Incoming, Query, Reply, packed, shown, wanted, written
from service.routes.common import NO_QUERY, Position, desk, match_id, position, route
from service.store.record import MatchRecord
from service.views import holder, legal_body, standing_view

LEGAL_QUERY: Final = Query(LegalMovesQuery)
VERSION_QUERY: Final = Query(VersionQuery)
INERT: Final = (
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("x-content-type-options", "nosniff"),
)
"""A drawing that is opened by itself loads nothing and runs nothing."""


@route(LIST_LEGAL_MOVES)
async def list_legal_moves(request: Incoming) -> Reply:
    """The legal moves at a version."""
    query = LEGAL_QUERY.read(request)
    _, (game, version, data) = await _asked_position(request, query.version)
    if query.kind is not None and query.kind not in (kinds := move_kinds(game.slug)):
        raise InvalidQuery(f"$.kind: The kinds of moves are {', '.join(kinds)}.", where="$.kind")
    media_type = wanted(request)
    return packed(legal_body(game, data, version, query.kind, media_type), media_type)


@route(SHOW_VERSION)
async def show_version(request: Incoming) -> Reply:
    """The state at a version."""
    NO_QUERY.read(request)
    _, at = await _asked_position(request, request.path_params["version"])
    state = at.state
    return shown(request, StateAt(at.version, holder(at.game, state), shapes(at.game.slug).state_view(state)))


@route(SHOW_STANDING)
async def show_standing(request: Incoming) -> Reply:
    """The standing at a version."""
    record, at = await _asked_position(request, VERSION_QUERY.read(request).version)
    return shown(request, standing_view(at.game.standing(at.state), record.seats, at.version))


@route(SHOW_PICTURE)
async def show_picture(request: Incoming) -> Reply:
    """The table as text."""
    _, at = await _asked_position(request, VERSION_QUERY.read(request).version)
    return written(at.game.picture(at.state) + "\n")


@route(SHOW_BOARD)
async def show_board(request: Incoming) -> Reply:
    """The table as SVG."""
    _, at = await _asked_position(request, VERSION_QUERY.read(request).version)
    return written(at.game.board(at.state), SVG, INERT)


async def _asked_position(request: Incoming, version: int | None) -> tuple[MatchRecord, Position]:
    at_desk = desk(request)
    _, record, _ = await at_desk.store.load(match_id(request))
    return record, await position(at_desk, record, version)


ROUTES: Final = (list_legal_moves, show_version, show_standing, show_picture, show_board)
