"""Both executors on one service: the same operations have to come to the same."""

from typing import Any

import msgspec
from litestar import Litestar

from schema.graphql.build import make_schema
from schema.graphql.context import Budget, Context
from service.graphql.door import ServiceDoor
from service.graphql.execution import Executor
from service.languages import ENGLISH
from service.settings import Settings

PLENTY = 10_000


class Pair:
    """Both executors on one desk."""

    def __init__(self, app: Litestar) -> None:
        self._door: Any = ServiceDoor(app.state.desk)
        self.compiled, self.ordinary = (
            Executor(make_schema(), Settings(graphql_executor=how)) for how in ("compiled", "ordinary")
        )

    async def same(self, document: str, variables: dict[str, Any]) -> dict[str, Any]:
        """What both answer, which has to be the same, byte for byte."""
        told = [await self.told(each, document, variables) for each in (self.compiled, self.ordinary)]
        assert told[0] == told[1]
        body: dict[str, Any] = msgspec.json.decode(told[0])
        return body

    async def told(self, executor: Executor, document: str, variables: dict[str, Any]) -> bytes:
        """What one of them answers."""
        operation = executor.documents.operation(document, None)
        asked = executor.asked(operation, variables)
        result = await executor.answer(asked, Context(self._door, None, Budget(PLENTY), ENGLISH), "request")
        return msgspec.json.encode({"data": result.data, "errors": result.errors})
