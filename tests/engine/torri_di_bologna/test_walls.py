"""Section 5 of RULES.md on random drawings, against definitions written down once more and slowly."""

from itertools import combinations

import pytest

from engine.chance import Draw
from engine.errors import BadSetup
from engine.opening import read_options
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.components import built_in_box
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.walls import faults, with_bases

Cells = set[tuple[int, int]]


def pieces(cells: Cells) -> int:
    """How many parts hang together side by side: joined by merging, not by walking."""
    part = {cell: cell for cell in cells}
    for (a, b), (c, d) in combinations(cells, 2):
        if abs(a - c) + abs(b - d) == 1 and part[a, b] != part[c, d]:
            old, new = part[a, b], part[c, d]
            part = {cell: new if name == old else name for cell, name in part.items()}
    return len(set(part.values()))


def checks(rows: list[str], seats: int) -> set[str]:
    """The names of the checks that a drawing without central towers fails."""
    inside: Cells = {(y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "."}
    outside = {(y, x) for y in range(-1, len(rows) + 1) for x in range(-1, len(rows[0]) + 1)} - inside
    blocks = {(y, x) for y, x in inside if {(y, x + 1), (y + 1, x), (y + 1, x + 1)} <= inside}
    covered = {(y + dy, x + dx) for y, x in blocks for dy in (0, 1) for dx in (0, 1)}
    edges = sum(
        (y + dy, x + dx) in outside for y, x in inside for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    low, high, area = {2: (20, 22, 24), 3: (24, 26, 34), 4: (28, 30, 44)}[seats]
    heart = {(y, x) for y, x in inside if {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)} <= inside}
    found = {
        "not_connected": pieces(inside) > 1,
        "hole_or_self_touch": pieces(outside) > 1,
        "spur": covered != inside,
        "bottleneck": pieces(blocks) > 1,
        "perimeter": not low <= edges <= high,
        "area": len(inside) < area,
        "no_base_place": not any({(y, x + 2), (y + 2, x)} & heart for y, x in heart),
    }
    return {name for name, failed in found.items() if failed}


def drawing(draw: Draw) -> tuple[list[str], int]:
    """A rectangle with bites and holes, for a number of seats."""
    seats = 2 + draw.below(3, "seats")
    height, width = 3 + seats + draw.below(2, "height"), 3 + seats + draw.below(3, "width")
    grid = [["."] * width for _ in range(height)]
    for bite in range(draw.below(4, "bites")):
        top, left = draw.below(height, "top", bite), draw.below(width, "left", bite)
        if draw.below(3, "at the edge", bite):
            top, left = (
                (0, height - 1)[draw.below(2, "end", bite)],
                (0, width - 1)[draw.below(2, "side", bite)],
            )
        for y in range(top, min(height, top + 1 + draw.below(3, "tall", bite))):
            for x in range(left, min(width, left + 1 + draw.below(3, "wide", bite))):
                grid[y][x] = "#"
    return ["".join(row) for row in grid], seats


def test_drawings_fail_the_checks_they_should() -> None:
    seen: set[str] = set()
    legal = 0
    cords = built_in_box().cords
    for number in range(400):
        rows, seats = drawing(Draw(f"drawing {number}".encode()))
        expected = checks(rows, seats)
        assert {fault.check for fault in faults(rows, cords[seats], "standard")} == expected, rows
        seen |= expected
        legal += not expected
    assert legal > 40
    assert seen == {
        "not_connected",
        "hole_or_self_touch",
        "spur",
        "bottleneck",
        "perimeter",
        "area",
        "no_base_place",
    }


def test_every_failed_check_is_named_with_its_figures() -> None:
    rows = ["..##", "..##", "##..", "##.."]
    with pytest.raises(BadSetup) as error:
        GAME.deal(read_options(GAME, {"wall": rows}), 4, Draw(b""))
    assert error.value.where == "options.wall"
    assert str(error.value) == (
        "options.wall: this is no wall for 4 seats: not_connected (c3 cannot be reached from a1), "
        "bottleneck (no way two cells wide leads from a1 to c3), perimeter (16, the blue cord has 28 to 30), "
        "area (8 cells, at least 44 for 4 seats), no_base_place (there is no room for the two central towers)"
    )


def test_unplaced_bases_are_nearest_the_centroid() -> None:
    placed = 0
    cords = built_in_box().cords
    for number in range(400):
        rows, seats = drawing(Draw(f"drawing {number}".encode()))
        if faults(rows, cords[seats], "standard"):
            continue
        ground = lattice("/".join(with_bases(rows)))
        count = len(ground.spots)
        middle = [sum(values) for values in zip(*ground.spots, strict=True)]

        def distance(y: int, x: int, count: int = count, middle: list[int] = middle) -> int:
            """From the centroid, squared, in units of 1 / count."""
            return (count * y - middle[0]) ** 2 + (count * x - middle[1]) ** 2

        inside = set(ground.spots)
        heart = {(y, x) for y, x in inside if {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)} <= inside}
        pairs = [
            (distance(y + dy, x + dx), (y, x), (y + 2 * dy, x + 2 * dx))
            for y, x in heart
            for dy, dx in ((0, 1), (1, 0))
            if (y + 2 * dy, x + 2 * dx) in heart
        ]
        asinelli, garisenda = (ground.spots[cell] for cell in ground.centrals)
        assert min(pairs)[1:] == (asinelli, garisenda)
        placed += 1
    assert placed > 40
