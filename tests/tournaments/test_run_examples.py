"""What the page about tournaments says is done as it is written; the example bot plays against a server."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registry import GAMES
from schema.manifest import RoundRobin
from schema.wire import AskedClock
from schema.wire_players import RegisterPlayer
from schema.wire_tournaments import CreateTournament
from service.client import Client
from tests.cli.running import ENVIRONMENT, background, cantiere
from tests.project.sources import ROOT
from tests.tournaments.brief_bot import brief

*_, GAME = GAMES
TSC = ROOT / "tests/contract/node_modules/.bin/tsc"
SECONDS = 300


def walk(heading: str, url: str) -> str:
    """The commands of the section, for a server at another address."""
    section = (ROOT / "schema/TOURNAMENTS.md").read_text().partition(f"## {heading}\n")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1].replace("http://127.0.0.1:8000", url).replace("GAME", GAME)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that drives tournaments."""
    place = tmp_path_factory.mktemp("service")
    arguments = ("serve", "--port", "0", "--data-dir", place / "data")
    with background(place / "log", *arguments, CANTIERE_TOURNAMENTS="1") as server:
        yield server.says(r"listens on (http://\S+)")


def test_the_walk_with_this_program(url: str, tmp_path: Path) -> None:
    script = walk("On a server", url)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with (tmp_path / "out").open("w+") as out:
        run = subprocess.Popen(
            ["sh", "-c", f"set -eu\n{script}"],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=ENVIRONMENT | {"PATH": path},
            start_new_session=True,
        )
        try:
            assert run.wait(SECONDS) == 0, (tmp_path / "out").read_text()
            told = re.search(r"Cup \((\w+)\): running, 2 entrants", (tmp_path / "out").read_text())
            assert told is not None
            with Client(url) as client:
                wait_for_end(client, told[1])
                (match,) = client.tournament_matches(told[1]).matches
            assert match.reasons == ("played", "played")
        finally:
            os.killpg(run.pid, signal.SIGKILL)


def test_the_walk_with_curl(url: str, tmp_path: Path) -> None:
    script = walk("With curl, on a server", url)
    run = subprocess.run(
        ["sh", "-c", f"set -eu\n{script}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert run.returncode == 0, run.stderr
    assert '"status":"finished"' in run.stdout
    assert run.stdout.count('"entry":"ended"') == 1
    told = re.search(r'"id":"(\w+)"', run.stdout)
    assert told is not None
    shown = cantiere("tournament", "show", told[1], "--url", url, "--out", tmp_path / "cup")
    assert shown.returncode == 0, shown.stderr
    checked = cantiere("tournament", "verify", tmp_path / "cup/record.json")
    assert "which end as the record says: 1 of 1." in checked.stdout, checked.stderr


@pytest.mark.skipif(not TSC.exists(), reason="TypeScript is installed by `make tools`")
def test_the_bot_in_typescript(url: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "schema/examples/bot.mts", tmp_path)
    told = re.search(r"`tsc (.*)`", (tmp_path / "bot.mts").read_text())
    assert told is not None
    subprocess.run([TSC, "--strict", *told[1].split()], cwd=tmp_path, check=True, timeout=SECONDS)
    asked = CreateTournament("Cup", GAME, 2, RoundRobin(), clock=AskedClock(per_turn=120_000))
    with Client(url) as client:
        olga, ada, bea = (client.register(RegisterPlayer(name)).token for name in ("Olga", "Ada", "Bea"))
        tournament = client.create_tournament(asked, olga).id
        for token in (ada, bea):
            client.join_tournament(tournament, token)
        client.start_tournament(tournament, olga)
        with (
            subprocess.Popen(["node", "bot.mjs", url], cwd=tmp_path, env=ENVIRONMENT | account(ada)) as bot,
            subprocess.Popen([*brief(9)[0], url], env=ENVIRONMENT | account(bea)) as other,
        ):
            try:
                wait_for_end(client, tournament, bot)
            finally:
                bot.terminate()
                other.terminate()
        (match,) = client.tournament_matches(tournament).matches
    assert match.reasons is not None
    assert match.ranks is not None
    assert sorted(zip(match.reasons, match.ranks, strict=True)) == [("played", 1), ("resigned", 2)]


def wait_for_end(client: Client, tournament: str, *needed: subprocess.Popen[bytes]) -> None:
    deadline, known = time.monotonic() + SECONDS, 0
    while (page := client.tournament_entries(tournament, known, wait=10)).status != "finished":
        known = page.count
        assert all(process.poll() is None for process in needed)
        assert time.monotonic() < deadline


def account(token: str) -> dict[str, str]:
    return {"CANTIERE_ACCOUNT_TOKEN": token}
