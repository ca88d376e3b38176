"""A way past the framework for the operations that are asked most.

Finding a route, preparing a handler's arguments and wrapping its answer cost more than playing a move. Here
the address is looked up in a table and the handler is called with the request, as the framework would do in
the end. Whatever is unusual about a request is left to the framework. A WebSocket that goes this way needs
less memory for as long as it is open.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from litestar import Litestar, WebSocket
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import Receive, Send

from schema.operation import API, MATCH
from service.http import Incoming, Reply
from service.shell import REFUSAL, refuse_socket

Problem = Callable[[Incoming, Exception], Reply]
Hot = HTTPRouteHandler | WebsocketRouteHandler
AnySocket = WebSocket[Any, Any, Any]

_SOCKET: Final = ScopeType.WEBSOCKET.value
_ASKING: Final = frozenset((ScopeType.HTTP.value, _SOCKET))
_MATCH_ID: Final = "{match_id:str}"
_MATCHES: Final = (API + MATCH).removesuffix(_MATCH_ID)
_USUAL_HOST: Final = re.compile(rb"[a-z0-9.-]+(:\d+)?", re.IGNORECASE)


class Express(Litestar):
    """An application in which `hot` are answered without its routing: operations of a match, and addresses
    without a part that varies.

    `problem` makes the answer to an exception, as the application's own exception handler does.
    """

    def __init__(self, hot: Iterable[Hot], problem: Problem, **options: Any) -> None:
        super().__init__(**options)
        self._problem = problem
        self._hot = {
            (method, path): handler
            for handler in hot
            for path in handler.paths
            for method in _methods(handler)
        }
        self._of_match = {
            (method, path.removeprefix(API + MATCH)): handler for (method, path), handler in self._hot.items()
        }

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        handler = self._found(scope)
        if handler is not None:
            await self._answer(handler, scope, receive, send)
        elif scope["type"] == _SOCKET and REFUSAL in scope.get("extensions", ()):
            await super().__call__(scope, receive, self._told_why(scope, receive, send))
        else:
            await super().__call__(scope, receive, send)

    def _told_why(self, scope: Any, receive: Receive, send: Send) -> Send:
        """What answers as elsewhere that there is nothing, where the framework just ends a WebSocket.

        That is before it was opened: handlers open each and say on it what is wrong.
        """
        is_open = False

        async def told(message: Any) -> None:
            nonlocal is_open
            is_open = is_open or message["type"] != "websocket.close"
            if is_open:
                await send(message)
                return
            asked: Any = {**scope, "type": ScopeType.HTTP.value, "method": "GET"}
            reply = self._problem(Incoming(asked, receive, send), NotFoundException())
            await refuse_socket(reply, scope, send)

        return told

    def _found(self, scope: Any) -> Hot | None:
        """The handler of a usual request for a hot operation; then the id of the match is in the scope."""
        kind: str = scope["type"]
        if kind not in _ASKING or scope.get("root_path"):
            return None
        path: str = scope["path"]
        method: str = scope["method"] if kind == ScopeType.HTTP else kind
        if not path.startswith(_MATCHES):
            handler = self._hot.get((method, path))
            return handler if handler is not None and _has_usual_host(scope) else None
        match_id, slash, part = path[len(_MATCHES) :].partition("/")
        handler = self._of_match.get((method, slash + part))
        if handler is None or not match_id or not _has_usual_host(scope):
            return None
        scope["path_params"] = {"match_id": match_id}
        return handler

    async def _answer(self, handler: Hot, scope: Any, receive: Receive, send: Send) -> None:
        scope["app"] = scope["litestar_app"] = self
        scope["route_handler"] = handler
        if isinstance(handler, WebsocketRouteHandler):
            await _hold(handler, WebSocket(scope, receive, send), receive, send)
            return
        request = Incoming(scope, receive, send)
        try:
            reply: Reply = await handler.fn(request)
        except Exception as error:  # noqa: BLE001 - every one is answered, and logged if it is a fault of ours
            reply = self._problem(request, error)
        await reply(scope, receive, send)


async def _hold(handler: WebsocketRouteHandler, socket: AnySocket, receive: Receive, send: Send) -> None:
    """Have a WebSocket held to its end, and leave nothing of it to the garbage collector.

    What a WebSocket of the framework receives and sends with knows the WebSocket.
    """
    try:
        await handler.fn(socket)
    finally:
        socket.receive, socket.send = receive, send


def _methods(handler: Hot) -> Iterable[str]:
    """What a handler is found by, besides its address."""
    return (_SOCKET,) if isinstance(handler, WebsocketRouteHandler) else handler.http_methods


def _has_usual_host(scope: Any) -> bool:
    """Whether the framework would accept its header Host."""
    for name, value in scope["headers"]:
        if name == b"host":
            return _USUAL_HOST.fullmatch(value) is not None
    return True
