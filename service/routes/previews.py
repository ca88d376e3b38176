"""What if, and why not."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import EngineError
from engine.match import Step, parse_batch
from schema.operations_previews import EXPLAIN_MOVE, PREVIEW_CHILDREN, PREVIEW_MOVES
from schema.wire_previews import PreviewChildren, PreviewMoves, PreviewQuery, WhyNotQuery
from service.errors import InvalidBody, InvalidQuery, failure
from service.http import (
    VARY,
    Body,
    Incoming,
    Query,
    Reply,
    encoded,
    etag,
    language_of,
    problem_answer,
    respond,
    said_in,
    told,
    unchanged,
    wanted,
)
from service.previews import Node, children_view, preview_view, previewed, why_not_view
from service.routes.common import NO_QUERY, desk, match_id, move_fault, position, route
from service.views import Chosen

MOVES: Final = Body(PreviewMoves)
CHILDREN: Final = Body(PreviewChildren)
PREVIEW_QUERY: Final = Query(PreviewQuery)
WHY_NOT_QUERY: Final = Query(WhyNotQuery)


@route(PREVIEW_MOVES)
async def preview_moves(request: Incoming) -> Reply:
    """What moves would come to."""
    query, media_type = PREVIEW_QUERY.read(request), wanted(request)
    asked, _ = await MOVES.read(request)
    node = await _node(request, asked)
    try:
        steps = _steps(node, asked)
    except EngineError as error:
        return _refused(error, node)
    view = preview_view(node, steps)
    if query.include is not None:
        view = replace(view, board=node.game.board(node.after(steps).state, node.language.of(node.game)))
    return _told(view, node, media_type)


@route(PREVIEW_CHILDREN)
async def preview_children(request: Incoming) -> Reply:
    """What each of several moves would come to."""
    NO_QUERY.read(request)
    media_type = wanted(request)
    asked, _ = await CHILDREN.read(request)
    node = await _node(request, asked)
    if (fault := move_fault(node.game, asked.kind)) is not None:
        raise InvalidBody(fault, where="$.kind")
    try:
        below = node.after(_steps(node, asked))
    except EngineError as error:
        return _refused(error, node)
    chosen = Chosen(asked.kind, asked.touching)
    return _told(await children_view(below, chosen, asked.after, asked.limit), node, media_type)


async def _node(request: Incoming, asked: PreviewMoves) -> Node:
    """The position that the moves are tried from. Raises InvalidBody, and what is refused of positions."""
    at_desk = desk(request)
    if len(asked.moves) > at_desk.settings.max_batch:
        raise InvalidBody(f"$.moves: At most {at_desk.settings.max_batch} moves.", where="$.moves")
    _, record, _ = await at_desk.store.load(match_id(request))
    at = await position(at_desk, record, asked.version)
    return Node(at.game, at.state, at.version, record.seats, language_of(request.scope))


def _steps(node: Node, asked: PreviewMoves) -> tuple[Step, ...]:
    """What the moves come to. Raises BadNotation, IllegalMove, MatchOver."""
    return previewed(node.game, node.state, node.version, parse_batch(node.game, asked.moves))


def _told(view: Struct, node: Node, media_type: str) -> Reply:
    headers = (("content-type", media_type), VARY, ("cache-control", "no-store"), *said_in(node.language))
    return Reply(200, headers, encoded(view, media_type))


@route(EXPLAIN_MOVE)
async def explain_move(request: Incoming) -> Reply:
    """Why a move is not legal, if it is not."""
    query, media_type = WHY_NOT_QUERY.read(request), wanted(request)
    if " " in query.move:
        raise InvalidQuery("$.move: No notation has a blank; write `+` in a query as %2B.", where="$.move")
    at_desk = desk(request)
    _, record, _ = await at_desk.store.load(match_id(request))
    at = await position(at_desk, record, query.version)
    (move,) = parse_batch(at.game, (query.move,))
    language = language_of(request.scope)
    tag = etag(media_type, at.version, language.code)
    if (known := unchanged(request, tag)) is not None:
        return known
    view = why_not_view(at.game, at.state, at.version, move, language)
    return told(request, encoded(view, media_type), media_type, tag, said_in(language))


def _refused(error: EngineError, node: Node) -> Reply:
    """Why a move of the batch is not possible, in the words of the game."""
    refused: Any = failure(error, node.game, node.language)
    return respond(problem_answer(refused))


ROUTES: Final = (preview_moves, preview_children, explain_move)
