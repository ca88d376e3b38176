"""`cantiere tournament`: holds tournaments, takes part in them, shows and checks them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import rich_click as click

from engine.errors import BadTranscript
from engine.transcript import Transcript
from schema.wire_tournaments import TournamentView
from service.cli.command import Command, Group
from service.cli.exits import BadInput, Failure
from service.cli.output import out
from service.cli.remote import account_token_option, reported, url_option
from service.cli.tournament_create import EXAMPLE_NAME, create
from service.cli.tournament_files import make_ready, out_option, print_all, transcripts_of, write_all
from service.cli.tournament_run import run
from service.cli.tournament_table import headline
from service.cli.transcripts import read_transcript
from service.client import Client
from service.tournaments.ledger import Ledger
from service.tournaments.statement import Export
from service.tournaments.verify import Difference, check_transcripts, read_file, verify

tournament_argument = click.argument("tournament", metavar="ID", help="The tournament.")


@click.group(
    "tournament",
    cls=Group,
    examples=(
        "cantiere tournament run --players greedy,random --rounds 10 --out ./cup",
        "cantiere tournament verify ./cup/record.json",
        f"cantiere tournament create {EXAMPLE_NAME}",
        "CANTIERE_ACCOUNT_TOKEN=$TOKEN cantiere tournament join $ID",
        "cantiere tournament show $ID --url https://example.org",
    ),
)
def command() -> None:
    """Hold tournaments between bots, take part in them, look at them and check their results.

    `run` needs nothing but this program; the others talk to a server. To hold a tournament there, `create`
    it, and `start` it when players have joined. To play in one, join it, then let `cantiere bot
    --account-token` run: invitations to its matches come by themselves.
    """


@command.command(
    "show", cls=Command, examples=("cantiere tournament show $ID", "cantiere tournament show $ID --out ./cup")
)
@tournament_argument
@url_option
@out_option
def show(tournament: str, url: str, directory: Path | None) -> None:
    """Print the table of a tournament as it stands, and write down what there is of it."""
    if directory:
        make_ready(directory)
    with reported(), Client(url) as client:
        view = client.tournament(tournament)
        out.print(headline(view))
        if view.started_at is None:
            for entrant in view.entrants:
                out.print(f"  {entrant.name}")
            return
        record = client.tournament_record(tournament)
        if directory:
            write_all(directory, record, tuple(transcripts_of(client, record)))
    print_all(directory, record)


@command.command("list", cls=Command, examples=("cantiere tournament list --url https://example.org",))
@url_option
def listed(url: str) -> None:
    """List the tournaments of a server, newest first."""
    with reported(), Client(url) as client:
        for view in client.tournaments().tournaments:
            out.print(f"{view.id}  {view.status:<9}  {view.entrants:>3} entrants  {view.game}  {view.name}")


@command.command("verify", cls=Command, examples=("cantiere tournament verify ./cup/record.json",))
@click.argument(
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A record, as JSON.",
)
@click.option(
    "--transcripts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Transcripts of its matches, to be played again.  [default: `transcripts` beside FILE, if there]",
)
def check(file: Path, transcripts: Path | None) -> None:
    """Compute orders, table and ratings again from an exported record, and play its matches again.

    The record of a server, `GET /tournaments/ID/record`, states neither table nor ratings.

    Exit codes: 0 everything follows from the record; 1 something does not, which is named; 2 bad input.
    """
    beside = file.parent / "transcripts"
    directory = transcripts or (beside if beside.is_dir() else None)
    try:
        with file.open("rb") as opened:
            export = read_file(opened)
    except Difference as error:
        raise BadInput(str(error)) from None
    try:
        verify(export)
        count = check_transcripts(export.record, _read(directory)) if directory else 0
    except Difference as error:
        raise Failure(str(error)) from None
    for line in _found(export, count):
        out.print(line)


def _found(export: Export, count: int) -> Iterator[str]:
    """What a check came to in which so many matches were played again."""
    record = export.record
    stated = " are in order" if export.statement is None else ", table and ratings follow from the record"
    played = sum(bool(result.match) for result in Ledger(record).results.values())
    yield f"{len(record.entries)} entries{stated}."
    yield f"Its manifest is {record.hash}: as it was published before the start?"
    yield f"Matches played again by the rules, which end as the record says: {count} of {played}."
    if record.seed is None:
        yield "The seed is not published: nobody can check deals and luck yet."
    elif count:
        yield "Their deals and their luck follow from the published seed."


def _read(directory: Path) -> Iterator[Transcript]:
    for path in sorted(directory.glob("*.txt")):
        try:
            with path.open("rb") as file:
                yield read_transcript(file)
        except BadTranscript as error:
            raise BadInput(f"{path.name}: {error}") from None


def _deed(name: str, what: str, example: str) -> click.Command:
    """A command that does something to a tournament of a server."""

    @tournament_argument
    @url_option
    @account_token_option
    def act(tournament: str, url: str, token: str) -> None:
        with reported(), Client(url) as client:
            ask: Callable[..., TournamentView] = getattr(client, f"{name}_tournament")
            out.print(headline(ask(tournament, token)))

    act.__doc__ = what
    decorated: Any = click.command(name, cls=Command, examples=(example,))
    made: click.Command = decorated(act)
    return made


for _name, _what in (
    ("join", "Take part in a tournament with the player of an API token."),
    ("leave", "Take part no more; matches under way are forfeited."),
    ("start", "Fix the manifest of a tournament of yours, and begin."),
    ("pause", "Begin no further matches of a tournament of yours."),
    ("resume", "Go on with a tournament of yours after a pause."),
    ("cancel", "End a tournament of yours as it stands."),
):
    command.add_command(_deed(_name, _what, f"CANTIERE_ACCOUNT_TOKEN=$TOKEN cantiere tournament {_name} $ID"))
command.add_command(create)
command.add_command(run)
