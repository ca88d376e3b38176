"""Commands of this program as processes of their own, none of which outlives the one that started it."""

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from service.cli.exits import Failure
from service.client import Client, Unreachable
from service.settings import PREFIX
from service.store import launch

STOP_SECONDS: Final = 30.0
START_SECONDS: Final = 60.0
_ADDRESS: Final = re.compile(rb"listens on (http://\S+)")

Process = subprocess.Popen[bytes]


def command_of(module: str, *arguments: str) -> tuple[str, ...]:
    """What runs a module of this program in a process that ends with this one, even if that is killed."""
    own_end = (sys.executable, "-I", "-S", launch.__file__, str(os.getpid()))
    return (*own_end, sys.executable, "-m", module, *arguments)


def environment_of_others() -> dict[str, str]:
    """The environment without the settings of this program."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


def clear_away_on_signals() -> None:
    """From now on this process leaves nothing behind when SIGTERM or SIGHUP ends it, as with Ctrl-C."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _leave)


def _leave(number: int, frame: object) -> NoReturn:
    """End as a shell tells of a signal, but with everything cleared away."""
    sys.exit(128 + number)


@contextmanager
def started(*arguments: str, stdout: int | None = None, **environment: str) -> Iterator[Process]:
    """A process of `cantiere` with these arguments, asked to end when the block is left, killed if need be.

    It takes no settings from the environment but those given here, hears no Ctrl-C of the terminal, and ends
    with this process even if that is killed.
    """
    process = subprocess.Popen(  # noqa: S603 - own program, own arguments
        command_of("service.cli", *arguments),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        env=environment_of_others() | environment,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end(process)


def _end(process: Process) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    finally:
        if process.stdout:
            process.stdout.close()


def announced_address(server: Process) -> str:
    """The address that `cantiere serve` prints when it listens. Raises Failure if it ends or says nothing."""
    assert server.stdout is not None
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(server.stdout, selectors.EVENT_READ)
        deadline = time.monotonic() + START_SECONDS
        while selector.select(max(0.0, deadline - time.monotonic())):
            data = os.read(server.stdout.fileno(), 65_536)
            said += data
            # Only whole lines: an address may come in two pieces.
            if found := _ADDRESS.search(said[: said.rfind(b"\n") + 1]):
                return found[1].decode()
            if not data:
                raise Failure(f"the service ended with status {server.wait()}")
    raise Failure(f"the service did not start within {START_SECONDS:.0f} s")


def wait_until_ready(server: Process, url: str) -> None:
    """Ask for the service's health until it can work. Raises Failure if it ends, or cannot in time."""
    deadline = time.monotonic() + START_SECONDS
    with Client(url, patience=0.5) as client:
        while True:
            if server.poll() is not None:
                raise Failure(f"the service ended with status {server.returncode}")
            try:
                client.ready()
            except Unreachable as error:
                if time.monotonic() > deadline:
                    raise Failure(str(error)) from error
            else:
                return
