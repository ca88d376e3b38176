"""Where a builder can walk: the one best route to every cell, and routes that a client names.

A route is the tuple of cells from the builder's own to the destination, both included.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engine.torri_di_bologna.lattice import Lattice, lattice
from engine.torri_di_bologna.model import BATTLEMENT, State

Route = tuple[int, ...]

_FEE: Final = 1 << 10
"""A fee of 1 in a cost, which counts the steps below it."""


def fees(state: State, seat: int) -> dict[int, int]:
    """What `seat` pays for entering each cell where others' builders stand. Source: TB-2.5."""
    due: dict[int, int] = {}
    for other, cell in enumerate(state.builders):
        if other != seat and cell >= 0:
            due[cell] = due.get(cell, 0) + 1
    return due


def is_own(state: State, seat: int, cell: int) -> bool:
    """Whether the top piece on `cell` is of `seat`, so that it may step on. Source: TB-2.3, TB-2.4."""
    tower = state.towers[cell]
    if not tower or tower[-1] % BATTLEMENT != seat:
        return False
    return not state.is_closed or cell not in lattice(state.wall).centrals


@lru_cache(maxsize=64)
def routes(state: State, seat: int, purse: int) -> Mapping[int, tuple[int, Route]]:
    """For every cell that `seat` can walk to with `purse` gold: the fee and the canonical route.

    Routes over own towers are continued by fee, then steps, then cells in lattice order. What a cell costs is
    the same from everywhere, so the first of them to meet it is the canonical one. What was found is kept for
    the moves that start from there. Source: TB-2.6.
    """
    towers = state.towers
    ground = lattice(state.wall)
    steps = ground.steps
    closed: tuple[int, ...] = ground.centrals if state.is_closed else ()
    due = fees(state, seat)
    start = state.builders[seat]
    found: dict[int, tuple[int, Route]] = {start: (0, (start,))}
    waiting: dict[int, list[Route]] = {0: [(start,)]}
    while waiting:
        cost = min(waiting)
        for route in sorted(waiting.pop(cost)):
            for cell in steps[route[-1]]:
                if cell in found:
                    continue
                total = cost + 1 + _FEE * due.get(cell, 0)
                if total // _FEE > purse:
                    continue
                longer = (*route, cell)
                found[cell] = (total // _FEE, longer)
                tower = towers[cell]
                if tower and tower[-1] % BATTLEMENT == seat and cell not in closed:
                    waiting.setdefault(total, []).append(longer)
    del found[start]
    return found


def named_route(ground: Lattice, start: int, via: tuple[str, ...], to: str) -> Route | None:
    """The route that names spell; None if a cell lies outside the wall."""
    cells = [ground.cells.get(name, -1) for name in (*via, to)]
    return None if -1 in cells else (start, *cells)


def is_walkable(state: State, seat: int, route: Route) -> bool:
    """Whether every step of `route` is allowed, fees aside. Source: TB-2.2, TB-2.3, TB-2.4, TB-2.6."""
    if len(set(route)) < len(route):
        return False
    steps = lattice(state.wall).steps
    apart = any(after not in steps[before] for before, after in pairwise(route))
    return not apart and all(is_own(state, seat, cell) for cell in route[1:-1])


def fee(route: Route, due: Mapping[int, int]) -> int:
    """What walking `route` costs: `due` of every cell entered. Source: TB-2.5."""
    return sum(due.get(cell, 0) for cell in route[1:])
