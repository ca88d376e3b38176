"""Where a server listens, and what it wants to hear first."""

import ssl
from typing import Any, NamedTuple

from redis.asyncio.connection import SSLConnection, parse_url

from service.store.channel import Command


class Address(NamedTuple):
    """A server. `path` is that of a unix socket; without one it listens at host and port."""

    path: str | None
    host: str
    port: int
    tls: ssl.SSLContext | None
    greeting: tuple[Command, ...]


def address_of(url: str) -> Address:
    """The server that a redis://, rediss:// or unix:// address names; its query may hold options of redis-py.

    The ones that count are those for user, password, database and TLS.
    """
    options: dict[str, Any] = dict(parse_url(url))
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
