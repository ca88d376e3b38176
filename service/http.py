"""How requests are read and answers written: bodies, queries, credentials, media types.

Bodies and queries are decoded here and not by the framework, which would turn `"3"` into a 3, let unknown
parameters of a query pass, and read no MessagePack. OpenAPI follows from the same Structs.
"""

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_args
from urllib.parse import quote, urlencode

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import InternalServerException
from litestar.types import Receive, ReceiveMessage, Scope, Send
from msgspec import Struct
from msgspec.structs import asdict

from schema.operations import JSON, MSGPACK, PNG, TEXT
from schema.wire import Asked, in_words, with_whole_numbers
from service.clocks.stamp import received_at
from service.details import detail
from service.errors import (
    BodyTimeout,
    Failure,
    InvalidBody,
    InvalidHeader,
    InvalidQuery,
    MalformedBody,
    NotAcceptable,
    Refused,
    TokenRequired,
    UnsupportedMediaType,
)
from service.languages import ENGLISH, Language
from service.languages import wanted as wanted_language
from service.negotiation import preferred
from service.settings import Settings
from service.store.record import Answer
from service.tokens import body_digest
from service.waiting import within

T = TypeVar("T", bound=Asked)
Read = TypeVar("Read")
PROBLEM: Final = "application/problem+json"
_JSON_NAMES: Final = frozenset((JSON,))
_MSGPACK_NAMES: Final = frozenset((MSGPACK, "application/msgpack", "application/x-msgpack"))
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_ANONYMOUS_KEY: Final = re.compile(r"[A-Za-z0-9_-]{22,255}")
_BEARER: Final = re.compile(r"bearer +([\x21-\x7e]+) *", re.IGNORECASE)

encode_json: Final = msgspec.json.Encoder().encode
encode_msgpack: Final = msgspec.msgpack.Encoder().encode
NO_CACHE: Final = ("cache-control", "no-cache")
VARY: Final = ("vary", "accept, accept-language")
_RELEASE: Final = blake2b(version("cantiere").encode(), digest_size=3).hexdigest()
_LETTERS: Final = {JSON: "j", MSGPACK: "m", TEXT: "t", PNG: "p"}
"""Tells representations apart that one address may have."""
_TAG: Final = re.compile(r'(?:W/)?"([\w.-]*?)(-br|-gzip)?"')
TRUNCATED: Final = "Input data was truncated."
"""What the decoder says of half of a surrogate pair, too, if the body ends soon after."""
HALF_PAIR: Final = "A string has half of a surrogate pair, from \\ud800 to \\udfff, which is no character."
_WHOLE: Final = re.compile(r"-?\d+|null")
_BODILESS: Final = frozenset((204, 304))
Headers = tuple[tuple[str, str], ...]


class Incoming(Request[Any, Any, State]):
    """A request whose headers and body are read past the framework, whose ways cost as much as a move."""

    __slots__ = ()

    def header(self, name: bytes) -> str | None:
        """The value of the first header with this name, which is in lower case."""
        for known, value in self.scope["headers"]:
            if known == name:
                return value.decode("latin-1")
        return None

    async def whole_body(self, most: int) -> bytes:
        """The body, which may have `most` bytes as the framework was told; mostly it is there at once."""
        first = await self.receive()
        if first["type"] == "http.request" and not first.get("more_body") and len(first["body"]) <= most:
            return first["body"]
        self.receive = _again(first, self.receive)
        return await self.body()


def _again(first: ReceiveMessage, receive: Receive) -> Receive:
    """What receives a message that was received already, and then what follows it."""
    messages = [first]

    async def received() -> ReceiveMessage:
        return messages.pop() if messages else await receive()

    return received


class Body(Generic[T]):
    """Reads bodies of one type; without one it is as if `{}` had been sent."""

    __slots__ = ("_decoders", "_kind")

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        json, msgpack = msgspec.json.Decoder, msgspec.msgpack.Decoder
        self._decoders: dict[str, Callable[[bytes], T]] = {
            **dict.fromkeys(_JSON_NAMES, _lenient(kind, json(kind).decode, json().decode)),
            **dict.fromkeys(_MSGPACK_NAMES, _lenient(kind, msgpack(kind).decode, msgpack().decode)),
        }

    async def read(self, request: Incoming) -> tuple[T, bytes]:
        """What the body says, and the body.

        Raises UnsupportedMediaType, MalformedBody, InvalidBody, BodyTimeout.
        """
        try:
            settings: Settings = request.app.state.desk.settings
            body = await within(settings.body_timeout, request.whole_body(settings.max_body))
        except TimeoutError:
            raise BodyTimeout("The body did not come in time.") from None
        except InternalServerException as error:
            raise Refused("The body broke off.") from error
        sent_as = request.header(b"content-type") or JSON
        decode = self._decoders.get(sent_as)
        if decode is None:
            sent_as = sent_as.partition(";")[0].strip().lower()
            decode = self._decoders.get(sent_as)
        if decode is None and body:
            raise UnsupportedMediaType(f"Send {JSON} or {MSGPACK}, not '{sent_as[:60]}'.")
        if not body:
            decode, body = self._decoders[JSON], b"{}"
        assert decode is not None
        return decoded(decode, body, self._kind), body


def _lenient(
    kind: type[T], decode: Callable[[bytes], T], loose: Callable[[bytes], Any]
) -> Callable[[bytes], T]:
    """The decoder of a type that takes 2.0 for the whole number it is (JSON Schema, validation, 6.1.1)."""

    def read(body: bytes) -> T:
        try:
            return decode(body)
        except msgspec.ValidationError as error:
            if "got `float`" not in str(error):
                raise
            return msgspec.convert(with_whole_numbers(loose(body)), kind)

    return read


def decoded(decode: Callable[[bytes], Read], body: bytes, kind: type[Read]) -> Read:
    """What a body of a kind says. Raises MalformedBody, InvalidBody."""
    try:
        return decode(body)
    except msgspec.ValidationError as error:
        words, where = in_words(error, kind)
        raise InvalidBody(words, where=where) from None
    except msgspec.DecodeError as error:
        said = f"{error}."
        raise MalformedBody(HALF_PAIR if said == TRUNCATED and _is_whole_json(body) else said) from None
    except RecursionError:
        raise MalformedBody("The body is nested too deeply.") from None


def _is_whole_json(body: bytes) -> bool:
    """Whether a body is JSON to whom half of a surrogate pair is a character."""
    try:
        json.loads(body.decode())
    except (ValueError, RecursionError):
        return False
    return True


def _is_number(kind: Any) -> bool:
    """Whether a type is that of whole numbers, or may be it."""
    return kind is int or any(map(_is_number, get_args(kind)))


class Query(Generic[T]):
    """Reads queries of one type."""

    __slots__ = ("_kind", "_numbers", "_plain")

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._numbers = frozenset(
            field.encode_name for field in msgspec.structs.fields(kind) if _is_number(field.type)
        )
        has_needed = any(field.required for field in msgspec.structs.fields(kind))
        self._plain = None if has_needed else msgspec.convert({}, kind)

    def read(self, request: Incoming) -> T:
        """What the query says. Raises InvalidQuery."""
        if self._plain is not None and not request.scope["query_string"]:
            return self._plain
        values: dict[str, str] = {}
        for name, value in request.query_params.multi_items():
            if name in values:
                raise InvalidQuery(f"$.{name[:60]}: It stands twice.", where=f"$.{name[:60]}")
            if name in self._numbers and not _WHOLE.fullmatch(value):  # 2.0 and 2e0 would be taken
                raise InvalidQuery(f"$.{name}: Expected a whole number, in digits.", where=f"$.{name}")
            values[name] = value
        try:
            return msgspec.convert(values, self._kind, strict=False)
        except msgspec.ValidationError as error:
            words, where = in_words(error, self._kind)
            raise InvalidQuery(words, where=where) from None


class Change(NamedTuple):
    """A request that changes something, as far as its answer may be recorded.

    `digest` is of query and body, by which a repeat is known from another request; `key` is the idempotency
    key; `media_type` and `language` are those of the answer; `received` is when all of it had come, in ms
    since 1970; `source` is what tokens in the answer are derived from, where that is not the key.
    """

    method: str
    path: str
    digest: bytes
    key: str | None
    token: str | None
    media_type: str
    received: int
    source: str | None = None
    language: Language = ENGLISH


def bearer(request: Incoming) -> str | None:
    """The token that the request presents, None for none. Raises TokenRequired for another scheme."""
    value = request.header(b"authorization")
    if value is None:
        return None
    found = _BEARER.fullmatch(value)
    if found is None:
        raise TokenRequired(detail("token_needed"))
    return found[1]


def key_fault(key: str, *, is_anonymous: bool) -> str | None:
    """What is wrong with an idempotency key, None if nothing is."""
    if is_anonymous and not _ANONYMOUS_KEY.fullmatch(key):
        return (
            "without a token it needs 22 to 255 characters of A-Z, a-z, 0-9, _ and -, at random, so that"
            " nobody guesses it."
        )
    return None if _KEY.fullmatch(key) else "1 to 255 visible ASCII characters."


def change(request: Incoming, body: bytes, token: str | None) -> Change:
    """The request as what may be repeated. Raises InvalidHeader."""
    key = request.header(b"idempotency-key")
    fault = None if key is None else key_fault(key, is_anonymous=token is None)
    if fault is not None:
        raise InvalidHeader(f"Idempotency-Key: {fault}")
    scope = request.scope
    digest = b"" if key is None else body_digest(b"%b\n%b" % (scope["query_string"], body))
    return Change(
        scope["method"],
        scope["path"],
        digest,
        key,
        token,
        wanted(request),
        received_at(scope),
        language=language_of(scope),
    )


def said_in(language: Language) -> Headers:
    """The header of an answer with sentences. Source: RFC 9110, 8.5."""
    return (("content-language", language.code),)


def language_of(scope: Scope) -> Language:
    """The language that a request wants; English if it does not say."""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            return wanted_language(value.decode("latin-1"))
    return ENGLISH


def wanted(request: Incoming, offered: tuple[str, ...] = (JSON, MSGPACK)) -> str:
    """The media type offered that the client prefers, the first of equals. Raises NotAcceptable."""
    found = preferred(request.header(b"accept") or "", offered)
    if found is None:
        raise NotAcceptable(f"Accept {' or '.join(offered)}.")
    return found


def etag(media_type: str, *parts: object) -> str:
    """The strong ETag of what is told by this release, in a media type, by values that change with it."""
    return f'"{_RELEASE}-{_LETTERS.get(media_type, "")}{".".join(map(str, parts))}"'


def unchanged(request: Incoming, tag: str) -> "Reply | None":
    """304, if the client has a representation with this ETag, in whatever content coding.

    Source: RFC 9110, 13.1.2: a weak comparison; 15.4.5.
    """
    known = request.header(b"if-none-match")
    if known is None:
        return None
    if known.strip() == "*":
        return Reply(304, (("etag", tag), VARY, NO_CACHE))
    for found in _TAG.finditer(known):
        if f'"{found[1]}"' == tag:
            return Reply(304, (("etag", f'"{found[1]}{found[2] or ""}"'), VARY, NO_CACHE))
    return None


def next_page(request: Incoming, query: Asked, **more: str | int | None) -> Headers:
    """The header that links to the next page of a list, None among `more` if there is none.

    Source: RFC 8288.
    """
    if None in more.values():
        return ()
    asked = {name: value for name, value in (asdict(query) | more).items() if value is not None}
    return (("link", f'<{quote(request.scope["path"])}?{urlencode(asked)}>; rel="next"'),)


def encoded(view: Struct, media_type: str) -> bytes:
    """A body in JSON or MessagePack."""
    return encode_msgpack(view) if media_type == MSGPACK else encode_json(view)


def problem_answer(failure: Failure, digest: bytes = b"") -> Answer:
    """What is answered for a failure, to the request with this digest: problem details are always JSON."""
    headers = (("content-type", PROBLEM), *said_in(failure.language), *failure.headers)
    return Answer(digest, failure.problem.status, headers, encode_json(failure.problem))


@lru_cache(maxsize=256)
def _raw(header: tuple[str, str]) -> tuple[bytes, bytes]:
    name, value = header
    return name.encode(), value.encode()


class Reply:
    """An answer whose bytes are ready: half the cost of the framework's own response classes."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Iterable[tuple[str, str]], body: bytes = b"") -> None:
        self.status = status
        self.body = body
        self.headers = list(map(_raw, headers))
        if status not in _BODILESS:
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def respond(answer: Answer) -> Reply:
    """An answer on its way to the client, never to be kept by a cache."""
    return Reply(answer.status, (*answer.headers, ("cache-control", "no-store")), answer.body)


def shown(request: Incoming, view: Struct, tag: str | None = None, headers: Headers = ()) -> Reply:
    """A view, in the media type that the client prefers; see `told`."""
    media_type = wanted(request)
    return told(request, encoded(view, media_type), media_type, tag, headers)


def told(
    request: Incoming, body: bytes, media_type: str, tag: str | None = None, headers: Headers = ()
) -> Reply:
    """A body, or 304 if the client has it. Without an ETag it gets one that is made of its bytes."""
    tag = tag or etag(media_type, blake2b(body, digest_size=12).hexdigest())
    if (known := unchanged(request, tag)) is not None:
        return known
    named = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
    return Reply(200, (("content-type", named), VARY, NO_CACHE, ("etag", tag), *headers), body)
