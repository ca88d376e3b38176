"""Tournaments as tables for a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.cells import cell_len
from rich.console import Group as Lines
from rich.console import JustifyMethod
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

SHOWN: Final = ("standings", "crosstable", "ratings", "faults", "verdict")


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
    """A sheet as a table: turned on its side if it is too wide for the terminal, and less so then.

    A crosstable is read by rows, so it stays as it is. Nothing is left out for want of room.
    """
    turned = _turned(sheet)
    is_turned = sheet.name != "crosstable" and _width(sheet) > max(out.width, _width(turned))
    shown = turned if is_turned else sheet
    table = Table(title=sheet.name, title_justify="left", title_style="bold")
    for column, name in enumerate(shown.head):
        justify: JustifyMethod = "right" if is_numeric(shown, column) else "left"
        table.add_column(name, justify=justify, overflow="fold")
    for row in shown.rows:
        table.add_row(*map(told, row))
    return table


def _turned(sheet: Sheet) -> Sheet:
    head, *rows = zip(sheet.head, *sheet.rows, strict=True)
    return Sheet(sheet.name, tuple(map(told, head)), tuple(rows))


def _width(sheet: Sheet) -> int:
    """Columns of a terminal that the table takes, its lines among them."""
    columns = zip(sheet.head, *sheet.rows, strict=True)
    return 1 + sum(3 + max(cell_len(told(value)) for value in column) for column in columns)
