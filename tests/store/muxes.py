"""Shared connections and servers of one's own, for tests of the connection."""

import re
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from service.store.address import address_of
from service.store.mux import Mux
from service.store.process import find_program, ping

CALLERS = 1_000


@asynccontextmanager
async def mux_to(url: str, seconds: float = 20, most: int = 10_000) -> AsyncIterator[Mux]:
    mux = Mux(address_of(url), seconds, most)
    try:
        yield mux
    finally:
        await mux.close()


async def said(mux: Mux, *command: str | bytes | int) -> Any:
    """The answer to one command."""
    return (await mux.exchange((command,)))[0]


async def echoed(mux: Mux, number: int) -> None:
    """Ask for something that nobody else asks for."""
    words = f"caller {number}".encode()
    assert await mux.exchange((("ECHO", words), ("ECHO", words * 2))) == [words, words * 2]


@contextmanager
def a_server(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server of one's own that answers at `directory/s`."""
    command = [find_program(), "--unixsocket", str(directory / "s"), "--dir", str(directory), "--save", ""]
    local = ["--port", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen([*command, *local, *arguments], stdout=subprocess.DEVNULL) as process:
        try:
            until_said(directory, r"\+PONG|-NOAUTH")
            yield process
        finally:
            process.kill()


def until_said(directory: Path, pattern: str) -> None:
    """Wait until the server in the directory says this to PING."""
    deadline = time.monotonic() + 60
    while not re.match(pattern, ping(directory / "s").decode()):
        assert time.monotonic() < deadline
