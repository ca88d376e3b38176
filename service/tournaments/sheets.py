"""What is stated of a tournament as sheets of rows: for a terminal, as text, or as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.tournaments.counting import Mean
from service.tournaments.elo import Estimate
from service.tournaments.faults import CLASSES, PERCENTS
from service.tournaments.ledger import Ledger
from service.tournaments.record import MatchOrder, MatchResult, Record
from service.tournaments.statement import Statement, stated

Value = str | int | float | None

NAMES = ("standings", "crosstable", "ratings", "elo", "seats", "faults", "verdict", "matches")
"""What sheets there are, in their sequence."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a text must not begin with in a spreadsheet: it would be computed."""


class Sheet(NamedTuple):
    """A table: its name, the heads of its columns, and rows of as many values; None is an empty cell."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def sheets(record: Record) -> tuple[Sheet, ...]:
    """Everything there is to say, sheet by sheet; sheets without rows are left out."""
    statement = stated(record)
    names = {entrant.id: entrant.name for entrant in Ledger(record).entrants.values()}
    found = (
        standings_sheet(statement),
        crosstable_sheet(statement, names),
        ratings_sheet(statement, names),
        elo_sheet(statement, names),
        seats_sheet(statement),
        faults_sheet(statement, names),
        verdict_sheet(statement),
        matches_sheet(record, names),
    )
    return tuple(sheet for sheet in found if sheet.rows)


def standings_sheet(statement: Statement) -> Sheet:
    """The final table, with margins beside wins and a standard error behind each mean."""
    ties = tuple(dict.fromkeys(tie for row in statement.standings for tie in row.ties))
    means = ("share", "share +-", "wins", "margin", "margin +-")
    head = ("place", "name", "matches", "points", *means, *(f"{tie} (tie)" for tie in ties), "left")
    rows = tuple(
        (
            row.place,
            row.name,
            row.matches,
            row.points,
            *_mean(row.share),
            row.wins,
            *_mean(row.margin),
            *(row.ties.get(tie) for tie in ties),
            row.left,
        )
        for row in statement.standings
    )
    return Sheet("standings", head, rows)


def crosstable_sheet(statement: Statement, names: dict[str, str]) -> Sheet:
    """Points of each row's entrant against each column's, of how many matches."""
    cells = {(cell.one, cell.other): f"{cell.points:g}/{cell.matches}" for cell in statement.crosstable}
    order = [row.entrant for row in statement.standings]
    rows = tuple(
        (row.place, row.name, *(cells.get((row.entrant, other)) for other in order))
        for row in statement.standings
    )
    return Sheet("crosstable", ("place", "name", *(names[other] for other in order)), rows if cells else ())


def ratings_sheet(statement: Statement, names: dict[str, str]) -> Sheet:
    """Ratings with their 95 % bounds."""
    rows = tuple(
        (names[row.entrant], row.mu, row.sigma, row.low, row.high, row.matches) for row in statement.ratings
    )
    return Sheet("ratings", ("name", "mu", "sigma", "low", "high", "matches"), rows)


def elo_sheet(statement: Statement, names: dict[str, str]) -> Sheet:
    """Elo differences to the field, and for every two that met, with their 95 % bounds."""
    field = tuple((names[row.entrant], "all met", *_estimate(row.elo)) for row in statement.elo)
    pairs = tuple(
        (names[cell.one], names[cell.other], *_estimate(cell.elo))
        for cell in statement.crosstable
        if cell.elo
    )
    return Sheet("elo", ("name", "against", "elo", "low", "high"), field + (pairs if len(field) > 2 else ()))


def seats_sheet(statement: Statement) -> Sheet:
    """What each seat is worth."""
    rows = tuple((row.seat, *_mean(row.share), row.share.count) for row in statement.seats)
    return Sheet("seats", ("seat", "share", "share +-", "matches"), rows)


def faults_sheet(statement: Statement, names: dict[str, str]) -> Sheet:
    """Faults by class, strikes, and the times of turns in ms."""
    rows = tuple(
        (
            names.get(row.entrant, "(server)"),
            *(row.faults[fault] for fault in CLASSES),
            row.strikes,
            row.turns,
            row.p50,
            row.p90,
            row.p99,
        )
        for row in statement.faults
    )
    head = ("name", *CLASSES, "strikes", "turns", *(f"p{percent} (ms)" for percent in PERCENTS))
    return Sheet("faults", head, rows)


def verdict_sheet(statement: Statement) -> Sheet:
    """Where the stopping rule stands: a value between its bounds, after so many deals or sets."""
    reached = statement.verdict
    row = reached and (
        reached.accepted or "undecided",
        reached.value,
        reached.lower,
        reached.upper,
        reached.units,
        reached.last or None,
    )
    head = ("accepted", "value", "lower", "upper", "units", "last match")
    return Sheet("verdict", head, (row,) if row else ())


def matches_sheet(record: Record, names: dict[str, str]) -> Sheet:
    """Every match with a result, its seats side by side; `match` names its transcript."""
    head = ("order", "round", "table", "deal", "match")
    of_seat = ("name", "rank", "score", "reason")
    seats = range(record.manifest.seats)
    rows = tuple(
        (order.number, order.round, order.table, order.deal, result.match, *_by_seat(order, result, names))
        for order, result in Ledger(record).matches()
    )
    return Sheet("matches", (*head, *(f"{what} {seat}" for seat in seats for what in of_seat)), rows)


def write_csv(sheet: Sheet) -> str:
    """The sheet as CSV (RFC 4180); a text that a spreadsheet would compute has an apostrophe before it."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerows([_harmless(value) for value in row] for row in (sheet.head, *sheet.rows))
    return written.getvalue()


def write_text(sheet: Sheet) -> str:
    """The sheet with aligned columns, numbers to the right."""
    rows = [sheet.head, *(tuple(map(told, row)) for row in sheet.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(sheet.head))]
    numeric = [is_numeric(sheet, column) for column in range(len(sheet.head))]
    lines = [_line(row, widths, numeric) for row in rows]
    return (
        "\n".join([sheet.name, "", lines[0], "  ".join("-" * width for width in widths), *lines[1:]]) + "\n"
    )


def told(value: Value) -> str:
    """A value as people read it."""
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def is_numeric(sheet: Sheet, column: int) -> bool:
    """Whether a column holds numbers only."""
    return all(not isinstance(row[column], str) for row in sheet.rows)


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = zip(row, widths, numeric, strict=True)
    return "  ".join(
        text.rjust(width) if right else text.ljust(width) for text, width, right in cells
    ).rstrip()


def _harmless(value: Value) -> Value:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value


def _by_seat(order: MatchOrder, result: MatchResult, names: dict[str, str]) -> Iterator[Value]:
    seats = zip(order.entrants, result.ranks, result.scores, result.reasons, strict=True)
    for entrant, rank, score, reason in seats:
        yield from (names[entrant], rank, score, reason)


def _mean(mean: Mean | None) -> Iterator[Value]:
    yield mean.mean if mean else None
    yield mean.error if mean else None


def _estimate(elo: Estimate | None) -> Iterator[Value]:
    yield elo.elo if elo else None
    yield elo.low if elo else None
    yield elo.high if elo else None
