"""A local tournament that was interrupted goes on with the same command."""

import json
import shutil
import signal
from pathlib import Path

import pytest

from engine.registry import GAMES
from service.cli.exits import BAD_INPUT, BadInput
from service.cli.tournament_journal import NAME, Line, journal_in
from service.tournaments.record import Stopped
from tests.cli.running import Here, background, cantiere, until

*_, GAME = GAMES
HELD = ("tournament", "run", "--game", GAME, "--players", "random,random", "--luck", "shared", "--deals", "4")
ENTRY = Line(Stopped(cause="cancelled", at=1))


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a tournament of eight matches, of which at least two are over."""
    place = tmp_path_factory.mktemp("held")
    with background(place / "out", *HELD, "--out", place / "cup") as run:
        until(lambda: len(lines(place / "cup")) > 3, run.process)
        run.process.send_signal(signal.SIGKILL)
        run.ended()
    return place / "cup"


def lines(cup: Path) -> list[str]:
    """What is complete in the journal."""
    journal = cup / NAME
    return journal.read_text().split("\n")[:-1] if journal.exists() else []


@pytest.mark.parametrize("other", [("--think", "2"), ("--seed", "5")])
def test_other_options_are_refused(other: tuple[str, str], interrupted: Path) -> None:
    before = (interrupted / NAME).read_bytes()
    ran = cantiere(*HELD, *other, "--out", interrupted)
    assert (ran.returncode, ran.stdout) == (BAD_INPUT, "")
    assert "was begun with other options" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert (interrupted / NAME).read_bytes() == before


def test_it_goes_on_where_it_was(interrupted: Path, tmp_path: Path, here: Here) -> None:
    shutil.copytree(interrupted, tmp_path, dirs_exist_ok=True)
    known = [json.loads(line)["entry"] for line in lines(tmp_path)[1:]]
    ran = cantiere(*HELD, "--out", tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert f"{len(known) - 1} matches are played" in ran.stdout
    entries = json.loads((tmp_path / "record.json").read_text())["record"]["entries"]
    assert (entries[: len(known)], len(entries)) == (known, 9)
    checked = here("tournament", "verify", tmp_path / "record.json")
    assert "which end as the record says: 8 of 8." in checked.stdout, checked.stderr
    assert "follow from the published seed." in checked.stdout
    assert not (tmp_path / NAME).exists()


def test_what_was_torn_off_is_dropped(tmp_path: Path) -> None:
    with journal_in(tmp_path) as journal:
        assert (journal.head, journal.lines) == (None, [])
    file = tmp_path / NAME
    file.write_bytes(b'{"manifest": ')
    with journal_in(tmp_path) as journal:
        assert (journal.head, journal.lines) == (None, [])
        journal.write(ENTRY)
    assert (
        file.read_bytes() == b'{"entry":{"entry":"stopped","cause":"cancelled","at":1},"transcript":null}\n'
    )


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"manifest": ' + "[" * 100_000 + "\n"])
def test_what_is_no_journal_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(BadInput, match=f"{NAME} cannot be read"), journal_in(tmp_path):
        pass


def test_two_do_not_write_one_journal(tmp_path: Path) -> None:
    goes_on = pytest.raises(BadInput, match=f"{NAME} belongs to a tournament that goes on")
    with journal_in(tmp_path), goes_on, journal_in(tmp_path):
        pass
