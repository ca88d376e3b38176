"""What if, and why not."""

from typing import Any, Final

from msgspec.structs import replace

from engine.errors import EngineError
from engine.match import AnyGame, parse_batch
from schema.operations_previews import EXPLAIN_MOVE, PREVIEW_MOVES
from schema.wire_previews import PreviewMoves, PreviewQuery, WhyNotQuery
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
from service.languages import Language
from service.previews import preview_view, previewed, why_not_view
from service.routes.common import desk, match_id, position, route

MOVES: Final = Body(PreviewMoves)
PREVIEW_QUERY: Final = Query(PreviewQuery)
WHY_NOT_QUERY: Final = Query(WhyNotQuery)


@route(PREVIEW_MOVES)
async def preview_moves(request: Incoming) -> Reply:
    """What moves would come to."""
    query, media_type = PREVIEW_QUERY.read(request), wanted(request)
    asked, _ = await MOVES.read(request)
    at_desk = desk(request)
    if len(asked.moves) > at_desk.settings.max_batch:
        raise InvalidBody(f"$.moves: At most {at_desk.settings.max_batch} moves.", where="$.moves")
    _, record, _ = await at_desk.store.load(match_id(request))
    at = await position(at_desk, record, asked.version)
    game, start, language = at.game, at.state, language_of(request.scope)
    try:
        steps = previewed(game, start, at.version, parse_batch(game, asked.moves))
    except EngineError as error:
        return _refused(error, game, language)
    view = preview_view(game, start, at.version, steps, record.seats, language)
    if query.include is not None:
        view = replace(view, board=game.board(steps[-1].state if steps else start))
    headers = (("content-type", media_type), VARY, ("cache-control", "no-store"), *said_in(language))
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


def _refused(error: EngineError, game: AnyGame, language: Language) -> Reply:
    """Why a move of the batch is not possible, in the words of the game."""
    refused: Any = failure(error, game, language)
    return respond(problem_answer(refused))


ROUTES: Final = (preview_moves, explain_move)
