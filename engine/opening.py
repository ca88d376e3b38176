"""How a match opens: options and deals as they come from outside, read and checked."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.choices import with_choices
from engine.errors import BadSetup
from engine.match import AnyGame


def read_options(game: AnyGame, data: Mapping[str, Any]) -> Any:
    """The options of a match; what `data` does not give has its default. Raises BadSetup."""
    return _convert(data, game.options_type, "options")


def read_deal(
    game: AnyGame, data: Any, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> Any:
    """A given deal, checked against the box; seats and options given beside it must equal its own.

    Raises BadSetup.
    """
    deal = _convert(data, game.deal_type, "deal")
    check_seats(game, deal.seats)
    if seats is not None and seats != deal.seats:
        raise BadSetup("seats", f"the deal is for {deal.seats}, not for {seats}")
    if options is not None and read_options(game, options) != deal.options:
        raise BadSetup("options", "they are not those of the deal; leave them out")
    game.check_deal(deal)
    return deal


def check_seats(game: AnyGame, seats: int) -> None:
    """Nothing, if the game can be played by so many. Raises BadSetup."""
    if seats not in game.seats:
        raise BadSetup("seats", f"{game.title} has {game.seats[0]} to {game.seats[-1]} seats, not {seats}")


def misfit(where: str, error: msgspec.ValidationError, kind: Any) -> BadSetup:
    """What is wrong with an entry of `where`, read as `kind`, which is named as far as it is known."""
    why, _, after = str(error).partition(" - at `$")
    path = after.removesuffix("`")
    return BadSetup(f"{where}{path}", with_choices(why, path, kind))


def _convert(data: Any, to: Any, where: str) -> Any:
    try:
        return msgspec.convert(data, to)
    except msgspec.ValidationError as error:
        raise misfit(where, error, to) from None
