"""The only place that talks to the server: commands out, answers in, and one error when there is none."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from importlib.resources import files
from typing import Any, Final

import redis.exceptions as trouble
from redis.asyncio.connection import Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.store.errors import StoreGone

Word = str | bytes | int
Command = tuple[Word, ...]

GONE: Final = (
    trouble.ConnectionError,
    trouble.TimeoutError,
    trouble.ReadOnlyError,
    trouble.ClusterDownError,
    trouble.TryAgainError,
    trouble.OutOfMemoryError,
    OSError,
)
"""What is raised while the server does not answer."""
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
    StoreGone while the server does not answer, and redis.exceptions.ResponseError if a command is wrong.

    The connections are those of redis-py, their keeping is not: its pools lose a connection, and on Python
    3.11 its time limits lose a cancellation, when a caller is cancelled at the wrong moment.
    """

    def __init__(self, url: str, connections: int, timeout: float) -> None:
        options: dict[str, Any] = dict(parse_url(url))
        self._kind: Any = options.pop("connection_class", Connection)
        self._options = options | {"protocol": 2, "socket_timeout": None, "retry": Retry(NoBackoff(), 0)}
        self.timeout = timeout
        self._places = asyncio.Semaphore(connections)
        self._idle: list[Any] = []

    async def close(self) -> None:
        """End the connections that are not in use; a later call makes new ones."""
        while self._idle:
            await self._idle.pop().disconnect()

    def connection(self) -> Any:
        """A connection for one's own use, not yet connected; its user ends it."""
        return self._kind(**self._options)

    async def call(self, *command: Word) -> Any:
        """The answer to one command."""
        return (await self.calls((command,)))[0]

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to several commands, in one round trip; others' commands may come between them."""
        try:
            answers = await self._exchange(commands)
        except GONE as error:
            raise StoreGone(str(error) or "it took too long.") from error
        for answer in answers:
            if isinstance(answer, Exception):
                if isinstance(answer, GONE) or str(answer).startswith(_REFUSALS):
                    raise StoreGone(str(answer)) from answer
                raise answer
        return answers

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

    async def _exchange(self, commands: Sequence[Command]) -> list[Any]:
        """The answers, errors among them, within the time limit, which includes the wait for a connection."""
        async with asyncio.timeout(self.timeout), self._places:
            connection = self._idle.pop() if self._idle else self.connection()
            try:
                await _make_ready(connection)
                await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
                answers = [await _answer(connection) for _ in commands]
            except BaseException:
                # Whatever was not read must not be taken for the answer to the next command.
                await connection.disconnect(nowait=True)
                raise
            self._idle.append(connection)
            return answers


async def _make_ready(connection: Any) -> None:
    """Connect, if the connection is new or the server has closed it."""
    if connection.is_connected and await connection.can_read():
        await connection.disconnect(nowait=True)
    await connection.connect()


async def _answer(connection: Any) -> Any:
    try:
        return await connection.read_response()
    except trouble.ResponseError as error:
        return error
