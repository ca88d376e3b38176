"""Local matches, their transcripts, and what `replay` and `show` make of them."""

import contextlib
import os
import pty
import subprocess
from pathlib import Path

import pytest

from engine.game import CHANCE
from engine.match import AnyGame
from engine.registry import GAMES
from engine.transcript import Transcript, parse_text, replay, write_json, write_text
from service.cli.exits import FAILED
from tests.cli.running import CANTIERE, ENVIRONMENT, cantiere

GAME = next(iter(GAMES))


def played(game: str, file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    ran = cantiere("play", game, "--players", "random,random", "--seed", "7", "--save", file, *arguments)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran


@pytest.fixture(scope="module", params=GAMES)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("transcripts") / "match.txt"
    played(request.param, path, "--quiet")
    return path


def transcript_in(path: Path) -> Transcript:
    return parse_text(path.read_text())


def damaged(path: Path, tmp_path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    copy = tmp_path / "damaged.txt"
    copy.write_text(text.replace(old, new, 1))
    return copy


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_is_told_move_by_move_to_its_standing(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    ran = played(slug, path)
    transcript = transcript_in(path)
    assert len(list(replay(transcript))) == len(transcript.events)
    assert transcript.names == ("random", "random 2")
    for event in transcript.events:
        assert f"\n{event.version:>5} " in f"\n{ran.stdout}"
    assert "total" in ran.stdout
    assert transcript.seed is not None
    assert f"{len(transcript.events)} events; seed {transcript.seed}" in ran.stdout


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_seed_gives_the_same_match(slug: str, tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("one.txt", "two.txt", "other.txt"))
    played(slug, one, "--quiet")
    played(slug, two, "--quiet")
    ran = cantiere("play", slug, "--players", "random,random", "--seed", "8", "--quiet", "--save", other)
    assert ran.returncode == 0
    assert one.read_text() == two.read_text()
    assert transcript_in(one).events != transcript_in(other).events


def test_on_a_terminal_the_table_is_shown_as_it_changes() -> None:
    terminal, other_end = pty.openpty()
    with subprocess.Popen(
        [*CANTIERE, "play", GAME, "--players", "random,random", "--seed", "7"],
        stdin=subprocess.DEVNULL,
        stdout=other_end,
        stderr=other_end,
        env=ENVIRONMENT | {"TERM": "xterm", "LINES": "60"},
    ) as process:
        os.close(other_end)
        shown = b""
        # Linux ends the reading of a closed terminal with an error, others with nothing.
        with contextlib.suppress(OSError):
            while data := os.read(terminal, 65_536):
                shown += data
    os.close(terminal)
    assert process.returncode == 0
    assert b"\x1b[2K" in shown, "nothing was shown twice in one place"
    assert b"wins" in shown or b"share the victory" in shown


def test_quiet_prints_the_standing_only(tmp_path: Path) -> None:
    ran = played(GAME, tmp_path / "match.txt", "--quiet")
    assert len(ran.stdout.splitlines()) < 30
    assert "total" in ran.stdout


def test_options_reach_the_deal(tmp_path: Path) -> None:
    for slug, game in GAMES.items():
        option, default = next(
            (name, value) for name, value in zip(*defaults(game), strict=True) if isinstance(value, int)
        )
        path = tmp_path / f"{slug}.txt"
        played(slug, path, "--quiet", "-o", f"{option}={default - 1}")
        assert transcript_in(path).deal["options"][option] == default - 1
        played(
            slug, path, "--quiet", "--options", f'{{"{option}": {default - 2}}}', "-o", f"{option}={default}"
        )
        assert transcript_in(path).deal["options"][option] == default


def defaults(game: AnyGame) -> tuple[tuple[str, ...], tuple[object, ...]]:
    kind = game.options_type
    return kind.__struct_fields__, kind.__struct_defaults__


def test_a_transcript_is_replayed_in_sentences(file: Path) -> None:
    transcript = transcript_in(file)
    ran = cantiere("replay", file)
    assert (ran.returncode, ran.stderr) == (0, "")
    for event in transcript.events:
        assert f"\n{event.version:>5} " in ran.stdout
    assert (
        f"{len(transcript.events)} events follow the rules; digest {transcript.digest} (as recorded)"
        in ran.stdout
    )


def test_json_and_standard_input_are_read_too(file: Path) -> None:
    json = write_json(transcript_in(file))
    ran = subprocess.run(
        [*CANTIERE, "replay", "-q", "-"], input=json, capture_output=True, env=ENVIRONMENT, check=True
    )
    assert b"events follow the rules" in ran.stdout


def test_a_move_against_the_rules_is_named_by_its_version(file: Path, tmp_path: Path) -> None:
    transcript = transcript_in(file)
    first = next(event for event in transcript.events if event.kind == "action")
    later = next(event for event in transcript.events if event.kind == "action" and event.move != first.move)
    line = f"\n{later.version} {later.seat} "
    ran = cantiere("replay", damaged(file, tmp_path, f"{line}{later.move}", f"{line}{first.move}:x"))
    assert ran.returncode == FAILED
    assert ran.stderr.startswith(f"cantiere: version {later.version}: ")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("cantiere-transcript 1", "cantiere-transcript 9", "line 1: "),
        ("\nrules:", "\nrulez:", "line 3: "),
        ("\n1 ", "\n1 1 1 1 1 1 ", "is not '<version> <seat> <move>'"),
        ("\n1 ", "\n2 ", "version 2 stands where 1 is due"),
        ('digest: "', 'digest: "0', "the moves lead to another state"),
        ("ranks: [", "ranks: [9,", "the moves lead to the ranking"),
    ],
)
def test_damage_is_found_and_said_where(file: Path, tmp_path: Path, old: str, new: str, fault: str) -> None:
    ran = cantiere("replay", "--quiet", damaged(file, tmp_path, old, new))
    assert ran.returncode == FAILED
    assert fault in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b'{"deal":' + b"[" * 100_000, b"hello\n"])
def test_a_file_that_is_no_transcript_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    for command in ("replay", "show"):
        ran = cantiere(command, path)
        assert ran.returncode == FAILED
        assert ran.stderr.count("\n") == 1
        assert "Traceback" not in ran.stderr


def test_show_prints_the_last_position(file: Path) -> None:
    transcript = transcript_in(file)
    last = len(transcript.events)
    ran = cantiere("show", file)
    assert ran.returncode == 0
    assert f"version {last} of {last}" in ran.stdout
    assert "The match is over." in ran.stdout


def test_show_prints_picture_legal_moves_and_standing_at_a_version(file: Path) -> None:
    transcript = transcript_in(file)
    game = GAMES[transcript.game]
    state = next(
        step.state for step in replay(transcript) if game.to_move(step.state) in game.active(step.state)
    )
    version = next(step.event.version for step in replay(transcript) if step.state == state)
    ran = cantiere("show", file, "--at", str(version))
    assert ran.returncode == 0
    assert game.picture(state).strip() in ran.stdout
    for move in game.legal(state):
        assert f"\n  {game.write(move)} " in ran.stdout
        assert game.sentence(move) in ran.stdout


def test_show_prints_outcomes_with_their_odds(file: Path) -> None:
    transcript = transcript_in(file)
    game = GAMES[transcript.game]
    for step in replay(transcript):
        if game.to_move(step.state) == CHANCE:
            ran = cantiere("show", file, "--at", str(step.event.version))
            odds = game.odds(step.state)
            assert f"Chance decides between {len(odds)} outcomes:" in ran.stdout
            assert f"{odds[0]:>5}/{sum(odds)}" in ran.stdout
            return
    assert all(event.kind != "outcome" for event in transcript.events)


def test_the_saved_text_is_the_transcripts_own(file: Path) -> None:
    assert write_text(transcript_in(file)) == file.read_text()


def test_a_reader_that_has_enough_is_no_fault(file: Path) -> None:
    shell = f"{' '.join(CANTIERE)} show {file} --at 1 | head -n 1"
    ran = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert ran.stderr == ""
