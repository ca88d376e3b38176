"""What pages of other origins may do with the API in a browser. Source: Fetch, 3.3 (CORS protocol).

The API knows no cookies, so credentials in the sense of that protocol are never allowed.
"""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

RawHeaders = list[tuple[bytes, bytes]]

ANY: Final = b"*"
EXPOSED: Final = b"ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
ALLOWED: Final = (
    b"Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
)
MAX_AGE: Final = b"7200"
"""Seconds for which a browser need not ask again; more than this none of them believes."""


class Cors:
    """Origins whose pages may use the API: all of them, a few, or none."""

    __slots__ = ("_origins", "varies")

    def __init__(self, origins: str = "") -> None:
        """The origins are separated by commas; `*` is any."""
        self._origins = frozenset(origin.strip().encode() for origin in origins.split(",") if origin.strip())
        self.varies: Final = bool(self._origins) and ANY not in self._origins
        """Whether an answer depends on who asks."""

    def headers(self, origin: bytes | None) -> RawHeaders:
        """What is added to an answer to a page of an origin."""
        if (allowed := self._allowed(origin)) is None:
            return []
        return [(b"access-control-allow-origin", allowed), (b"access-control-expose-headers", EXPOSED)]

    def preflight_headers(self, origin: bytes | None, methods: bytes) -> RawHeaders:
        """What is added to the answer to a question beforehand, where these methods are answered."""
        if (allowed := self._allowed(origin)) is None:
            return []
        return [
            (b"access-control-allow-origin", allowed),
            (b"access-control-allow-methods", methods),
            (b"access-control-allow-headers", ALLOWED),
            (b"access-control-max-age", MAX_AGE),
        ]

    def lets_in(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether a WebSocket may be opened by a request with these headers: not by a page of another host
        whose origin is not allowed. Browsers do not ask beforehand, and let the page read what comes.

        Source: RFC 6455, 10.2.
        """
        said = dict(headers)
        origin = said.get(b"origin")
        if origin is None or self._allowed(origin) is not None:
            return True
        return _host(origin) is not None and _host(origin) == _host(b"//" + said.get(b"host", b""))

    def _allowed(self, origin: bytes | None) -> bytes | None:
        if origin is None:
            return None
        if ANY in self._origins:
            return ANY
        return origin if origin in self._origins else None


def _host(address: bytes) -> str | None:
    try:
        return urlsplit(address.decode("latin-1")).hostname
    except ValueError:
        return None
