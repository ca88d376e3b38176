"""What commands that talk to a server share."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import rich_click as click

from service.cli.exits import Failure, NotReached
from service.client.errors import ClientError, Unreachable
from service.client.tries import checked_url


class ServerUrl(click.ParamType[str]):
    """The address of a server."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return checked_url(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None


url_option = click.option(
    "--url",
    type=ServerUrl(),
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="URL",
    help="The server's address.",
)


class Token(click.ParamType[str]):
    """The token of a seat: something that can stand in a header."""

    name = "token"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        token = str(value).strip()
        if not re.fullmatch(r"[!-~]{1,200}", token):
            raise click.BadParameter("a token has visible ASCII characters, at most 200", ctx, param)
        return token


account_token_option = click.option(
    "--account-token",
    "token",
    type=Token(),
    envvar="CANTIERE_ACCOUNT_TOKEN",
    show_envvar=True,
    required=True,
    metavar="TOKEN",
    help="An API token of the player who asks; `cantiere account register` gives one.",
)


@contextmanager
def reported() -> Iterator[None]:
    """What a client raises in here ends the command with a sentence and the exit code that is documented."""
    try:
        yield
    except Unreachable as error:
        raise NotReached(str(error)) from error
    except ClientError as error:
        raise Failure(str(error)) from error
