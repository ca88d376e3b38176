"""The box: cords, walls, starting gold and limits of options, loaded from data and checked."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files

import msgspec
from msgspec import Struct

from engine.boxes import EditionName, read_toml
from engine.errors import BadBox, Fault
from engine.game import Edition
from engine.torri_di_bologna.model import LEAST_PLAIN, MOST_BATTLEMENTS, MOST_PLAIN, BaseRule, Options
from engine.torri_di_bologna.walls import Cord, faults, misdrawn, padded

SEATS = (2, 3, 4)


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall with a name. `rows` as drawn, both central towers among them; `bases` the rule they meet."""

    name: str
    seats: int
    bases: BaseRule
    rows: tuple[str, ...]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most that an option may be."""

    least: int
    most: int


class Supply(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of what each player has."""

    plain: Limits
    battlements: Limits


class Contents(Struct, frozen=True, forbid_unknown_fields=True):
    """The data of a box as written."""

    edition: EditionName
    starting_gold: tuple[int, ...]
    supply: Supply
    cords: tuple[Cord, ...]
    presets: tuple[Preset, ...]


class Box(Struct, frozen=True):
    """A checked box, written as `data`.

    `gold` goes by place in turn order, `cords` by number of seats, `presets` by name.
    """

    data: bytes
    edition: Edition
    gold: tuple[int, ...]
    supply: Supply
    cords: dict[int, Cord]
    presets: dict[str, Preset]


def read_box(data: bytes) -> Box:
    """The box that `data`, TOML, describes. Raises BadBox."""
    contents = _decode(data)
    box = Box(
        data,
        Edition(contents.edition, hashlib.sha256(data).hexdigest()),
        contents.starting_gold,
        contents.supply,
        {cord.seats: cord for cord in contents.cords},
        {preset.name: preset for preset in contents.presets},
    )
    checks = (_gold(box), _supply(box), _cords(box, contents), _presets(box, contents))
    if found := tuple(fault for check in checks for fault in check):
        raise BadBox(*found)
    return box


def built_in_box() -> Box:
    """The box that comes with the engine."""
    return read_box(files("engine.torri_di_bologna").joinpath("components.toml").read_bytes())


def _decode(data: bytes) -> Contents:
    try:
        return msgspec.convert(read_toml(data), Contents)
    except msgspec.ValidationError as error:
        why, _, where = str(error).partition(" - at `$.")
        raise BadBox(Fault(where.rstrip("`") or "file", why)) from None


def _gold(box: Box) -> Iterator[Fault]:
    if len(box.gold) != SEATS[-1] or min(box.gold) < 0:
        yield Fault("starting_gold", f"{SEATS[-1]} amounts are needed, none below 0")


def _supply(box: Box) -> Iterator[Fault]:
    defaults = Options()
    bounds = (
        ("plain", box.supply.plain, LEAST_PLAIN, MOST_PLAIN, defaults.plain),
        ("battlements", box.supply.battlements, 0, MOST_BATTLEMENTS, defaults.battlements),
    )
    for name, limits, least, most, usual in bounds:
        if not least <= limits.least <= usual <= limits.most <= most:
            yield Fault(f"supply.{name}", f"the limits lie within {least} and {most} and {usual} within them")


def _cords(box: Box, contents: Contents) -> Iterator[Fault]:
    if sorted(cord.seats for cord in contents.cords) != list(SEATS):
        yield Fault("cords", f"there is one cord each for {SEATS[0]} to {SEATS[-1]} seats")
    for cord in contents.cords:
        where = f"cords.{cord.seats}"
        if not 0 < cord.shortest <= cord.longest or cord.area < 1:
            yield Fault(where, "lengths and area are above 0 and the shortest is not above the longest")
        preset = box.presets.get(cord.preset)
        if preset is None or preset.seats != cord.seats or preset.bases != Options().bases:
            yield Fault(where, f"'{cord.preset}' is no {Options().bases} preset for {cord.seats} seats")


def _presets(box: Box, contents: Contents) -> Iterator[Fault]:
    if len(box.presets) != len(contents.presets):
        yield Fault("presets", "two presets have the same name")
    for preset in contents.presets:
        where = f"presets.{preset.name}"
        if preset.seats not in box.cords:
            yield Fault(where, f"there is no cord for {preset.seats} seats")
            continue
        why = misdrawn(preset.rows)
        if why or not any("A" in row for row in preset.rows):
            yield Fault(where, why or "both central towers are drawn")
        elif wrong := faults(padded(preset.rows), box.cords[preset.seats], preset.bases):
            yield Fault(where, ", ".join(map(str, wrong)))
