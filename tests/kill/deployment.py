"""Two workers behind the proxy of `deploy/`, on one store; any of them can be killed."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from redis import Redis
from redis.exceptions import RedisError

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from tests.cli.running import ENVIRONMENT, until
from tests.project.sources import ROOT

SECRET: Final = "of the kill test " * 3


class Worker:
    """A `cantiere serve` on a port of its own, which is started again and again."""

    def __init__(self, settings: Settings, port: int, log: Path) -> None:
        self._environment = ENVIRONMENT | settings.to_env()
        self._command = [sys.executable, "-m", "service.cli", "serve", "--port", str(port)]
        self._log = log
        self.process = self._started()

    def kill(self) -> None:
        """End it as by a power failure, and start another in its place."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = self._started()

    def end(self) -> None:
        """Stop it for good."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment
            )


class Deployment:
    """The address of the proxy, the workers, and the store's server."""

    def __init__(self, url: str, workers: list[Worker], store: EmbeddedServer) -> None:
        self.url = url
        self.workers = workers
        self._store = store

    def kill_store(self) -> None:
        """End the store's server as by a power failure, and wait until another one answers."""
        before = self._store.pid
        assert before is not None
        os.kill(before, signal.SIGKILL)
        until(lambda: self._store.pid not in (None, before) and self._answers())

    def _answers(self) -> bool:
        try:
            with Redis.from_url(self._store.url) as redis:
                return bool(redis.ping())
        except RedisError:
            return False


@contextmanager
def deployed(directory: Path) -> Iterator[Deployment]:
    """Everything up, and everything down at the end."""
    ports = free_ports(3)
    with ExitStack() as stack:
        store = stack.enter_context(EmbeddedServer(directory / "store", "always"))
        settings = store.attached(Settings(secret=SECRET, graphql="off"))
        workers = []
        for number, port in enumerate(ports[:2], 1):
            workers.append(Worker(settings, port, directory / f"worker{number}.log"))
            stack.callback(workers[-1].end)
        for number, worker in enumerate(workers, 1):
            log = directory / f"worker{number}.log"
            until(partial(_is_up, log), worker.process)
        stack.enter_context(_proxy(directory, ports))
        yield Deployment(f"http://127.0.0.1:{ports[2]}", workers, store)


@contextmanager
def _proxy(directory: Path, ports: list[int]) -> Iterator[None]:
    """The proxy as `deploy/nginx.conf` configures it, on ports of this machine."""
    written = (ROOT / "deploy/nginx.conf").read_text()
    written = re.sub(r"worker([12]):8000", lambda found: f"127.0.0.1:{ports[int(found[1]) - 1]}", written)
    written = written.replace("listen 80;", f"listen 127.0.0.1:{ports[2]};")
    written = written.replace("worker_processes auto;", "worker_processes 1;\ndaemon off;")
    written = written.replace("http {", "http {\n    access_log off;", 1)
    (directory / "nginx.conf").write_text(f"pid {directory}/nginx.pid;\n{written}")
    with (directory / "nginx.log").open("wb") as log:
        process = subprocess.Popen(
            ["nginx", "-p", directory, "-c", "nginx.conf", "-e", "stderr"],
            stdin=subprocess.DEVNULL,
            stderr=log,
        )
    try:
        until(lambda: _listens(ports[2]), process)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _is_up(log: Path) -> bool:
    return "startup complete" in log.read_text()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports: list[int] = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
