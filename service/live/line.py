"""The connection below a stream: what ASGI has no words for, and streams need.

A client that takes nothing must be cut off without waiting until it does, and streams must end when the
server is asked to stop, which ASGI tells only when all requests have ended. Under a server that offers no
line, a slow client is left to that server, and streams are cancelled when its patience with them is over.

And an answer that is there as a whole goes out as a whole: ASGI has it sent in two pieces, each of which is a
call to the system, here and at the client.
"""

import socket
from asyncio import BaseTransport, Transport
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, Literal, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service.errors import Failure, problem
from service.http import problem_answer
from service.live.lean import Gate, Inbox

LINE: Final = "cantiere.line"
"""In the scope of a request: its line."""
WHOLE: Final = "cantiere.whole"
"""In the scope of a request: what answers it with status, headers and body at once."""
SEND_BUFFER: Final = 16_384
"""Bytes that the system, and then the server, keep for a client that does not take them, about."""


RawHeaders = list[tuple[bytes, bytes]]
Whole = Callable[[int, RawHeaders, bytes], Awaitable[None]]


class Line:
    """A connection. `on_end`, if set, is called when it is lost, and when the server stops."""

    __slots__ = ("_transport", "on_end")

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.on_end: Callable[[Literal["gone", "stopping"]], None] | None = None

    @property
    def is_lost(self) -> bool:
        """Whether it has ended, so that `on_end` may not be called any more."""
        return self._transport.is_closing()

    def prepare(self, timeout: int) -> None:
        """Have little buffered, and a peer given up that is silent for twice as many seconds as this.

        Nothing, if it is lost already.

        A peer that acknowledges, but takes nothing in, is to be cut before, with a word in the log. Source:
        tcp(7), TCP_USER_TIMEOUT; RFC 5482.
        """
        if self.is_lost:
            return
        self._transport.set_write_buffer_limits(SEND_BUFFER)
        below = self._transport.get_extra_info("socket")
        if below is not None and below.family in (socket.AF_INET, socket.AF_INET6):
            below.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                below.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 2_000 * timeout)

    def release(self) -> None:
        """Tell nobody of its end."""
        self.on_end = None

    def cut(self) -> None:
        """End it at once; what was not sent is dropped."""
        self._transport.abort()


def line_of(scope: Mapping[str, Any]) -> Line | None:
    """The line of a request, None if the server offers none."""
    return cast("Line | None", scope.get(LINE))


def take_whole(scope: MutableMapping[str, Any]) -> Whole | None:
    """What answers a request at once, None if the server offers nothing of the kind; the scope loses it.

    For answers to other methods than HEAD whose headers say how long their body is, and not how the
    connection goes on. Raises ValueError if a header has a line break.

    It knows the request, whose scope it is in: left there, both would wait for the garbage collector.
    """
    return cast("Whole | None", scope.pop(WHOLE, None))


class _Answer:
    """Answers one request at once."""

    __slots__ = ("_cycle",)

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle

    async def __call__(self, status: int, headers: RawHeaders, body: bytes) -> None:
        cycle = self._cycle
        if cycle.flow.write_paused and not cycle.disconnected:
            await cycle.flow.drain()
        if cycle.disconnected:
            return
        given = [*cycle.default_headers, *headers]
        if not cycle.keep_alive:
            given.append((b"connection", b"close"))
        head = b"".join([b"%b: %b\r\n" % header for header in given])
        if head.count(b"\n") != len(given) or head.count(b"\r") != len(given):
            raise ValueError("a header has a line break")
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[status], head, body))
        cycle.message_event.set()
        if not cycle.keep_alive:
            cycle.transport.close()
        cycle.on_response()


class HttpLine(HttpToolsProtocol):
    """HTTP over a line."""

    line: Line

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP as everything else that is malformed, and end the connection."""
        answer = problem_answer(Failure(problem("bad_request", f"{msg} Its connection is closed.")))
        headers = (*answer.headers, ("content-length", str(len(answer.body))), ("connection", "close"))
        given = [*self.server_state.default_headers, *((a.encode(), b.encode()) for a, b in headers)]
        head = b"".join([b"%b: %b\r\n" % header for header in given])
        self.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[400], head, answer.body))
        self.transport.close()

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast("Transport", transport))
        self.line = Line(cast("Transport", transport))

    def on_headers_complete(self) -> None:
        scope, before = cast("dict[str, Any]", self.scope), self.cycle
        scope[LINE] = self.line
        super().on_headers_complete()  # which has the request carried out, but not at once
        if self.cycle is not before:
            scope[WHOLE] = _Answer(self.cycle)

    def handle_websocket_upgrade(self) -> None:
        # Nobody tells this object of the end: without its parser, which knows it, it goes now.
        super().handle_websocket_upgrade()
        del self.parser

    def connection_lost(self, exc: Exception | None) -> None:
        if self.line.on_end is not None:
            self.line.on_end("gone")
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self.line.on_end is not None:
            self.line.on_end("stopping")
        super().shutdown()


class SocketLine(WebSocketsSansIOProtocol):
    """A WebSocket over a line. A stream on it says itself that it ends."""

    line: Line

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox(self.loop)  # type: ignore[assignment]  # it has what is used there
        self.writable = Gate(self.loop)  # type: ignore[assignment]

    def start_keepalive(self) -> None:
        # The handshake is over, and its headers are needed no more: they would stay as long as the stream.
        del self.request, self.response
        super().start_keepalive()

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.line = Line(cast("Transport", transport))

    async def run_asgi(self) -> None:
        cast("dict[str, Any]", self.scope)[LINE] = self.line
        await super().run_asgi()

    def shutdown(self) -> None:
        if self.line.on_end is not None:
            self.line.on_end("stopping")
        else:
            super().shutdown()
