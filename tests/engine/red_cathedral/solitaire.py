"""A table with Ivan at it."""

from typing import Any

from msgspec.structs import replace

from engine.red_cathedral.model import MATERIALS, Finish, Ivan, State
from tests.engine.red_cathedral.table import (
    match,
    materials,
    play,
    section,
)

CARDS = ("renown", "inventory", "transport", "claim", "construction")


def solo(first: str = "renown", difficulty: str = "normal", **changed: Any) -> State:
    """A solitaire match in which Ivan uses this card first, then the others in the order of CARDS."""
    at_first = CARDS.index(first)
    return match(1, {"difficulty": difficulty}, ivan=CARDS[at_first:] + CARDS[:at_first], **changed)


def after_human(state: State) -> State:
    """The position after the human ends a turn that changed nothing."""
    return play(replace(state, decision=Finish()), "end")


def cards_of(state: State) -> Ivan:
    """Ivan's cards."""
    assert state.ivan is not None
    return state.ivan


def with_stock(state: State, **amounts: int) -> State:
    """Materials from the reserve on Ivan's Construction card."""
    stock = tuple(amounts.get(name, 0) for name in MATERIALS)
    left = [have - gone for have, gone in zip(state.reserve, (*stock, 0), strict=True)]
    return replace(state, reserve=tuple(left), ivan=replace(cards_of(state), construction=stock))


def lies(state: State, name: str) -> dict[str, int]:
    """The materials on a section."""
    return materials(section(state, name).delivered)


def without_ornaments(state: State) -> State:
    """Ivan has no ornament left to place."""
    players = list(state.players)
    players[1] = replace(players[1], ornaments=(0, 0, 0))
    return replace(state, players=tuple(players))
