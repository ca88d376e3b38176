"""`cantiere tournament run`: a whole tournament on this machine."""

import hashlib
import secrets
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import rich_click as click
from msgspec.structs import replace

from engine.match import AnyGame
from engine.opening import check_seats
from schema.manifest import Gauntlet, Limits
from schema.wire import AskedClock
from schema.wire_players import RegisterPlayer
from schema.wire_tournaments import CreateTournament
from service.cli.command import Command
from service.cli.exits import BadInput, Failure
from service.cli.output import distinct
from service.cli.parameters import EXAMPLE, PLAYER_NAMES, GameName, PlayerNames, Seed, think_option
from service.cli.processes import (
    Process,
    announced_address,
    clear_away_on_signals,
    started,
    wait_until_ready,
)
from service.cli.remote import reported
from service.cli.tournament_files import make_ready, out_option, print_all, transcripts_of, write_all
from service.cli.tournament_journal import forget
from service.cli.tournament_local import hold_here
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
from service.cli.tournament_plan import Held, Plan
from service.cli.tournament_table import progress_shown
from service.client import Client
from service.tournaments.record import Record

LONG_POLL: Final = 5
OVER: Final = ("finished", "cancelled")


@click.command(
    "run",
    cls=Command,
    epilog="Exit codes: 0 the tournament is finished; 1 something failed; 2 bad input; 130 interrupted.",
    examples=(
        "cantiere tournament run --players greedy,mcts,random --rounds 5",
        "cantiere tournament run --players greedy,greedy,random --seats 3 --deals 2",
        "cantiere tournament run --players greedy,random --format swiss --out ./cup",
        "cantiere tournament run --players greedy,mcts --deals 9 --luck shared",
    ),
)
@click.option(
    "--game", type=GameName(), default=EXAMPLE, show_default=True, metavar="GAME", help="What is played."
)
@click.option(
    "--players",
    type=PlayerNames(),
    required=True,
    help=f"The entrants, each a process of its own: {PLAYER_NAMES}. The same one may enter twice.",
)
@format_option("the first player meets all others")
@seats_option
@rounds_option
@deals_option
@click.option(
    "--luck",
    type=click.Choice(("own", "shared")),
    default="own",
    show_default=True,
    help="own: every match has its own. shared: the matches of a deal share what is rolled and drawn too;"
    " each seat of a match is played by a process made for it, so that nobody remembers.",
)
@click.option(
    "--per-turn",
    type=click.IntRange(1, 3_600),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time for each turn; with shared luck there is no clock, see --think.",
)
@at_once_option(2)
@click.option(
    "--workers",
    type=click.IntRange(1, 16),
    default=1,
    show_default=True,
    help="Processes of the service; with shared luck, matches at the same time.",
)
@click.option("--name", default="Local tournament", show_default=True, help="What it is called.")
@click.option(
    "--seed",
    type=Seed(),
    help="What the bots' chance comes from; with shared luck, all chance.  [default: the operating system]",
)
@think_option
@out_option
def run(
    game: AnyGame,
    players: tuple[str, ...],
    chosen: str,
    seats: int,
    rounds: int,
    deals: int | None,
    luck: str,
    per_turn: int,
    at_once: int,
    workers: int,
    name: str,
    seed: bytes | None,
    think: float,
    directory: Path | None,
) -> None:
    """Hold a tournament between the bots of this program, on a service that is started for it.

    Every bot is a process of its own and plays over HTTP, as bots on other machines do. With shared luck
    there is no service, but a process for every seat of a match; what was interrupted goes on when the same
    command is given again, with the same --out.
    """
    _check(game, players, seats, luck, deals, name)
    if directory:
        make_ready(directory)
    clear_away_on_signals()
    asked = CreateTournament(
        name,
        game.slug,
        seats,
        format_of(chosen, rounds, distinct(players)[:1]),
        design=design_of(deals),
        clock=AskedClock(per_turn=per_turn * 1_000),
        limits=Limits(per_entrant=at_once),
    )
    held = HOLD[luck](Plan(game, players, asked, think, seed, workers, directory))
    _tell(held, directory)


def _tell(held: Held, directory: Path | None) -> None:
    if directory:
        write_all(directory, held.record, held.transcripts)
        forget(directory)
    print_all(directory, held.record)


def _check(
    game: AnyGame, players: Sequence[str], seats: int, luck: str, deals: int | None, name: str
) -> None:
    check_seats(game, seats)
    if len(players) < seats:
        raise BadInput(f"{len(players)} players are too few for a table of {seats}")
    if luck == "shared" and deals is None:
        raise BadInput("--luck shared needs --deals: it is shared by the matches of a deal")
    check_name(name)


def with_ids(asked: CreateTournament, ids: Mapping[str, str]) -> CreateTournament:
    """The same tournament, with ids where entrants were called by their names."""
    match asked.format:
        case Gauntlet(heroes=heroes) as chosen:
            return replace(asked, format=replace(chosen, heroes=tuple(ids[hero] for hero in heroes)))
    return asked


def hold_on_service(plan: Plan) -> Held:
    """The tournament, held by bots that play over HTTP on a service that is started for it."""
    with reported(), _held(plan) as (client, tournament, processes):
        record = watched(client, tournament, processes)
        return Held(record, tuple(transcripts_of(client, record)) if plan.directory else ())


HOLD: Final[dict[str, Callable[[Plan], Held]]] = {"own": hold_on_service, "shared": hold_here}
"""How a tournament is held, by what its matches share."""


@contextmanager
def _held(plan: Plan) -> Iterator[tuple[Client, str, Sequence[Process]]]:
    """A tournament that has begun, and the processes of all who take part."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="cantiere-tournament-"))
        workers = ("--workers", str(plan.workers))
        arguments = ("--port", "0", "--data-dir", data, "--log-level", "warning", *workers)
        settings = {"CANTIERE_BOTS": "0", "CANTIERE_FSYNC": "no"}
        server = stack.enter_context(started("serve", *arguments, stdout=subprocess.PIPE, **settings))
        url = announced_address(server)
        wait_until_ready(server, url)
        client = stack.enter_context(Client(url))
        organiser = client.register(RegisterPlayer("Organiser")).token
        names = distinct(plan.players)
        entrants = [client.register(RegisterPlayer(name, "bot")) for name in names]
        ids = {name: entrant.player.id for name, entrant in zip(names, entrants, strict=True)}
        tournament = client.create_tournament(with_ids(plan.asked, ids), organiser).id
        processes, chance = [server], plan.seed or secrets.token_bytes(32)
        for player, name, entrant in zip(plan.players, names, entrants, strict=True):
            client.join_tournament(tournament, entrant.token)
            own = hashlib.sha256(chance + name.encode()).hexdigest()
            thinking = ("--player", player, "--seed", own, "--think", str(plan.think))
            processes.append(stack.enter_context(_bot(url, entrant.token, thinking)))
        client.start_tournament(tournament, organiser)
        yield client, tournament, processes


@contextmanager
def _bot(url: str, token: str, thinking: Sequence[str]) -> Iterator[Process]:
    arguments = ("bot", "--url", url, *thinking, "--quiet")
    with started(*arguments, stdout=subprocess.DEVNULL, CANTIERE_ACCOUNT_TOKEN=token) as process:
        yield process


def watched(client: Client, tournament: str, processes: Sequence[Process]) -> Record:
    """The record at the end, having shown how far it is. Raises Failure if a process ends before.

    What is new is all that is asked for on the way. At the end the record is read once more, for it tells
    then what was kept back: in which matches deals were played, and the seed.
    """
    record = client.tournament_record(tournament)
    with progress_shown() as show:
        while True:
            page = client.tournament_entries(tournament, len(record.entries), wait=LONG_POLL)
            if page.status in OVER:
                return client.tournament_record(tournament)
            record = record.with_entries([view.entry for view in page.entries])
            show(record)
            if fallen := [process for process in processes if process.poll() is not None]:
                raise Failure(f"a process of the tournament ended with status {fallen[0].returncode}")
