"""How requests are read and answers written: bodies, queries, credentials, media types.

Bodies and queries are decoded here and not by the framework, which would turn `"3"` into a 3, let unknown
parameters of a query pass, and read no MessagePack. OpenAPI follows from the same Structs.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.datastructures.headers import Accept
from litestar.exceptions import InternalServerException
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from schema.wire import PATTERNS, Asked
from service.errors import (
    Failure,
    InvalidBody,
    InvalidHeader,
    InvalidQuery,
    MalformedBody,
    Refused,
    TokenRequired,
    UnsupportedMediaType,
)
from service.store.record import Answer
from service.tokens import body_digest

T = TypeVar("T", bound=Asked)
Read = TypeVar("Read")
Incoming = Request[Any, Any, State]

JSON: Final = "application/json"
MSGPACK: Final = "application/vnd.msgpack"
PROBLEM: Final = "application/problem+json"
TEXT: Final = "text/plain"
_JSON_NAMES: Final = frozenset((JSON,))
_MSGPACK_NAMES: Final = frozenset((MSGPACK, "application/msgpack", "application/x-msgpack"))
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_ANONYMOUS_KEY: Final = re.compile(r"[A-Za-z0-9_-]{22,255}")
_BEARER: Final = re.compile(r"bearer +([\x21-\x7e]+) *", re.IGNORECASE)

encode_json: Final = msgspec.json.Encoder().encode
encode_msgpack: Final = msgspec.msgpack.Encoder().encode
NO_CACHE: Final = ("cache-control", "no-cache")
_BODILESS: Final = frozenset((204, 304))
Headers = tuple[tuple[str, str], ...]


class Body(Generic[T]):
    """Reads bodies of one type; without one it is as if `{}` had been sent."""

    __slots__ = ("_decoders",)

    def __init__(self, kind: type[T]) -> None:
        json, msgpack = msgspec.json.Decoder(kind).decode, msgspec.msgpack.Decoder(kind).decode
        self._decoders: dict[str, Callable[[bytes], T]] = {
            **dict.fromkeys(_JSON_NAMES, json),
            **dict.fromkeys(_MSGPACK_NAMES, msgpack),
        }

    async def read(self, request: Incoming) -> tuple[T, bytes]:
        """What the body says, and the body. Raises UnsupportedMediaType, MalformedBody, InvalidBody."""
        try:
            body = await request.body()
        except InternalServerException as error:
            raise Refused("The body broke off.") from error
        sent_as = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
        decode = self._decoders.get(sent_as)
        if decode is None and body:
            raise UnsupportedMediaType(f"Send {JSON} or {MSGPACK}, not '{sent_as[:60]}'.")
        if not body:
            decode, body = self._decoders[JSON], b"{}"
        assert decode is not None
        return decoded(decode, body), body


def decoded(decode: Callable[[bytes], Read], body: bytes) -> Read:
    """What a body says. Raises MalformedBody, InvalidBody."""
    try:
        return decode(body)
    except msgspec.ValidationError as error:
        words, where = _in_words(error)
        raise InvalidBody(words, where=where) from None
    except msgspec.DecodeError as error:
        raise MalformedBody(f"{error}.") from None
    except RecursionError:
        raise MalformedBody("The body is nested too deeply.") from None


class Query(Generic[T]):
    """Reads queries of one type."""

    __slots__ = ("_kind", "_plain")

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._plain = msgspec.convert({}, kind)

    def read(self, request: Incoming) -> T:
        """What the query says. Raises InvalidQuery."""
        if not request.scope["query_string"]:
            return self._plain
        values: dict[str, str] = {}
        for name, value in request.query_params.multi_items():
            if name in values:
                raise InvalidQuery(f"$.{name[:60]}: It stands twice.", where=f"$.{name[:60]}")
            values[name] = value
        try:
            return msgspec.convert(values, self._kind, strict=False)
        except msgspec.ValidationError as error:
            words, where = _in_words(error)
            raise InvalidQuery(words, where=where) from None


class Change(NamedTuple):
    """A request that changes something, as far as its answer may be recorded.

    `digest` is of query and body, by which a repeat is known from another request; `key` is the idempotency
    key; `media_type` is that of the answer.
    """

    method: str
    path: str
    digest: bytes
    key: str | None
    token: str | None
    media_type: str


def bearer(request: Incoming) -> str | None:
    """The token that the request presents, None for none. Raises TokenRequired for another scheme."""
    value = request.headers.get("authorization")
    if value is None:
        return None
    found = _BEARER.fullmatch(value)
    if found is None:
        raise TokenRequired("Send `Authorization: Bearer` and the token.")
    return found[1]


def change(request: Incoming, body: bytes, token: str | None) -> Change:
    """The request as what may be repeated. Raises InvalidHeader."""
    key = request.headers.get("idempotency-key")
    if key is not None:
        if token is None and not _ANONYMOUS_KEY.fullmatch(key):
            raise InvalidHeader(
                "Idempotency-Key: without a token it needs 22 to 255 characters of A-Z, a-z, 0-9, _ and -,"
                " at random, so that nobody guesses it."
            )
        if not _KEY.fullmatch(key):
            raise InvalidHeader("Idempotency-Key: 1 to 255 visible ASCII characters.")
    scope = request.scope
    digest = b"" if key is None else body_digest(b"%b\n%b" % (scope["query_string"], body))
    return Change(scope["method"], scope["path"], digest, key, token, wanted(request))


def wanted(request: Incoming) -> str:
    """JSON, unless the client prefers MessagePack."""
    return preferred(request.headers.get("accept", JSON), (JSON, MSGPACK))


@lru_cache(maxsize=256)
def preferred(accept: str, offered: tuple[str, ...]) -> str:
    """The media type offered that an Accept header likes best; the first one if it likes none."""
    return Accept(accept).best_match(list(offered), offered[0])


def encoded(view: Struct, media_type: str) -> bytes:
    """A body in JSON or MessagePack."""
    return encode_msgpack(view) if media_type == MSGPACK else encode_json(view)


def problem_answer(failure: Failure, digest: bytes = b"") -> Answer:
    """What is answered for a failure, to the request with this digest: problem details are always JSON."""
    headers = (("content-type", PROBLEM), *failure.headers)
    return Answer(digest, failure.problem.status, headers, encode_json(failure.problem))


class Reply:
    """An answer whose bytes are ready: half the cost of the framework's own response classes."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Iterable[tuple[str, str]], body: bytes = b"") -> None:
        self.status = status
        self.body = body
        self.headers = [(name.encode(), value.encode()) for name, value in headers]
        if status not in _BODILESS:
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def respond(answer: Answer) -> Reply:
    """An answer on its way to the client, never to be kept by a cache."""
    return Reply(answer.status, (*answer.headers, ("cache-control", "no-store")), answer.body)


def shown(request: Incoming, view: Struct, headers: Headers = ()) -> Reply:
    """A view, in the media type that the client prefers."""
    media_type = wanted(request)
    return packed(encoded(view, media_type), media_type, headers)


def packed(body: bytes, media_type: str, headers: Headers = ()) -> Reply:
    """A body in the media type that the client prefers."""
    return Reply(200, (("content-type", media_type), ("vary", "accept"), NO_CACHE, *headers), body)


def written(text: str, media_type: str = TEXT, headers: Headers = ()) -> Reply:
    """A text."""
    named = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
    return Reply(200, (("content-type", named), NO_CACHE, *headers), text.encode())


def _in_words(error: msgspec.ValidationError) -> tuple[str, str]:
    """What does not fit, with patterns said in words, and where: a path such as `$.moves[0]`."""
    text, _, where = str(error).partition(" - at `")
    for pattern, words in PATTERNS.items():
        text = text.replace(f"matching regex {pattern!r}", words)
    where = where.rstrip("`") or "$"
    return f"{where}: {text}.", where
