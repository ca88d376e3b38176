"""The connection below a stream: what ASGI has no words for, and streams need.

A client that takes nothing must be cut off without waiting until it does, and streams must end when the
server is asked to stop, which ASGI tells only when all requests have ended. Under a server that offers no
line, a slow client is left to that server, and streams are cancelled when its patience with them is over.

And an answer that is there as a whole goes out as a whole: ASGI has it sent in two pieces, each of which is a
call to the system, here and at the client.
"""

import logging
import socket
from asyncio import BaseTransport, Transport
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, Literal, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from service.errors import Failure, problem
from service.http import problem_answer
from service.live.lean import Gate, Inbox

LINE: Final = "cantiere.line"
"""In the scope of a request: its line."""
WHOLE: Final = "cantiere.whole"
"""In the scope of a request: what answers it with status, headers and body at once."""
SEND_BUFFER: Final = 16_384
"""Bytes that the system, and then the server, keep for a client that does not take them, about."""
LONGEST_HEAD: Final = 65_536
"""Bytes of address and headers of a request at most; of trailers, and of whatever else is no body, about."""
MOST_AHEAD: Final = 100
"""Requests that a client has sent while it is answered another one at most."""
PATIENCE: Final = 15.0
"""Seconds for a request to come in as long as nobody answers it, and for a client to take in anything."""
TOO_LONG: Final = f"A request has {LONGEST_HEAD} bytes of address and headers at most."
LIBRARY: Final = logging.getLogger("websockets")
"""The logger of the library, which tells of each WebSocket that it is opened; the server does so, too."""
SWITCHING: Final = 101
NO_TEXT: Final = 1007
"""The code of the end where a text is no UTF-8. Source: RFC 6455, 7.4.1."""


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
    """HTTP over a line, within limits: what one client sends costs memory of all."""

    line: Line

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._fault = ""
        self._running: RequestResponseCycle | None = None
        """The request that is carried out, or was last; `cycle` is the one that has come in last."""
        self._unread = 0
        """Bytes that have come since a head was whole or a part of a body came, about."""
        self._has_head = False
        """Whether the request that is coming in has its head."""
        self._waits_since: float | None = self.loop.time()
        """Since when a request is coming in, or the first one has been waited for."""
        self._untaken = 0
        """Bytes that the client had not taken when this was looked at the last time."""
        self._looking = self.loop.call_later(PATIENCE, self._look)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP as everything else that is malformed, and end the connection."""
        self._give_up()
        end_with_problem(self.transport, self.server_state.default_headers, self._fault or msg)

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast("Transport", transport))
        self.line = Line(cast("Transport", transport))

    def data_received(self, data: bytes) -> None:
        if self._waits_since is None:
            self._waits_since = self.loop.time()
        self._unread += len(data)
        super().data_received(data)
        if self._unread > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response(TOO_LONG)

    def on_headers_complete(self) -> None:
        scope, before = cast("dict[str, Any]", self.scope), self.cycle
        if self._unread > LONGEST_HEAD and self._length_of_head() > LONGEST_HEAD:
            self._fault = TOO_LONG
            raise ValueError(TOO_LONG)
        if len(self.pipeline) >= MOST_AHEAD:
            self._fault = f"More than {MOST_AHEAD} requests are sent ahead."
            raise ValueError(self._fault)
        scope[LINE] = self.line
        super().on_headers_complete()  # which has the request carried out, but not at once
        self._unread, self._has_head = 0, True
        if self.cycle is not before:
            scope[WHOLE] = _Answer(self.cycle)
            self.headers = []  # of the trailers, which are no headers: nobody reads them

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._unread, self._has_head, self._waits_since = 0, False, None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.pipeline:  # it goes on reading, but there is enough to do
            self.flow.pause_reading()

    def handle_websocket_upgrade(self) -> None:
        # Nobody tells this object of the end: without its parser, which knows it, it goes now.
        self._looking.cancel()
        super().handle_websocket_upgrade()
        del self.parser

    def eof_received(self) -> None:
        self._give_up()  # the connection is closed now

    def connection_lost(self, exc: Exception | None) -> None:
        self._looking.cancel()
        self._give_up()
        if self.line.on_end is not None:
            self.line.on_end("gone")
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self.line.on_end is not None:
            self.line.on_end("stopping")
        super().shutdown()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _give_up(self) -> None:
        """Nobody hears what is answered: the server knows that only of the last request that has come in."""
        if self._running is not None:
            self._running.disconnected = True

    def _length_of_head(self) -> int:
        return len(self.url) + sum([len(name) + len(value) for name, value in self.headers])

    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete

    def _is_its_turn(self) -> bool:
        """Whether nothing is waited for but the client."""
        return not (self._is_answering() and (self._has_head or self.flow.read_paused))

    def _look(self) -> None:
        """End the connection if its client lets it wait: of a stream others take care."""
        now, untaken = self.loop.time(), self.transport.get_write_buffer_size()
        since = now if self._waits_since is None else self._waits_since
        if 0 < untaken == self._untaken and self.line.on_end is None:
            self.line.cut()
        elif since + PATIENCE <= now and self._is_its_turn():
            self.transport.close()
        self._untaken = untaken
        self._looking = self.loop.call_later(PATIENCE, self._look)


def end_with_problem(transport: Transport, given: RawHeaders, words: str) -> None:
    """Answer what is no request as everything else that is malformed, and end the connection."""
    answer = problem_answer(Failure(problem("bad_request", f"{words} Its connection is closed.")))
    headers = (*answer.headers, ("content-length", str(len(answer.body))), ("connection", "close"))
    said = [*given, *((name.encode(), value.encode()) for name, value in headers)]
    head = b"".join([b"%b: %b\r\n" % header for header in said])
    transport.write(b"%b%b\r\n%b" % (STATUS_LINE[400], head, answer.body))
    transport.close()


class SocketLine(WebSocketsSansIOProtocol):
    """A WebSocket over a line. A stream on it says itself that it ends."""

    line: Line

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox(self.loop)  # type: ignore[assignment]  # it has what is used there
        self.writable = Gate(self.loop)  # type: ignore[assignment]
        self.conn.logger = LIBRARY

    def start_keepalive(self) -> None:
        # The handshake is over, and its headers are needed no more: they would stay as long as the stream.
        del self.request, self.response
        super().start_keepalive()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(self.close_timeout, self.line.cut)  # it would wait until all is taken

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.line = Line(cast("Transport", transport))

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_handshake()  # of which the library tells nothing, and which it answers nobody

    def handle_connect(self, event: Request) -> None:
        if self.conn.accept(event).status_code == SWITCHING:
            super().handle_connect(event)
        else:
            self._refuse_handshake()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.frames = []
            if self.conn.state is OPEN:  # and the client has not ended it before
                self.conn.send_close(NO_TEXT)
                self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def handle_close(self, event: Frame) -> None:
        super().handle_close(event)
        self.handshake_complete = True  # if it had not been: there is nobody to be answered

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self.handshake_complete = True

    async def send(self, message: ASGISendEvent) -> None:
        await self.writable.wait()
        if self.transport.is_closing():  # which the server takes for a fault of who sends
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else the server misses it, and says so in the log

    def handle_ping(self) -> None:
        super().handle_ping()
        if not self.writable.is_set() and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()

    async def run_asgi(self) -> None:
        cast("dict[str, Any]", self.scope)[LINE] = self.line
        await super().run_asgi()

    def shutdown(self) -> None:
        if self.line.on_end is not None:
            self.line.on_end("stopping")
        elif not self.transport.is_closing():
            super().shutdown()

    def _refuse_handshake(self) -> None:
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        why = self.conn.handshake_exc
        words = str(why.__cause__ or why) if why is not None else ""
        end_with_problem(self.transport, self.default_headers, f"This opens no WebSocket: {words[:200]}.")


def _is_text(frames: list[bytes]) -> bool:
    """Whether a message is UTF-8. Source: RFC 6455, 8.1."""
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
