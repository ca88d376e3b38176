"""`cantiere bot`: a player takes a seat on a server."""

import secrets

import rich_click as click

from engine.match import Step
from schema.wire_players import Told, TournamentMessage
from service.cli.command import Command
from service.cli.exits import BadInput, NoResult
from service.cli.output import event_text, out, result_sentence, standing_table
from service.cli.parameters import PLAYER_NAMES, PlayerName, Seed, think_option
from service.cli.remote import Token, reported, url_option
from service.client import Client, Mirror, Seat, engine_bot, play_account, play_match


@click.command(
    "bot",
    cls=Command,
    epilog="Exit codes: 0 the match is finished; 1 the server refused something; 2 bad input; 3 the server "
    "was away for longer than --patience; 4 the match was cancelled or aborted; 130 interrupted.",
    examples=(
        "cantiere bot --match $ID --player greedy --name Ada",
        "cantiere bot --url https://example.org --match $ID --seat 1 --token $TOKEN",
        "cantiere bot --account-token $TOKEN --player mcts",
    ),
)
@url_option
@click.option(
    "--match", "match_id", metavar="ID", help="The match to play.  [default: every one of --account-token]"
)
@click.option(
    "--account-token",
    type=Token(),
    envvar="CANTIERE_ACCOUNT_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="An API token of a player, which joins --match. Without --match the bot accepts every invitation and"
    " plays every match of the player, until it is interrupted.  [default: play as a guest]",
)
@click.option(
    "--player",
    type=PlayerName(),
    default="greedy",
    show_default=True,
    help=f"Who chooses the moves: {PLAYER_NAMES}.",
)
@click.option("--name", metavar="TEXT", help="The name to join with.  [default: the player's]")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="The seat.  [default: the first free]")
@click.option(
    "--token",
    type=Token(),
    envvar="CANTIERE_SEAT_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="The token of --seat, if it was taken before.  [default: join the match]",
)
@click.option(
    "--seed",
    type=Seed(),
    help="What the player's chance comes from.  [default: the operating system]",
)
@think_option
@click.option(
    "--patience",
    type=click.FloatRange(0, 86_400),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a server that does not answer.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the result only.  [default: every event]")
def command(
    url: str,
    match_id: str | None,
    account_token: str | None,
    player: str,
    name: str | None,
    seat: int | None,
    token: str | None,
    seed: bytes | None,
    think: float,
    patience: float,
    quiet: bool,
) -> None:
    """Play one seat of a match on a server, to the end.

    Joins the match, or goes on with a seat taken before (--seat and --token). Waits for its turn, plays it,
    and outlasts restarts of the server: what was sent twice is carried out once.
    """
    bot = engine_bot(player, seed or secrets.token_bytes(32), think)
    with reported(), Client(url, patience) as client:
        if match_id is None:
            if account_token is None:
                raise BadInput("give --match, or --account-token to play all matches of a player")
            play_account(client, account_token, bot, _ignored if quiet else _told, is_over=lambda: False)
            return
        called = name if account_token else name or player
        taken = _seat(client, match_id, seat, (token, account_token), called)
        end = play_match(client, taken, bot, _unheard if quiet else _heard)
        if end.status != "finished":
            raise NoResult(f"the match was {end.status}")
        rows = client.standing(match_id).rows
    names = tuple(row.name for row in end.seats)
    out.print(standing_table(rows, names))
    out.print(result_sentence(rows, names))


def _seat(
    client: Client, match_id: str, seat: int | None, tokens: tuple[str | None, str | None], name: str | None
) -> Seat:
    token, account_token = tokens
    if token is None:
        joined = client.join(match_id, name, seat, token=account_token)
        called, resume = joined.match.seats[joined.seat].name, f"--seat {joined.seat} --token {joined.token}"
        out.print(f"{called} has seat {joined.seat}; to go on later: {resume}")
        return Seat(match_id, joined.seat, joined.token)
    if seat is None:
        raise BadInput("--token needs --seat: which seat is it for?")
    return Seat(match_id, seat, token)


def _heard(mirror: Mirror, steps: tuple[Step, ...]) -> None:
    for step in steps:
        out.print(event_text(mirror.game, step, mirror.names))


def _told(message: Told) -> None:
    kind = type(message).__struct_config__.tag
    if isinstance(message, TournamentMessage):
        out.print(f"tournament {message.tournament}: {kind}, round {message.round}", markup=False)
    else:
        out.print(f"{message.game} {message.match}: {kind}", markup=False)


def _ignored(message: Told) -> None:
    """Nothing is printed."""


def _unheard(mirror: Mirror, steps: tuple[Step, ...]) -> None:
    """Nothing is printed."""
