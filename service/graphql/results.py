"""Results of operations, one after the other, on channels that carry more than one."""

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, Final

from graphql import GraphQLError

from schema.graphql.context import Context
from schema.graphql.errors import Refusal
from service.errors import failure, masked
from service.graphql.execution import Asked, Executor, Result
from service.graphql.refusals import RequestRefused
from service.graphql.telling import Told, errors_told, problem_told, refusal_told
from service.languages import Language
from service.live.follower import Follower
from service.observe.figures import REFUSALS

_log: Final = logging.getLogger(__name__)


class NotSubscribed(Exception):
    """A subscription that did not begin. `errors` say why, as they are told."""

    def __init__(self, errors: list[Told]) -> None:
        super().__init__(errors[0]["message"])
        self.errors = errors


async def results_of(
    executor: Executor, asked: Asked, context: Context, request_id: str, follower: Follower
) -> AsyncIterator[Result]:
    """What an operation comes to, until it is over or the follower has to end. Raises NotSubscribed."""
    if not asked.operation.is_subscription:
        yield await executor.answer(asked, context, request_id)
        return
    found: Any = await executor.subscribed(asked, context, request_id)
    if isinstance(found, Result):
        raise NotSubscribed(found.errors or [])
    async with aclosing(found) as results:
        async for result in results:
            if follower.ended is not None:
                return
            yield result


def errors_of(error: Exception, language: Language, request_id: str) -> list[Told]:
    """What is told of an operation that ends with an error; a fault of ours is logged and masked."""
    if isinstance(error, NotSubscribed):
        return error.errors
    if isinstance(error, RequestRefused):
        REFUSALS.labels(error.code).inc()
        return refusal_told(error)
    if isinstance(error, Refusal):
        REFUSALS.labels(error.code).inc()
        return errors_told([GraphQLError(str(error), original_error=error)], language, request_id)
    found = failure(error, language=language)
    if found is None:
        _log.error("GraphQL failed (%s)", request_id, exc_info=error, extra={"request": request_id})
        found = masked(request_id)
    REFUSALS.labels(found.problem.code).inc()
    return problem_told(found.problem)


def body_of(result: Result) -> dict[str, Any]:
    """A result as it is sent."""
    body: dict[str, Any] = {"data": result.data}
    return {"errors": result.errors} | body if result.errors else body
