"""`cantiere demo` is what `make run` starts: everything runs, and nothing is left behind."""

import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from engine.registry import GAMES
from service.cli.exits import INTERRUPTED
from tests.cli.running import SECONDS, Running, background, cantiere, until

*_, GAME = GAMES
"""One that is over soon."""


def processes_about(*words: str) -> list[str]:
    """The command lines of processes that hold one of the words."""
    listing = subprocess.run(["ps", "-ewwo", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if any(word in line for word in words)]


def address(demo: Running) -> str:
    return demo.says(r"ready at (http://\S+),")


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_match_and_ends(tmp_path: Path, game: str) -> None:
    data = tmp_path / "data"
    ran = cantiere(
        "demo", "--game", game, "--players", "greedy,greedy", "--port", "0", "--data-dir", data, "--exit"
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.search(r"^version \d+, over; ", ran.stdout, re.MULTILINE)
    assert "total" in ran.stdout
    assert re.search("wins|share the victory", ran.stdout)
    assert "/transcript" in ran.stdout
    assert processes_about(str(data)) == []


def test_a_variable_ends_it_too() -> None:
    ran = cantiere("demo", "--game", GAME, "--port", "0", CANTIERE_DEMO_EXIT="1")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_port_in_use_is_avoided() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        ran = cantiere("demo", "--game", GAME, "--port", str(port), "--exit")
    assert ran.returncode == 0
    assert f"Port {port} is in use; the service takes a free one." in ran.stdout


def test_it_serves_until_ctrl_c_and_its_addresses_answer(tmp_path: Path) -> None:
    data = tmp_path / "data"
    arguments = ("demo", "--game", GAME, "--port", "0", "--data-dir", data)
    with background(tmp_path / "out", *arguments) as demo:
        demo.says("Serving at .* until (Ctrl-C)")
        commands = re.findall(r"^  [a-z ]+  +(curl .+)$", demo.text(), re.MULTILINE)
        assert len(commands) >= 5
        for command in commands:
            assert httpx.get(shlex.split(command)[-1], timeout=SECONDS).is_success, command
        url = address(demo)
        demo.process.send_signal(signal.SIGINT)
        assert demo.ended() == 0
        assert processes_about(str(data), url) == []


@pytest.mark.parametrize(
    ("how", "status"),
    [
        (signal.SIGINT, INTERRUPTED),
        (signal.SIGTERM, 128 + signal.SIGTERM),
        (signal.SIGHUP, 128 + signal.SIGHUP),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_nothing_is_left_behind_when_it_is_ended_during_the_match(
    tmp_path: Path, how: signal.Signals, status: int
) -> None:
    data = tmp_path / "data"
    with background(tmp_path / "out", "demo", "--port", "0", "--data-dir", data, "--exit") as demo:
        demo.says("(version) ")
        url = address(demo)
        assert len(processes_about(str(data), url)) > 3
        demo.process.send_signal(how)
        assert demo.ended() == status, demo.text()
        until(lambda: processes_about(str(data), url) == [])
