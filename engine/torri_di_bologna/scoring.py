"""Points and ranks. Source: section 4 and TB-8.1 of RULES.md."""

from functools import lru_cache
from typing import Final

from engine.game import Row, Standing
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import BATTLEMENT, State

CONTROL: Final = 2
"""Points for an ordinary tower. Source: TB-4.1."""

CONNECTED: Final = 2
"""Points for a piece of the largest group in the central towers. Source: TB-4.3."""


def standing(state: State) -> Standing:
    """The score sheet of every seat, in order of seats: control, levels, central, gold."""
    sheets = score_sheets(state)
    ranks = _ranks(state, [sum(sheet.values()) for sheet in sheets])
    return Standing(
        tuple(
            Row(
                seat,
                sheet,
                sum(sheet.values()),
                {"gold": state.gold[seat]},
                ranks[seat],
                seat in state.retired,
            )
            for seat, sheet in enumerate(sheets)
        )
    )


def score_sheets(state: State) -> tuple[dict[str, int], ...]:
    """By seat, the points by category. Source: TB-4.1 to TB-4.4."""
    control, levels = _ordinary(state)
    return tuple(
        {
            "control": control[seat],
            "levels": levels[seat],
            "central": CONNECTED * largest_group(state, seat),
            "gold": gold,
        }
        for seat, gold in enumerate(state.gold)
    )


def largest_group(state: State, seat: int) -> int:
    """How many own pieces in the central towers, side by side, hang together at most. Source: TB-4.3."""
    asinelli, garisenda = lattice(state.wall).centrals
    return _largest_group(state.towers[asinelli], state.towers[garisenda], seat)


@lru_cache(maxsize=4096)
def _largest_group(asinelli: tuple[int, ...], garisenda: tuple[int, ...], seat: int) -> int:
    own = {
        (side, height)
        for side, tower in enumerate((asinelli, garisenda))
        for height, piece in enumerate(tower)
        if piece == seat
    }
    largest = 0
    while own:
        todo = [own.pop()]
        size = 0
        while todo:
            side, height = todo.pop()
            size += 1
            joined = own & {(1 - side, height), (side, height - 1), (side, height + 1)}
            own -= joined
            todo += joined
        largest = max(largest, size)
    return largest


def _ordinary(state: State) -> tuple[list[int], list[int]]:
    """By seat, the points for tops and for pieces of ordinary towers. Source: TB-4.1, TB-4.2, TB-2.11."""
    control = [0] * len(state.gold)
    levels = [0] * len(state.gold)
    centrals = lattice(state.wall).centrals
    for cell, tower in enumerate(state.towers):
        if tower and cell not in centrals:
            control[tower[-1] % BATTLEMENT] += CONTROL
            for seat, points in _levels(tower, state.battlement_mode):
                levels[seat] += points
    return control, levels


@lru_cache(maxsize=4096)
def _levels(tower: tuple[int, ...], mode: str) -> tuple[tuple[int, int], ...]:
    """The pieces of an ordinary tower: whose, and the points for it."""
    top = tower[-1]
    if top < BATTLEMENT:
        return tuple((seat, level) for level, seat in enumerate(tower))
    pieces = tuple((seat, level) for level, seat in enumerate(tower[:-1], 1))
    return (*pieces, (top - BATTLEMENT, 1 if mode == "cap" else len(tower) + 1))


def _ranks(state: State, totals: list[int]) -> list[int]:
    """By seat, from 1, equals share: points, then gold; retired seats last, later leavers first.

    Source: TB-4.5, TB-8.1.
    """
    keys = [
        (-1 if seat not in state.retired else len(state.retired) - state.retired.index(seat), -total, -gold)
        for seat, (total, gold) in enumerate(zip(totals, state.gold, strict=True))
    ]
    return [1 + sum(other < key for other in keys) for key in keys]
