"""A tournament held, and its record checked, from the command line."""

import csv
import json
import os
import shutil
import signal
import subprocess
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from engine.registry import GAMES
from schema.wire_tournaments import EntryPage, EntryView
from service.cli import tournament_run, transcripts
from service.cli.exits import BAD_INPUT, FAILED
from service.cli.output import out
from service.cli.tournament_files import write_all
from service.cli.tournament_table import table_of
from service.client import Client
from service.tournaments import verify
from service.tournaments.manifest import RoundRobin
from service.tournaments.record import Record
from service.tournaments.sheets import sheets
from service.tournaments.verify import read_export
from tests.cli.running import CANTIERE, ENVIRONMENT, SECONDS, Here, background, cantiere, until
from tests.cli.scripted import Answer, Scripted
from tests.tournaments.playing import by_luck, manifest, played

*_, GAME = GAMES


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a tournament of one match left behind."""
    place = tmp_path_factory.mktemp("held") / "cup"
    ran = cantiere("tournament", "run", "--game", GAME, "--players", "greedy,greedy", "--out", place)
    assert ran.returncode == 0, ran.stderr
    assert "standings" in ran.stdout
    assert "greedy 2" in ran.stdout
    return place


def test_all_is_written_and_agrees(cup: Path, here: Here) -> None:
    assert {path.name for path in cup.iterdir()} >= {
        "record.json",
        "ratings.svg",
        "standings.csv",
        "tables.txt",
    }
    assert [path.name for path in (cup / "transcripts").iterdir()] == ["00001.txt"]
    ran = here("tournament", "verify", cup / "record.json")
    assert ran.returncode == 0, ran.stderr
    assert "2 entries" in ran.stdout
    assert "which end as the record says: 1 of 1." in ran.stdout
    assert "follow from the published seed." in ran.stdout
    assert json.loads((cup / "record.json").read_text())["record"]["hash"] in ran.stdout


def test_only_what_a_tournament_before_left_is_replaced(cup: Path, tmp_path: Path) -> None:
    shutil.copytree(cup, tmp_path, dirs_exist_ok=True)
    mine = {Path("mine.csv"), Path("transcripts/mine.txt")}
    for path in mine:
        (tmp_path / path).write_text("")
    record = read_export((cup / "record.json").read_bytes()).record
    write_all(tmp_path, replace(record, entries=()), ())
    left = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")}
    assert mine < left
    assert left.isdisjoint({Path("transcripts/00001.txt"), Path("matches.csv"), Path("elo.csv")})


def test_all_is_written_though_nobody_reads_the_tables(tmp_path: Path) -> None:
    reader, stdout = os.pipe()
    os.close(reader)
    held = ("--game", GAME, "--players", "random,random", "--deals", "1", "--luck", "shared")
    with os.fdopen(stdout, "wb") as unread:
        command = (*CANTIERE, "tournament", "run", *held, "--out", tmp_path)
        ran = subprocess.run(command, stdout=unread, env=ENVIRONMENT, timeout=SECONDS, check=False)
    assert ran.returncode == FAILED
    assert {path.name for path in tmp_path.iterdir()} >= {"record.json", "ratings.svg", "tables.txt"}
    assert not (tmp_path / "unfinished.jsonl").exists()


@pytest.mark.parametrize("number", [2, 5, 9])
@pytest.mark.parametrize("width", [80, 200])
def test_tables_lose_nothing_for_want_of_room(
    monkeypatch: pytest.MonkeyPatch, number: int, width: int
) -> None:
    monkeypatch.setattr(out, "width", width)
    record = played(manifest(RoundRobin(), number), by_luck(b"table"))
    for sheet in sheets(record):
        with out.capture() as capture:
            out.print(table_of(sheet))
        printed = capture.get()
        assert "…" not in printed
        assert max(map(len, printed.splitlines())) <= width
        if sheet.name == "crosstable":
            places = [line[1:].partition("│")[0].strip() for line in printed.splitlines()]
            assert [place for place in places if place.isdigit()] == [str(row[0]) for row in sheet.rows]


def test_matches_of_a_deal_share_their_luck(tmp_path: Path, here: Here) -> None:
    held = ("--players", "random,random", "--deals", "1", "--luck", "shared", "--workers", "2")
    ran = cantiere("tournament", "run", "--game", GAME, *held, "--seed", "5", "--out", tmp_path)
    assert ran.returncode == 0, ran.stderr
    record = json.loads((tmp_path / "record.json").read_text())["record"]
    manifest = record["manifest"]
    assert (manifest["luck"], manifest["clock"]) == ("shared", None)
    assert [entrant["kind"] for entrant in manifest["entrants"]] == ["local", "local"]
    assert record["seed"] == f"{5:064x}"
    one, other = (entry["result"] for entry in record["entries"] if entry["entry"] == "ended")
    assert one["match"] != other["match"]
    for what in ("digest", "scores", "commitment"):
        assert one[what] == other[what], "bots that are alike play alike, whoever has which seat"
    checked = here("tournament", "verify", tmp_path / "record.json")
    assert checked.returncode == 0, checked.stderr
    assert "which end as the record says: 2 of 2." in checked.stdout


@pytest.mark.parametrize("luck", [(), ("--luck", "shared", "--deals", "1")])
def test_the_first_player_meets_all_others_in_a_gauntlet(tmp_path: Path, luck: tuple[str, ...]) -> None:
    held = ("--players", "greedy,random,random", "--format", "gauntlet", *luck)
    ran = cantiere("tournament", "run", "--game", GAME, *held, "--out", tmp_path)
    assert ran.returncode == 0, ran.stderr
    matches = list(csv.DictReader((tmp_path / "matches.csv").read_text().splitlines()))
    met = {frozenset((match["name 0"], match["name 1"])) for match in matches}
    assert met == {frozenset(("greedy", other)) for other in ("random", "random 2")}


def test_what_is_known_of_a_tournament_is_not_asked_for_again(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = played(manifest(RoundRobin(rounds=3), 2), by_luck(b"watched"))
    views = [EntryView(number, entry) for number, entry in enumerate(end.entries, 1)]
    pages = (
        EntryPage("running", tuple(views[1:2]), 2),
        EntryPage("running", (), 2),
        EntryPage("running", tuple(views[2:3]), 3),
        EntryPage("finished", tuple(views[3:]), 4),
    )
    begun = replace(end, entries=end.entries[:1])
    script = scripted(*(Answer(200, msgspec.json.encode(told)) for told in (begun, *pages, end)))
    shown: list[Record] = []
    monkeypatch.setattr(tournament_run, "progress_shown", lambda: nullcontext(shown.append))
    with Client(script.url) as client:
        assert tournament_run.watched(client, "cup", ()) == end
    assert [record.entries for record in shown] == [end.entries[:count] for count in (2, 2, 3)]
    asked = [request.path.partition("/cup/")[2] for request in script.heard]
    assert asked == ["record", *(f"events?after={known}&wait=5" for known in (1, 2, 2, 3)), "record"]


def test_nothing_is_left_behind_when_it_is_ended(tmp_path: Path) -> None:
    held = ("tournament", "run", "--game", GAME, "--players", "greedy,greedy", "--rounds", "1000")
    with background(tmp_path / "out", *held, TMPDIR=str(tmp_path)) as run:
        until(lambda: list(tmp_path.glob("cantiere-tournament-*/*")), run.process)
        run.process.send_signal(signal.SIGTERM)
        assert run.ended() == 128 + signal.SIGTERM, run.text()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_record_that_was_changed_is_refused(cup: Path, tmp_path: Path, here: Here) -> None:
    export = json.loads((cup / "record.json").read_text())
    (ended,) = (entry for entry in export["record"]["entries"] if entry["entry"] == "ended")
    ended["result"]["ranks"].reverse()
    (tmp_path / "record.json").write_text(json.dumps(export))
    ran = here("tournament", "verify", tmp_path / "record.json")
    assert ran.returncode == FAILED
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("cantiere")


def test_what_has_no_end_is_not_read_to_it(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "LARGEST", verify.MB)
    ran = here("tournament", "verify", "/dev/zero")
    assert (ran.returncode, ran.stdout) == (BAD_INPUT, "")
    assert ran.stderr == "cantiere: file: it is larger than 1 MB\n"


def test_a_transcript_without_an_end_is_not_read_to_it(
    cup: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "LARGEST", 1_000_000)
    (tmp_path / "00001.txt").symlink_to("/dev/zero")
    ran = here("tournament", "verify", cup / "record.json", "--transcripts", tmp_path)
    assert ran.returncode == BAD_INPUT
    assert "00001.txt: the file is larger" in ran.stderr


def test_a_record_that_is_too_deep_is_refused(cup: Path, tmp_path: Path, here: Here) -> None:
    text = (cup / "record.json").read_text()
    deep = text.replace('"options":{}', '"options":{"x":' + "[" * 100_000 + "]" * 100_000 + "}", 1)
    assert deep != text
    (tmp_path / "record.json").write_text(deep)
    ran = here("tournament", "verify", tmp_path / "record.json")
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.count("\n") == 1


def test_what_was_not_checked_is_told(cup: Path, tmp_path: Path, here: Here) -> None:
    export = json.loads((cup / "record.json").read_text())
    export["record"]["seed"] = None
    (tmp_path / "record.json").write_text(json.dumps(export))
    ran = here("tournament", "verify", tmp_path / "record.json")
    assert ran.returncode == 0, ran.stderr
    assert "which end as the record says: 0 of 1." in ran.stdout
    assert "The seed is not published" in ran.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("run --players random", "1 players are too few for a table of 2"),
        ("run --players random,random --luck shared", "--luck shared needs --deals"),
        ("run --players random,nobody", "there is no player 'nobody'"),
        ("run --players random,random --name=", "--name has 1 to 100 characters, without control"),
        (f"run --players random,random --deals 1 --luck shared --name={'x' * 101}", "1 to 100 characters"),
        ("run --players random,random --out /dev/null/cup", "cannot write to /dev/null/cup"),
        ("verify no-such-file", "does not exist"),
        ("verify /dev/null", "file: Input data was truncated"),
    ],
)
def test_bad_input_is_one_line(line: str, told: str, here: Here) -> None:
    ran = here("tournament", *line.split())
    assert ran.returncode == BAD_INPUT, ran.stderr
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert told in ran.stderr
