"""`cantiere tournament create`: a tournament is announced on a server."""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec
import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from engine.match import AnyGame
from schema.manifest import Limits, Placings, Sprt, Stopping
from schema.wire import AskedClock, in_words
from schema.wire_tournaments import DEFAULT_CLOCK, CreateTournament
from service.cli.command import Command
from service.cli.exits import BadInput
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName, clock_parameters, option_parameters
from service.cli.remote import account_token_option, reported, url_option
from service.cli.tournament_options import (
    at_once_option,
    check_name,
    deals_option,
    design_of,
    format_of,
    format_option,
    rounds_option,
    seats_option,
)
from service.client import Client

LARGEST: Final = 1024 * 1024
"""Bytes of a file, at most."""
BESIDE_A_FILE: Final = ("file", "url", "token")
EXAMPLE_NAME: Final = f"--name Cup --game {EXAMPLE}"


@click.command(
    "create",
    cls=Command,
    epilog="Exit codes: 0 it is announced; 1 the server refused it; 2 bad input; 3 the server cannot be"
    " reached.",
    examples=(
        f"cantiere tournament create {EXAMPLE_NAME}",
        f"ID=$(cantiere tournament create {EXAMPLE_NAME} --rounds 5)",
        "cantiere tournament create --file cup.json --url https://example.org",
    ),
)
@click.option(
    "--file",
    type=click.File("rb"),
    metavar="FILE",
    help="All of it as JSON, as `POST /tournaments` takes it: faults, tie-breaks and an edition can be said"
    " here, too; - is standard input.  [default: what the options below say]",
)
@click.option("--name", metavar="TEXT", help="What it is called.  [default: what --file says]")
@click.option("--game", type=GameName(), metavar="GAME", help="What is played.  [default: what --file says]")
@format_option("each --hero meets all others")
@click.option(
    "--hero",
    "heroes",
    multiple=True,
    metavar="ID",
    help="A hero of the gauntlet: the id of a player, as `cantiere account show` tells it; may be repeated.",
)
@seats_option
@rounds_option
@deals_option
@option_parameters
@clock_parameters("60, without --base")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Of two entrants: stop when one of these differences in Elo, of the first to the second, is decided"
    " against the other.  [default: all is played]",
)
@click.option(
    "--placings",
    metavar="ID",
    help="Stop when the player with this id is shown to place other than the mean of its tables."
    "  [default: all is played]",
)
@at_once_option(1)
@click.option(
    "--late",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    metavar="ROUND",
    help="Up to which round players may still come in.",
)
@url_option
@account_token_option
def create(file: BinaryIO | None, url: str, token: str, **described: Any) -> None:
    """Announce a tournament on a server, whose organiser is the player of the API token.

    Prints its id on standard output, and on standard error what comes next: players join, then it is started.
    """
    asked = described_by(**described) if file is None else read_from(file)
    with reported(), Client(url) as client:
        made = client.create_tournament(asked, token)
        out.print(made.id)
        for line in _what_comes_next(client.url, made.id):
            click.echo(line, err=True)


def described_by(
    *,
    name: str | None,
    game: AnyGame | None,
    chosen: str,
    heroes: tuple[str, ...],
    seats: int,
    rounds: int,
    deals: int | None,
    options: dict[str, Any],
    clock: AskedClock | None,
    sprt: tuple[float, float] | None,
    placings: str | None,
    at_once: int,
    late: int,
) -> CreateTournament:
    """The tournament that the options describe. Raises BadInput."""
    if name is None or game is None:
        raise BadInput("give --name and --game, or all of it by --file")
    check_name(name)
    if bool(heroes) != (chosen == "gauntlet"):
        raise BadInput("--format gauntlet and --hero need one another")
    return CreateTournament(
        name,
        game.slug,
        seats,
        format_of(chosen, rounds, heroes),
        options=options or None,
        design=design_of(deals),
        clock=clock or DEFAULT_CLOCK,
        stopping=_stopping(sprt, placings),
        limits=Limits(per_entrant=at_once),
        late=late,
    )


def _stopping(sprt: tuple[float, float] | None, placings: str | None) -> Stopping | None:
    if sprt and placings:
        raise BadInput("give --sprt or --placings, not both")
    if sprt:
        return Sprt(elo0=sprt[0], elo1=sprt[1])
    return Placings(entrant=placings) if placings else None


def read_from(file: BinaryIO) -> CreateTournament:
    """The tournament that a file describes, beside which no option says anything. Raises BadInput."""
    context = get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and name not in BESIDE_A_FILE:
            raise BadInput(f"--file says all of it; put there what {parameter.opts[0]} says")
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadInput(f"{file.name}: the file is larger than {LARGEST // 1024 // 1024} MB")
    try:
        return msgspec.json.decode(data, type=CreateTournament)
    except msgspec.ValidationError as error:
        raise BadInput(f"{file.name}: {in_words(error, CreateTournament)[0]}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInput(f"{file.name}: {error}") from None


def _what_comes_next(url: str, tournament: str) -> Iterator[str]:
    at = f"{tournament} --url {url}"
    yield "It is announced. What comes next, by the API token of who does it in CANTIERE_ACCOUNT_TOKEN:"
    yield f"  each player joins     cantiere tournament join {at}"
    yield f"  and lets a bot play   cantiere bot --url {url}"
    yield f"  then you start it     cantiere tournament start {at}"
    yield f"Anybody looks at it by  cantiere tournament show {at}"
    yield f"  or in a browser at    {url}/tournament/{tournament}"
