"""When requests come: noted before anything else takes time."""

import contextlib
from collections.abc import Callable
from typing import Any, Final

from litestar.types import Receive, ReceiveMessage, Scope

from service.waiting import within

RECEIVED: Final = "cantiere.received"
AT_ONCE: Final = 0.05
"""Seconds in which a body comes that was sent together with its headers."""


async def stamped(scope: Any, receive: Receive, clock: Callable[[], int]) -> Receive:
    """What is received of a request; `scope` says when the last part came of what has been received.

    A body that comes at once is received here, before anything else takes time. Who holds back the end of a
    request does not win time by it: the last part counts.
    """

    async def part() -> ReceiveMessage:
        message: ReceiveMessage = await receive()
        if message["type"] == "http.request" and not message.get("more_body"):
            scope[RECEIVED] = clock()
        return message

    scope[RECEIVED] = clock()
    first: list[ReceiveMessage] = []
    with contextlib.suppress(TimeoutError):
        first.append(await within(AT_ONCE, part()))

    async def parts() -> ReceiveMessage:
        return first.pop() if first else await part()

    return parts


def received_at(scope: Scope) -> int:
    """When the whole of a request had come, or as much as was read of it, in ms since 1970."""
    known: Any = scope
    found: int = known[RECEIVED]
    return found
