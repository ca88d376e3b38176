"""What happens in a match, as it happens: over a stream that is resumed as often as it breaks off.

Where no stream gets through, as with a proxy that collects answers before it passes them on, long polls take
its place.
"""

from collections.abc import Iterator
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
from service.client import calls
from service.client.calls import Call
from service.client.errors import BadAnswer
from service.client.tries import Tries

SILENCE: Final = 30.0
"""Seconds without a sign of life after which a stream counts as broken: twice what servers promise."""
LONG_POLL: Final = 20
"""Seconds that a server may hold back the answer to a long poll."""
ENDED: Final[frozenset[Status]] = frozenset(("finished", "cancelled", "aborted"))

_read: Final = msgspec.json.Decoder(StreamMessage).decode


class News(NamedTuple):
    """The status of a match and the events that have happened since the last news, in order; often none."""

    status: Status
    events: tuple[EventView, ...] = ()


class NoStream(Exception):
    """Streams do not get through."""


class BrokenOff(Exception):
    """A stream has ended before the match."""


class Story:
    """What streams of one match tell, one connection after the other; somebody else connects and waits."""

    def __init__(self, match: str, after: int, tries: Tries) -> None:
        self._match = match
        self._tries = tries
        self._status: Status = "open"
        self._has_begun = False
        self._rest = b""
        self.after = after
        """The version of the last event that was told."""
        self.is_over = False
        """Whether the end was told."""

    def call(self) -> Call[None]:
        """What the next connection is to ask."""
        path = calls.at(self._match, "/events")
        return calls.get(path, lambda _: None, after=self.after)._replace(accept=NDJSON)

    def begin(self, response: httpx.Response) -> None:
        """A connection was made. Raises NoStream if it is none of a stream."""
        self._rest = b""
        if response.headers.get("content-type") != NDJSON:
            raise NoStream

    def hear(self, data: bytes) -> Iterator[News]:
        """The news in what a connection brought: the status first of all, then whatever happens.

        Raises BadAnswer.
        """
        self._has_begun = True
        *lines, self._rest = (self._rest + data).split(b"\n")
        for message in map(_decoded, lines):
            self._tries.answered()
            if isinstance(message, EventMessage | HeartbeatMessage):  # others come even if all fails
                self._tries.worked()
            self.is_over = isinstance(message, EndMessage)
            yield self._told(message)
            if self.is_over:
                return

    def pause(self, why: Exception) -> float:
        """How many seconds to wait before connecting again. Raises NoStream, Unreachable."""
        if not self._has_begun and isinstance(why, httpx.ReadTimeout):
            raise NoStream from None
        return self._tries.pause(why)

    def _told(self, message: StreamMessage) -> News:
        match message:
            case EventMessage():
                self.after = message.version
                return News(self._status, (message,))
            case StatusMessage() | EndMessage():
                self._status = message.status
        return News(self._status)


class Polls:
    """The same by long polls, one after the other."""

    def __init__(self, match: str, after: int) -> None:
        self._match = match
        self._after = after
        self._status: Status | None = None
        self.is_over = False
        """Whether the end was told."""

    def call(self) -> Call[EventPage]:
        """The next poll: the events after those that were told, waited for if the match still has the
        status that was told."""
        wait = 0 if self._status is None else LONG_POLL
        return calls.events(self._match, self._after, wait=wait, status=self._status)

    def take(self, page: EventPage) -> News:
        """The news in the answer to the poll."""
        self._status = page.status
        if page.events:
            self._after = page.events[-1].version
        self.is_over = page.status in ENDED and page.next is None
        return News(page.status, page.events)


def _decoded(line: bytes) -> StreamMessage:
    try:
        return _read(line)
    except msgspec.DecodeError as error:
        raise BadAnswer(f"a stream does not tell what is expected: {error}") from None
