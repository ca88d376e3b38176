"""The directory of an embedded store: who holds it, the secret in it, and where its socket lies."""

import contextlib
import fcntl
import os
import secrets
import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from service.store.errors import DirectoryInUse, EmbeddedError

_SERVICE_LOCK: Final = "lock"
_SERVER_LOCK: Final = "server.lock"
_SOCKET: Final = "valkey.sock"
_SHORT_SOCKET: Final = "s"
_TEMPORARY: Final = "cantiere-"
SOCKET_PATH_BYTES: Final = 103
"""sockaddr_un.sun_path has 108 bytes on Linux and 104 on macOS, the last of them zero."""
ORPHAN_SECONDS: Final = 15.0
"""How long the server of a service that was killed may take to end."""


class DataDirectory:
    """A directory that this process alone uses, from `claim` to `release`.

    Two locks (flock(2)) lie in it. The service holds one. The other is held by the server's process, also
    when the service has been killed: no second server ever writes beside a first.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        self.socket = path / _SOCKET

    def claim(self) -> None:
        """Take the directory, which is made if need be. Raises DirectoryInUse, EmbeddedError."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = _opened(self.path / _SERVICE_LOCK)
        except OSError as error:
            raise EmbeddedError(f"The data directory {self.path} cannot be used: {error.strerror}.") from None
        if not _is_taken(lock):
            holder = os.pread(lock, 32, 0).decode(errors="replace").strip()
            os.close(lock)
            raise DirectoryInUse(self.path, holder)
        _write(lock, str(os.getpid()))
        self._lock = lock

    def release(self) -> None:
        """Let others have the directory. The server must have ended."""
        _remove_temporary(self.socket)
        self.socket = self.path / _SOCKET
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def secret(self) -> str:
        """The secret of this directory: 64 hex digits from the operating system, made at the first call.

        Raises EmbeddedError.
        """
        path = self.path / "secret"
        try:
            if not path.exists():
                _keep(path, secrets.token_hex(32))
            secret = path.read_text().strip()
        except (OSError, UnicodeError) as error:
            raise EmbeddedError(f"The secret in {path} cannot be used: {error}.") from None
        if len(secret) < 32:
            raise EmbeddedError(
                f"The secret in {path} is damaged: it has {len(secret)} of at least 32 characters."
            )
        return secret

    def server_lock(self) -> int:
        """The lock for a server, held by the file descriptor answered; pass it on, then close it.

        A server that an earlier service left behind is asked to end and waited for. Raises EmbeddedError.
        """
        lock = _opened(self.path / _SERVER_LOCK)
        try:
            self._take(lock)
        except BaseException:
            os.close(lock)
            raise
        return lock

    def _take(self, lock: int) -> None:
        earlier = Path(os.pread(lock, 4_096, 0).decode(errors="replace").strip())
        if not _is_taken(lock):
            _end_server(earlier)
        if not _is_taken_within(lock, ORPHAN_SECONDS):
            raise EmbeddedError(
                f"A store server that an earlier service left behind still uses {self.path}"
                f" and does not end. It listens at {earlier}."
            )
        if earlier != self.socket:
            _remove_temporary(earlier)
        self._prepare_socket()
        _write(lock, str(self.socket))

    def _prepare_socket(self) -> None:
        """Have `socket` name one whose path is short enough, in a directory that exists."""
        if self.socket.parent != self.path:
            self.socket.parent.mkdir(mode=0o700, exist_ok=True)
        elif _is_long(self.socket):
            self.socket = Path(tempfile.mkdtemp(prefix=_TEMPORARY)) / _SHORT_SOCKET
            if _is_long(self.socket):
                raise EmbeddedError(
                    f"Neither {self.path} nor {tempfile.gettempdir()} is short enough for the path"
                    f" of a socket ({SOCKET_PATH_BYTES} bytes):"
                    " set CANTIERE_DATA_DIR or TMPDIR to a shorter one."
                )


def _is_long(path: Path) -> bool:
    return len(os.fsencode(path)) > SOCKET_PATH_BYTES


def _remove_temporary(path: Path) -> None:
    """Remove a socket and the directory made for it, unless somebody listens there.

    It may be another's: a copy of a data directory names the socket of its original.
    """
    if path.name == _SHORT_SOCKET and path.parent.name.startswith(_TEMPORARY) and not _is_live(path):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
            path.parent.rmdir()


def _is_live(path: Path) -> bool:
    """Whether a server listens at a socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _is_taken(lock: int) -> bool:
    """Whether the lock is ours now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_taken_within(lock: int, seconds: float) -> bool:
    """Whether the lock is ours before the time is over. flock(2) knows no time limit, hence the looks."""
    deadline = time.monotonic() + seconds
    pause = 0.001
    while not _is_taken(lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
    return True


def _end_server(path: Path) -> None:
    """Ask the server at a socket to end. No answer is an answer: it may be ending already."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        connection.connect(str(path))
        connection.sendall(b"SHUTDOWN\r\n")
        connection.recv(1)


def _write(file: int, text: str) -> None:
    os.ftruncate(file, 0)
    os.pwrite(file, text.encode(), 0)


def _keep(path: Path, text: str) -> None:
    """Write a file that is there with all of its text or not at all, for the owner's eyes only."""
    draft = path.with_name(path.name + ".new")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, text.encode())
        os.fsync(file)
    finally:
        os.close(file)
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
