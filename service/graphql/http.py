"""GraphQL over HTTP: queries by GET, everything by POST. Source: GraphQL over HTTP, draft of 2025.

Answers have one shape, whatever goes wrong: `{"errors": [{"message", "extensions": {"code"}}]}`.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from schema.operation import JSON, SSE
from schema.problems import KINDS
from service.errors import Failure, NotAcceptable, Refused, failure, masked
from service.graphql import sockets
from service.graphql.asker import asker_of
from service.graphql.asking import RESPONSE, body_of, of_body, of_query
from service.graphql.execution import Asked, Result
from service.graphql.explorer import is_wanted, show_explorer, show_file
from service.graphql.gateway import Gateway, gateway_of
from service.graphql.refusals import RequestRefused
from service.graphql.sse import ResultStream, refusal_events
from service.graphql.telling import problem_told, refusal_told
from service.http import VARY, Incoming, Reply, bearer, encode_json, language_of
from service.limits.admission import admit
from service.negotiation import preferred
from service.observe.figures import REFUSALS
from service.observe.requests import GRAPHQL, count_as
from service.shell import request_id_of

PATH: Final = "/graphql"
OFFERED: Final = (JSON, RESPONSE, SSE)
NO_STORE: Final = ("cache-control", "no-store")
_TYPES: Final = {each: ("content-type", f"{each}; charset=utf-8") for each in (JSON, RESPONSE)}
_ALLOWED: Final = ("allow", "GET, OPTIONS, POST")
_log: Final = logging.getLogger(__name__)
Asking = Callable[[Incoming, Gateway], Awaitable[Asked]]


class NotByGet(Refused):
    """Something by GET that may change something."""

    code = "method_not_allowed"


@HTTPRouteHandler(PATH, http_method="POST", name=GRAPHQL, status_code=200)
async def post_graphql(request: Incoming) -> ASGIApp:
    """What an operation came to."""
    return await _answered(request, _by_post)


@HTTPRouteHandler(PATH, http_method="GET", name=f"{GRAPHQL} by GET")
async def get_graphql(request: Incoming) -> ASGIApp:
    """What a query came to; for browsers, where that is switched on, GraphiQL."""
    if is_wanted(request, *OFFERED):
        return await show_explorer(request)
    count_as(request.scope, GRAPHQL)
    return await _answered(request, _by_get)


@HTTPRouteHandler(PATH, http_method=["PUT", "PATCH", "DELETE"], name="graphql other", status_code=405)
async def refuse_method(request: Incoming) -> Reply:
    """Other methods have nothing to do here."""
    return _refused(request, NotByGet("Send a GET or a POST."), _media_type(request) or JSON)


@HTTPRouteHandler(PATH, http_method="OPTIONS", name="graphql options")
async def options_graphql(request: Incoming) -> Reply:
    """What may be asked."""
    return Reply(204, (_ALLOWED,))


def _media_type(request: Incoming) -> str | None:
    return preferred(request.header(b"accept") or "", OFFERED)


async def _by_post(request: Incoming, gateway: Gateway) -> Asked:
    """What the body asks for, if the client may ask for it."""
    body = await body_of(request, gateway.settings)
    known = gateway.repeated.get(body)
    if known is not None:
        await admit(request.scope, "read")
        return known
    wanted = of_body(body)
    asked = gateway.executor.asked(await gateway.admitted(request.scope, wanted), wanted.variables)
    gateway.repeated.put(body, wanted, asked)
    return asked


async def _by_get(request: Incoming, gateway: Gateway) -> Asked:
    """What the address asks for, if the client may ask for it so."""
    wanted = of_query(request)
    operation = await gateway.admitted(request.scope, wanted)
    if operation.is_mutation:
        raise NotByGet("Mutations go by POST.")
    return gateway.executor.asked(operation, wanted.variables)


async def _answered(request: Incoming, asking: Asking) -> ASGIApp:
    media_type = _media_type(request)
    try:
        if media_type is None:
            return _refused(request, NotAcceptable(f"Accept {' or '.join(OFFERED)}."), JSON)
        token, gateway = bearer(request), gateway_of(request.scope)
        asked = await asking(request, gateway)
        if media_type == SSE:
            return _streamed(request, gateway, asked, token)
        if asked.operation.is_subscription:
            refused = NotAcceptable(f"A subscription is answered with {SSE}, or on a WebSocket.")
            return _refused(request, refused, media_type)
        context = gateway.context(asked, token, asker_of(request.scope))
        return _told(await gateway.executor.answer(asked, context, request_id_of(request.scope)), media_type)
    except Exception as error:  # noqa: BLE001 - every one is answered, and logged if it is a fault of ours
        return _refused(request, error, media_type or JSON)


def _streamed(request: Incoming, gateway: Gateway, asked: Asked, token: str | None) -> ResultStream:
    """The results, one by one, of an operation of any kind."""
    return ResultStream(
        request.app.state.hub,
        gateway.executor,
        asked,
        lambda listener: gateway.context(asked, token, asker_of(request.scope, listener)),
        lambda error: _refused(request, error, JSON),
    )


def _told(result: Result, media_type: str) -> Reply:
    body: dict[str, Any] = {"data": result.data}
    if result.errors:
        body = {"errors": result.errors} | body
    return Reply(200, (_TYPES[media_type], NO_STORE, VARY), encode_json(body))


def _refused(request: Incoming, error: Exception, media_type: str) -> Reply:
    """What a request is answered with of which nothing was carried out."""
    if isinstance(error, RequestRefused):
        REFUSALS.labels(error.code).inc()
        if media_type == SSE:
            return Reply(200, (("content-type", SSE), NO_STORE), refusal_events(refusal_told(error)))
        # Clients that know application/json alone take another status for no answer of GraphQL.
        status = KINDS[error.code].status if error.code in KINDS else 400
        status = status if media_type == RESPONSE else 200
        return Reply(
            status, (_TYPES[media_type], NO_STORE, VARY), encode_json({"errors": refusal_told(error)})
        )
    found = failure(error, language=language_of(request.scope)) or _fault(request, error)
    REFUSALS.labels(found.problem.code).inc()
    allowed = (_ALLOWED,) if found.problem.status == 405 else ()
    media_type = JSON if media_type == SSE else media_type
    headers = (_TYPES[media_type], NO_STORE, VARY, *found.headers, *allowed)
    return Reply(found.problem.status, headers, encode_json({"errors": problem_told(found.problem)}))


def _fault(request: Incoming, error: Exception) -> Failure:
    """What is answered for a fault of ours, which is logged."""
    request_id = request_id_of(request.scope)
    _log.error("GraphQL failed (%s)", request_id, exc_info=error, extra={"request": request_id})
    return masked(request_id)


ROUTES: Final = (options_graphql, get_graphql, post_graphql, refuse_method, show_file, *sockets.ROUTES)
HOT: Final = (post_graphql, sockets.hold_socket)
"""The handlers that are asked as often as those of moves, or held open by very many."""
