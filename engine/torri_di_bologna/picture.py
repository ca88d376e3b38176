"""The table as text, at most 80 columns wide."""

import textwrap
from collections.abc import Iterator
from typing import Final

from engine.speech import ENGLISH, Captions, Speech
from engine.torri_di_bologna.captions import captions_in
from engine.torri_di_bologna.lattice import Lattice, lattice
from engine.torri_di_bologna.model import BATTLEMENT, NOWHERE, Over, Placement, State, Tower, is_finished

WIDTH: Final = 80
"""Columns of the picture at most."""

_BAND: Final = 11
"""Columns of cells side by side at most; wider walls are shown in bands below each other."""

_CELL: Final = 7

PAINTS: Final = tuple(
    (rf"(?<= ){seat}/\d+[!*]*|(?m:^ {{3}}{seat}(?= ))", shade)
    for seat, shade in enumerate(("yellow", "bright_cyan", "green", "magenta"))
)
"""Cells by the owner of their top piece, and the line of each seat."""


def picture(state: State, speech: Speech = ENGLISH) -> str:
    """The state as text: whose move it is, the cells, the players, and every tower from the bottom."""
    captions = captions_in(speech)
    players = "\n".join(_players(captions, state))
    parts = [headline(captions, state), *_grid(state), captions.say("legend"), players]
    stacks = " ".join(_stacks(state))
    if stacks:
        towers = captions.say("towers", stacks=stacks)
        parts.append(textwrap.fill(towers, WIDTH, subsequent_indent="  ", break_on_hyphens=False))
    return "\n\n".join(parts)


def headline(captions: Captions, state: State) -> str:
    """What is due, in a line."""
    decision = state.decision
    if isinstance(decision, Over):
        return captions.say(f"over_{decision.ending}")
    if isinstance(decision, Placement):
        return captions.say("placement", seat=decision.seat)
    turn = captions.say("turn", seat=decision.seat)
    if state.turns_left is None:
        return turn
    return f"{turn} {captions.say('turns_left', turns=state.turns_left)}"


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


def _players(captions: Captions, state: State) -> Iterator[str]:
    columns = [captions.say(name) for name in ("seat", "gold", "plain", "battlements")]
    yield "  ".join((*columns, captions.say("builder")))
    names = lattice(state.wall).names
    for seat, gold in enumerate(state.gold):
        cell = state.builders[seat]
        place = "-" if cell == NOWHERE else names[cell]
        left = [captions.say("retired")] if seat in state.retired else []
        figures = (seat, gold, state.plain[seat], state.battlements[seat])
        row = (str(figure).rjust(len(column)) for figure, column in zip(figures, columns, strict=True))
        yield "  ".join((*row, place, *left))


def _stacks(state: State) -> Iterator[str]:
    for name, tower in zip(lattice(state.wall).names, state.towers, strict=True):
        if tower:
            yield f"{name}[{','.join(pieces(tower))}]"
