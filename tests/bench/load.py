"""A light load client in a process of its own: each connection sends its requests one after the other.

`python -m tests.bench.load <file>`: the file holds a Load, and then the Result; both are JSON.
"""

import asyncio
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import cast

import msgspec
import uvloop
from msgspec import Struct

ROOT = Path(__file__).parents[2]
SECONDS = 120


class Load(Struct):
    """Where to connect to, and for each connection the requests to send, whole."""

    port: int
    connections: tuple[tuple[bytes, ...], ...]


class Result(Struct):
    """How long all of it took, and each request, in seconds."""

    seconds: float
    latencies: tuple[float, ...]


class Connection(asyncio.Protocol):
    """Sends the next request when the one before is answered with 200; `done` is set after the last one."""

    def __init__(self, requests: tuple[bytes, ...]) -> None:
        self.latencies: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests = iter(requests)
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error or ConnectionResetError("the server hung up"))

    def send_next(self) -> None:
        """Send a request, if one is left."""
        request = next(self._requests, None)
        if request is None:
            self.done.set_result(None)
            return
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not is_whole(self._received):
            return
        self.latencies.append(time.perf_counter() - self._sent_at)
        if self._received.startswith(b"HTTP/1.1 200"):
            self._received = b""
            self.send_next()
        else:
            self.done.set_exception(AssertionError(self._received.decode()))
            self._transport.abort()


def is_whole(received: bytes) -> bool:
    """Whether this is all of an answer with a content-length, as both servers send it."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return False
    start = received.index(b"content-length: ", 0, head) + len(b"content-length: ")
    return len(received) == head + 4 + int(received[start : received.index(b"\r\n", start)])


async def run(load: Load) -> Result:
    """Send everything, all connections at once."""
    loop = asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(partial(Connection, requests), "127.0.0.1", load.port))[1]
        for requests in load.connections
    ]
    started = time.perf_counter()
    for connection in connections:
        connection.send_next()
    await asyncio.gather(*(connection.done for connection in connections))
    seconds = time.perf_counter() - started
    return Result(seconds, tuple(latency for connection in connections for latency in connection.latencies))


def measured(load: Load, file: Path) -> Result:
    """What the load came to, sent by another process."""
    file.write_bytes(msgspec.json.encode(load))
    command = [sys.executable, "-m", "tests.bench.load", str(file)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=SECONDS)
    return msgspec.json.decode(file.read_bytes(), type=Result)


if __name__ == "__main__":
    shared = Path(sys.argv[1])
    load = msgspec.json.decode(shared.read_bytes(), type=Load)
    shared.write_bytes(msgspec.json.encode(uvloop.run(run(load))))
