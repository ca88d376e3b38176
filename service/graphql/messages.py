"""The messages of `graphql-transport-ws`, and the codes with which a connection ends.

Source: PROTOCOL.md of the library graphql-ws.
"""

import re
from enum import IntEnum
from typing import Any, Final

import msgspec
from litestar.types import Scope
from msgspec import Struct

from service.graphql.asking import Request
from service.graphql.telling import Told
from service.http import encode_json

PROTOCOL: Final = "graphql-transport-ws"
LONGEST_ID: Final = 200
LONGEST_REASON: Final = 123
"""Bytes of the reason of an end at most. Source: RFC 6455, 5.5 and 5.5.1."""
_BEARER: Final = re.compile(r"(?:bearer +)?([\x21-\x7e]{1,200}) *", re.IGNORECASE)


class End(IntEnum):
    """Why a connection is ended by the server. Source: the protocol; RFC 6455, 7.4.1; IANA's registry."""

    TOO_BIG = 1009
    FAULT = 1011
    RESTART = 1012
    LATER = 1013
    MALFORMED = 4400
    UNAUTHORIZED = 4401
    FORBIDDEN = 4403
    SUBPROTOCOL = 4406
    INIT_TIMEOUT = 4408
    TWICE = 4409
    INIT_AGAIN = 4429


class Ended(Exception):
    """That a connection has to end, and why, in as many words as there is room for."""

    def __init__(self, code: End, reason: str) -> None:
        super().__init__(reason)
        self.code: Final = code
        self.reason: Final = reason.encode()[:LONGEST_REASON].decode(errors="ignore")


class Init(Struct, tag="connection_init", tag_field="type"):
    """The first message of a client."""

    payload: dict[str, Any] | None = None


class Ping(Struct, tag="ping", tag_field="type"):
    """Whether the other side is there."""


class Pong(Struct, tag="pong", tag_field="type"):
    """That this side is there."""


class Subscribe(Struct, tag="subscribe", tag_field="type"):
    """An operation, whose results go by this id."""

    id: str
    payload: Request


class Complete(Struct, tag="complete", tag_field="type"):
    """That nothing more comes, or is wanted, of the operation with this id."""

    id: str


Sent = Init | Ping | Pong | Subscribe | Complete
_read: Final = msgspec.json.Decoder(Sent).decode
ACK: Final = '{"type":"connection_ack"}'
PING: Final = '{"type":"ping"}'
PONG: Final = '{"type":"pong"}'


def read(text: str, most: int) -> Sent:
    """What a message says. Raises Ended."""
    if len(text) > most:
        raise Ended(End.TOO_BIG, f"Messages have {most} characters at most.")
    try:
        found: Sent = _read(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Ended(End.MALFORMED, f"Invalid message: {error}") from None
    if isinstance(found, Subscribe) and not 0 < len(found.id) <= LONGEST_ID:
        raise Ended(End.MALFORMED, f"Invalid message: an id has 1 to {LONGEST_ID} characters")
    return found


def token_in(payload: dict[str, Any] | None, scope: Scope) -> str | None:
    """The token that a client presents with its first message, as `token` or `authorization`, or else in the
    headers of its request; None if it presents none. Raises Ended.
    """
    given = {name.lower(): value for name, value in (payload or {}).items()}
    found = given.get("token") or given.get("authorization")
    if found is None:
        header = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        found = None if header is None else header.decode("latin-1")
    if found is None:
        return None
    token = _BEARER.fullmatch(found) if isinstance(found, str) else None
    if token is None:
        raise Ended(End.FORBIDDEN, "unknown_token")
    return token[1]


def headers_in(payload: dict[str, Any] | None, token: str | None, scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers of a client's request with what its first message said instead: a token, and as `lang` the
    languages it likes. A page cannot choose the headers of a WebSocket.
    """
    said: dict[bytes, str] = {}
    if token is not None:
        said[b"authorization"] = f"Bearer {token}"
    if isinstance(lang := (payload or {}).get("lang"), str):
        said[b"accept-language"] = lang
    kept = [(name, value) for name, value in scope["headers"] if name not in said]
    return [*kept, *((name, value.encode("latin-1", "replace")) for name, value in said.items())]


def next_message(operation: str, body: dict[str, Any]) -> str:
    """A result."""
    return encode_json({"type": "next", "id": operation, "payload": body}).decode()


def errors_message(operation: str, errors: list[Told]) -> str:
    """Why an operation has no more results."""
    return encode_json({"type": "error", "id": operation, "payload": errors}).decode()
