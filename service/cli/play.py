"""`cantiere play`: a match between players, without a server."""

import time
from pathlib import Path
from typing import Any

import rich_click as click

from engine.match import AnyGame, Event
from engine.transcript import write_text
from service.cli.command import Command
from service.cli.local import deal_match, steps_of, transcript_of
from service.cli.output import distinct, out, result_sentence, standing_table
from service.cli.parameters import (
    EXAMPLE,
    PLAYER_NAMES,
    PlayerNames,
    Seed,
    box_option,
    game_argument,
    option_parameters,
    save_option,
    think_option,
    with_box,
    write_file,
)
from service.cli.screen import screen, table_text, unseen
from service.client.bots import engine_bot


@click.command(
    "play",
    cls=Command,
    examples=(
        f"cantiere play {EXAMPLE}",
        f"cantiere play {EXAMPLE} --players greedy,greedy --delay 0.5",
        f"cantiere play {EXAMPLE} --quiet --save match.txt",
    ),
)
@game_argument
@click.option(
    "--players",
    type=PlayerNames(),
    default="greedy,random",
    show_default=True,
    help=f"The players of seat 0, 1, ..., with commas between them: {PLAYER_NAMES}.",
)
@click.option(
    "--seed",
    type=Seed(),
    help="What all chance comes from, the players' too: a whole number or 64 hexadecimal digits.  "
    "[default: one from the operating system]",
)
@box_option
@option_parameters
@think_option
@click.option(
    "--delay",
    type=click.FloatRange(0, 60),
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait after each move, for people who watch.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the final standing only.  [default: show the match]")
@save_option
def command(
    game: AnyGame,
    players: tuple[str, ...],
    seed: bytes | None,
    box: bytes | None,
    options: dict[str, Any],
    think: float,
    delay: float,
    quiet: bool,
    save: Path | None,
) -> None:
    """Play a match between players here, without a server.

    On a terminal the table is shown as it changes; elsewhere every move is a line of text.
    The same seed, players and options give the same match, unless thinking was cut short.
    """
    game = with_box(game, box)
    match = deal_match(game, len(players), options, seed)
    bots = [engine_bot(name, match.seed, think) for name in players]
    names = distinct(players)
    watch = unseen if quiet else screen()
    events: list[Event] = []
    state = game.setup(match.deal)
    with watch(game, names) as show:
        for step in steps_of(match, bots):
            events.append(step.event)
            state = step.state
            show(step)
            time.sleep(delay)
    if not quiet:
        out.print(table_text(game, state))
    rows = game.standing(state).rows
    out.print(standing_table(rows, names))
    out.print(result_sentence(rows, names))
    out.print(f"{len(events)} events; seed {match.seed.hex()}")
    if save:
        write_file(save, write_text(transcript_of(match, names, events, state)))
        out.print(f"The transcript is in {save}.")
