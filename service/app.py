"""The application: routes, the store behind them, and one way out for everything that goes wrong."""

import gc
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from litestar import Litestar, Response
from litestar.exceptions import NotFoundException

from service.catalogue import Catalogue
from service.clocks.sweeper import ClockSweeper
from service.cors import Cors
from service.desk import Desk
from service.doors import graphql_door
from service.drawing import Press
from service.errors import failure, masked
from service.express import Express, Problem
from service.http import Incoming, Reply, language_of, problem_answer, respond
from service.languages import languages
from service.limits.limiter import Limiter
from service.live.hub import Hub
from service.observe.lag import LagWatch
from service.routes import HOT, ROUTES, web
from service.routes.metrics import show_metrics
from service.settings import Settings
from service.shell import Shell, request_id_of
from service.store.errors import StoreGone
from service.store.opening import in_background, running_store
from service.store.store import now

_log: Final = logging.getLogger(__name__)


def create_app(settings: Settings, clock: Callable[[], int] = now) -> Litestar:
    """The application with a store of its own, which is there from its start to its end.

    Wrap it in `Shell`, with the same clock, to serve it; `asgi` does so. Raises BadSettings if a box cannot
    be used.
    """

    catalogue = Catalogue.of(settings.boxes)
    graphql, answered = graphql_door(settings), _paged if settings.web == "on" else _problem

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with running_store(settings, clock) as (store, tokens):
            app.state.desk = Desk(store, tokens, settings, catalogue)
            app.state.hub = Hub(store, settings)
            app.state.press = Press()
            app.state.limiter = Limiter(store.link, settings)
            app.state.graphql = graphql.opened(app.state.desk, settings)
            languages()  # whoever asks in another language first does not wait for the catalogues
            settle()
            sweeper = ClockSweeper(store, catalogue)
            async with app.state.hub.running(), in_background(LagWatch()), in_background(sweeper):
                yield

    return Express(
        (*HOT, *graphql.hot),
        answered,
        route_handlers=[
            *ROUTES,
            *graphql.routes,
            *((show_metrics,) if settings.metrics == "on" else ()),
            *web.routes(settings),
        ],
        lifespan=[lifespan],
        request_class=Incoming,
        exception_handlers={Exception: partial(_in_its_words, answered)},
        request_max_body_size=settings.max_body,
        openapi_config=None,
        logging_config=None,
    )


def asgi(settings: Settings) -> Shell:
    """The application as servers run it."""
    return Shell(create_app(settings), Cors(settings.cors_origins))


def _in_its_words(answered: Problem, request: Incoming, error: Exception) -> Response[bytes]:
    """The answer to an exception, in the framework's words."""
    reply = answered(request, error)
    headers = {name.decode(): value.decode() for name, value in reply.headers}
    media_type = headers.pop("content-type").partition(";")[0]  # it names the charset itself
    return Response(reply.body, status_code=reply.status, headers=headers, media_type=media_type)


def _paged(request: Incoming, error: Exception) -> Reply:
    """As `_problem`, but that nothing is found the page tells to who reads pages."""
    page = web.nothing_here(request) if isinstance(error, NotFoundException) else None
    return page or _problem(request, error)


def _problem(request: Incoming, error: Exception) -> Reply:
    """What an exception is answered with; a fault of ours is logged, once, and masked."""
    told = failure(error, language=language_of(request.scope))
    if told is None:
        request_id = request_id_of(request.scope)
        where, named = (request.method, request.url.path), {"request": request_id}
        _log.error("%s %s failed (%s)", *where, request_id, exc_info=error, extra=named)
        told = masked(request_id)
    elif isinstance(error, StoreGone):
        where, named = (request.method, request.url.path), {"request": request_id_of(request.scope)}
        _log.warning("%s %s: %s", *where, error, extra=named)
    return respond(problem_answer(told))


def settle() -> None:
    """Leave what lives as long as the process out of garbage collection, and collect less often.

    Measured: the 99th percentile of answers falls to a tenth. Requests and streams of REST leave nothing to
    collect, those of GraphQL some.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
