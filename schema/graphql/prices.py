"""What operations cost. A request is priced before anything of it is carried out."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from schema.wire_previews import CHILDREN

ENTRIES: Final = 10
"""What a list counts as that says nothing else of its length."""
ENTRY_BEYOND: Final = 10
"""What each entry of a table costs beyond those that the price of the table has foreseen."""
SIZE: Final = "first"
"""The argument by which clients say how long a list may be."""


class Price(NamedTuple):
    """What a field costs: `base`, for each entry of the list that is its argument `per`.

    If it is a list or a page of one, what is selected below it is counted for so many `entries`, unless
    `first` is given.
    """

    base: int = 1
    per: str | None = None
    entries: int = ENTRIES


PRICES: Final[Mapping[str, Price]] = {
    "changes": Price(entries=3),
    "values": Price(entries=3),
    "Crosstable.cells": Price(entries=200),
    "CrosstableCell.matches": Price(),
    "EntryPage.entries": Price(entries=1),
    "EventPage.events": Price(entries=1),
    "MatchConnection.edges": Price(entries=1),
    "MatchConnection.nodes": Price(entries=1),
    "Place.matches": Price(),
    "Preview.events": Price(10, entries=3),
    "Rating.matches": Price(),
    "Standings.faults": Price(entries=50),
    "Standings.ratings": Price(entries=50),
    "Standings.standings": Price(entries=50),
    "TournamentConnection.edges": Price(entries=1),
    "TournamentConnection.nodes": Price(entries=1),
    "TournamentMatchPage.matches": Price(entries=1),
    "at": Price(30),
    "board": Price(50),
    "children": Price(20, entries=CHILDREN),
    "crosstable": Price(100),
    "entrants": Price(entries=50),
    "events": Price(10, entries=100),
    "legalMoves": Price(10, entries=60),
    "legalNotations": Price(10),
    "matches": Price(10, entries=50),
    "odds": Price(10),
    "outcome": Price(20),
    "outcomes": Price(10),
    "picture": Price(20),
    "preview": Price(20, per="moves"),
    "record": Price(200),
    "standing": Price(10, entries=4),
    "standings": Price(100),
    "state": Price(5),
    "things": Price(10, entries=60),
    "tournaments": Price(10, entries=50),
    "transcript": Price(100),
    "whyNot": Price(100),
}
"""By the name of the field, on whatever type it stands or on one. Any other field costs 1."""


def told() -> str:
    """The prices in words, for people."""
    fields = "; ".join(f"`{name}` {_in_words(price)}" for name, price in sorted(PRICES.items()))
    return (
        "Operations are priced before they are carried out; what costs more than the service allows is"
        " refused with `too_costly`. A field costs 1, and all that is selected below it. What stands"
        f" below a list counts for each entry: for as many as its argument `{SIZE}` asks for, without one for"
        f" {ENTRIES} or as many as is said here: {fields}."
    )


def _in_words(price: Price) -> str:
    each = f" for each of its {price.per}" if price.per else ""
    entries = f", entries {price.entries}" if price.entries != ENTRIES else ""
    return f"costs {price.base}{each}{entries}"
