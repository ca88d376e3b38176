"""What a tournament leaves behind in a directory: record, tables, transcripts, a plot."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine.transcript import Transcript, write_text
from service.cli.exits import BadInput
from service.tournaments.plots import ratings_plot
from service.tournaments.record import Record
from service.tournaments.sheets import NAMES, sheets, write_csv
from service.tournaments.sheets import write_text as write_table
from service.tournaments.statement import export


def make_ready(directory: Path) -> None:
    """The directory is there and can be written to. Raises BadInput."""
    try:
        (directory / "transcripts").mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        raise BadInput(f"cannot write to {directory}: {error.strerror}") from None


def write_all(directory: Path, record: Record, transcripts: Sequence[tuple[int, Transcript]]) -> None:
    """Write everything to a directory that was made ready; files of a tournament before are gone.

    Raises OSError.
    """
    _clear(directory)
    (directory / "record.json").write_bytes(export(record))
    (directory / "ratings.svg").write_text(ratings_plot(record), "utf-8")
    tables = sheets(record)
    for sheet in tables:
        (directory / f"{sheet.name}.csv").write_text(write_csv(sheet), "utf-8", newline="")
    (directory / "tables.txt").write_text("\n\n".join(map(write_table, tables)) + "\n", "utf-8")
    for number, transcript in transcripts:
        path = directory / "transcripts" / f"{number:05d}.txt"
        path.write_text(write_text(transcript), "utf-8")


def _clear(directory: Path) -> None:
    """Nothing is left that the next tournament may not replace: who checks it would take it for its own."""
    numbered = (path for path in (directory / "transcripts").glob("*.txt") if path.stem.isdecimal())
    for path in (*(directory / f"{name}.csv" for name in NAMES), *numbered):
        path.unlink(missing_ok=True)
