"""`cantiere serve` starts, answers, and stops when it is asked to."""

import signal
import socket
from pathlib import Path

import httpx
import pytest

from service.cli.exits import FAILED
from tests.cli.running import SECONDS, background, cantiere, serving, until


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/health/ready", timeout=SECONDS).is_success
    except httpx.TransportError:
        return False


def is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_serves_until_it_is_asked_to_stop(tmp_path: Path, how: signal.Signals, workers: str) -> None:
    with serving(tmp_path / "out", tmp_path / "data", "--workers", workers) as (server, url):
        until(lambda: is_ready(url), server.process)
        assert httpx.get(f"{url}/api/v1/games", timeout=SECONDS).is_success
        server.process.send_signal(how)
        assert server.ended() == 0
        assert "Traceback" not in server.text()
    assert not is_ready(url)


def test_workers_end_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data", "--workers", "2") as (server, url):
        until(lambda: is_ready(url), server.process)
        server.process.kill()
        assert server.ended() == -signal.SIGKILL
        host, port = url.removeprefix("http://").split(":")
        until(lambda: is_free(host, int(port)))


def test_options_override_the_environment(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    with serving(tmp_path / "out", directory, "--log-level", "error") as (server, url):
        until(lambda: is_ready(url), server.process)
        assert f"own, in {directory}" in server.text()
        assert "INFO" not in server.text()
        assert (directory / "lock").exists()


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        ran = cantiere("serve", "--port", str(port), "--data-dir", tmp_path)
    assert ran.returncode == FAILED
    assert ran.stderr == f"cantiere: cannot listen on 127.0.0.1 port {port}: Address already in use\n"


def test_a_directory_in_use_is_said(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data"):
        ran = cantiere("serve", "--port", "0", "--data-dir", tmp_path / "data")
    assert ran.returncode == FAILED
    assert "Traceback" not in ran.stderr
    assert str(tmp_path / "data") in ran.stderr


def test_a_directory_that_cannot_be_used_is_said() -> None:
    ran = cantiere("serve", "--port", "0", "--data-dir", "/proc/nothing")
    assert ran.returncode == FAILED
    assert "Traceback" not in ran.stderr


def test_an_address_that_is_not_ours_is_said_in_one_line(tmp_path: Path) -> None:
    ran = cantiere("serve", "--host", "192.0.2.1", "--data-dir", tmp_path)
    assert ran.returncode == FAILED
    assert ran.stderr.count("\n") == 1


def test_a_store_that_does_not_answer_leaves_the_service_waiting_for_it(tmp_path: Path) -> None:
    arguments = ("serve", "--port", "0", "--redis-url", f"unix://{tmp_path}/nothing")
    with background(tmp_path / "out", *arguments, CANTIERE_SECRET="x" * 32) as server:
        url = server.says(r"listens on (http://\S+)")
        answer = until(lambda: httpx.get(f"{url}/api/v1/health/ready", timeout=SECONDS), None)
        assert answer.status_code == 503
        assert answer.json()["code"] == "store_unavailable"
