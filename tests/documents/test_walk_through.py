"""The README's walk with curl, done as it is written, against a service as it is started there."""

import json
import re
import subprocess
from pathlib import Path

from tests.cli.running import serving
from tests.project.sources import ROOT

HERE = "http://127.0.0.1:8000"


def walk() -> str:
    """The commands of the section."""
    section = (ROOT / "README.md").read_text().partition("## Play a move with curl")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1]


def test_a_newcomer_plays_a_move(tmp_path: Path) -> None:
    with serving(tmp_path / "log", tmp_path / "data") as (_, url):
        script = f"set -eu\n{walk().replace(HERE, url)}"
        run = subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        )
    decoder = json.JSONDecoder()
    legal, end = decoder.raw_decode(run.stdout)
    played, end = decoder.raw_decode(run.stdout, end)
    assert [move["notation"] for move in legal["moves"]] == ["place:a", "place:g"]
    assert (played["version"], played["toMove"]) == (1, 1)
    assert run.stdout[end:].strip()
