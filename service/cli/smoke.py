"""`cantiere smoke`: a whole match through a deployment, to see that everything works."""

import secrets
import statistics
from collections import deque
from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Any, Final

import rich_click as click

from engine.match import AnyGame
from engine.transcript import replay
from service.cli.command import Command
from service.cli.exits import Failure
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName
from service.cli.remote import ServerUrl, reported
from service.client import Client, Position, Replica, Seat, engine_bot
from service.client.seat import play_turn

PLAYER: Final = "greedy"
NAME: Final = "smoke"


@click.command(
    "smoke",
    cls=Command,
    epilog="Exit codes: 0 everything works; 1 something does not; 2 bad input; 3 the server is not there.",
    examples=("cantiere smoke http://127.0.0.1:8000", f"cantiere smoke https://example.org --game {EXAMPLE}"),
)
@click.argument("url", type=ServerUrl(), metavar="URL", help="The address of the deployment.")
@click.option(
    "--game", type=GameName(), default=EXAMPLE, show_default=True, metavar="GAME", help="What to play."
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 3_600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a server that does not answer.",
)
def command(url: str, game: AnyGame, patience: float) -> None:
    """Play an unlisted match through the deployment at URL and check its transcript against the rules."""
    with reported(), Client(url, patience) as client:
        client.ready()
        replica, times = _played(client, game)
        transcript = client.transcript(replica.match)
    deque(replay(transcript, replica.game), maxlen=0)
    if transcript.ranks is None or transcript.seed is None:
        raise Failure("the match is over, but its transcript has no result or no seed")
    middle, slow = statistics.median(times), statistics.quantiles(times, n=100)[98]
    out.print(
        f"Match {replica.match}: {len(transcript.events)} events follow the rules. "
        f"{len(times)} turns, each answered in {middle * 1e3:.1f} ms (median), {slow * 1e3:.1f} ms (p99)."
    )


def _played(client: Client, game: AnyGame) -> tuple[Replica, list[float]]:
    """A match played to its end, with the box of the deployment, and the seconds each turn took to be
    answered."""
    match = client.create(game.slug, game.seats[-1], visibility="unlisted").match.id
    seats = [
        Seat(match, joined.seat, joined.token)
        for joined in (client.join(match, NAME, nonce=secrets.token_urlsafe()) for _ in range(game.seats[-1]))
    ]
    bot = engine_bot(PLAYER, secrets.token_bytes(32))
    replica = Replica(client, match)
    times: list[float] = []
    while replica.status == "running":
        seat = replica.game.to_move(replica.state)
        assert seat is not None
        chosen = bot(Position(replica.game, replica.state, replica.version, seat))
        started = perf_counter()
        play_turn(client, replica, seats[seat], partial(_known, chosen))
        times.append(perf_counter() - started)
    return replica, times


def _known(chosen: Sequence[Any], _: Position) -> Sequence[Any]:
    """A bot that has thought before."""
    return chosen
