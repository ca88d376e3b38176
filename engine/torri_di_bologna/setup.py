"""How a match opens: the wall, the deal and the first state."""

from engine.errors import BadSetup
from engine.torri_di_bologna.components import Box, Limits
from engine.torri_di_bologna.lattice import find, region
from engine.torri_di_bologna.model import NOWHERE, Deal, Options, Placement, State
from engine.torri_di_bologna.walls import faults, misdrawn, padded, with_bases


def opening_deal(box: Box, options: Options, seats: int) -> Deal:
    """The only opening deal there is for these options. Raises BadSetup naming every check that fails."""
    _check_seats(box, seats)
    _check_supply(box, options)
    return Deal(seats=seats, options=options, wall=_wall(box, options, seats))


def check_deal(box: Box, given: Deal) -> None:
    """Nothing, if a match can start from `given`. Raises BadSetup.

    If the options name or draw a wall the deal's must be the same; otherwise it is the deal's to choose.
    """
    _check_seats(box, given.seats)
    _check_supply(box, given.options)
    if given.options.wall is not None and given.wall != _wall(box, given.options, given.seats):
        raise BadSetup("wall", "it is not the one that the options say")
    _check_wall(box, given.wall, given.options, given.seats, "wall")
    if given.wall != padded(given.wall) or not find(given.wall, "A"):
        raise BadSetup("wall", "a deal's wall has rows of one length and one 'A' and one 'G'")


def first_state(box: Box, opening: Deal) -> State:
    """The state at version 0. Trusts `opening`. Source: TB-1.5, TB-1.6, TB-1.7."""
    seats = opening.seats
    options = opening.options
    return State(
        wall="/".join(opening.wall),
        battlement_mode=options.battlement_mode,
        battlement_income=options.battlement_income,
        decision=Placement(0),
        builders=(NOWHERE,) * seats,
        gold=box.gold[:seats],
        plain=(options.plain,) * seats,
        battlements=(options.battlements,) * seats,
        towers=((),) * len(region(opening.wall)),
    )


def _check_seats(box: Box, seats: int) -> None:
    if seats not in box.cords:
        raise BadSetup("seats", f"there is no cord for {seats} seats")


def _check_supply(box: Box, options: Options) -> None:
    _check_limits("options.plain", options.plain, box.supply.plain)
    _check_limits("options.battlements", options.battlements, box.supply.battlements)


def _check_limits(where: str, value: int, limits: Limits) -> None:
    if not limits.least <= value <= limits.most:
        raise BadSetup(where, f"{value} is not within {limits.least} and {limits.most}")


def _wall(box: Box, options: Options, seats: int) -> tuple[str, ...]:
    """The rows of the wall that the options say, with both central towers. Source: TB-1.3, TB-1.4."""
    asked = options.wall
    if asked is None:
        asked = box.cords[seats].preset
    if isinstance(asked, tuple):
        _check_wall(box, asked, options, seats, "options.wall")
        return with_bases(padded(asked))
    preset = box.presets.get(asked)
    if preset is None:
        fitting = ", ".join(known.name for known in box.presets.values() if known.seats == seats)
        raise BadSetup(
            "options.wall", f"there is no wall '{asked[:40]}'; for {seats} seats there are {fitting}"
        )
    if preset.seats != seats:
        raise BadSetup("options.wall", f"{preset.name} is for {preset.seats} seats, not for {seats}")
    _check_wall(box, preset.rows, options, seats, "options.wall")
    return padded(preset.rows)


def _check_wall(box: Box, rows: tuple[str, ...], options: Options, seats: int, where: str) -> None:
    """Nothing, if the rows draw a legal wall. Raises BadSetup. Source: section 5."""
    if why := misdrawn(rows):
        raise BadSetup(where, why)
    if wrong := faults(padded(rows), box.cords[seats], options.bases):
        raise BadSetup(where, f"this is no wall for {seats} seats: {', '.join(map(str, wrong))}")
