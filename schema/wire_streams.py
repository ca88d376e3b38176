"""What a stream carries: the same messages on every channel, each with its `type`.

SSE has them as `data` of an event of that name, NDJSON as a line, a WebSocket as a message in JSON or
MessagePack. Only events are numbered: the `version` of the last one is what a client resumes after.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from schema.wire import LONGEST_TOKEN, Asked, Status, Version
from schema.wire_views import EventView, Problem, SeatView

Resume = Annotated[int, Meta(description="The version of the last event sent: resume after it.")]


class Message(Struct, frozen=True, rename="camel", tag_field="type"):
    """Base of everything a stream carries."""


class EventMessage(EventView, frozen=True, tag_field="type", tag="event"):
    """An event, as pages of events have it."""


class StatusMessage(Message, frozen=True, tag="status"):
    """How the match stands: told first of all, and when its status or its seats have changed."""

    version: Annotated[int, Meta(description="Of the match, not of the stream: events up to it follow.")]
    status: Status
    seats: tuple[SeatView, ...]


class HeartbeatMessage(Message, frozen=True, tag="heartbeat"):
    """Nothing has happened for a while, and the stream is alive."""

    version: Resume


class EndMessage(Message, frozen=True, tag="end"):
    """The match is over, and everything was told: there is nothing to resume."""

    version: Resume
    status: Status
    ranks: Annotated[
        tuple[int, ...] | None,
        Meta(description="Ranks by row of the standing, null unless the match is finished."),
    ]


class CutMessage(Message, frozen=True, tag="cut"):
    """The stream ends before the match does; resume it. `stopping`: the server, to start again.
    `lost`: the match is not found any more."""

    version: Resume
    reason: Literal["stopping", "lost"]


class ProblemMessage(Message, frozen=True, tag="problem"):
    """Why a WebSocket is closed. The code of its end is 4000 and the status."""

    problem: Problem


StreamMessage = EventMessage | StatusMessage | HeartbeatMessage | EndMessage | CutMessage | ProblemMessage

STREAMS: Final[Mapping[str, Any]] = {"StreamMessage": StreamMessage}
"""What streams carry, by name."""


LONGEST_LANG: Final = 200
"""Characters of the languages that somebody likes, as `Accept-Language` spells them."""


class Subscribe(Asked, frozen=True):
    """The first message of a client on a WebSocket, and the only one."""

    type: Annotated[
        Literal["auth", "subscribe"], Meta(description="Either word will do, with or without a token.")
    ]
    after: Version = 0
    token: Annotated[
        Annotated[str, Meta(max_length=LONGEST_TOKEN)] | None,
        Meta(description="Of a seat, of the host or of a player: an address never holds one."),
    ] = None
    lang: Annotated[
        Annotated[str, Meta(max_length=LONGEST_LANG)] | None,
        Meta(description="Instead of `Accept-Language`, which pages cannot choose on a WebSocket."),
    ] = None
