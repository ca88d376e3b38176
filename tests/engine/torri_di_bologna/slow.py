"""A second judge of legality, slow and plain: every simple route is walked. Written from RULES.md alone.

It shares nothing with the engine but the fields of the state; cells are (row, column).
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.torri_di_bologna.model import State, Turn

Cell = tuple[int, int]
FREE, BARE = "free", "bare"


class TooManyRoutes(Exception):
    """The position has more routes than it is worth walking."""


class Route(NamedTuple):
    """What a walk costs and the cells it enters, in the order that TB-2.6 compares."""

    fee: int
    steps: int
    cells: tuple[Cell, ...]


class Table:
    """A state spread out on the lattice."""

    def __init__(self, state: State) -> None:
        assert isinstance(state.decision, Turn)
        self.me = state.decision.seat
        self.state = state
        self.cells: list[Cell] = []
        self.bases: list[Cell] = []
        for row, line in enumerate(state.wall.split("/")):
            for column, sign in enumerate(line):
                if sign != "#":
                    self.cells.append((row, column))
                if sign in "AG":
                    self.bases.append((row, column))
        self.stack = dict(zip(self.cells, state.towers, strict=True))
        self.standing: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for seat, place in enumerate(state.builders):
            if place >= 0:
                self.standing[self.cells[place]].append(seat)
        self.home = self.cells[state.builders[self.me]]
        self.purse = state.gold[self.me]

    def name(self, cell: Cell) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[cell[1]] + str(cell[0] + 1)

    def cell(self, name: str) -> Cell | None:
        found = [cell for cell in self.cells if self.name(cell) == name]
        return found[0] if found else None

    def holder(self, cell: Cell) -> int | str:
        """Whose a cell is: a seat, or nobody's (TB-2.3, TB-3.1)."""
        if not self.stack[cell]:
            return BARE if cell in self.bases else FREE
        if cell in self.bases and self.state.turns_left is not None:
            return "neutral"
        top = self.stack[cell][-1]
        return top - 4 if top > 3 else top

    def onward(self, cell: Cell) -> Iterator[Cell]:
        """TB-2.2, TB-2.4."""
        for other in self.cells:
            near = abs(other[0] - cell[0]) + abs(other[1] - cell[1]) == 1
            both = cell in self.bases and other in self.bases
            if other != cell and not both and (near or other in self.bases):
                yield other

    def toll(self, cell: Cell) -> int:
        """TB-2.5."""
        return len([seat for seat in self.standing[cell] if seat != self.me])

    def routes(self, most: int) -> dict[Cell, Route]:
        """The best route to every destination, out of all of them (TB-2.6)."""
        best: dict[Cell, Route] = {}
        count = 0

        def walk(cell: Cell, fee: int, path: tuple[Cell, ...]) -> None:
            nonlocal count
            for other in self.onward(cell):
                cost = fee + self.toll(other)
                if other in path or other == self.home or cost > self.purse:
                    continue
                count += 1
                if count > most:
                    raise TooManyRoutes
                longer = (*path, other)
                route = Route(cost, len(longer), longer)
                if other not in best or route < best[other]:
                    best[other] = route
                if self.holder(other) == self.me:
                    walk(other, cost, longer)

        walk(self.home, 0, ())
        return best

    def endings(self, cell: Cell, fee: int) -> Iterator[str]:
        """What a walk to `cell` that cost `fee` may be (TB-2.1, 2.2, 2.7, 2.9, 2.10, 2.11, 2.13, 3.1)."""
        stack = self.stack[cell]
        central = cell in self.bases
        lower = 1 + min(len(self.stack[base]) for base in self.bases)
        finished = bool(stack) and stack[-1] > 3
        others = [seat for seat in self.standing[cell] if seat != self.me]
        if central or stack:
            yield "walk"
        if self.state.plain[self.me] > 0 and not others:
            if central:
                if self.state.turns_left is None:
                    yield "build"
            elif not finished and len(stack) + 1 <= lower:
                yield "build"
        if central or not stack or finished or others:
            return
        fits = self.state.battlement_mode == "cap" or len(stack) + 1 <= lower
        if fits and self.state.battlements[self.me] > 0 and self.purse - fee >= 3:
            yield "cap"


def legal(state: State, most: int = 100_000) -> tuple[list[str], dict[str, Route]]:
    """The legal moves in order, and the route of each destination. Raises TooManyRoutes."""
    table = Table(state)
    best = table.routes(most)
    moves = [
        f"{kind}:{table.name(cell)}" for cell in sorted(best) for kind in table.endings(cell, best[cell].fee)
    ]
    return moves or ["pass"], {table.name(cell): route for cell, route in best.items()}


def names(state: State, cells: tuple[Cell, ...]) -> list[str]:
    """How the cells are called."""
    return [Table(state).name(cell) for cell in cells]


def is_legal(state: State, text: str) -> bool:
    """Whether an action with an explicit route is legal (TB-2.6)."""
    kind, to, _, via = text.split(":")
    table = Table(state)
    path = [table.cell(name) for name in (*via.split(","), to)]
    seen: list[Cell] = [table.home]
    fee = 0
    for number, cell in enumerate(path):
        if cell is None or cell in seen or cell not in list(table.onward(seen[-1])):
            return False
        if number and table.holder(seen[-1]) != table.me:
            return False
        fee += table.toll(cell)
        if fee > table.purse:
            return False
        seen.append(cell)
    return kind in table.endings(seen[-1], fee)
