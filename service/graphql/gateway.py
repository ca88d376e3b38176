"""What a worker answers GraphQL with: made once, when it starts."""

from typing import Any, Final

from litestar.types import Scope

from schema.graphql.build import make_schema
from schema.graphql.context import Budget, Context
from service.desk import Desk
from service.graphql.asker import Asker
from service.graphql.asking import Request
from service.graphql.documents import Operation
from service.graphql.door import ServiceDoor
from service.graphql.execution import Asked, Executor
from service.graphql.persisted import Persisted
from service.graphql.refusals import RequestRefused
from service.graphql.repeated import Repeated
from service.limits.admission import admit
from service.settings import Settings


class Gateway:
    """The schema on a desk, the documents that were seen, and how requests are counted."""

    def __init__(self, at_desk: Desk, settings: Settings) -> None:
        """Raises BadSettings if the file of registered documents cannot be used."""
        self.executor: Final = Executor(make_schema(), settings)
        self.persisted: Final = Persisted(settings)
        self.repeated: Final = Repeated(settings.graphql_cache)
        self._door = ServiceDoor(at_desk)
        self.settings: Final = settings

    def context(self, asked: Asked, token: str | None, asker: Asker) -> Context:
        """What goes with an operation through all resolvers."""
        return Context(
            self._door, token, Budget(self.settings.graphql_max_cost - asked.cost), asker.language, asker
        )

    async def admitted(self, scope: Scope, wanted: Request) -> Operation:
        """The operation that is wanted, if the client may ask for it: a document that has to be read first
        counts as a question.

        Raises InvalidBody, PersistedQueryNotFound, NotRegistered, TooManyRequests, MalformedDocument,
        InvalidDocument, TooCostly, UnknownOperation.
        """
        text, name = self.persisted.text(wanted.query, wanted.extensions), wanted.operation_name
        is_known = text in self.executor.documents
        if not is_known:
            await admit(scope, "read")
        try:
            operation = self.executor.documents.operation(text, name)
        except RequestRefused:
            if is_known:
                await admit(scope, "read")
            raise
        if is_known and not operation.is_mutation:  # changes are counted one by one
            await admit(scope, "stream" if operation.is_subscription else "read")
        return operation


def gateway_of(scope: Any) -> Gateway:
    """What the worker that has the request answers GraphQL with."""
    found: Gateway = scope["litestar_app"].state.graphql
    return found
