"""`cantiere account`: a player's account on a server, and its API tokens."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, get_args

import rich_click as click

from schema.wire import Scope
from schema.wire_players import MOST_DAYS, SCOPES, CreateToken, PlayerKind, RegisterPlayer, TokenView
from service.cli.command import Command, Group
from service.cli.output import out
from service.cli.remote import account_token_option, reported, url_option
from service.client import Client

OF_A_BOT: Final[tuple[Scope, ...]] = ("read", "play")
"""What the token of a program that plays needs."""


@click.group(
    "account",
    cls=Group,
    examples=(
        "export CANTIERE_ACCOUNT_TOKEN=$(cantiere account register Ada)",
        "cantiere account show",
        "cantiere account create-token laptop --expires-in-days 30",
        "cantiere account revoke-token $ID --url https://example.org",
    ),
)
def command() -> None:
    """Open an account for a player, show it, and make and revoke its API tokens.

    Bots and organisers of tournaments need one. Commands look for its token in CANTIERE_ACCOUNT_TOKEN.
    """


class TokenId(click.ParamType[str]):
    """The id of a token. A token itself is no id, and must not get into an address."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[a-z2-7]{1,64}", value):
            told = "the id of a token has letters and digits only, as `cantiere account tokens` lists it"
            raise click.BadParameter(told, ctx, param)
        return str(value)


@command.command(
    "register",
    cls=Command,
    epilog="Exit codes: 0 it is open; 1 the server refused it; 2 bad input; 3 the server cannot be reached.",
    examples=(
        "TOKEN=$(cantiere account register Ada)",
        "cantiere account register Olga --kind person --url https://example.org",
    ),
)
@click.argument("name", metavar="NAME", help="What the player is called; nobody else on the server is.")
@click.option(
    "--kind",
    type=click.Choice(get_args(PlayerKind)),
    default="bot",
    show_default=True,
    help="Who plays.",
)
@click.option(
    "--invite",
    metavar="TEXT",
    help="An invite of the server's operator, where one is needed.  [default: none]",
)
@url_option
def register(name: str, kind: PlayerKind, invite: str | None, url: str) -> None:
    """Open an account for a player.

    Prints its API token on standard output, this once, and on standard error what comes next.
    """
    with reported(), Client(url) as client:
        made = client.register(RegisterPlayer(name, kind, invite))
    out.print(made.token)
    for line in _what_comes_next(client.url, made.player.id):
        click.echo(line, err=True)


def _what_comes_next(url: str, player: str) -> Iterator[str]:
    yield f"The account is open; the player's id is {player}. Its token is not shown again: keep it, out of"
    yield "addresses and logs. What comes next, with the token in CANTIERE_ACCOUNT_TOKEN:"
    yield f"  show who it is          cantiere account show --url {url}"
    yield f"  take part               cantiere tournament join ID --url {url}"
    yield f"  let a bot play          cantiere bot --url {url}"
    yield "  hold a tournament       cantiere tournament create --help"


@command.command("show", cls=Command, examples=("cantiere account show --url https://example.org",))
@url_option
@account_token_option
def show(url: str, token: str) -> None:
    """Show who the API token stands for, and what it may do."""
    with reported(), Client(url) as client:
        me = client.me(token)
    out.print(
        f"player  {me.player.id}  {me.player.kind}  since {_day(me.player.created_at)}  {me.player.name}"
    )
    out.print(f"token   {_line(me.token)}")


@command.command("tokens", cls=Command, examples=("cantiere account tokens --url https://example.org",))
@url_option
@account_token_option
def listed(url: str, token: str) -> None:
    """List the API tokens of the player, the oldest first, without what is secret."""
    with reported(), Client(url) as client:
        _print_all(client.tokens(token).tokens)


@command.command(
    "create-token",
    cls=Command,
    examples=(
        "TOKEN=$(cantiere account create-token laptop)",
        "cantiere account create-token cups --scope create --expires-in-days 7",
    ),
)
@click.argument("label", metavar="LABEL", help="What you know the token by.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    default=OF_A_BOT,
    show_default=True,
    help="What it may do: see own matches and events, play, create matches and tournaments, or make and"
    " revoke tokens; may be repeated.",
)
@click.option(
    "--expires-in-days",
    type=click.IntRange(1, MOST_DAYS),
    metavar="DAYS",
    help="For how long it counts.  [default: until it is revoked]",
)
@url_option
@account_token_option
def create_token(
    label: str, scopes: tuple[Scope, ...], expires_in_days: int | None, url: str, token: str
) -> None:
    """Make a further API token of the player, such as one for each program.

    Prints it on standard output, this once, and on standard error what it may do. It may do no more than the
    one that asks for it.
    """
    with reported(), Client(url) as client:
        made = client.create_token(CreateToken(label, scopes, expires_in_days), token)
    out.print(made.token)
    click.echo(_line(made.description), err=True)


@command.command("revoke-token", cls=Command, examples=("cantiere account revoke-token $ID",))
@click.argument(
    "token_id", type=TokenId(), metavar="ID", help="The token, as `cantiere account tokens` has it."
)
@url_option
@account_token_option
def revoke_token(token_id: str, url: str, token: str) -> None:
    """Revoke an API token of the player at once, and list those that are left."""
    with reported(), Client(url) as client:
        _print_all(client.revoke_token(token_id, token).tokens)


def _print_all(tokens: tuple[TokenView, ...]) -> None:
    for token in tokens:
        out.print(_line(token))


def _line(token: TokenView) -> str:
    """A token as a line that begins with its id."""
    end = f"until {token.expires_at:%Y-%m-%d %H:%M} UTC" if token.expires_at else "until it is revoked"
    used = f"used {_day(token.last_used_at)}" if token.last_used_at else "not used yet"
    return f"{token.id}  {','.join(token.scopes)}  {end}  {used}  {token.label}"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
