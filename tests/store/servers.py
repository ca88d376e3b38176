"""Servers that nobody supervises, with settings as a test needs them."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.store.process import find_program, ping


@contextmanager
def a_server(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server at the socket `s` in a directory, started but perhaps not yet ready; killed at the end."""
    command = [find_program(), "--port", "0", "--unixsocket", str(directory / "s"), "--dir", str(directory)]
    with subprocess.Popen([*command, "--save", "", *arguments], stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


async def until_said(directory: Path, words: bytes) -> None:
    """Wait until the server in the directory says this to PING."""

    def listen() -> None:
        deadline = time.monotonic() + 60
        while ping(directory / "s") != words:
            assert time.monotonic() < deadline

    await asyncio.to_thread(listen)
