"""What a tournament leaves behind in a directory: record, tables, transcripts, a plot."""

from collections.abc import Sequence
from pathlib import Path

from engine.transcript import Transcript, write_text
from service.tournaments.plots import ratings_plot
from service.tournaments.record import Record
from service.tournaments.sheets import sheets, write_csv
from service.tournaments.sheets import write_text as write_table
from service.tournaments.statement import export


def write_all(directory: Path, record: Record, transcripts: Sequence[tuple[int, Transcript]]) -> None:
    """Write everything; files of the same names are replaced. Raises OSError."""
    (directory / "transcripts").mkdir(parents=True, exist_ok=True)
    (directory / "record.json").write_bytes(export(record))
    (directory / "ratings.svg").write_text(ratings_plot(record), "utf-8")
    tables = sheets(record)
    for sheet in tables:
        (directory / f"{sheet.name}.csv").write_text(write_csv(sheet), "utf-8", newline="")
    (directory / "tables.txt").write_text("\n\n".join(map(write_table, tables)) + "\n", "utf-8")
    for number, transcript in transcripts:
        path = directory / "transcripts" / f"{number:05d}.txt"
        path.write_text(write_text(transcript), "utf-8")
