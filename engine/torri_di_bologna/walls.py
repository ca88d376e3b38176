"""Which walls are legal, and where the central towers may stand. Source: TB-1.3, TB-1.4 and section 5."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from engine.torri_di_bologna.lattice import Spot, find, name, neighbours, region
from engine.torri_di_bologna.model import LONGEST_SIDE, BaseRule

Pair = tuple[Spot, Spot]


class Cord(Struct, frozen=True, forbid_unknown_fields=True):
    """The wall for a number of seats: its length in cell edges, the cells it must hold at least.

    `preset` is the wall of a match whose options name none.
    """

    seats: int
    colour: str
    shortest: int
    longest: int
    area: int
    preset: str


class Fault(Struct, frozen=True):
    """A check that a wall fails, with the figures."""

    check: str
    detail: str

    def __str__(self) -> str:
        return f"{self.check} ({self.detail})"


def padded(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows, short ones filled up with '#'."""
    width = max(map(len, rows))
    return tuple(row.ljust(width, "#") for row in rows)


def misdrawn(rows: Sequence[str]) -> str | None:
    """Why the rows draw no wall at all; None if they do."""
    if not rows or len(rows) > LONGEST_SIDE or max(map(len, rows)) > LONGEST_SIDE:
        return f"a wall has 1 to {LONGEST_SIDE} rows of at most {LONGEST_SIDE} signs"
    signs = "".join(rows)
    if strange := set(signs) - set(".#AG"):
        return f"'{min(strange)}' is none of the signs '.', '#', 'A' and 'G'"
    if (signs.count("A"), signs.count("G")) not in ((0, 0), (1, 1)):
        return "one 'A' and one 'G' are drawn, or neither"
    return None


def faults(rows: Sequence[str], cord: Cord, rule: BaseRule) -> tuple[Fault, ...]:
    """Every check that the region drawn by `rows` fails, in the order of section 5; none for a legal wall."""
    inside = frozenset(region(rows))
    found = [_not_connected(inside), _hole_or_self_touch(inside), _spur(inside), _bottleneck(inside)]
    found += [_perimeter(inside, cord), _area(inside, cord), _no_base_place(rows, inside, rule)]
    return tuple(fault for fault in found if fault)


def with_bases(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows with both central towers: as drawn, else the standard pair nearest the middle.

    Raises ValueError if there is no standard pair. Source: section 5.
    """
    if find(rows, "A"):
        return tuple(rows)
    inside = region(rows)
    centre = [sum(values) for values in zip(*inside, strict=True)]

    def distance(pair: Pair) -> int:
        return sum(
            (len(inside) * (first + second) - 2 * total) ** 2
            for first, second, total in zip(*pair, centre, strict=True)
        )

    pair = min(_standard_pairs(frozenset(inside)), key=distance)
    drawn = [list(row) for row in rows]
    for (row, column), sign in zip(pair, "AG", strict=True):
        drawn[row][column] = sign
    return tuple(map("".join, drawn))


def _standard_pairs(inside: Collection[Spot]) -> Iterator[Pair]:
    """The standard pairs, Asinelli first in lattice order, in lattice order."""
    for first in sorted(inside):
        for second in ((first[0], first[1] + 2), (first[0] + 2, first[1])):
            if _is_standard(inside, first, second):
                yield first, second


def _is_standard(inside: Collection[Spot], first: Spot, second: Spot) -> bool:
    apart = sorted((abs(first[0] - second[0]), abs(first[1] - second[1])))
    return apart == [0, 2] and all(_degree(inside, spot) == 4 for spot in (first, second))


def _is_hard(inside: Collection[Spot], first: Spot, second: Spot) -> bool:
    apart = max(abs(first[0] - second[0]), abs(first[1] - second[1]))
    return apart >= 2 and all(_degree(inside, spot) >= 2 for spot in (first, second))


_RULES: Final[dict[BaseRule, Callable[[Collection[Spot], Spot, Spot], bool]]] = {
    "standard": _is_standard,
    "hard": _is_hard,
}


def _degree(inside: Collection[Spot], spot: Spot) -> int:
    """How many neighbours of a spot inside are inside; 0 for a spot outside."""
    return sum(other in inside for other in neighbours(spot)) if spot in inside else 0


def _reached(spots: Collection[Spot]) -> set[Spot]:
    """The spots that can be reached from the first one through neighbours among them."""
    reached: set[Spot] = set()
    todo = [min(spots)] if spots else []
    while todo:
        spot = todo.pop()
        if spot not in reached:
            reached.add(spot)
            todo += (other for other in neighbours(spot) if other in spots)
    return reached


def _not_connected(inside: frozenset[Spot]) -> Fault | None:
    apart = inside - _reached(inside)
    return (
        Fault("not_connected", f"{name(min(apart))} cannot be reached from {name(min(inside))}")
        if apart
        else None
    )


def _hole_or_self_touch(inside: frozenset[Spot]) -> Fault | None:
    if not inside:
        return None
    height, width = (max(values) + 1 for values in zip(*inside, strict=True))
    box = {(row, column) for row in range(-1, height + 1) for column in range(-1, width + 1)}
    outside = box - inside
    enclosed = outside - _reached(outside)
    return Fault("hole_or_self_touch", f"{name(min(enclosed))} is enclosed") if enclosed else None


def _blocks(inside: frozenset[Spot]) -> set[Spot]:
    """The upper left spots of the 2x2 blocks inside."""
    return {spot for spot in inside if inside.issuperset(_block(spot))}


def _block(spot: Spot) -> tuple[Spot, ...]:
    row, column = spot
    return spot, (row, column + 1), (row + 1, column), (row + 1, column + 1)


def _spur(inside: frozenset[Spot]) -> Fault | None:
    covered = {spot for corner in _blocks(inside) for spot in _block(corner)}
    narrow = inside - covered
    return Fault("spur", f"{name(min(narrow))} lies in no 2x2 block inside") if narrow else None


def _bottleneck(inside: frozenset[Spot]) -> Fault | None:
    blocks = _blocks(inside)
    apart = blocks - _reached(blocks)
    if not apart:
        return None
    return Fault("bottleneck", f"no way two cells wide leads from {name(min(blocks))} to {name(min(apart))}")


def _perimeter(inside: frozenset[Spot], cord: Cord) -> Fault | None:
    length = sum(4 - _degree(inside, spot) for spot in inside)
    if cord.shortest <= length <= cord.longest:
        return None
    return Fault("perimeter", f"{length}, the {cord.colour} cord has {cord.shortest} to {cord.longest}")


def _area(inside: frozenset[Spot], cord: Cord) -> Fault | None:
    if len(inside) >= cord.area:
        return None
    return Fault("area", f"{len(inside)} cells, at least {cord.area} for {cord.seats} seats")


def _no_base_place(rows: Sequence[str], inside: frozenset[Spot], rule: BaseRule) -> Fault | None:
    first, second = find(rows, "A"), find(rows, "G")
    if first is None or second is None:
        if any(_standard_pairs(inside)):
            return None
        return Fault("no_base_place", "there is no room for the two central towers")
    if _RULES[rule](inside, first, second):
        return None
    return Fault(
        "no_base_place", f"{name(first)} and {name(second)} are no {rule} places of the central towers"
    )
