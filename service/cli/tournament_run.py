"""`cantiere tournament run`: a whole tournament on this machine."""

import hashlib
import secrets
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import rich_click as click
from rich.console import Group as Lines
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from engine.match import AnyGame
from engine.opening import check_seats
from engine.transcript import Transcript
from schema.manifest import Arena, Design, Duplicate, Format, Knockout, Limits, Rotation, RoundRobin, Swiss
from schema.wire import AskedClock
from schema.wire_players import RegisterPlayer
from schema.wire_tournaments import CreateTournament
from service.cli.command import Command
from service.cli.exits import BadInput, Failure
from service.cli.output import distinct, out
from service.cli.parameters import EXAMPLE, PLAYER_NAMES, GameName, PlayerNames, Seed, think_option
from service.cli.processes import Process, announced_address, started, wait_until_ready
from service.cli.remote import reported
from service.cli.tournament_files import write_all
from service.cli.tournament_table import table_of, tables
from service.client import Client
from service.tournaments.ledger import Ledger
from service.tournaments.record import Record
from service.tournaments.schedule import planned_matches
from service.tournaments.sheets import standings_sheet
from service.tournaments.statement import stated

FORMATS: Final = ("round-robin", "swiss", "knockout", "arena")
LONG_POLL: Final = 5
OVER: Final = ("finished", "cancelled")


class Plan(NamedTuple):
    """What is to be played, and by whom."""

    game: AnyGame
    players: tuple[str, ...]
    asked: CreateTournament
    think: float
    seed: bytes


@click.command(
    "run",
    cls=Command,
    epilog="Exit codes: 0 the tournament is finished; 1 something failed; 2 bad input; 130 interrupted.",
    examples=(
        "cantiere tournament run --players greedy,mcts,random --rounds 5",
        "cantiere tournament run --players greedy,greedy,random --seats 3 --deals 2",
        "cantiere tournament run --players greedy,random --format swiss --out ./cup",
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
@click.option(
    "--format",
    "chosen",
    type=click.Choice(FORMATS),
    default="round-robin",
    show_default=True,
    help="Who meets whom.",
)
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True, help="Of each match.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    help="How often everybody meets everybody, the rounds of a Swiss, the best of so many in a knockout, the"
    " sets of an arena.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000),
    metavar="N",
    help="Play each meeting on so many deals, each in all seatings.  [default: every match has its own deal]",
)
@click.option(
    "--per-turn",
    type=click.IntRange(1, 3_600),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time for each turn.",
)
@click.option(
    "--at-once",
    type=click.IntRange(1, 100),
    default=2,
    show_default=True,
    help="Matches of one entrant at the same time.",
)
@click.option(
    "--workers", type=click.IntRange(1, 16), default=1, show_default=True, help="Processes of the service."
)
@click.option("--name", default="Local tournament", show_default=True, help="What it is called.")
@click.option(
    "--seed", type=Seed(), help="What the bots' chance comes from.  [default: the operating system]"
)
@think_option
@click.option(
    "--out",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Where record, tables, transcripts and plot are written.  [default: nowhere]",
)
def run(
    game: AnyGame,
    players: tuple[str, ...],
    chosen: str,
    seats: int,
    rounds: int,
    deals: int | None,
    per_turn: int,
    at_once: int,
    workers: int,
    name: str,
    seed: bytes | None,
    think: float,
    directory: Path | None,
) -> None:
    """Hold a tournament between the bots of this program, on a service that is started for it.

    Every bot is a process of its own and plays over HTTP, as bots on other machines do.
    """
    check_seats(game, seats)
    if len(players) < seats:
        raise BadInput(f"{len(players)} players are too few for a table of {seats}")
    design: Design = Rotation() if deals is None else Duplicate(deals=deals)
    asked = CreateTournament(
        name,
        game.slug,
        seats,
        format_of(chosen, rounds),
        design=design,
        clock=AskedClock(per_turn=per_turn * 1_000),
        limits=Limits(per_entrant=at_once),
    )
    plan = Plan(game, players, asked, think, seed or secrets.token_bytes(32))
    with reported(), _held(plan, workers) as (client, tournament, processes):
        record = _watched(client, tournament, processes)
        transcripts = tuple(_transcripts(client, record)) if directory else ()
    for table in tables(record):
        out.print(table)
    if directory:
        _write(directory, record, transcripts)


def _write(directory: Path, record: Record, transcripts: Sequence[tuple[int, Transcript]]) -> None:
    write_all(directory, record, transcripts)
    check = f"cantiere tournament verify {directory}/record.json"
    out.print(f"Written to {directory}; check it with: {check}")


def format_of(chosen: str, rounds: int) -> Format:
    """The format with this name, as it is called on the command line."""
    match chosen:
        case "swiss":
            return Swiss(rounds=rounds)
        case "knockout":
            return Knockout(best_of=rounds)
        case "arena":
            return Arena(sets=rounds)
    return RoundRobin(rounds=rounds)


@contextmanager
def _held(plan: Plan, workers: int) -> Iterator[tuple[Client, str, Sequence[Process]]]:
    """A tournament that has begun, and the processes of all who take part."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="cantiere-tournament-"))
        arguments = ("--port", "0", "--data-dir", data, "--log-level", "warning", "--workers", str(workers))
        settings = {"CANTIERE_BOTS": "0", "CANTIERE_FSYNC": "no"}
        server = stack.enter_context(started("serve", *arguments, stdout=subprocess.PIPE, **settings))
        url = announced_address(server)
        wait_until_ready(server, url)
        client = stack.enter_context(Client(url))
        organiser = client.register(RegisterPlayer("Organiser")).token
        tournament = client.create_tournament(plan.asked, organiser).id
        processes = [server]
        for player, name in zip(plan.players, distinct(plan.players), strict=True):
            token = client.register(RegisterPlayer(name, "bot")).token
            client.join_tournament(tournament, token)
            processes.append(stack.enter_context(_bot(url, plan, player, name, token)))
        client.start_tournament(tournament, organiser)
        yield client, tournament, processes


@contextmanager
def _bot(url: str, plan: Plan, player: str, name: str, token: str) -> Iterator[Process]:
    seed = hashlib.sha256(plan.seed + name.encode()).hexdigest()
    chance = ("--seed", seed, "--think", str(plan.think))
    arguments = ("bot", "--url", url, "--player", player, *chance, "--quiet")
    with started(*arguments, stdout=subprocess.DEVNULL, CANTIERE_ACCOUNT_TOKEN=token) as process:
        yield process


def _watched(client: Client, tournament: str, processes: Sequence[Process]) -> Record:
    """The record at the end, having shown how far it is. Raises Failure if a process ends before."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=out, disable=not out.is_terminal)
    task = progress.add_task("matches", total=None)
    known = 0
    with Live(console=out, transient=True, auto_refresh=out.is_terminal) as live:
        while True:
            page = client.tournament_entries(tournament, known, wait=LONG_POLL)
            known = page.count
            record = client.tournament_record(tournament)
            ledger = Ledger(record)
            progress.update(task, completed=len(ledger.results), total=planned_matches(ledger))
            if out.is_terminal:
                live.update(Lines(table_of(standings_sheet(stated(record))), progress))
            if page.status in OVER:
                return client.tournament_record(tournament)
            if fallen := [process for process in processes if process.poll() is not None]:
                raise Failure(f"a process of the tournament ended with status {fallen[0].returncode}")


def _transcripts(client: Client, record: Record) -> Iterator[tuple[int, Transcript]]:
    for number, result in sorted(Ledger(record).results.items()):
        if result.match:
            yield number, client.transcript(result.match)
