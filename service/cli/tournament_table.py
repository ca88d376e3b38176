"""Tournaments as tables for a terminal."""

from collections.abc import Iterator
from typing import Final

from rich.table import Table

from schema.wire_tournaments import TournamentView
from service.tournaments.record import Record
from service.tournaments.sheets import Sheet, is_numeric, sheets, told

SHOWN: Final = ("standings", "crosstable", "ratings", "faults")
MOST_COLUMNS: Final = 10


def headline(view: TournamentView) -> str:
    """How a tournament stands, in one line."""
    played = f"{view.done} of {view.ordered} ordered matches done" if view.started_at else "not begun"
    return f"{view.name} ({view.id}): {view.status}, {len(view.entrants)} entrants, {played}"


def tables(record: Record) -> Iterator[Table]:
    """What is worth a look, table by table."""
    return (table_of(sheet) for sheet in sheets(record) if sheet.name in SHOWN)


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
