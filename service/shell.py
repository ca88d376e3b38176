"""What lies round the whole application: HEAD, and the name of every request.

The framework answers HEAD on a GET route with 405. Here a HEAD request is carried out as a GET whose body
is not sent (RFC 9110, section 9.3.2), and OPTIONS and 405 name HEAD wherever they name GET.
"""

import re
import secrets
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

REQUEST_ID: Final = "x-request-id"
IS_HEAD: Final = "cantiere.is_head"
"""In the scope of a request whose body is not sent: there is no point in waiting for one."""
_GIVEN: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class Shell:
    """An application that answers HEAD as it answers GET and puts X-Request-Id on every answer.

    A given X-Request-Id is kept if it has 1 to 64 characters of A-Z, a-z, 0-9, `.`, `_` and `-`.
    """

    __slots__ = ("app",)

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            named: Any = {**scope, "cantiere.request_id": _request_id(scope).decode()}
            await self.app(named, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        request_id = _request_id(scope)
        is_head = scope["method"] == "HEAD"
        inner: Any = {**scope, "cantiere.request_id": request_id.decode()}
        if is_head:
            inner["method"], inner[IS_HEAD] = "GET", True

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], (REQUEST_ID.encode(), request_id)]
                message["headers"] = [_with_head(header) for header in headers]
            elif message["type"] == "http.response.body" and is_head:
                if message.get("more_body"):
                    return
                message["body"] = b""
            await send(message)

        await self.app(inner, receive, sent)


def request_id_of(scope: Scope) -> str:
    """The name of a request."""
    found: str = dict(scope)["cantiere.request_id"]  # type: ignore[assignment]  # an entry of our own
    return found


def _request_id(scope: Scope) -> bytes:
    for name, value in scope["headers"]:
        if name == REQUEST_ID.encode() and _GIVEN.fullmatch(value):
            return value
    return secrets.token_hex(8).encode()


def _with_head(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    name, value = header
    if name.lower() == b"allow":
        methods = {method.strip() for method in value.split(b",")}
        return name, b", ".join(sorted(methods | {b"HEAD"} if b"GET" in methods else methods))
    return header
