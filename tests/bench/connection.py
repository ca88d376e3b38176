"""Connections that put load on a server: each sends its requests one after the other."""

import asyncio
import time
from abc import abstractmethod
from typing import cast


class Connection(asyncio.Protocol):
    """Sends a request when the one before is answered; `ready` is set before the first one can be sent.

    `done` is set after the last answer, with an exception if one was not as it should be.
    """

    def __init__(self, requests: tuple[bytes, ...]) -> None:
        loop = asyncio.get_running_loop()
        self.latencies: list[float] = []
        self.ready: asyncio.Future[None] = loop.create_future()
        self.done: asyncio.Future[None] = loop.create_future()
        self._requests = iter(requests)
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self.open()

    def connection_lost(self, error: Exception | None) -> None:
        self.fail(error or ConnectionResetError("the server hung up"))

    @abstractmethod
    def open(self) -> None:
        """Do what comes before the first request; in the end set `ready`."""

    def send_next(self) -> None:
        """Send a request, if one is left."""
        request = next(self._requests, None)
        if request is None:
            self.done.set_result(None)
            return
        self._sent_at = time.perf_counter()
        self.transport.write(request)

    def answered(self) -> None:
        """Go on after an answer that is as it should be."""
        self.latencies.append(time.perf_counter() - self._sent_at)
        self.send_next()

    def fail(self, error: Exception) -> None:
        """End with an exception."""
        for future in (self.ready, self.done):
            if not future.done():
                future.set_exception(error)
        self.transport.abort()


class Http(Connection):
    """Requests are whole ones of HTTP, and are to be answered with 200."""

    def __init__(self, requests: tuple[bytes, ...]) -> None:
        super().__init__(requests)
        self._received = b""

    def open(self) -> None:
        self.ready.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not is_whole(self._received):
            return
        received, self._received = self._received, b""
        if received.startswith(b"HTTP/1.1 200"):
            self.answered()
        else:
            self.fail(AssertionError(received.decode()))


def is_whole(received: bytes) -> bool:
    """Whether this is all of an answer with a content-length, as both servers send it."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return False
    start = received.index(b"content-length: ", 0, head) + len(b"content-length: ")
    return len(received) == head + 4 + int(received[start : received.index(b"\r\n", start)])
