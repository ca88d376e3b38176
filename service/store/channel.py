"""One connection that many callers share: commands go out as they come and answers come back in their order.

Source: the specification of the Redis serialization protocol (RESP2), on pipelining.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

import hiredis
from redis.exceptions import NoScriptError, ResponseError

from service.store.errors import StoreGone

Word = str | bytes | int
Command = tuple[Word, ...]

_NOTHING: Final = object()
_GONE: Final = frozenset(
    (
        "BUSY",
        "CLUSTERDOWN",
        "LOADING",
        "MISCONF",
        "NOAUTH",
        "NOREPLICAS",
        "OOM",
        "TRYAGAIN",
        "WRONGPASS",
    )
)
"""How errors begin that say nothing about the command, but that the server cannot carry it out now."""
_FULL: Final = "ERR max number of clients"
"""How the error begins with which a server ends a connection that is one too many."""
_DEPOSED: Final = frozenset(("MASTERDOWN", "READONLY"))
"""How errors begin that say so for good: another server may stand behind the address by now."""
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))
"""A server that vanishes without a word is missed after a minute, even if nobody calls."""


class Deposed(StoreGone):
    """The server takes no writes any more; another one may."""


class Channel(asyncio.Protocol):
    """A connection from its making to its loss, of which `on_lost` is told.

    What is not answered within `timeout` seconds ends it, since everything later waits behind that; so
    commands that block do not belong here. `most` calls may be without an answer before `room` is cleared.
    """

    def __init__(self, timeout: float, most: int, on_lost: "Callable[[Channel], None]") -> None:
        self.room = asyncio.Event()
        """Set while more may be sent, and after the loss."""
        self.gone = asyncio.Event()
        """Set when nothing is left of it."""
        self._loop = asyncio.get_running_loop()
        self.since: Final = self._loop.time()
        self._timeout = timeout
        self._most = most
        self._on_lost = on_lost
        self._calls: deque[_Call] = deque()
        self._answers: list[Any] = []
        self._unsent: list[bytes] = []
        self._reader = hiredis.Reader(replyError=_refusal, notEnoughData=_NOTHING)
        self._is_choked = False
        self._clock: asyncio.TimerHandle | None = None
        self._end: str | None = None

    def send(self, commands: Sequence[Command]) -> "asyncio.Future[list[Any]]":
        """The answers to come, errors among them, and a StoreGone for all that will never come.

        What is sent in one turn of the loop goes out in one piece. The future may be cancelled.
        """
        loop = self._loop
        answers = loop.create_future()
        if self._end is not None:
            answers.set_result([StoreGone(self._end)])
            return answers
        packed = [hiredis.pack_command(command) for command in commands]  # type: ignore[arg-type]  # any length
        if not self._unsent:
            loop.call_soon(self._flush)
        self._unsent += packed
        self._calls.append(_Call(answers, len(packed), loop.time()))
        if self._clock is None:
            self._clock = loop.call_later(self._timeout, self._check_time)
        if len(self._calls) >= self._most:
            self.room.clear()
        return answers

    @property
    def ended_for(self) -> str | None:
        """Why it has ended, None if it has not."""
        return self._end

    def end(self, why: str) -> None:
        """Give the connection up."""
        if self._end is not None:
            return
        self._end = why
        if self._clock is not None:
            self._clock.cancel()
        self._transport.abort()
        for call in self._calls:
            if not call.answers.done():
                # As a result: an exception that a cancelled caller does not fetch would be logged.
                call.answers.set_result([StoreGone(why)])
        self._calls.clear()
        self.room.set()
        self._on_lost(self)

    # ------------------------------------------------------------------------- called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are of no subclass
        peer: socket.socket = transport.get_extra_info("socket")
        if peer.family in (socket.AF_INET, socket.AF_INET6):
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _KEEPALIVE:
                if option := getattr(socket, name, None):
                    peer.setsockopt(socket.IPPROTO_TCP, option, value)
        self.room.set()

    def connection_lost(self, error: Exception | None) -> None:
        self.end(str(error or "it has ended the connection."))
        self.gone.set()

    def pause_writing(self) -> None:
        self._is_choked = True
        self.room.clear()

    def resume_writing(self) -> None:
        self._is_choked = False
        self._make_room()

    def data_received(self, data: bytes) -> None:
        reader, calls = self._reader, self._calls
        try:
            reader.feed(data)
            while (answer := reader.gets()) is not _NOTHING:
                self._answers.append(answer)
                if len(self._answers) == calls[0].commands:
                    answers = calls.popleft().answers
                    if not answers.done():
                        answers.set_result(self._answers)
                    self._answers = []
        except (hiredis.HiredisError, IndexError):
            self.end("it does not speak the protocol of Redis.")
        if not self.room.is_set():
            self._make_room()

    def _make_room(self) -> None:
        if not self._is_choked and len(self._calls) < self._most:
            self.room.set()

    def _flush(self) -> None:
        if self._end is None:
            self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def _check_time(self) -> None:
        """End the connection if the oldest call has waited too long, else look again when it will have."""
        self._clock = None
        if not self._calls:
            return
        due = self._calls[0].since + self._timeout
        if self._loop.time() < due:
            self._clock = self._loop.call_at(due, self._check_time)
        else:
            self.end("it takes too long.")


class _Call(NamedTuple):
    """Commands sent together: where their answers go, how many there are, since when they are awaited."""

    answers: "asyncio.Future[list[Any]]"
    commands: int
    since: float


def _refusal(text: str) -> Exception:
    """The error that the server answers with."""
    kind = text.partition(" ")[0]
    if kind in _DEPOSED:
        return Deposed(text)
    if kind in _GONE or text.startswith(_FULL):
        return StoreGone(text)
    return NoScriptError(text) if kind == "NOSCRIPT" else ResponseError(text)
