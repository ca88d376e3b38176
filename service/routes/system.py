"""The service about itself: problems, the contract, health."""

from typing import Final

from litestar.exceptions import NotFoundException

from schema.openapi import printed
from schema.operations import JSON, LIST_PROBLEMS, SHOW_LIVE, SHOW_OPENAPI, SHOW_PROBLEM, SHOW_READY
from schema.problems import KINDS
from schema.wire_views import Health, ProblemKind, ProblemList
from service.http import Incoming, Reply, language_of, said_in, shown, told, wanted
from service.languages import Language
from service.routes.common import NO_QUERY, desk, route


@route(LIST_PROBLEMS)
async def list_problems(request: Incoming) -> Reply:
    """The table of problems."""
    NO_QUERY.read(request)
    language = language_of(request.scope)
    kinds = ProblemList(tuple(_kind(code, language) for code in KINDS))
    return shown(request, kinds, headers=said_in(language))


@route(SHOW_PROBLEM)
async def show_problem(request: Incoming) -> Reply:
    """One kind of problem."""
    NO_QUERY.read(request)
    code: str = request.path_params["code"]
    if code not in KINDS:
        raise NotFoundException
    language = language_of(request.scope)
    return shown(request, _kind(code, language), headers=said_in(language))


@route(SHOW_OPENAPI)
async def show_openapi(request: Incoming) -> Reply:
    """The contract."""
    NO_QUERY.read(request)
    return told(request, printed().encode(), wanted(request, (JSON,)))


@route(SHOW_LIVE)
async def show_live(request: Incoming) -> Reply:
    """The process answers."""
    return shown(request, Health("ok"))


@route(SHOW_READY)
async def show_ready(request: Incoming) -> Reply:
    """The store answers."""
    await desk(request).store.ping()
    return shown(request, Health("ok"))


def _kind(code: str, language: Language) -> ProblemKind:
    status, title = KINDS[code]
    return ProblemKind(code, status, language.own.say(title))


ROUTES: Final = (list_problems, show_problem, show_openapi, show_live, show_ready)
