"""`cantiere match`: opens matches on a server, lists and shows them, and ends one's part in them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from typing import Any, Final, get_args

import rich_click as click
from msgspec.structs import replace

from engine.game import CHANCE
from engine.match import AnyGame
from engine.opening import check_seats
from schema.wire import (
    LARGEST_PAGE,
    MOST_SEATS,
    AskedClock,
    CreateMatch,
    Joining,
    MatchesQuery,
    Status,
    TimeKind,
    Visibility,
)
from schema.wire_players import AddBot, BotName
from schema.wire_views import ClockNow, CreatedView, MatchSummary, MatchView, SeatView, TimeControl
from service.cli.command import Command, Group
from service.cli.exits import BadInput
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName, clock_parameters, game_argument, option_parameters
from service.cli.remote import Token, reported, url_option
from service.client import Client, ClientError

NO_CLOCK: Final = "no clock"

match_argument = click.argument("match_id", metavar="ID", help="The match.")


@click.group(
    "match",
    cls=Group,
    examples=(
        f"ID=$(cantiere match open {EXAMPLE} --bot greedy)",
        "cantiere match list --free 1 --url https://example.org",
        "cantiere match show $ID",
        "CANTIERE_SEAT_TOKEN=$TOKEN cantiere match leave $ID",
    ),
)
def command() -> None:
    """Open matches on a server, find and show them, give a seat back, or call a match off.

    `cantiere bot` takes a seat and plays it; `cantiere watch` follows a match to its end.
    """


def _account_option(described: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The API token of a player, which is not needed."""
    return click.option(
        "--account-token",
        type=Token(),
        envvar="CANTIERE_ACCOUNT_TOKEN",
        show_envvar=True,
        metavar="TOKEN",
        help=described,
    )


@command.command(
    "open",
    cls=Command,
    epilog="Exit codes: 0 it is open; 1 the server refused it; 2 bad input; 3 the server cannot be reached.",
    examples=(
        f"ID=$(cantiere match open {EXAMPLE})",
        f"ID=$(cantiere match open {EXAMPLE} --bot greedy)",
        f"cantiere match open {EXAMPLE} --seats 3 --base 600 --increment 5",
        f"cantiere match open {EXAMPLE} --unlisted --invite $PLAYER",
    ),
)
@game_argument
@click.option(
    "--seats", type=click.IntRange(1, MOST_SEATS), default=2, show_default=True, help="How many play."
)
@option_parameters
@clock_parameters("no clock, without --base")
@click.option("--unlisted", is_flag=True, help="Keep it out of lists.  [default: everybody finds it]")
@click.option(
    "--invite",
    "invited",
    multiple=True,
    metavar="ID",
    help="A player who is told of it, as `cantiere account show` tells the id; may be repeated.",
)
@click.option(
    "--bot",
    "bots",
    type=click.Choice(get_args(BotName)),
    multiple=True,
    help="A bot of the server, which takes a seat; may be repeated.",
)
@url_option
@_account_option("An API token of the player who is to be the host.  [default: whoever has the host token]")
def open_(
    game: AnyGame,
    seats: int,
    options: dict[str, Any],
    clock: AskedClock | None,
    unlisted: bool,
    invited: tuple[str, ...],
    bots: tuple[BotName, ...],
    url: str,
    account_token: str | None,
) -> None:
    """Open a match, which begins when its last seat is taken. Its host has no seat yet.

    Prints its id on standard output, and on standard error what comes next, with the host token if there
    is no account.
    """
    check_seats(game, seats)
    if len(bots) > seats:
        raise BadInput(f"{len(bots)} bots are too many for {seats} seats")
    visibility: Visibility = "unlisted" if unlisted else "public"
    asked = CreateMatch(
        game.slug, seats, options or None, visibility=visibility, clock=clock, invited=invited
    )
    with reported(), Client(url) as client:
        made = client.open_match(asked, account_token)
        match = _with_bots(client, made, bots)
        out.print(match.id)
        for line in _what_comes_next(client.url, match, None if account_token else made.host_token):
            click.echo(line, err=True)


def _with_bots(client: Client, made: CreatedView, bots: tuple[BotName, ...]) -> MatchView:
    """The match with these bots in it. If the server does not give them, it is cancelled."""
    match = made.match
    try:
        for bot in bots:
            match = client.add_bot(match.id, AddBot(bot), made.host_token).match
    except ClientError:
        with suppress(ClientError):
            client.cancel(match.id, made.host_token)
        raise
    return match


def _what_comes_next(url: str, match: MatchView, host_token: str | None) -> Iterator[str]:
    at = f"{match.id} --url {url}"
    if match.status == "open":
        yield "It waits for its players. What comes next:"
        yield f"  a bot of yours joins   cantiere bot --match {at}"
        yield f"  you play yourself at   {_page(url, match.id)}"
    else:
        yield "It has begun. What comes next:"
    yield f"  follow it              cantiere watch {at}"
    yield f"  call it off            cantiere match cancel {at}"
    if host_token:
        yield f"The host token, which `cancel` wants as CANTIERE_HOST_TOKEN, is not shown again: {host_token}"


@command.command(
    "list",
    cls=Command,
    examples=("cantiere match list", f"cantiere match list --game {EXAMPLE} --free 1 --clock none"),
)
@click.option("--game", type=GameName(), metavar="GAME", help="What is played.  [default: any game]")
@click.option(
    "--status",
    type=click.Choice(get_args(Status)),
    default="open",
    show_default=True,
    help="How they stand.",
)
@click.option(
    "--seats", type=click.IntRange(1, MOST_SEATS), help="Those with so many seats.  [default: any number]"
)
@click.option(
    "--free",
    type=click.IntRange(1, MOST_SEATS),
    help="Those with at least so many seats free for anybody.  [default: any number]",
)
@click.option("--join", type=click.Choice(get_args(Joining)), help="Who may join.  [default: either]")
@click.option(
    "--clock",
    type=click.Choice(get_args(TimeKind)),
    help="Those with time for the whole match, for each turn, or no clock.  [default: any of them]",
)
@click.option("--player", metavar="ID", help="Those in which this player has a seat.  [default: anybody]")
@click.option(
    "--limit", type=click.IntRange(1, LARGEST_PAGE), default=50, show_default=True, help="So many at most."
)
@url_option
def listed(game: AnyGame | None, url: str, **filters: Any) -> None:
    """List public matches of a server, newest first: those that wait for players, if nothing else is said."""
    asked = MatchesQuery(None if game is None else game.slug, **filters)
    with reported(), Client(url) as client:
        for match in islice(_found(client, asked), asked.limit):
            names = ", ".join(map(_holder, match.seats))
            out.print(f"{_headline(match)}, {_control(match)}: {names}")


def _found(client: Client, asked: MatchesQuery) -> Iterator[MatchSummary]:
    """All that is asked for; a page may be short although others follow."""
    while True:
        page = client.lobby(asked)
        yield from page.matches
        if page.next is None:
            return
        asked = replace(asked, cursor=page.next)


@command.command("show", cls=Command, examples=("cantiere match show $ID --url https://example.org",))
@match_argument
@url_option
def show(match_id: str, url: str) -> None:
    """Show how a match stands: its seats, whose turn it is, and the time that each has left."""
    with reported(), Client(url) as client:
        for line in _lines(client.url, client.match(match_id), client.clock(match_id)):
            out.print(line)


def _lines(url: str, match: MatchView, clock: ClockNow) -> Iterator[str]:
    yield f"{_headline(match)}, version {match.version}, {_control(match)}"
    for seat in match.seats:
        left = f"  {_span(clock.left[seat.seat])} left" if clock.clock else ""
        turn = "  to move" if match.to_move == seat.seat else ""
        yield f"  seat {seat.seat}  {_holder(seat)}{left}{turn}"
    if match.to_move == CHANCE:
        yield "  chance decides"
    yield f"  {_page(url, match.id)}"


def _headline(match: MatchSummary) -> str:
    """A match in a few words, which begin with its id."""
    taken = sum(seat.taken for seat in match.seats)
    return f"{match.id}  {match.status}, {match.game}, {taken} of {len(match.seats)} seats taken"


def _holder(seat: SeatView) -> str:
    """Who has a seat, or is to have it."""
    if seat.taken:
        return seat.name or f"seat {seat.seat}"
    return f"held for {seat.player}" if seat.player else "free"


def _control(match: MatchSummary) -> str:
    return _time(match.clock.control) if match.clock else NO_CLOCK


def _time(control: TimeControl) -> str:
    """How much time there is, as far as a word tells it."""
    if control.per_turn:
        return f"{_span(control.per_turn)} a turn"
    return f"{_span(control.base or 0)} + {_span(control.increment)}"


def _span(ms: int) -> str:
    return str(timedelta(seconds=ms // 1_000))


def _page(url: str, match: str) -> str:
    """Where people see the match."""
    return f"{url}/match/{match}"


def _deed(name: str, who: str, what: str) -> click.Command:
    """A command that does something to a match for the holder of one of its tokens."""
    variable = f"CANTIERE_{who.upper()}_TOKEN"

    @match_argument
    @click.option(
        "--token",
        type=Token(),
        envvar=variable,
        show_envvar=True,
        metavar="TOKEN",
        help=f"The token of the {who}.  [default: --account-token]",
    )
    @url_option
    @_account_option(f"An API token of the {who}'s player.  [default: --token is needed]")
    def act(match_id: str, token: str | None, url: str, account_token: str | None) -> None:
        shown = token or account_token
        if shown is None:
            raise BadInput(f"give --token, that of the {who}, or --account-token")
        with reported(), Client(url) as client:
            ask: Callable[[str, str], object] = getattr(client, name)
            ask(match_id, shown)
            out.print(_headline(client.match(match_id)))

    act.__doc__ = what
    decorated: Any = click.command(
        name, cls=Command, examples=(f"{variable}=$TOKEN cantiere match {name} $ID",)
    )
    made: click.Command = decorated(act)
    return made


for _name, _who, _what in (
    ("leave", "seat", "Give a seat back before the start, or decline an invitation with --account-token."),
    ("resign", "seat", "Leave a match that has begun; the others play on, if there are two or more."),
    ("cancel", "host", "Cancel a match before the start, or abort it in its first turn."),
):
    command.add_command(_deed(_name, _who, _what))
