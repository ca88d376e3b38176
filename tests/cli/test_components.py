"""Component files: shown, checked, explained, and played with."""

import hashlib
import re
from pathlib import Path

import pytest

from engine.registry import GAMES
from engine.transcript import parse_text
from service.cli.exits import BAD_INPUT, FAILED
from service.client import Client
from tests.cli.running import background, cantiere

each_game = pytest.mark.parametrize("slug", GAMES)
GAME = next(iter(GAMES))


def renamed(slug: str, path: Path, name: str = "mine") -> Path:
    """The built-in box under another name, in a file."""
    game = GAMES[slug]
    path.write_bytes(game.box.replace(game.edition.name.encode(), name.encode(), 1))
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return renamed(GAME, tmp_path / "mine.toml")


@each_game
def test_the_built_in_file_is_shown_byte_for_byte_and_passes(slug: str, tmp_path: Path) -> None:
    shown = cantiere("components", "show", slug)
    data = shown.stdout.encode()
    assert (shown.returncode, hashlib.sha256(data).hexdigest()) == (0, GAMES[slug].edition.digest)
    path = tmp_path / "same.toml"
    path.write_bytes(data)
    ran = cantiere("components", "check", path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"A box of {GAMES[slug].title} ({slug})\n")
    assert "No entry differs from the built-in edition" in ran.stdout


@each_game
def test_a_renamed_file_differs_in_its_name(slug: str, tmp_path: Path) -> None:
    path = renamed(slug, tmp_path / "mine.toml")
    ran = cantiere("components", "check", path)
    assert ran.returncode == 0
    assert "1 entry differs" in ran.stdout
    assert f'"{GAMES[slug].edition.name}" -> "mine"' in ran.stdout
    assert f"edition mine, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}" in ran.stdout


def test_every_difference_is_told_by_name_or_place(mine: Path) -> None:
    text = mine.read_text()
    text = text.replace("gold = 15", "gold = 14").replace("[5, 9, 13,", "[5, 9, 12,")
    text = text.replace('id = "clergy3"', 'id = "clergy9"').replace(
        'id = "renown"\ndie = "white"', 'id = "renown"\ndie = "red"'
    )
    mine.write_text(text + "\n# a remark\n")
    ran = cantiere("components", "check", mine)
    assert ran.returncode == 0, ran.stderr
    told = {" ".join(line.split()) for line in ran.stdout.splitlines() if line.startswith("  ")}
    assert "6 entries differ" in ran.stdout
    assert {"reserve.gold 15 -> 14", "track.prestige[2] 13 -> 12", 'ivan.renown.die "white" -> "red"'} <= told
    assert any(line.startswith("influence.clergy3 left out:") for line in told)
    assert any(line.startswith("influence.clergy9 new:") for line in told)
    assert "workshop_tiles.tiles 16 entries, 28 pieces" in told


def test_all_faults_are_named_at_once(mine: Path) -> None:
    text = (
        mine.read_text()
        .replace("length = 80 ", "length = 79 ")
        .replace("start_rubles = [3, 4, 4, 5]", "start_rubles = [3]")
    )
    mine.write_text(text)
    ran = cantiere("components", "check", mine)
    assert (ran.returncode, ran.stderr) == (FAILED, "cantiere: the file cannot be played with: 3 faults\n")
    for entry in ("track.length:", "track.prestige:", "players.start_rubles:"):
        assert f"\n  {entry} " in ran.stdout


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ("", BAD_INPUT, "say which one it is for by --game"),
        ("edition = ", FAILED, "it is no TOML"),
        ("a = " + "[" * 20_000, FAILED, "it is no TOML"),
        ("#" * 2_000_000, FAILED, "larger than"),
    ],
    ids=["empty", "broken", "nested", "huge"],
)
def test_what_is_no_box_is_said_in_one_line(tmp_path: Path, text: str, code: int, why: str) -> None:
    path = tmp_path / "box.toml"
    path.write_text(text)
    ran = cantiere("components", "check", path)
    assert ran.returncode == code
    assert ran.stderr.count("\n") == 1
    assert why in ran.stderr


@each_game
def test_the_game_can_be_named(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('edition = "mine"\n')
    ran = cantiere("components", "check", path, "--game", slug)
    assert ran.returncode == FAILED
    assert f"({slug})" in ran.stdout
    assert "missing required field" in ran.stdout


def test_an_edited_file_needs_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(GAMES[GAME].box + b"# edited\n")
    ran = cantiere("components", "check", path)
    assert ran.returncode == FAILED
    assert "give yours a name of its own" in ran.stdout


# ------------------------------------------------------------------------------------------- --box


@each_game
def test_a_match_with_an_own_box_is_played_shown_and_replayed_with_it(slug: str, tmp_path: Path) -> None:
    box, file = renamed(slug, tmp_path / "mine.toml"), tmp_path / "match.txt"
    ran = cantiere("play", slug, "--players", "random,random", "--box", box, "--quiet", "--save", file)
    assert ran.returncode == 0, ran.stderr
    assert parse_text(file.read_text()).edition.name == "mine"
    for command in ("replay", "show"):
        assert cantiere(command, file, "--box", box).returncode == 0
        ran = cantiere(command, file)
        assert ran.returncode == FAILED
        assert "edition mine" in ran.stderr
        assert "give its component file by --box" in ran.stderr
        other = renamed(slug, tmp_path / "other.toml", "another")
        assert "here is edition another" in cantiere(command, file, "--box", other).stderr


def counted(*box: str | Path) -> int:
    """The legal moves at the start."""
    *_, line = cantiere("perft", GAME, "--depth", "1", *box).stdout.splitlines()
    return int(line.split()[1])


def test_perft_counts_with_the_box(mine: Path) -> None:
    mine.write_text(mine.read_text().replace("[3, 4, 4, 5]", "[9, 4, 4, 5]"))
    assert counted("--box", mine) > counted()  # more rubles: dice go further


@pytest.mark.parametrize("command", ["play", "perft"])
def test_a_box_that_cannot_be_used_is_bad_input(tmp_path: Path, command: str) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    for path, why in (
        (empty, "no box of"),
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "directory"),
    ):
        ran = cantiere(command, GAME, "--box", path)
        assert (ran.returncode, ran.stderr.count("\n")) == (BAD_INPUT, 1)
        assert why in ran.stderr


# ---------------------------------------------------------------------------------------- the service


def test_bots_play_on_a_server_with_an_own_box(mine: Path, tmp_path: Path) -> None:
    serve = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "serve", *serve, CANTIERE_BOXES=f"{GAME}={mine}") as server:
        url = server.says(r"listens on (http://\S+)")
        server.says(f"({re.escape(f'{GAME}: {mine}')})")
        with Client(url) as client:
            match = client.create(GAME, 2, {"turnLimit": 5}).match
            assert match.edition.name == "mine"
            bot = ("bot", "--url", url, "--match", match.id, "--player", "random", "--quiet")
            with background(tmp_path / "one", *bot) as one, background(tmp_path / "two", *bot) as two:
                assert (one.ended(), two.ended()) == (0, 0), one.text() + two.text()


def test_a_server_does_not_start_with_a_box_that_cannot_be_used(tmp_path: Path) -> None:
    ran = cantiere("serve", "--data-dir", tmp_path, CANTIERE_BOXES=f"{GAME}={tmp_path}/none.toml")
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.count("\n") == 1
    assert "CANTIERE_BOXES" in ran.stderr
