"""Errors as clients of the GraphQL door are told them: a message, a place, a stable code.

What was not foreseen is a fault of ours: logged once, with the id of the request, and masked.
"""

import logging
from collections.abc import Iterable
from typing import Any, Final, cast

import msgspec
from graphql import GraphQLError

from schema.graphql.context import Language as Wanted
from schema.graphql.errors import BadArgument, Refusal
from schema.wire_views import Problem
from service.errors import failure, masked
from service.graphql.refusals import RequestRefused
from service.languages import Language
from service.store.errors import StoreGone

Told = dict[str, Any]
_OF_HTTP: Final = ("type", "title", "status", "detail")
"""What a problem says to HTTP; here the message and the code stand for it."""
_log: Final = logging.getLogger(__name__)


def refusal_told(refused: RequestRefused) -> list[Told]:
    """What a request is refused for."""
    return [_told(error, error.message, {"code": refused.code}) for error in refused.errors]


def problem_told(problem: Problem) -> list[Told]:
    """The same for what the other door tells as a problem."""
    return [{"message": problem.detail, "extensions": _extensions(problem)}]


def errors_told(errors: Iterable[GraphQLError], wanted: Wanted, request_id: str) -> list[Told]:
    """What went wrong with an operation, in the language that is wanted; faults of ours are logged."""
    faults: list[Exception] = []
    language = cast("Language", wanted)  # one of the service's, which the schema knows less of
    told = [_error_told(error, language, request_id, faults) for error in errors]
    if faults:
        more = f" and {len(faults) - 1} more" if faults[1:] else ""
        extra = {"request": request_id}
        _log.error("GraphQL failed (%s)%s", request_id, more, exc_info=faults[0], extra=extra)
    return told


def _error_told(error: GraphQLError, language: Language, request_id: str, faults: list[Exception]) -> Told:
    cause = _cause(error)
    if cause is None:
        return _told(error, error.message, {"code": "invalid_variables"})
    if isinstance(cause, Refusal):
        extensions: dict[str, Any] = {"code": cause.code}
        if isinstance(cause, BadArgument):
            extensions["where"] = cause.where
        return _told(error, str(cause), extensions)
    if isinstance(cause, RequestRefused):
        return _told(error, str(cause), {"code": cause.code})
    found = None if isinstance(cause, GraphQLError) else failure(cause, language=language)
    if found is None:
        faults.append(cause)
        found = masked(request_id)
    elif isinstance(cause, StoreGone):
        _log.warning("GraphQL: %s", cause, extra={"request": request_id})
    return _told(error, found.problem.detail, _extensions(found.problem))


def _cause(error: GraphQLError) -> Exception | None:
    """What was raised, None if it was said of the request.

    The library tells of arguments at their place in the document, and of values that are no values of their
    type without one.
    """
    cause: Exception = error
    while isinstance(cause, GraphQLError) and cause.original_error is not None:
        cause = cause.original_error
    return None if isinstance(cause, GraphQLError) and cause.nodes else cause


def _told(error: GraphQLError, message: str, extensions: dict[str, Any]) -> Told:
    told: Told = {"message": message}
    if error.locations:
        told["locations"] = [location.formatted for location in error.locations]
    if error.path is not None:
        told["path"] = error.path
    return told | {"extensions": extensions}


def _extensions(problem: Problem) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(problem)
    return {name: value for name, value in told.items() if name not in _OF_HTTP}
