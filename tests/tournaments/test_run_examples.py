"""What the page about tournaments says is done as it is written."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.registry import GAMES
from tests.cli.running import background
from tests.project.sources import ROOT

*_, GAME = GAMES
SECONDS = 300


def walk() -> str:
    """The commands of the section."""
    section = (ROOT / "schema/TOURNAMENTS.md").read_text().partition("## With curl, on a server")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1]


@contextmanager
def driven(tmp_path: Path) -> Iterator[str]:
    """The address of a service that drives tournaments."""
    arguments = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "log", *arguments, CANTIERE_TOURNAMENTS="1") as server:
        yield server.says(r"listens on (http://\S+)")


def test_the_walk_with_curl(tmp_path: Path) -> None:
    with driven(tmp_path) as url:
        script = walk().replace("http://127.0.0.1:8000", url).replace("GAME", GAME)
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
