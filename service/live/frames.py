"""Messages, and how each channel spells them; a spelling is made once, whoever it is sent to."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from msgspec import Struct

from schema.operations import NDJSON, SSE
from service.http import encode_json, encode_msgpack


class Frame:
    """A message; `position`, where it has one, is what a client resumes after that has received it."""

    __slots__ = ("_spelled", "message", "position")

    def __init__(self, message: Struct, position: int | str | None = None) -> None:
        self.message = message
        self.position = position
        self._spelled: dict[str, bytes] = {}

    def spelled(self, framing: "Framing") -> bytes:
        """The message as a channel carries it."""
        found = self._spelled.get(framing.name)
        if found is None:
            found = self._spelled[framing.name] = framing.spell(self)
        return found


class Framing(NamedTuple):
    """How a channel spells messages. `opening` comes before the first."""

    name: str
    spell: Callable[[Frame], bytes]
    opening: bytes = b""


def _json(frame: Frame) -> bytes:
    return encode_json(frame.message)


def _msgpack(frame: Frame) -> bytes:
    return encode_msgpack(frame.message)


def _line(frame: Frame) -> bytes:
    return frame.spelled(JSON_MESSAGES) + b"\n"


def _sse(frame: Frame) -> bytes:
    """An event of the type of the message. Source: HTML, 9.2 (server-sent events)."""
    kind: Any = frame.message.__struct_config__.tag
    position = b"" if frame.position is None else b"id: %b\n" % str(frame.position).encode()
    return b"%bevent: %b\ndata: %b\n\n" % (position, kind.encode(), frame.spelled(JSON_MESSAGES))


JSON_MESSAGES: Final = Framing("json", _json)
MSGPACK_MESSAGES: Final = Framing("msgpack", _msgpack)
LINES: Final = Framing(NDJSON, _line)
EVENT_STREAM: Final = Framing(SSE, _sse, b"retry: 1000\n\n")
"""Browsers come back after a second."""
