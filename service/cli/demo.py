"""`cantiere demo`: the service, a match and two bots, all at once."""

import errno
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from typing import Final

import rich_click as click

from engine.match import AnyGame
from engine.opening import check_seats
from service.cli.command import Command
from service.cli.exits import Failure
from service.cli.follow import follow
from service.cli.output import distinct, out, result_sentence, standing_table
from service.cli.parameters import EXAMPLE, PLAYER_NAMES, GameName, PlayerNames, think_option
from service.cli.processes import (
    Process,
    announced_address,
    clear_away_on_signals,
    started,
    wait_until_ready,
)
from service.cli.remote import reported
from service.client import Client

HOST: Final = "127.0.0.1"


@click.command(
    "demo",
    cls=Command,
    examples=(
        "cantiere demo",
        f"cantiere demo --game {EXAMPLE} --players greedy,greedy,random --exit",
        "cantiere demo --port 9000 --data-dir ./demo",
    ),
)
@click.option(
    "--game", type=GameName(), default=EXAMPLE, show_default=True, metavar="GAME", help="What is played."
)
@click.option(
    "--players",
    type=PlayerNames(),
    default="greedy,random",
    show_default=True,
    help=f"The bots of seat 0, 1, ..., each a process of its own: {PLAYER_NAMES}.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    default=8000,
    show_default=True,
    help="Where the service listens; a free port is taken instead if this one is in use.",
)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False),
    metavar="DIRECTORY",
    help="Where matches are kept.  [default: nowhere, they are gone at the end]",
)
@think_option
@click.option(
    "--exit",
    "leaves",
    is_flag=True,
    envvar="CANTIERE_DEMO_EXIT",
    show_envvar=True,
    help="End after the match.  [default: go on serving until Ctrl-C]",
)
def command(
    game: AnyGame, players: tuple[str, ...], port: int, data_dir: str | None, think: float, leaves: bool
) -> None:
    """Start the service, let two bots play a match on it over HTTP, and say where to look.

    Nothing has to be installed or running: the service brings its own store. Everything that is started
    here is ended again when this command ends, however that comes.
    """
    names = distinct(players)
    check_seats(game, len(players))
    clear_away_on_signals()
    with ExitStack() as stack, reported():
        directory = data_dir or stack.enter_context(tempfile.TemporaryDirectory(prefix="cantiere-demo-"))
        server, url = _served(stack, _free_port(port), directory)
        client = stack.enter_context(Client(url))
        match = client.create(game.slug, len(players)).match.id
        out.print(f"Match {match} of {game.title}: {' against '.join(names)}, each bot a process of its own.")
        bots = [
            ("--seat", str(seat), "--player", player, "--name", name, "--think", str(think))
            for seat, (player, name) in enumerate(zip(players, names, strict=True))
        ]
        follow(client, match, [server, *(_bot(stack, url, match, bot) for bot in bots)])
        rows = client.standing(match).rows
        out.print(standing_table(rows, names, title="Result"))
        out.print(result_sentence(rows, names))
        _print_addresses(url, match)
        if not leaves:
            out.print(f"\nServing at {url} until Ctrl-C.")
            _serve_on(server)


def _served(stack: ExitStack, port: int, directory: str) -> tuple[Process, str]:
    """A service that is ready, and its address."""
    arguments = ("--host", HOST, "--port", str(port), "--data-dir", directory, "--log-level", "warning")
    server = stack.enter_context(started("serve", *arguments, stdout=subprocess.PIPE))
    url = announced_address(server)
    wait_until_ready(server, url)
    out.print(f"The service is ready at {url}, with a store of its own.")
    return server, url


def _bot(stack: ExitStack, url: str, match: str, chosen: tuple[str, ...]) -> Process:
    """A bot that takes its seat in the match."""
    arguments = ("bot", "--url", url, "--match", match, *chosen, "--quiet")
    return stack.enter_context(started(*arguments, stdout=subprocess.DEVNULL))


def _free_port(port: int) -> int:
    """The port, or 0 (any free one) if somebody else listens there."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise Failure(f"cannot listen on port {port}: {error.strerror}") from None
        out.print(f"Port {port} is in use; the service takes a free one.")
        return 0
    return port


def _print_addresses(url: str, match: str) -> None:
    at = f"{url}/api/v1/matches/{match}"
    out.print("\nLook at it:")
    for what, command in (
        ("match", f"curl {at}"),
        ("transcript", f"curl -H 'Accept: text/plain' {at}/transcript"),
        ("events", f"curl '{at}/events?after=0&limit=5'"),
        ("standing", f"curl {at}/standing"),
        ("legal moves", f"curl '{at}/legal-moves?version=0'"),
        ("picture", f"curl {at}/picture"),
    ):
        out.print(f"  {what:<12} {command}")


def _serve_on(server: Process) -> None:
    try:
        server.wait()
    except KeyboardInterrupt:
        out.print("\nStopped.")
        return
    raise Failure(f"the service ended with status {server.returncode}")
