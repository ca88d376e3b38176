"""The commands that the store uses, and its scripts, over one shared connection."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from importlib.resources import files
from typing import Any, Final

import redis.exceptions as trouble
from redis.asyncio.connection import Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.store.address import address_of, counting
from service.store.channel import Command, Word
from service.store.mux import Mux

GONE: Final = (trouble.ConnectionError, trouble.TimeoutError, OSError)
"""What connections of one's own raise while the server does not answer."""


class Script:
    """A Lua script in the folder of a package, known to the server by its digest."""

    __slots__ = ("digest", "source")

    def __init__(self, name: str, package: str = __package__) -> None:
        self.source = files(package).joinpath(name).read_bytes()
        self.digest = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


class Link:
    """The connection to one server, made when needed and again when lost.

    No command is repeated: after an error it is not known whether it was carried out. Every method raises
    StoreGone while the server does not answer, and redis.exceptions.ResponseError if a command is wrong.
    """

    def __init__(self, url: str, timeout: float) -> None:
        self.timeout = timeout
        self._url = url
        self._mux = Mux(address_of(url), timeout)

    @property
    def losses(self) -> int:
        """How often the connection was lost."""
        return self._mux.losses

    async def close(self) -> None:
        """End the connection; a later call makes a new one."""
        await self._mux.close()

    def connection(self) -> Any:
        """A connection of redis-py for one's own use, not yet connected; its user ends it."""
        options: dict[str, Any] = dict(parse_url(counting(self._url)))
        kind: Any = options.pop("connection_class", Connection)
        return kind(**options, protocol=2, socket_timeout=None, retry=Retry(NoBackoff(), 0))

    async def call(self, *command: Word) -> Any:
        """The answer to one command."""
        return (await self._mux.exchange((command,)))[0]

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to several commands, in one round trip; others' commands may come between them."""
        return await self._mux.exchange(commands)

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """The answer of a script, which is sent in full only if the server does not know it."""
        command = ("EVALSHA", script.digest, len(keys), *keys, *arguments)
        try:
            return (await self._mux.exchange((command,)))[0]
        except trouble.NoScriptError:
            return await self.call("EVAL", script.source, len(keys), *keys, *arguments)

    async def scan(self, pattern: str) -> AsyncIterator[bytes]:
        """Every key that matches the pattern and exists from the first step to the last; some come twice."""
        cursor = b"0"
        while True:
            cursor, found = await self.call("SCAN", cursor, "MATCH", pattern, "COUNT", 1_000)
            for key in found:
                yield key
            if cursor == b"0":
                return
