"""OPTIONS on every path of the REST API.

The framework makes its own handler when the first method of a path is registered and leaves out those that
follow; these must be registered before any other.
"""

from collections.abc import Iterable
from typing import Final

from litestar.handlers import HTTPRouteHandler

from schema.operations import API, OPERATIONS
from service.http import Incoming, Reply


def _handler(path: str, methods: Iterable[str]) -> HTTPRouteHandler:
    allowed = ", ".join(sorted({*methods, "OPTIONS"}))

    async def answer(request: Incoming) -> Reply:
        return Reply(204, (("allow", allowed),))

    return HTTPRouteHandler(API + path, http_method="OPTIONS", name=f"options {path}")(answer)


ROUTES: Final = tuple(
    _handler(path, [operation.method for operation in OPERATIONS if operation.path == path])
    for path in dict.fromkeys(operation.path for operation in OPERATIONS)
)
