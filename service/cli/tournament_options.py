"""Options that say what a tournament is like, and how they are read: for `run` and for `create`."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import rich_click as click

from schema.manifest import (
    LONGEST_TITLE,
    Arena,
    Design,
    Duplicate,
    Format,
    Gauntlet,
    Knockout,
    Rotation,
    RoundRobin,
    Swiss,
)
from schema.wire import NAME_PATTERN, PATTERNS
from service.cli.exits import BadInput

FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "arena")

seats_option = click.option(
    "--seats", type=click.IntRange(2, 4), default=2, show_default=True, help="Of each match."
)
rounds_option = click.option(
    "--rounds",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    help="How often those meet who do, the rounds of a Swiss, the best of so many in a knockout, the"
    " sets of an arena.",
)
deals_option = click.option(
    "--deals",
    type=click.IntRange(1, 1_000),
    metavar="N",
    help="Play each meeting on so many deals, each in all seatings.  [default: every match has its own deal]",
)


def format_option(heroes: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Who meets whom, as `chosen`; `heroes` says who they are in a gauntlet."""
    return click.option(
        "--format",
        "chosen",
        type=click.Choice(FORMATS),
        default="round-robin",
        show_default=True,
        help=f"Who meets whom; in a gauntlet {heroes}.",
    )


def at_once_option(default: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """How much is played at once."""
    return click.option(
        "--at-once",
        type=click.IntRange(1, 100),
        default=default,
        show_default=True,
        help="Matches of one entrant at the same time.",
    )


def format_of(chosen: str, rounds: int, heroes: Sequence[str]) -> Format:
    """The format with this name, as it is called on the command line; `heroes` are those of a gauntlet."""
    match chosen:
        case "gauntlet":
            return Gauntlet(heroes=tuple(heroes), rounds=rounds)
        case "swiss":
            return Swiss(rounds=rounds)
        case "knockout":
            return Knockout(best_of=rounds)
        case "arena":
            return Arena(sets=rounds)
    return RoundRobin(rounds=rounds)


def design_of(deals: int | None) -> Design:
    """So many deals, each in all seatings, or without such a deal for each match."""
    return Rotation() if deals is None else Duplicate(deals=deals)


def check_name(name: str) -> None:
    """A tournament can be called so. Raises BadInput."""
    if len(name) > LONGEST_TITLE or not re.search(NAME_PATTERN, name):
        raise BadInput(f"--name has 1 to {LONGEST_TITLE} characters, {PATTERNS[NAME_PATTERN]}")
