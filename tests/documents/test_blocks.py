"""Every fenced block of every document is run, held against what reads it, or listed with a reason.

A block is known by its document and the heading above it. One that is in none of the tables, and more than
commands of ours, fails: whoever writes it says here, or in `serving`, how it is tried.
"""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
import yaml

from engine.errors import BadNotation
from engine.registry import GAMES
from schema.operations import API
from schema.wire import PlayMoves
from schema.wire_previews import PreviewMoves
from tests.cli.running import background
from tests.documents.blocks import BLOCKS, Block, blocks_of
from tests.documents.commands import check_commands
from tests.documents.serving import AGAINST_A_SERVICE, SECONDS, Served
from tests.project.sources import ROOT, name_of


def engine_page(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs, and prints legal moves and a picture."""
    exec(compile(text, "engine/README.md", "exec"), {})  # noqa: S102  # the document is our own
    assert "build:" in capsys.readouterr().out


def moves(body: type[PlayMoves | PreviewMoves]) -> Callable[[str, pytest.CaptureFixture[str]], None]:
    """A request of the contract, whose moves are moves of one game."""

    def check(text: str, _: pytest.CaptureFixture[str]) -> None:
        asked = msgspec.json.decode(text, type=body)
        assert any(are_read(asked.moves, game) for game in GAMES.values())

    return check


def are_read(notations: tuple[str, ...], game: Any) -> bool:
    with suppress(BadNotation):
        return bool([game.parse(notation) for notation in notations])
    return False


def scraped(text: str, _: pytest.CaptureFixture[str]) -> None:
    """The targets are workers of the composition."""
    (job,) = yaml.safe_load(text)["scrape_configs"]
    composed = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())["services"]
    targets = [target.split(":") for part in job["static_configs"] for target in part["targets"]]
    assert {name for name, _ in targets} == {name for name in composed if name.startswith("worker")}
    assert {port for _, port in targets} == {"8000"}


ALONE: Final[dict[str, Callable[[str, pytest.CaptureFixture[str]], None]]] = {
    "engine/README.md: The engine on one page (2)": engine_page,
    "schema/README.md: Playing": moves(PlayMoves),
    "schema/README.md: What if": moves(PreviewMoves),
    "deploy/RUNBOOK.md: Figures and logs": scraped,
}
"""How a block is tried that needs nothing else."""
BY_ANOTHER_TEST: Final = {
    "schema/TOURNAMENTS.md: On a server": (
        "tests/tournaments/test_run_examples.py::test_the_walk_with_this_program"
    ),
    "schema/TOURNAMENTS.md: With curl, on a server": (
        "tests/tournaments/test_run_examples.py::test_the_walk_with_curl"
    ),
    "engine/VECTORS.md: The digest of a position": (
        "tests/conformance/test_vectors.py::test_the_example_of_the_document_is_true"
    ),
    **{
        block.place: f"tests/{name_of(path.parent)}/test_box.py::test_figures_of_the_rules_are_the_box"
        for path in sorted(ROOT.glob("engine/*/RULES.md"))
        for block in blocks_of(path)
    },
}
"""Which test tries a block that needs more."""
NOT_TRIED: Final = {
    "engine/README.md: The engine on one page": "a drawing of how states follow one another",
    "service/tournaments/README.md: Tournaments on one page": "a drawing of how a record comes about",
}
"""Why a block is nothing that could be tried."""


@pytest.mark.parametrize("block", BLOCKS, ids=[block.place for block in BLOCKS])
def test_a_block_is_right(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    """What is in no table is commands of ours that would be taken; what they do has tests of its own."""
    if block.place in ALONE:
        ALONE[block.place](block.text, capsys)
    elif block.place in BY_ANOTHER_TEST:
        path, _, name = BY_ANOTHER_TEST[block.place].partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    elif block.place not in {**AGAINST_A_SERVICE, **NOT_TRIED}:
        assert block.language == "sh", "say how this block is tried"
        check_commands(block.text)


def test_what_the_tables_name_is_there() -> None:
    named = Counter([*ALONE, *AGAINST_A_SERVICE, *BY_ANOTHER_TEST, *NOT_TRIED])
    assert max(named.values()) == 1
    assert set(named) <= {block.place for block in BLOCKS}


def test_blocks_do_against_a_service_what_is_said_of_them(tmp_path: Path) -> None:
    serve = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    limits = {"CANTIERE_LIMITS_EXEMPT": "none"}
    parts = {"CANTIERE_GRAPHQL": "on", "CANTIERE_BOTS": "1"}
    with background(tmp_path / "log", *serve, **parts, **limits) as server:
        url = server.says(r"listens on (http://\S+)")
        with httpx.Client(base_url=url + API, timeout=SECONDS, trust_env=False) as api:
            for block in BLOCKS:
                if block.place in AGAINST_A_SERVICE:
                    AGAINST_A_SERVICE[block.place](block.text, Served(url, api, tmp_path))
        assert "Traceback" not in server.text()
