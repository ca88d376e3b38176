"""The box: cords, walls, starting gold and limits of options, loaded from data and checked."""

import hashlib
import tomllib
from importlib.resources import files

import msgspec
from msgspec import Struct

from engine.errors import BadBox
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

    edition: str
    starting_gold: tuple[int, ...]
    supply: Supply
    cords: tuple[Cord, ...]
    presets: tuple[Preset, ...]


class Box(Struct, frozen=True):
    """A checked box. `gold` by place in turn order; `cords` by number of seats; `presets` by name."""

    edition: Edition
    gold: tuple[int, ...]
    supply: Supply
    cords: dict[int, Cord]
    presets: dict[str, Preset]


def read_box(data: bytes) -> Box:
    """The box that `data`, TOML, describes. Raises BadBox."""
    contents = _decode(data)
    box = Box(
        Edition(contents.edition, hashlib.sha256(data).hexdigest()),
        contents.starting_gold,
        contents.supply,
        {cord.seats: cord for cord in contents.cords},
        {preset.name: preset for preset in contents.presets},
    )
    _check_edition(box)
    _check_supply(box)
    _check_cords(box, contents)
    _check_presets(box, contents)
    return box


def built_in_box() -> Box:
    """The box that comes with the engine."""
    return read_box(files("engine.torri_di_bologna").joinpath("components.toml").read_bytes())


def _decode(data: bytes) -> Contents:
    try:
        return msgspec.convert(tomllib.loads(data.decode()), Contents)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadBox("components", f"this is no TOML: {error}") from None
    except msgspec.ValidationError as error:
        why, _, where = str(error).partition(" - at `$.")
        raise BadBox(where.rstrip("`") or "components", why) from None


def _check_edition(box: Box) -> None:
    if not box.edition.name.strip():
        raise BadBox("edition", "the edition has no name")
    if len(box.gold) != SEATS[-1] or min(box.gold) < 0:
        raise BadBox("starting_gold", f"{SEATS[-1]} amounts are needed, none below 0")


def _check_supply(box: Box) -> None:
    defaults = Options()
    bounds = (
        ("plain", box.supply.plain, LEAST_PLAIN, MOST_PLAIN, defaults.plain),
        ("battlements", box.supply.battlements, 0, MOST_BATTLEMENTS, defaults.battlements),
    )
    for name, limits, least, most, usual in bounds:
        if not least <= limits.least <= usual <= limits.most <= most:
            raise BadBox(
                f"supply.{name}", f"the limits lie within {least} and {most} and {usual} within them"
            )


def _check_cords(box: Box, contents: Contents) -> None:
    if sorted(cord.seats for cord in contents.cords) != list(SEATS):
        raise BadBox("cords", f"there is one cord each for {SEATS[0]} to {SEATS[-1]} seats")
    for cord in contents.cords:
        where = f"cords.{cord.seats}"
        if not 0 < cord.shortest <= cord.longest or cord.area < 1:
            raise BadBox(where, "lengths and area are above 0 and the shortest is not above the longest")
        preset = box.presets.get(cord.preset)
        if preset is None or preset.seats != cord.seats or preset.bases != Options().bases:
            raise BadBox(where, f"'{cord.preset}' is no {Options().bases} preset for {cord.seats} seats")


def _check_presets(box: Box, contents: Contents) -> None:
    if len(box.presets) != len(contents.presets):
        raise BadBox("presets", "two presets have the same name")
    for preset in contents.presets:
        where = f"presets.{preset.name}"
        if preset.seats not in box.cords:
            raise BadBox(where, f"there is no cord for {preset.seats} seats")
        why = misdrawn(preset.rows)
        if why or not any("A" in row for row in preset.rows):
            raise BadBox(where, why or "both central towers are drawn")
        if wrong := faults(padded(preset.rows), box.cords[preset.seats], preset.bases):
            raise BadBox(where, ", ".join(map(str, wrong)))
