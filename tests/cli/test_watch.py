"""`cantiere watch`, a table in colour, and boards as files."""

import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from engine.registry import GAMES
from service.cli.screen import table_text
from service.client import Seat, engine_bot, play_match
from tests.cli.running import Service, cantiere
from tests.conformance.walks import random_match

*_, GAME = GAMES
SEED = b"\x07" * 32


def test_a_match_is_watched_from_its_first_event_to_its_end(service: Service) -> None:
    match = service.client.create(GAME, 2, seed="07" * 32).match.id
    joined = [service.client.join(match, f"player {seat}", seat) for seat in range(2)]
    seats = [Seat(match, one.seat, one.token) for one in joined]
    bots = [(service.client, seat, engine_bot("random", SEED)) for seat in seats]
    players = [threading.Thread(target=play_match, args=bot, daemon=True) for bot in bots]
    for player in players:
        player.start()
    done = cantiere("watch", "--url", service.url, match)
    for player in players:
        player.join()
    assert done.returncode == 0, done.stderr
    events = service.client.transcript(match).events
    told = [line for line in done.stdout.splitlines() if line[:5].strip().isdigit() and line[6] != " "]
    assert [int(line[:5]) for line in told[: len(events)]] == [event.version for event in events]
    assert "win" in done.stdout or "share the victory" in done.stdout


def test_a_match_that_is_cancelled_is_not_watched(service: Service) -> None:
    created = service.client.create(GAME, 2)
    service.client.cancel(created.match.id, created.host_token)
    done = cantiere("watch", "--url", service.url, created.match.id)
    assert done.returncode == 4
    assert "cancelled" in done.stderr


def test_no_such_match(service: Service) -> None:
    done = cantiere("watch", "--url", service.url, "aaaaaaaaaaaa")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("slug", GAMES)
def test_a_terminal_shows_the_table_in_colour_and_a_file_the_same_text(slug: str, tmp_path: Path) -> None:
    saved = tmp_path / "match.txt"
    assert cantiere("play", slug, "--players", "random,random", "-q", "--save", saved).returncode == 0
    done = cantiere("show", saved, "--svg", tmp_path / "board.svg")
    assert done.returncode == 0, done.stderr
    assert ET.parse(tmp_path / "board.svg").getroot().tag.endswith("svg")  # noqa: S314  # our own document
    game = GAMES[slug]
    state = list(random_match(game, 2, 1).steps)[40].state
    text = table_text(game, state)
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as captured:
        console.print(text)
    assert text.plain == game.picture(state).rstrip("\n")
    assert "\x1b[3" in captured.get()


def test_a_board_for_a_directory_that_is_not_there(tmp_path: Path) -> None:
    done = cantiere("show", "-", "--svg", tmp_path / "none" / "board.svg")
    assert done.returncode == 2
