"""Who asks, as far as changes and streams have to know, on whatever channel."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

from litestar.types import HTTPScope

from schema.operation import Bucket
from service.clocks.stamp import received_at
from service.http import language_of
from service.languages import Language
from service.limits.admission import admit
from service.live.follower import Follower
from service.live.hub import Hub

Admission = Callable[[Bucket], Awaitable[object]]


class Listener(NamedTuple):
    """One who follows something, at the hub that wakes it; `beat` sends its client a sign of life."""

    hub: Hub
    follower: Follower
    beat: Callable[[], Awaitable[None]]


class Asker(NamedTuple):
    """A client with a request. `received` is when all of it had come, in ms since 1970.

    `admit` lets a request into a bucket of the rate limits, or raises TooManyRequests. `listener` is whom
    news are to wake, None where nothing can be followed.
    """

    received: int
    language: Language
    admit: Admission
    listener: Listener | None = None


def asker_of(scope: HTTPScope, listener: Listener | None = None) -> Asker:
    """Who sent a request over HTTP. When a GET came does not matter: it changes nothing."""
    received = received_at(scope) if scope["method"] == "POST" else 0
    return Asker(received, language_of(scope), partial(admit, scope), listener)


def asker_in(context: Any) -> Asker:
    """Who asks in this context."""
    found: Asker = context.asker
    assert isinstance(found, Asker)
    return found


def listener_in(context: Any) -> Listener:
    """Who is woken by what is followed in this context."""
    listener = asker_in(context).listener
    assert listener is not None
    return listener
