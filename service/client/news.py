"""What happens in a match, as it happens: over a stream that is resumed as often as it breaks off.

Where no stream gets through, as with a proxy that collects answers before it passes them on, long polls take
its place.
"""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import httpx
import msgspec

from schema.operations import NDJSON
from schema.wire import Status
from schema.wire_streams import (
    EndMessage,
    EventMessage,
    HeartbeatMessage,
    StatusMessage,
    StreamMessage,
)
from schema.wire_views import EventPage, EventView
from service.client.errors import BadAnswer, Unreachable
from service.client.pace import Pace
from service.client.transport import FIRST_PAUSE, LONGEST_PAUSE, Later, Transport

SILENCE: Final = 30.0
"""Seconds without a sign of life after which a stream counts as broken: twice what servers promise."""
LONG_POLL: Final = 20
"""Seconds that a server may hold back the answer to a long poll."""
ENDED: Final[frozenset[Status]] = frozenset(("finished", "cancelled", "aborted"))

Poll = Callable[[int, int, Status | None], EventPage]
"""The events after a version; it is waited for so many seconds for one, if the match still has a status."""
_read: Final = msgspec.json.Decoder(StreamMessage).decode


class News(NamedTuple):
    """The status of a match and the events that have happened since the last news, in order; often none."""

    status: Status
    events: tuple[EventView, ...] = ()


class NoStream(Exception):
    """Streams do not get through."""


class Stream:
    """A stream of a match's events, which begins after a version. `path` is that of the events."""

    def __init__(self, transport: Transport, path: str, after: int) -> None:
        self._transport = transport
        self._path = path
        self._status: Status = "open"
        self._has_begun = False
        self.after = after
        """The version of the last event that was told."""

    def news(self) -> Iterator[News]:
        """News up to the end of the match: the status first of all, then whatever happens.

        Raises NoStream, Refused, Unreachable, BadAnswer.
        """
        pace = Pace(FIRST_PAUSE, LONGEST_PAUSE)
        lost_at: float | None = None
        while True:
            why, pause = "the stream broke off", 0.0
            try:
                for message in self._messages():
                    lost_at = None
                    if isinstance(message, EventMessage | HeartbeatMessage):  # others come even if all fails
                        pace.reset()
                    yield self._told(message)
                    if isinstance(message, EndMessage):
                        return
            except Later as later:
                why, pause = str(later), later.pause
            except httpx.RequestError as error:
                if not self._has_begun and isinstance(error, httpx.ReadTimeout):
                    raise NoStream from None
                why = str(error) or type(error).__name__
            now = time.monotonic()
            lost_at = lost_at or now
            if now + pause >= lost_at + self._transport.patience:
                raise Unreachable(f"{self._transport.url} gives no answer ({why})")
            pace.wait(at_least=pause)

    def _messages(self) -> Iterator[StreamMessage]:
        """What one connection tells, until it is lost."""
        with self._transport.stream(self._path, NDJSON, SILENCE, after=self.after) as answer:
            if answer.headers.get("content-type") != NDJSON:
                raise NoStream
            rest = b""
            for data in answer.iter_bytes():
                self._has_begun = True
                *lines, rest = (rest + data).split(b"\n")
                yield from map(_decoded, lines)

    def _told(self, message: StreamMessage) -> News:
        match message:
            case EventMessage():
                self.after = message.version
                return News(self._status, (message,))
            case StatusMessage() | EndMessage():
                self._status = message.status
        return News(self._status)


def polled(poll: Poll, after: int) -> Iterator[News]:
    """News up to the end of the match, by long polls."""
    status: Status | None = None
    while True:
        page = poll(after, 0 if status is None else LONG_POLL, status)
        status = page.status
        if page.events:
            after = page.events[-1].version
        yield News(status, page.events)
        if status in ENDED and page.next is None:
            return


def _decoded(line: bytes) -> StreamMessage:
    try:
        return _read(line)
    except msgspec.DecodeError as error:
        raise BadAnswer(f"a stream does not tell what is expected: {error}") from None
