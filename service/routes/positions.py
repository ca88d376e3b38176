"""Questions about a position: legal moves, state, standing, pictures."""

from typing import Final

from schema.games import shapes
from schema.operations import (
    LIST_LEGAL_MOVES,
    LIST_THINGS,
    SHOW_BOARD,
    SHOW_BOARD_PNG,
    SHOW_BOARD_SVG,
    SHOW_PICTURE,
    SHOW_STANDING,
    SHOW_VERSION,
    SVG,
    TEXT,
)
from schema.wire import BoardQuery, LegalMovesQuery, ThingsQuery, VersionQuery
from schema.wire_views import StateAt
from service.drawing import SIZE, Press, drawn
from service.errors import InvalidQuery
from service.http import (
    Incoming,
    Query,
    Reply,
    encoded,
    etag,
    language_of,
    said_in,
    told,
    unchanged,
    wanted,
)
from service.routes.common import NO_QUERY, Position, desk, match_id, move_fault, position, route, thing_fault
from service.store.record import MatchRecord
from service.views import Chosen, holder, legal_body, standing_view, things_view

LEGAL_QUERY: Final = Query(LegalMovesQuery)
THINGS_QUERY: Final = Query(ThingsQuery)
VERSION_QUERY: Final = Query(VersionQuery)
BOARD_QUERY: Final = Query(BoardQuery)
INERT: Final = (
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("x-content-type-options", "nosniff"),
)
"""A drawing that is opened by itself loads nothing and runs nothing."""


@route(LIST_LEGAL_MOVES)
async def list_legal_moves(request: Incoming) -> Reply:
    """The legal moves at a version."""
    query, media_type = LEGAL_QUERY.read(request), wanted(request)
    _, _, (game, version, data) = await _asked_position(request, query.version)
    if (fault := move_fault(game, query.kind)) is not None:
        raise InvalidQuery(fault, where="$.kind")
    language = language_of(request.scope)
    tag = etag(media_type, version, language.code)
    if (known := unchanged(request, tag)) is not None:
        return known
    chosen = Chosen(query.kind, query.touching, query.limit)
    body = legal_body(game, data, version, chosen, media_type, language)
    return told(request, body, media_type, tag, said_in(language))


@route(LIST_THINGS)
async def list_things(request: Incoming) -> Reply:
    """What lies on the table at a version."""
    query, media_type = THINGS_QUERY.read(request), wanted(request)
    _, _, at = await _asked_position(request, query.version)
    if (fault := thing_fault(at.game, query.kind)) is not None:
        raise InvalidQuery(fault, where="$.kind")
    language = language_of(request.scope)
    tag = etag(media_type, at.version, language.code)
    if (known := unchanged(request, tag)) is not None:
        return known
    view = things_view(at.game, at.state, at.version, query.kind, language)
    return told(request, encoded(view, media_type), media_type, tag, said_in(language))


@route(SHOW_VERSION)
async def show_version(request: Incoming) -> Reply:
    """The state at a version."""
    NO_QUERY.read(request)
    media_type = wanted(request)
    _, _, at = await _asked_position(request, request.path_params["version"])
    tag = etag(media_type, at.version)
    if (known := unchanged(request, tag)) is not None:
        return known
    state = at.state
    view = StateAt(at.version, holder(at.game, state), shapes(at.game.slug).state_view(state))
    return told(request, encoded(view, media_type), media_type, tag)


@route(SHOW_STANDING)
async def show_standing(request: Incoming) -> Reply:
    """The standing at a version."""
    query, media_type = VERSION_QUERY.read(request), wanted(request)
    rev, record, at = await _asked_position(request, query.version)
    tag = etag(media_type, rev, at.version)  # names of seats may change with any revision
    if (known := unchanged(request, tag)) is not None:
        return known
    view = standing_view(at.game.standing(at.state), record.seats, at.version)
    return told(request, encoded(view, media_type), media_type, tag)


@route(SHOW_PICTURE)
async def show_picture(request: Incoming) -> Reply:
    """The table as text."""
    query, media_type = VERSION_QUERY.read(request), wanted(request, (TEXT,))
    _, _, at = await _asked_position(request, query.version)
    language = language_of(request.scope)
    tag = etag(media_type, at.version, language.code)
    if (known := unchanged(request, tag)) is not None:
        return known
    picture = at.game.picture(at.state, language.of(at.game))
    return told(request, picture.encode() + b"\n", media_type, tag, said_in(language))


@route(SHOW_BOARD)
async def show_board(request: Incoming) -> Reply:
    """The table as SVG or PNG."""
    return await _board(request, SHOW_BOARD.media_types)


@route(SHOW_BOARD_SVG)
async def show_board_svg(request: Incoming) -> Reply:
    """The table as SVG."""
    return await _board(request, SHOW_BOARD_SVG.media_types)


@route(SHOW_BOARD_PNG)
async def show_board_png(request: Incoming) -> Reply:
    """The table as PNG."""
    return await _board(request, SHOW_BOARD_PNG.media_types)


async def _board(request: Incoming, offered: tuple[str, ...]) -> Reply:
    query, media_type = BOARD_QUERY.read(request), wanted(request, offered)
    _, _, at = await _asked_position(request, query.version)
    language = language_of(request.scope)
    tag = etag(media_type, at.version, query.size or "", query.theme, language.code)
    if (known := unchanged(request, tag)) is not None:
        return known
    svg = drawn(at.game.board(at.state, language.of(at.game)), query.size, query.theme)
    press: Press = request.app.state.press
    body = svg.encode() if media_type == SVG else await press.png(svg, query.size or SIZE)
    return told(request, body, media_type, tag, (*INERT, *said_in(language)))


async def _asked_position(request: Incoming, version: int | None) -> tuple[int, MatchRecord, Position]:
    """The revision of the match, the match, and it at a version."""
    at_desk = desk(request)
    rev, record, _ = await at_desk.store.load(match_id(request))
    return rev, record, await position(at_desk, record, version)


ROUTES: Final = (
    list_legal_moves,
    list_things,
    show_version,
    show_standing,
    show_picture,
    show_board,
    show_board_svg,
    show_board_png,
)
