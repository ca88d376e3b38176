"""What a tournament leaves behind in a directory: record, tables, transcripts, a plot."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import rich_click as click

from engine.transcript import Transcript, write_text
from service.cli.exits import BadInput
from service.cli.output import out
from service.cli.tournament_table import tables
from service.client import Client, Refused
from service.tournaments.ledger import Ledger
from service.tournaments.plots import ratings_plot
from service.tournaments.record import Record
from service.tournaments.sheets import NAMES, sheets, write_csv
from service.tournaments.sheets import write_text as write_table
from service.tournaments.statement import export

out_option = click.option(
    "--out",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Where record, tables, transcripts and plot are written.  [default: nowhere]",
)
NOT_KEPT: Final = ("match_expired", "no_such_match")


def transcripts_of(client: Client, record: Record) -> Iterator[tuple[int, Transcript]]:
    """The transcripts of its matches by number, as far as the server tells which they are and keeps them."""
    for number, result in sorted(Ledger(record).results.items()):
        try:
            if result.match:
                yield number, client.transcript(result.match)
        except Refused as refusal:
            if refusal.code not in NOT_KEPT:
                raise


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


def print_all(directory: Path | None, record: Record) -> None:
    """Print the tables, and where everything was written before: who reads may have enough half-way."""
    for table in tables(record):
        out.print(table)
    if directory:
        check = f"cantiere tournament verify {directory}/record.json"
        out.print(f"Written to {directory}; check it with: {check}")


def _clear(directory: Path) -> None:
    """Nothing is left that the next tournament may not replace: who checks it would take it for its own."""
    numbered = (path for path in (directory / "transcripts").glob("*.txt") if path.stem.isdecimal())
    for path in (*(directory / f"{name}.csv" for name in NAMES), *numbered):
        path.unlink(missing_ok=True)
