"""What commands print: events as sentences, score sheets, and the console they go to."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine.game import Row
from engine.match import AnyGame, Event, Step
from schema.wire_views import StandingRow

out: Final = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
"""Standard output. Nothing in a text is taken for markup, and lines are not broken: they may be piped on."""

Names = Sequence[str | None]
Rows = Sequence[Row] | Sequence[StandingRow]
"""A standing, of the engine or as a server tells it."""


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with numbers behind those that occur again: `greedy`, `greedy 2`."""
    return tuple(
        f"{name} {before + 1}" if (before := names[:place].count(name)) else name
        for place, name in enumerate(names)
    )


def seat_name(seat: int, names: Names) -> str:
    """The name of the player in a seat, or the seat's number."""
    name = names[seat] if seat < len(names) else None
    return name or f"seat {seat}"


def row_name(row: Row | StandingRow, names: Names) -> str:
    """The name of a side of the standing."""
    return row.label or seat_name(row.seat, names)


def event_text(game: AnyGame, step: Step, names: Names) -> Text:
    """An event as lines of text: version, who, the sentence of the move, then a line for each change."""
    event = step.event
    who = "chance" if event.seat is None else seat_name(event.seat, names)
    text = Text.assemble((f"{event.version:>5} ", "dim"), (f"{who:<12} ", "bold"), move_sentence(game, event))
    for change in step.changes:
        text.append(f"\n{'':<19}{game.sentence(change)}", "dim")
    return text


def move_sentence(game: AnyGame, event: Event) -> str:
    """The move of an event in words."""
    if event.kind == "retire":
        return f"leaves the match ({event.cause})" if event.cause else "leaves the match"
    return game.sentence(game.parse(event.move))


def standing_table(rows: Rows, names: Names, title: str | None = None) -> Table:
    """The score sheets side by side: a line for each category, then total, tie-breaks and rank."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("")
    for row in rows:
        table.add_column(row_name(row, names) + (" (retired)" if row.retired else ""), justify="right")
    for category in rows[0].scores:
        table.add_row(_words(category), *(str(row.scores[category]) for row in rows))
    table.add_section()
    table.add_row("total", *(str(row.total) for row in rows), style="bold")
    for tie in rows[0].ties:
        table.add_row(f"{_words(tie)} (tie)", *(str(row.ties.get(tie, "")) for row in rows), style="dim")
    table.add_row("rank", *(str(row.rank) for row in rows), style="bold")
    return table


def result_sentence(rows: Rows, names: Names) -> str:
    """Who won, by how much."""
    ranked: list[Row | StandingRow] = sorted(rows, key=lambda row: row.rank)
    best = [row_name(row, names) for row in ranked if row.rank == 1]
    points = " : ".join(str(row.total) for row in ranked)
    return f"{' and '.join(best)} {'wins' if len(best) == 1 else 'share the victory'}, {points}"


def _words(name: str) -> str:
    return name.replace("_", " ")
