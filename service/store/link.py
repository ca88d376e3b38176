"""The only place that talks to the server: commands out, answers in, and one error when there is none."""

import hashlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Final

import redis.exceptions as trouble
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.store.errors import StoreGone

Word = str | bytes | int
Command = tuple[Word, ...]

_GONE: Final = (
    trouble.ConnectionError,
    trouble.TimeoutError,
    trouble.ReadOnlyError,
    trouble.ClusterDownError,
    trouble.TryAgainError,
    trouble.OutOfMemoryError,
    OSError,
)
_REFUSALS: Final = ("MISCONF", "NOREPLICAS", "BUSY")
"""How errors begin that say nothing about the command: a full disk, a failover, a script that runs."""


class Script:
    """A Lua script of this folder, known to the server by its digest."""

    __slots__ = ("digest", "source")

    def __init__(self, name: str) -> None:
        self.source = files(__package__).joinpath(name).read_bytes()
        self.digest = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


class Link:
    """Connections to one server. They are made when needed and again when lost.

    No command is repeated: after an error it is not known whether it was carried out. Every method raises
    StoreGone while the server does not answer.
    """

    def __init__(self, url: str, connections: int, timeout: float) -> None:
        pool: Any = BlockingConnectionPool.from_url(
            url,
            protocol=2,
            max_connections=connections,
            timeout=timeout,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis: Any = Redis(connection_pool=pool)
        # Answers are taken as they come: what they mean is known where the command is written.
        self._redis.response_callbacks.clear()

    async def close(self) -> None:
        """End all connections; a later call makes new ones."""
        await self._redis.connection_pool.disconnect()

    async def call(self, *command: Word) -> Any:
        """The answer to one command."""
        with _told():
            return await self._redis.execute_command(*command)

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to several commands, in one round trip; others' commands may come between them."""
        with _told():
            pipe = self._redis.pipeline(transaction=False)
            for command in commands:
                pipe.execute_command(*command)
            return list(await pipe.execute())

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """The answer of a script, which is sent in full only if the server does not know it."""
        try:
            return await self.call("EVALSHA", script.digest, len(keys), *keys, *arguments)
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


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except _GONE as error:
        raise StoreGone(str(error)) from error
    except trouble.ResponseError as error:
        if str(error).startswith(_REFUSALS):
            raise StoreGone(str(error)) from error
        raise
