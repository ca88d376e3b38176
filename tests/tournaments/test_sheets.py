"""What people get to see: sheets as text and CSV, and the picture of ratings."""

import csv
import io
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from service.tournaments.manifest import Arena, Duplicate, Entrant, Placings, RoundRobin
from service.tournaments.plots import MOST_LINES, ratings_plot
from service.tournaments.record import MatchOrder, MatchResult, Record
from service.tournaments.sheets import Sheet, sheets, told, write_csv, write_text
from tests.tournaments.playing import Play, by_luck, by_strength, manifest, opened, played, result


def an_event(seats: int = 2, play: Play = by_strength) -> Record:
    return played(manifest(RoundRobin(rounds=2), 4, seats, design=Duplicate(seatings="cyclic")), play)


def all_alike(order: MatchOrder) -> MatchResult:
    return result(order, (1,) * len(order.entrants))


def by_name(record: Record) -> dict[str, Sheet]:
    return {sheet.name: sheet for sheet in sheets(record)}


def test_the_table_reads_as_it_should() -> None:
    text = write_text(by_name(an_event())["standings"])
    assert text.splitlines()[:5] == [
        "standings",
        "",
        "place  name       matches  points  share  share +-  wins   margin  margin +-  left",
        "-----  ---------  -------  ------  -----  --------  ----  -------  ---------  ----",
        "    1  Entrant 1       12  12.000  1.000     0.000    12   10.000      0.000",
    ]


@pytest.mark.parametrize("play", [by_strength, all_alike])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_sheet_can_be_read_back_from_csv(seats: int, play: Play) -> None:
    found = sheets(an_event(seats, play))
    names = ["standings", "crosstable", "ratings", "elo", "seats", "faults", "matches"]
    assert [sheet.name for sheet in found] == [name for name in names if name != "elo" or seats == 2]
    for sheet in found:
        head, *rows = csv.reader(io.StringIO(write_csv(sheet)))
        assert tuple(head) == sheet.head
        assert len(set(head)) == len(head), "columns are told apart by their names"
        assert [len(row) for row in rows] == [len(sheet.head)] * len(sheet.rows)


def test_the_crosstable_of_a_clear_case() -> None:
    sheet = by_name(an_event())["crosstable"]
    assert [row[2:] for row in sheet.rows] == [
        (None, "4/4", "4/4", "4/4"),
        ("0/4", None, "4/4", "4/4"),
        ("0/4", "0/4", None, "4/4"),
        ("0/4", "0/4", "0/4", None),
    ]


def test_matches_are_told_by_the_names_of_those_who_played() -> None:
    sheet = by_name(an_event())["matches"]
    assert sheet.head[5:] == (
        "name 0",
        "rank 0",
        "score 0",
        "reason 0",
        "name 1",
        "rank 1",
        "score 1",
        "reason 1",
    )
    assert sheet.rows[0] == (1, 1, 1, 1, "match 1", "Entrant 1", 1, 10, "played", "Entrant 4", 2, 0, "played")


def test_where_a_stopping_rule_stands_is_told() -> None:
    announced = manifest(RoundRobin(rounds=50), 3, 3, stopping=Placings(entrant="e1"))
    assert by_name(opened(announced))["verdict"].rows[0][0] == "undecided"
    (row,) = by_name(played(announced))["verdict"].rows
    assert row[0] == "better"
    assert row[-1] == row[-2], "each unit is one match here"


def test_names_that_a_spreadsheet_would_compute_are_made_harmless() -> None:
    assert write_csv(Sheet("x", ("name", "@value"), (("=1+1", -2), ("Ada", None)))) == (
        "name,'@value\r\n'=1+1,-2\r\nAda,\r\n"
    )


def test_numbers_are_short_for_people() -> None:
    assert [told(value) for value in (None, 3, 2 / 3, "Ada")] == ["", "3", "0.667", "Ada"]


def test_the_picture_has_a_line_and_a_band_for_everybody() -> None:
    picture = ET.fromstring(ratings_plot(an_event()))  # noqa: S314 - it is our own
    paths = [part.attrib for part in picture.iter() if part.tag.endswith("path")]
    assert sum("fill-opacity" in path for path in paths) == 4
    texts = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert {"Entrant 1", "Entrant 4"} <= set(texts)
    assert ratings_plot(an_event()) == ratings_plot(an_event())


def test_the_picture_is_of_the_strongest_if_there_are_too_many_and_of_none_if_nobody_played() -> None:
    crowd = played(manifest(Arena(sets=60), 20), by_luck(b"crowd"))
    assert ratings_plot(crowd).count("fill-opacity") == MOST_LINES
    assert ratings_plot(opened(crowd.manifest)).count("fill-opacity") == 0


def test_names_cannot_break_the_picture() -> None:
    record = an_event()
    evil = Entrant(id="e1", name='<script>"&', kind="local")
    announced = replace(record.manifest, entrants=(evil, *record.manifest.entrants[1:]))
    picture = ratings_plot(replace(record, manifest=announced))
    assert "<script" not in picture
    assert ET.fromstring(picture) is not None  # noqa: S314 - it is our own
