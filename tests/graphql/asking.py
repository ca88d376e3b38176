"""The schema on a real store, asked without HTTP."""

from typing import Any, NamedTuple

import httpx
from litestar import Litestar

from schema.graphql.build import make_schema
from schema.graphql.context import Budget, Context
from service.graphql.door import ServiceDoor

PLENTY = 1_000_000


class Asked(NamedTuple):
    """What an operation was answered."""

    data: Any
    errors: list[Any]


class Asking:
    """Asks the schema, and reaches the same service over REST."""

    def __init__(self, app: Litestar, api: httpx.AsyncClient) -> None:
        self.api = api
        self.door = ServiceDoor(app.state.desk)

    async def ask(
        self, document: str, *, budget: int = PLENTY, token: str | None = None, **values: Any
    ) -> Asked:
        """What the document is answered with these variables, errors included."""
        context = Context(self.door, token, Budget(budget))
        found: Any = await make_schema().execute(document, values, context)
        return Asked(found.data, found.errors or [])

    async def data(self, document: str, **values: Any) -> Any:
        """What it is answered, which must be without errors."""
        asked = await self.ask(document, **values)
        assert asked.errors == [], [error.original_error for error in asked.errors]
        return asked.data
