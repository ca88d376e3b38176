"""What lies round the whole application: HEAD, the name of every request and when it came, content codings,
other origins.

The framework answers HEAD on a GET route with 405. Here a HEAD request is carried out as a GET whose body
is not sent (RFC 9110, section 9.3.2), and OPTIONS and 405 name HEAD wherever they name GET.
"""

import itertools
import re
import secrets
from collections.abc import Callable
from typing import Any, Final, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.clocks.stamp import stamped
from service.compression import SMALLEST, coded, is_compressible
from service.cors import Cors, RawHeaders
from service.errors import Failure, problem
from service.http import Reply, problem_answer, respond
from service.limits.admission import TOLD
from service.live.line import Whole, take_whole
from service.negotiation import coding
from service.observe.requests import Watch
from service.store.store import now

REQUEST_ID: Final = "x-request-id"
IS_HEAD: Final = "cantiere.is_head"
"""In the scope of a request whose body is not sent: there is no point in waiting for one."""
REFUSAL: Final = "websocket.http.response"
"""The extension of servers that answer in HTTP where a WebSocket is not opened (ASGI)."""
_FOREIGN: Final = Failure(
    problem("invalid_header", "Origin: Pages of other hosts than this one may not open a WebSocket here.")
)
_REQUEST_ID: Final = REQUEST_ID.encode()
_PROCESS: Final = secrets.token_hex(4).encode()
_numbers: Final = itertools.count()
_GIVEN: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_NAMING_METHODS: Final = frozenset((204, 405))
"""Statuses of answers that may have the header Allow."""
_NO_CORS: Final = Cors()
_SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing."""


class Shell:
    """An application that answers HEAD as it answers GET and puts X-Request-Id on every answer.

    A given X-Request-Id is kept if it has 1 to 64 characters of A-Z, a-z, 0-9, `.`, `_` and `-`. Bodies that
    are worth it are compressed if they are sent in one piece, as those of streams are not. When a request
    that may change something comes is read from `clock`. WebSockets are not opened for pages of other hosts
    whose origins are not allowed.
    """

    __slots__ = ("_clock", "_cors", "app")

    def __init__(self, app: ASGIApp, cors: Cors = _NO_CORS, clock: Callable[[], int] = now) -> None:
        self.app = app
        self._cors = cors
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            asked, whole = _Asked(scope), take_whole(cast("dict[str, Any]", scope))
            inner: Any = {**scope, "cantiere.request_id": asked.request_id.decode(), TOLD: asked.told}
            if asked.is_head:
                inner["method"], inner[IS_HEAD] = "GET", True
            if scope["method"] not in _SAFE:
                receive = await stamped(inner, receive, self._clock)
            watch = Watch(inner, asked.request_id)
            await self.app(inner, receive, _Answer(asked, self._cors, send, watch, whole).send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            named: Any = {**scope, "cantiere.request_id": _request_id(scope).decode()}
            if self._cors.lets_in(scope["headers"]):
                await self.app(named, receive, send)
            else:
                await refuse_socket(respond(problem_answer(_FOREIGN)), named, send)
        else:
            await self.app(scope, receive, send)


def request_id_of(scope: Scope) -> str:
    """The name of a request."""
    known: Any = scope
    found: str = known["cantiere.request_id"]
    return found


async def refuse_socket(reply: Reply, scope: Scope, send: Send) -> None:
    """Answer in HTTP who asked for a WebSocket; where the server cannot do that, open none."""
    if REFUSAL not in (scope.get("extensions") or ()):
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    headers = [*reply.headers, (_REQUEST_ID, request_id_of(scope).encode())]
    start: Any = {"type": f"{REFUSAL}.start", "status": reply.status, "headers": headers}
    body: Any = {"type": f"{REFUSAL}.body", "body": reply.body}
    await send(start)
    await send(body)


class _Asked:
    """What of a request matters here."""

    __slots__ = ("codings", "is_head", "is_preflight", "origin", "request_id", "told")

    def __init__(self, scope: HTTPScope) -> None:
        self.is_head = scope["method"] == "HEAD"
        self.origin: bytes | None = None
        self.codings = b""
        self.is_preflight = False
        self.request_id = b""
        self.told: RawHeaders = []
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                self.codings = value
            elif name == b"origin":
                self.origin = value
            elif name == _REQUEST_ID and _GIVEN.fullmatch(value):
                self.request_id = value
            elif name == b"access-control-request-method":
                self.is_preflight = scope["method"] == "OPTIONS"
        self.request_id = self.request_id or _new_id()


class _Answer:
    """What is done to an answer on its way out."""

    __slots__ = ("_asked", "_cors", "_send", "_start", "_watch", "_whole")

    def __init__(self, asked: _Asked, cors: Cors, send: Send, watch: Watch, whole: Whole | None) -> None:
        self._asked = asked
        self._whole = None if asked.is_head else whole
        self._watch = watch
        self._cors = cors
        self._send = send
        self._start: Any = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            asked, given = self._asked, list(message["headers"])
            message["headers"] = headers = [*given, (_REQUEST_ID, asked.request_id), *asked.told]
            if message["status"] in _NAMING_METHODS:
                _name_head(headers)
            if asked.origin is not None or self._cors.varies:
                self._tell_origin(headers)
            # With a length the body comes in one piece, at once; until then the headers may change.
            if _has_length(given):
                self._start = message
            else:
                self._watch.note(message["status"])
                await self._send(message)
        elif message["type"] == "http.response.body":
            await self._send_body(message)
        else:
            await self._send(message)

    async def _send_body(self, message: Any) -> None:
        if (start := self._start) is not None:
            self._start = None
            body, is_whole = message["body"], not message.get("more_body")
            self._watch.note(start["status"], body)
            if len(body) >= SMALLEST and is_whole:
                message["body"] = body = await _compressed(start["headers"], body, self._asked.codings)
            if self._whole is not None and is_whole:
                await self._whole(start["status"], start["headers"], body)
                return
            await self._send(start)
        if self._asked.is_head:
            if message.get("more_body"):
                return
            message["body"] = b""
        await self._send(message)

    def _tell_origin(self, headers: RawHeaders) -> None:
        cors, origin = self._cors, self._asked.origin
        if cors.varies:
            _vary(headers, b"origin")
        if origin is None:
            return
        if self._asked.is_preflight:
            methods = next((value for name, value in headers if name.lower() == b"allow"), b"")
            headers += cors.preflight_headers(origin, methods)
        else:
            headers += cors.headers(origin)


def _has_length(headers: RawHeaders) -> bool:
    if headers and headers[-1][0] == b"content-length":  # as `Reply` has it
        return True
    return any(name == b"content-length" for name, _ in headers)


async def _compressed(headers: RawHeaders, body: bytes, codings: bytes) -> bytes:
    """The body as it is sent; the headers are made to fit."""
    said = dict(headers)
    if b"content-encoding" in said or not is_compressible(said.get(b"content-type", b"")):
        return body
    _vary(headers, b"accept-encoding")
    chosen = coding(codings.decode("latin-1"))
    if chosen is None:
        return body
    body = await coded(body, chosen)
    for place, (name, value) in enumerate(headers):
        if name == b"content-length":
            headers[place] = (name, b"%d" % len(body))
        elif name == b"etag":  # another representation, so another strong ETag
            headers[place] = (name, b'%b-%b"' % (value[:-1], chosen.encode()))
    headers.append((b"content-encoding", chosen.encode()))
    return body


def _vary(headers: RawHeaders, on: bytes) -> None:
    for place, (name, value) in enumerate(headers):
        if name == b"vary":
            headers[place] = (name, b"%b, %b" % (value, on))
            return
    headers.append((b"vary", on))


def _name_head(headers: RawHeaders) -> None:
    for place, (name, value) in enumerate(headers):
        if name.lower() == b"allow":
            methods = {method.strip() for method in value.split(b",")}
            methods |= {b"HEAD"} if b"GET" in methods else set()
            headers[place] = (name, b", ".join(sorted(methods)))


def _request_id(scope: Scope) -> bytes:
    for name, value in scope["headers"]:
        if name == _REQUEST_ID and _GIVEN.fullmatch(value):
            return value
    return _new_id()


def _new_id() -> bytes:
    return b"%b%08x" % (_PROCESS, next(_numbers))
