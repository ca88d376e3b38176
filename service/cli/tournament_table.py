"""Tournaments as tables for a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Group as Lines
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from schema.wire_tournaments import TournamentView
from service.cli.output import out
from service.tournaments.ledger import Ledger
from service.tournaments.record import Record
from service.tournaments.schedule import planned_matches
from service.tournaments.sheets import Sheet, is_numeric, sheets, standings_sheet, told
from service.tournaments.statement import stated

SHOWN: Final = ("standings", "crosstable", "ratings", "faults")
MOST_COLUMNS: Final = 10


def headline(view: TournamentView) -> str:
    """How a tournament stands, in one line."""
    played = f"{view.done} of {view.ordered} ordered matches done" if view.started_at else "not begun"
    return f"{view.name} ({view.id}): {view.status}, {len(view.entrants)} entrants, {played}"


def tables(record: Record) -> Iterator[Table]:
    """What is worth a look, table by table."""
    return (table_of(sheet) for sheet in sheets(record) if sheet.name in SHOWN)


@contextmanager
def progress_shown() -> Iterator[Callable[[Record], None]]:
    """Shows on a terminal how far a tournament is whenever it is told the record; nothing elsewhere."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=out, disable=not out.is_terminal)
    task = progress.add_task("matches", total=None)
    with Live(console=out, transient=True, auto_refresh=out.is_terminal) as live:

        def show(record: Record) -> None:
            if out.is_terminal:
                ledger = Ledger(record)
                progress.update(task, completed=len(ledger.results), total=planned_matches(ledger))
                live.update(Lines(table_of(standings_sheet(stated(record))), progress))

        yield show


def table_of(sheet: Sheet) -> Table:
    """A sheet as a table; one that is too wide for a terminal is turned on its side."""
    if len(sheet.head) > MOST_COLUMNS:
        head, *rows = zip(sheet.head, *sheet.rows, strict=True)
        sheet = Sheet(sheet.name, tuple(map(str, head)), tuple(rows))
    table = Table(title=sheet.name, title_justify="left", title_style="bold")
    for column, name in enumerate(sheet.head):
        table.add_column(name, justify="right" if is_numeric(sheet, column) else "left")
    for row in sheet.rows:
        table.add_row(*map(told, row))
    return table
