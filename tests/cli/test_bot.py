"""`cantiere bot` plays its seat to the end, whatever happens on the way."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.registry import GAMES
from engine.transcript import replay
from service.cli.exits import FAILED, NO_RESULT, UNREACHABLE
from service.client import Client
from tests.cli.running import Running, Service, background, cantiere, until

*_, GAME = GAMES
"""One that random players end soon."""


@pytest.fixture
def bots(service: Service, tmp_path: Path) -> Iterator["Bots"]:
    with ExitStack() as stack:
        yield Bots(stack, tmp_path, service.url)


class Bots(NamedTuple):
    """Starts bots that are gone when the test is over."""

    stack: ExitStack
    directory: Path
    url: str

    def start(self, match: str, name: str, *arguments: str) -> Running:
        chosen = ("--url", self.url, "--match", match, "--name", name, *arguments)
        return self.stack.enter_context(background(self.directory / name, "bot", *chosen))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@pytest.mark.parametrize("game", GAMES)
def test_two_bots_play_a_match_to_its_end(service: Service, bots: Bots, game: str) -> None:
    match = service.client.create(game, 2).match.id
    ada = bots.start(match, "Ada", "--player", "greedy", "--seat", "1")
    bob = bots.start(match, "Bob", "--player", "random")
    assert (ada.ended(), bob.ended()) == (0, 0), ada.text() + bob.text()
    end = service.client.match(match)
    transcript = service.client.transcript(match)
    assert end.status == "finished"
    assert transcript.names == ("Bob", "Ada")
    assert len(list(replay(transcript))) == end.version
    for event in transcript.events:
        assert f"\n{event.version:>5} " in ada.text()
    assert "total" in bob.text()


def test_bots_outlive_a_server_that_is_killed_and_started_again(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    arguments = ("serve", "--port", str(port), "--data-dir", tmp_path / "data")
    with ExitStack() as stack:
        server = stack.enter_context(background(tmp_path / "first", *arguments))
        server.says("listens on (.*)")
        client = stack.enter_context(Client(url))
        match = client.create(GAME, 2).match.id
        bots = Bots(stack, tmp_path, url)
        both = [bots.start(match, name, "--player", "random") for name in ("Ada", "Bob")]
        before = until(lambda: view.version if (view := client.match(match)).version >= 8 else 0)
        server.process.send_signal(signal.SIGKILL)
        assert server.ended() == -signal.SIGKILL
        stack.enter_context(background(tmp_path / "second", *arguments))
        after = client.match(match).version
        assert [bot.ended() for bot in both] == [0, 0], both[0].text() + both[1].text()
        end = client.match(match)
        assert before <= after < end.version
        assert len(list(replay(client.transcript(match)))) == end.version


def test_two_processes_on_one_seat_play_no_move_twice(service: Service, bots: Bots) -> None:
    match = service.client.create(GAME, 2).match.id
    joined = service.client.join(match, "Ada")
    seat = ("--seat", str(joined.seat), "--token", joined.token, "--player", "random")
    both = [bots.start(match, name, *seat) for name in ("left", "right")]
    other = bots.start(match, "Bob", "--player", "random")
    assert [bot.ended() for bot in (*both, other)] == [0, 0, 0], both[0].text() + both[1].text()
    end = service.client.match(match)
    assert len(list(replay(service.client.transcript(match)))) == end.version


def test_a_seat_can_be_taken_up_again(service: Service, bots: Bots) -> None:
    match = service.client.create(GAME, 2).match.id
    ada = bots.start(match, "Ada", "--player", "random")
    seat = ada.says(r"--seat (\d)")
    token = ada.says(r"--token (\S+)")
    ada.process.send_signal(signal.SIGINT)
    assert ada.ended() == 130
    bob = bots.start(match, "Bob", "--player", "random")
    ran = cantiere(
        "bot", "--url", service.url, "--match", match, "--seat", seat, "--quiet", CANTIERE_SEAT_TOKEN=token
    )
    assert (ran.returncode, bob.ended()) == (0, 0), ran.stderr


def test_a_bot_ends_when_the_other_seat_resigns(service: Service, bots: Bots) -> None:
    match = service.client.create(GAME, 2).match.id
    bob = bots.start(match, "Bob", "--player", "random", "--seat", "0")
    bob.says("has seat (0)")
    joined = service.client.join(match, "Ada")
    bob.says(r"\b1 (Bob)")
    service.client.resign(match, joined.token)
    assert bob.ended() == 0
    assert "Bob wins" in bob.text()
    assert "leaves the match (resigned)" in bob.text()


def test_a_match_that_is_cancelled_has_its_own_exit_code(service: Service, bots: Bots) -> None:
    created = service.client.create(GAME, 2)
    bob = bots.start(created.match.id, "Bob")
    bob.says("has seat (0)")
    service.client.cancel(created.match.id, created.host_token)
    assert bob.ended() == NO_RESULT
    assert bob.text().endswith("cantiere: the match was cancelled\n")


def test_a_server_that_is_not_there_has_its_own_exit_code() -> None:
    ran = cantiere("bot", "--url", f"http://127.0.0.1:{free_port()}", "--match", "x", "--patience", "0.3")
    assert ran.returncode == UNREACHABLE
    assert ran.stderr.count("\n") == 1
    assert "gives no answer" in ran.stderr


def test_what_the_server_refuses_is_said_in_its_words(service: Service) -> None:
    match = service.client.create(GAME, 2).match.id
    taken = service.client.join(match, "Ada", 1)
    service.client.join(match, "Bob", 0)
    for arguments in (
        ("--match", "nothing"),
        ("--match", match),
        ("--match", match, "--seat", "0", "--token", "wrong"),
        ("--match", match, "--seat", "0", "--token", taken.token),
    ):
        ran = cantiere("bot", "--url", service.url, *arguments)
        assert ran.returncode == FAILED, ran.stderr
        assert ran.stderr.count("\n") == 1
        assert "Traceback" not in ran.stderr
