"""The embedded store: a private server that ends with its service and is started again if it ends before."""

import logging
import os
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

import msgspec

from service.settings import Settings
from service.store.datadir import DataDirectory
from service.store.errors import EmbeddedError
from service.store.process import ServerProcess, find_program

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 10.0
_STEADY_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 30.0
_log: Final = logging.getLogger(__name__)


class EmbeddedServer:
    """A server of one's own in a directory, for one process; others may be told its address.

    One thread starts, watches and restarts it, and the server ends with that thread: so it never outlives
    the service by more than it needs to write everything to disk.
    """

    def __init__(self, directory: Path, fsync: str) -> None:
        self._directory = DataDirectory(directory)
        self._fsync = fsync
        self._guard = threading.Lock()
        self._stopping = threading.Event()
        self._process: ServerProcess | None = None
        self._thread: threading.Thread | None = None
        self.is_ready = threading.Event()
        """Set while the server answers."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The address of the server; it stays the same as long as this object runs."""
        return f"unix://{quote(str(self._directory.socket))}"

    @property
    def pid(self) -> int | None:
        """The number of the server's process, None while there is none."""
        process = self._process
        return process.pid if process else None

    def attached(self, settings: Settings) -> Settings:
        """The settings of a service that uses this server as if it were an external one.

        Raises EmbeddedError if the directory's secret cannot be read.
        """
        return msgspec.structs.replace(
            settings,
            redis_url=self.url,
            secret=settings.secret or self._directory.secret(),
            finished_ttl=settings.kept or 0,
        )

    def start(self) -> None:
        """Claim the directory, start the server and wait until it answers; once in the life of this object.

        Raises EmbeddedError, also when `stop` is called meanwhile.
        """
        try:
            self._start(find_program())
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server, when it has written everything to disk, and release the directory.

        May be called at any time, more than once, and from any thread.
        """
        with self._guard:
            self._stopping.set()
            if self._process:
                self._process.terminate()
        thread = self._thread
        if thread:
            thread.join(_STOP_SECONDS)
            if thread.is_alive():
                _log.error("The store server does not end when asked to; it is killed.")
                self._kill()
                thread.join()
            self._thread = None
        with self._guard:
            self._directory.release()

    def _start(self, program: str) -> None:
        started: Future[None] = Future()
        with self._guard:
            if self._stopping.is_set():
                raise EmbeddedError("The store server was stopped.")
            self._directory.claim()
            self._thread = threading.Thread(
                target=self._supervise, args=(program, started), name="store-server", daemon=True
            )
            self._thread.start()
        started.result()

    def _supervise(self, program: str, started: "Future[None]") -> None:
        """Run the server again and again until it is to stop, or has never answered."""
        end = "it was stopped"
        pause = _FIRST_PAUSE
        while not self._stopping.wait(pause if started.done() else 0):
            begun = time.monotonic()
            try:
                end = self._run(program, started)
            except (EmbeddedError, OSError) as error:
                end = str(error)
            if not started.done():
                break
            steady = time.monotonic() - begun > _STEADY_SECONDS
            pause = _FIRST_PAUSE if steady else min(2 * pause, _LONGEST_PAUSE)
            if not self._stopping.is_set():
                _log.error("The store server has ended and is started again in %.1f s: %s", pause, end)
        if not started.done():
            started.set_exception(EmbeddedError(f"The store server did not start: {end}"))

    def _run(self, program: str, started: "Future[None]") -> str:
        """Run the server once; how it ended."""

        def on_ready() -> None:
            self.is_ready.set()
            if not started.done():
                started.set_result(None)

        process = self._spawn(program)
        if process is None:
            return "it was stopped"
        try:
            status = process.watch(on_ready)
        finally:
            self.is_ready.clear()
            with self._guard:
                self._process = None
        return f"status {status}\n{process.last_words}"

    def _kill(self) -> None:
        with self._guard:
            if self._process:
                self._process.kill()

    def _spawn(self, program: str) -> ServerProcess | None:
        """A new process, or None if none is wanted any more."""
        lock = self._directory.server_lock()
        try:
            with self._guard:
                if self._stopping.is_set():
                    return None
                self._process = ServerProcess(
                    program, self._directory.path, self._directory.socket, self._fsync, lock
                )
                return self._process
        finally:
            os.close(lock)
