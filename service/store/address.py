"""Where a server listens, and what it wants to hear first."""

import ssl
from typing import Any, Final, NamedTuple

from redis.asyncio.connection import SSLConnection, parse_url

from service.store.channel import Command

_COUNTING: Final = ("username=", "password=", "db=", "ssl_")
"""How the options in the query of an address begin that count."""


class Address(NamedTuple):
    """A server. `path` is that of a unix socket; without one it listens at host and port."""

    path: str | None
    host: str
    port: int
    tls: ssl.SSLContext | None
    greeting: tuple[Command, ...]


def address_of(url: str) -> Address:
    """The server that a redis://, rediss:// or unix:// address names; see `counting`."""
    options: dict[str, Any] = dict(parse_url(counting(url)))
    kind = options.pop("connection_class", None)
    username, password, database = (options.get(name) for name in ("username", "password", "db"))
    greeting: list[Command] = []
    if password:
        greeting.append(("AUTH", username, password) if username else ("AUTH", password))
    if database:
        greeting.append(("SELECT", database))
    return Address(
        path=options.get("path"),
        host=options.get("host", "localhost"),
        port=options.get("port", 6379),
        tls=SSLConnection(**options).ssl_context.get() if kind is SSLConnection else None,
        greeting=tuple(greeting),
    )


def counting(url: str) -> str:
    """The address with those options of redis-py in its query that count: for user, password, database, TLS.

    How long is waited, how often a call is repeated and in which form answers come is decided here.
    """
    place, _, query = url.partition("?")
    kept = "&".join(option for option in query.split("&") if option.startswith(_COUNTING))
    return f"{place}?{kept}" if kept else place
