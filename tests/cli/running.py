"""The command line as people run it: processes, their output and their ends."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from service.client import Client

T = TypeVar("T")

CANTIERE = (sys.executable, "-m", "service.cli")
SECONDS = 300
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("CANTIERE_")} | {
    "COLUMNS": "100",
    "CANTIERE_BOTS": "0",
    "CANTIERE_TOURNAMENTS": "0",
    "CANTIERE_GRAPHQL": "off",
}
"""What costs a process long to start is there where a test needs it."""


def cantiere(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What `cantiere` with these arguments came to."""
    return subprocess.run(
        [*CANTIERE, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=ENVIRONMENT | environment,
        check=False,
    )


class Ran(NamedTuple):
    """What a command came to."""

    returncode: int | str | None
    stdout: str
    stderr: str


Here = Callable[..., Ran]
"""Runs a command in the process of the test: to start another one takes longer than most commands do."""


class Running(NamedTuple):
    """A `cantiere` that runs; what it prints goes to a file, so that nothing waits for a reader."""

    process: subprocess.Popen[bytes]
    output: Path

    def text(self) -> str:
        return self.output.read_text()

    def ended(self) -> int:
        """Its exit status."""
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it goes on and on:\n{self.text()}") from None

    def says(self, pattern: str) -> str:
        """The first group of the pattern, as soon as it was printed."""
        try:
            return until(lambda: re.search(pattern, self.text()), self.process)[1]
        except AssertionError as error:
            raise AssertionError(f"{error}, having said:\n{self.text()}") from None


@contextmanager
def background(output: Path, *arguments: str | Path, **environment: str) -> Iterator[Running]:
    """A `cantiere` that runs beside the test, killed at the end if it still does."""
    with output.open("wb") as file:
        process = subprocess.Popen(
            [*CANTIERE, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=ENVIRONMENT | environment,
        )
    try:
        yield Running(process, output)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def serving(
    output: Path, directory: Path, *arguments: str, **environment: str
) -> Iterator[tuple[Running, str]]:
    """A `cantiere serve` with its store in a directory, and its address."""
    serve = ("serve", "--port", "0", "--data-dir", directory)
    with background(output, *serve, *arguments, **environment) as server:
        yield server, server.says(r"listens on (http://\S+)")


class Service(NamedTuple):
    """A service that runs, and a client of it."""

    url: str
    client: Client


def until(ask: Callable[[], T | None], process: subprocess.Popen[bytes] | None = None) -> T:
    """The first answer that is true, of a question asked again and again for as long as the process runs."""
    deadline = time.monotonic() + SECONDS
    while not (answer := ask()):
        assert time.monotonic() < deadline, "waited in vain"
        assert process is None or process.poll() is None, "the process has ended"
        time.sleep(0.02)
    return answer
