"""`cantiere vectors`: files to compare another implementation with, the same bytes every time."""

from pathlib import Path

import msgspec
import pytest

from engine.registry import GAMES
from service.cli.exits import BAD_INPUT, FAILED
from tests.cli.running import cantiere

GAME = next(iter(GAMES))
FEW = ("--count", "12")


def kinds(path: Path) -> list[str]:
    return [msgspec.json.decode(line)["kind"] for line in path.read_bytes().splitlines()]


def test_a_directory_gets_a_file_of_each_game(tmp_path: Path) -> None:
    out = f"{tmp_path}/made/"
    ran = cantiere("vectors", "--out", out, *FEW)
    assert (ran.returncode, ran.stderr) == (0, "")
    files = sorted(Path(out).iterdir())
    assert [file.stem for file in files] == sorted(GAMES)
    for file in files:
        assert kinds(file)[:2] == ["header", "match"]
        assert kinds(file).count("position") == 12
        assert f"{file}: {file.stat().st_size:,} bytes" in ran.stdout


def test_a_file_and_standard_output_get_all_games_with_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert cantiere("vectors", "--out", file, *FEW).returncode == 0
    assert kinds(file).count("header") == len(GAMES)
    assert cantiere("vectors", "--out", "-", *FEW).stdout.encode() == file.read_bytes()
    assert cantiere("vectors", "--out", "-", *FEW, "--seed", "1").stdout.encode() != file.read_bytes()


def test_one_game_with_a_box_of_ones_own(tmp_path: Path) -> None:
    box = tmp_path / "mine.toml"
    box.write_bytes(GAMES[GAME].box.replace(GAMES[GAME].edition.name.encode(), b"mine", 1))
    file = tmp_path / "mine.jsonl"
    assert cantiere("vectors", "--out", file, *FEW, "--game", GAME, "--box", box).returncode == 0
    head = msgspec.json.decode(file.read_bytes().splitlines()[0])
    assert (head["game"], head["edition"]["name"], head["positions"]) == (GAME, "mine", 12)
    ran = cantiere("vectors", "--out", file, "--box", box)
    assert (ran.returncode, ran.stderr.count("\n")) == (BAD_INPUT, 1)
    assert "--game" in ran.stderr


@pytest.mark.parametrize(
    "more", [("--count", "0"), ("--seed", "-1"), ("--seed", str(2**64)), ("--game", "chess")]
)
def test_bad_input(tmp_path: Path, more: tuple[str, str]) -> None:
    ran = cantiere("vectors", "--out", tmp_path / "x", *more)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (BAD_INPUT, "", 1)


def test_a_place_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cantiere("vectors", "--out", tmp_path / "file" / "x.jsonl", *FEW, "--game", GAME)
    assert (ran.returncode, ran.stderr.count("\n")) == (FAILED, 1)
    assert "cannot be written" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
