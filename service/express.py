"""A way past the framework for the operations that are asked most.

Finding a route, preparing a handler's arguments and wrapping its answer cost more than playing a move. Here
the address is looked up in a table and the handler is called with the request, as the framework would do in
the end. Whatever is unusual about a request is left to the framework.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import Receive, Scope, Send

from schema.operation import API, MATCH
from service.http import Incoming, Reply

Problem = Callable[[Incoming, Exception], Reply]

_MATCH_ID: Final = "{match_id:str}"
_MATCHES: Final = (API + MATCH).removesuffix(_MATCH_ID)
_USUAL_HOST: Final = re.compile(rb"[a-z0-9.-]+(:\d+)?", re.IGNORECASE)


class Express(Litestar):
    """An application in which `hot` are answered without its routing: operations of a match, and addresses
    without a part that varies.

    `problem` makes the answer to an exception, as the application's own exception handler does.
    """

    def __init__(self, hot: Iterable[HTTPRouteHandler], problem: Problem, **options: Any) -> None:
        super().__init__(**options)
        self._problem = problem
        self._hot = {
            (method, path): handler
            for handler in hot
            for path in handler.paths
            for method in handler.http_methods
        }
        self._of_match = {
            (method, path.removeprefix(API + MATCH)): handler for (method, path), handler in self._hot.items()
        }

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        handler = self._found(scope)
        if handler is None:
            await super().__call__(scope, receive, send)
        else:
            await self._answer(handler, scope, receive, send)

    def _found(self, scope: Any) -> HTTPRouteHandler | None:
        """The handler of a usual request for a hot operation; then the id of the match is in the scope."""
        if scope["type"] != ScopeType.HTTP:
            return None
        path: str = scope["path"]
        if scope.get("root_path"):
            return None
        if not path.startswith(_MATCHES):
            handler = self._hot.get((scope["method"], path))
            return handler if handler is not None and _has_usual_host(scope) else None
        match_id, slash, part = path[len(_MATCHES) :].partition("/")
        handler = self._of_match.get((scope["method"], slash + part))
        if handler is None or not match_id or not _has_usual_host(scope):
            return None
        scope["path_params"] = {"match_id": match_id}
        return handler

    async def _answer(self, handler: HTTPRouteHandler, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = scope["litestar_app"] = self
        scope["route_handler"] = handler
        request = Incoming(scope, receive, send)
        try:
            reply: Reply = await handler.fn(request)
        except Exception as error:  # noqa: BLE001 - every one is answered, and logged if it is a fault of ours
            reply = self._problem(request, error)
        await reply(scope, receive, send)


def _has_usual_host(scope: Any) -> bool:
    """Whether the framework would accept its header Host."""
    for name, value in scope["headers"]:
        if name == b"host":
            return _USUAL_HOST.fullmatch(value) is not None
    return True
