"""`cantiere watch`: a match on a server, as it is played."""

from typing import Final

import rich_click as click

from service.cli.command import Command
from service.cli.exits import NoResult
from service.cli.output import out, result_sentence, standing_table
from service.cli.remote import reported, url_option
from service.cli.screen import screen, table_text
from service.client import Client, Replica, dialogues

WAIT: Final = 20
"""Seconds of one long poll."""


@click.command(
    "watch",
    cls=Command,
    epilog="Exit codes: 0 the match is finished; 1 the server refused something; 2 bad input; 3 the server "
    "was away for too long; 4 the match was cancelled or aborted; 130 interrupted.",
    examples=("cantiere watch $ID", "cantiere watch --url https://example.org $ID | tee match.log"),
)
@click.argument("match_id", metavar="ID", help="The match to watch.")
@url_option
def command(match_id: str, url: str) -> None:
    """Watch a match on a server, from its first event to its end.

    On a terminal the table is shown as it changes; elsewhere every move is a line of text. What happened
    before is shown too. A lost connection is taken up again where it broke.
    """
    with reported(), Client(url) as client:
        if client.match(match_id).status == "open":
            out.print("The match waits for players.")
        if (status := client.run(dialogues.started(match_id)).status) == "cancelled":
            raise NoResult(f"the match was {status}")
        replica = Replica(client, match_id)
        game, names = replica.game, replica.names
        with screen()(game, names) as show:
            for step in replica.seen:
                show(step)
            while replica.status == "running":
                for step in replica.update(wait=WAIT):
                    show(step)
        out.print(table_text(game, replica.state))
        rows = game.standing(replica.state).rows
        out.print(standing_table(rows, names))
        if replica.status != "finished":
            raise NoResult(f"the match was {replica.status}")
        out.print(result_sentence(rows, names))
