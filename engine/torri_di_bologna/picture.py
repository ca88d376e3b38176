"""The table as text, at most 80 columns wide."""

import textwrap
from collections.abc import Iterator
from typing import Final

from engine.torri_di_bologna.lattice import Lattice, lattice
from engine.torri_di_bologna.model import BATTLEMENT, NOWHERE, Over, Placement, State, Tower, is_finished

WIDTH: Final = 80
"""Columns of the picture at most."""

_BAND: Final = 11
"""Columns of cells side by side at most; wider walls are shown in bands below each other."""

_CELL: Final = 7

_LEGEND: Final = "owner/pieces, ! finished, * builder, . free, A Asinelli, G Garisenda, - nobody"

_ENDINGS: Final = {
    "extra_round": "after the extra round",
    "all_passed": "after passes all round",
    "idle": "without a piece for too long",
    "one_seat_left": "with one seat left",
}


PAINTS: Final = tuple(
    (rf"(?<= ){seat}/\d+[!*]*|(?m:^ {{3}}{seat}(?= ))", shade)
    for seat, shade in enumerate(("yellow", "bright_cyan", "green", "magenta"))
)
"""Cells by the owner of their top piece, and the line of each seat."""


def picture(state: State) -> str:
    """The state as text: whose move it is, the cells, the players, and every tower from the bottom."""
    parts = [headline(state), *_grid(state), _LEGEND, "\n".join(_players(state))]
    towers = " ".join(_stacks(state))
    if towers:
        parts.append(textwrap.fill(f"towers {towers}", WIDTH, subsequent_indent="  ", break_on_hyphens=False))
    return "\n\n".join(parts)


def headline(state: State) -> str:
    """What is due, in a line."""
    decision = state.decision
    if isinstance(decision, Over):
        return f"Over, {_ENDINGS[decision.ending]}."
    if isinstance(decision, Placement):
        return f"Seat {decision.seat} puts its builder on a central tower."
    last = "" if state.turns_left is None else f" Turns left, this one included: {state.turns_left}."
    return f"Turn of seat {decision.seat}.{last}"


def pieces(tower: Tower) -> list[str]:
    """The pieces from the bottom: a seat, with '!' for its battlement."""
    return [f"{piece % BATTLEMENT}!" if piece >= BATTLEMENT else str(piece) for piece in tower]


def _grid(state: State) -> Iterator[str]:
    ground = lattice(state.wall)
    rows, columns = (sorted(set(values)) for values in zip(*ground.spots, strict=True))
    shown = {spot: _cell(state, ground, cell) for cell, spot in enumerate(ground.spots)}
    for first in range(0, len(columns), _BAND):
        band = columns[first : first + _BAND]
        lines = ["   " + "".join(chr(ord("a") + column).ljust(_CELL) for column in band)]
        for row in rows:
            cells = "".join(shown.get((row, column), "").ljust(_CELL) for column in band)
            lines.append(f"{row + 1:>2} {cells}")
        yield "\n".join(line.rstrip() for line in lines)


def _cell(state: State, ground: Lattice, cell: int) -> str:
    tower = state.towers[cell]
    here = "*" if cell in state.builders else ""
    size = len(tower) - is_finished(tower)
    if cell not in ground.centrals:
        return f"{tower[-1] % BATTLEMENT}/{size}{'!' * is_finished(tower)}{here}" if tower else "."
    letter = "A" if cell == ground.asinelli else "G"
    holder = "-" if state.is_closed or not tower else str(tower[-1])
    return f"{letter}{holder}/{size}{'!' * state.is_closed}{here}"


def _players(state: State) -> Iterator[str]:
    yield "seat  gold  plain  battlements  builder"
    names = lattice(state.wall).names
    for seat, gold in enumerate(state.gold):
        cell = state.builders[seat]
        place = "-" if cell == NOWHERE else names[cell]
        left = "  left" if seat in state.retired else ""
        yield f"{seat:>4}{gold:>6}{state.plain[seat]:>7}{state.battlements[seat]:>13}  {place}{left}"


def _stacks(state: State) -> Iterator[str]:
    for name, tower in zip(lattice(state.wall).names, state.towers, strict=True):
        if tower:
            yield f"{name}[{','.join(pieces(tower))}]"
