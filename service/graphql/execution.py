"""Operations carried out: checked, priced, run as code or step by step, and told.

Both doors of GraphQL come here, HTTP and streams. The steps are separate, so that requests can be counted
when it is known what they are, and before they cost much.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, Final, NamedTuple

import strawberry
from graphql import (
    ExecutionResult,
    MiddlewareManager,
)
from graphql.execution.execute import (
    create_source_event_stream,
    execute,
    map_source_to_response_event,
)
from graphql.execution.values import VariableValues
from strawberry.execution.is_awaitable import optimized_is_awaitable
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from schema.graphql.context import Context
from service.graphql.compiled.outcomes import Raised, Roots, Unfinished
from service.graphql.compiled.plan import Plan
from service.graphql.cost import amount
from service.graphql.documents import Documents, Operation
from service.graphql.refusals import InvalidVariables, TooCostly, TooSlow
from service.graphql.telling import Told, errors_told
from service.observe.figures import GRAPHQL
from service.settings import Settings
from service.waiting import Patience, Turn

_COMPILED: Final = GRAPHQL.labels("compiled", "")
_NO_ROOTS: Final[Roots] = {}
_IS_AWAITABLE: Final[Any] = optimized_is_awaitable
"""It answers the library's question, though its type does not say so."""


class Asked(NamedTuple):
    """An operation with the values of its variables, as they were sent and as they are understood."""

    operation: Operation
    sent: Mapping[str, Any]
    variables: VariableValues
    cost: int


class Result(NamedTuple):
    """What an operation came to. `data` is ready to be encoded; there are no `errors` or at least one."""

    data: Any
    errors: list[Told] | None = None


class Executor:
    """Carries out operations of one schema."""

    def __init__(self, schema: strawberry.Schema, settings: Settings) -> None:
        self.documents: Final = Documents(schema, settings)
        self._core = schema._schema  # noqa: SLF001 - there is no other way to it
        self._settings = settings
        self._patience = Patience(settings.graphql_timeout)
        self._hides_suggestions = settings.graphql_suggestions == "off"

    def asked(self, operation: Operation, sent: Mapping[str, Any] | None) -> Asked:
        """The operation with values for its variables. Raises InvalidVariables, TooCostly."""
        variables = operation.variables.values(sent or {})
        if isinstance(variables, list):
            raise InvalidVariables(variables[0].message, variables)
        cost, most = amount(operation.cost, variables.coerced), self._settings.graphql_max_cost
        if cost > most:
            raise TooCostly(f"The operation costs {cost}; {most} is allowed. Ask for less at once.")
        return Asked(operation, sent or {}, variables, cost)

    async def answer(self, asked: Asked, context: Context, request_id: str) -> Result:
        """What a query or a mutation comes to. Raises TooSlow for a query; mutations are finished."""
        if not asked.operation.is_query:
            return await self._answer(asked, context, request_id)
        try:
            with Turn(self._patience):
                return await self._answer(asked, context, request_id)
        except TimeoutError:
            raise TooSlow(
                f"The answer was not ready in {self._settings.graphql_timeout} s. Ask for less at once."
            ) from None

    async def subscribed(
        self, asked: Asked, context: Context, request_id: str
    ) -> AsyncIterator[Result] | Result:
        """The results of a subscription, one after the other, or why there are none."""
        built = StrawberryGraphQLCoreExecutionContext.build(
            self._core,
            asked.operation.document,
            context_value=context,
            raw_variable_values=dict(asked.sent),
            operation_name=asked.operation.name,
            hide_suggestions=self._hides_suggestions,
        )
        if isinstance(built, list):
            return Result(None, errors_told(built, context.language, request_id))
        source: Any = create_source_event_stream(built)
        if built.is_awaitable(source):
            source = await source
        if isinstance(source, ExecutionResult):
            return Result(None, errors_told(source.errors or (), context.language, request_id))
        if isinstance(asked.operation.plan, str):
            results: Any = map_source_to_response_event(built, source)
            return self._told_one_by_one(results, context, request_id)
        return self._projected(source, asked, context, request_id)

    async def _told_one_by_one(
        self, results: Any, context: Context, request_id: str
    ) -> AsyncIterator[Result]:
        async with aclosing(results):
            async for result in results:
                yield _result(result, context, request_id)

    async def _projected(
        self, source: Any, asked: Asked, context: Context, request_id: str
    ) -> AsyncIterator[Result]:
        plan = asked.operation.plan
        assert isinstance(plan, Plan)
        async with aclosing(source):
            async for event in source:
                yield await self._answer(asked, context, request_id, {plan.keys[0]: event})

    async def _answer(
        self, asked: Asked, context: Context, request_id: str, roots: Roots = _NO_ROOTS
    ) -> Result:
        plan, left = asked.operation.plan, context.budget.left
        if isinstance(plan, str):
            GRAPHQL.labels("ordinary", plan).inc()
        else:
            try:
                data = await plan.answer(asked.variables, context, roots)
            except Unfinished as unfinished:
                GRAPHQL.labels("unfinished", unfinished.why).inc()
                roots = unfinished.roots
                context.budget.left = left  # what is asked again is not to be paid twice
            else:
                _COMPILED.inc()
                return Result(data)
        return await self._ordinary(asked, context, request_id, roots)

    async def _ordinary(self, asked: Asked, context: Context, request_id: str, roots: Roots) -> Result:
        found = execute(
            self._core,
            asked.operation.document,
            context_value=context,
            variable_values=dict(asked.sent),
            operation_name=asked.operation.name,
            middleware=MiddlewareManager(_known(roots)) if roots else None,
            executor_class=StrawberryGraphQLCoreExecutionContext,
            is_awaitable=_IS_AWAITABLE,
            hide_suggestions=self._hides_suggestions,
        )
        result = found if isinstance(found, ExecutionResult) else await found
        return _result(result, context, request_id)


def _result(found: ExecutionResult, context: Context, request_id: str) -> Result:
    errors = errors_told(found.errors, context.language, request_id) if found.errors else None
    return Result(found.data, errors)


def _known(roots: Roots) -> Any:
    """What keeps resolvers at the root from being asked again."""

    def resolve(following: Any, source: Any, info: Any, **arguments: Any) -> Any:
        if info.path.prev is None and info.path.key in roots:
            known = roots[info.path.key]
            if isinstance(known, Raised):
                raise known.error
            return known
        return following(source, info, **arguments)

    return resolve
