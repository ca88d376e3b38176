"""The cells inside a wall and the steps between them, worked out once a wall."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

Spot = tuple[int, int]
"""Row and column from 0: spots in sorted order are in lattice order (TB-1.2)."""


class Lattice(Struct, frozen=True):
    """What follows from a wall. Tuples are by cell.

    `steps` are the cells one step away in lattice order: the neighbours and, from every cell but the central
    towers, both central towers (TB-2.2, TB-2.4). `centrals` are the cells of these, Asinelli first.
    """

    spots: tuple[Spot, ...]
    names: tuple[str, ...]
    cells: dict[str, int]
    steps: tuple[tuple[int, ...], ...]
    centrals: tuple[int, int]

    @property
    def asinelli(self) -> int:
        """The cell of Torre degli Asinelli."""
        return self.centrals[0]

    @property
    def garisenda(self) -> int:
        """The cell of Torre della Garisenda."""
        return self.centrals[1]


def name(spot: Spot) -> str:
    """A column letter from the left and a row number from the top. Source: TB-1.2."""
    return f"{chr(ord('a') + spot[1])}{spot[0] + 1}"


def neighbours(spot: Spot) -> tuple[Spot, ...]:
    """The four spots beside it, in lattice order."""
    row, column = spot
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def region(rows: Iterable[str]) -> tuple[Spot, ...]:
    """The spots inside the wall, in lattice order."""
    return tuple(
        (row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "#"
    )


def find(rows: Iterable[str], sign: str) -> Spot | None:
    """The first spot with this sign."""
    for row, line in enumerate(rows):
        if sign in line:
            return row, line.index(sign)
    return None


@lru_cache(maxsize=1024)
def lattice(wall: str) -> Lattice:
    """The lattice of a wall, its rows joined by '/', with one 'A' and one 'G' in it."""
    rows = wall.split("/")
    spots = region(rows)
    index = {spot: cell for cell, spot in enumerate(spots)}
    places = find(rows, "A"), find(rows, "G")
    assert places[0] is not None
    assert places[1] is not None
    centrals = index[places[0]], index[places[1]]
    steps: list[tuple[int, ...]] = []
    for cell, spot in enumerate(spots):
        near = {index[other] for other in neighbours(spot) if other in index}
        steps.append(tuple(sorted(near.difference(centrals) if cell in centrals else near.union(centrals))))
    names = tuple(map(name, spots))
    cells = {text: cell for cell, text in enumerate(names)}
    return Lattice(spots, names, cells, tuple(steps), centrals)
