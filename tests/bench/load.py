"""A light load client in a process of its own.

`python -m tests.bench.load <file>`: the file holds a Load, and then the Result; both are JSON.
"""

import asyncio
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import uvloop
from msgspec import Struct

from tests.bench.connection import Connection, Http
from tests.bench.process import processor_seconds
from tests.bench.socketio import SocketIo

ROOT = Path(__file__).parents[2]
SECONDS = 120
Spoken = Literal["http", "socket.io"]
SPEAKERS: dict[Spoken, type[Connection]] = {"http": Http, "socket.io": SocketIo}


class Load(Struct):
    """The process and the port of a server, and for each connection the requests to send, whole."""

    pid: int
    port: int
    connections: tuple[tuple[bytes, ...], ...]
    spoken: Spoken = "http"


class Result(Struct):
    """How long all of it took, and each request, in seconds; and the time of processors, see `process`."""

    seconds: float
    server: float
    store: float
    latencies: tuple[float, ...]


async def run(load: Load) -> Result:
    """Send everything, all connections at once."""
    loop, speaker = asyncio.get_running_loop(), SPEAKERS[load.spoken]
    connections = [
        (await loop.create_connection(partial(speaker, requests), "127.0.0.1", load.port))[1]
        for requests in load.connections
    ]
    await asyncio.gather(*(connection.ready for connection in connections))
    before, started = processor_seconds(load.pid), time.perf_counter()
    for connection in connections:
        connection.send_next()
    await asyncio.gather(*(connection.done for connection in connections))
    seconds, after = time.perf_counter() - started, processor_seconds(load.pid)
    latencies = tuple(latency for connection in connections for latency in connection.latencies)
    return Result(seconds, after[0] - before[0], after[1] - before[1], latencies)


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
