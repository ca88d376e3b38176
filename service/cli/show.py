"""`cantiere show`: one position of a transcript."""

from pathlib import Path
from typing import BinaryIO

import rich_click as click

from engine.game import CHANCE
from engine.match import AnyGame
from engine.transcript import Transcript, opening, replay
from service.cli.command import Command
from service.cli.output import Names, event_text, out, seat_name, standing_table
from service.cli.parameters import EXAMPLE, box_option, file_argument, output_option, write_file
from service.cli.screen import table_text
from service.cli.transcripts import game_of, read_transcript


@click.command(
    "show",
    cls=Command,
    examples=(
        f"cantiere play {EXAMPLE} --quiet --save match.txt",
        "cantiere show match.txt",
        "cantiere show match.txt --at 40",
        "cantiere show match.txt --at 40 --svg board.svg",
    ),
)
@file_argument
@box_option
@click.option(
    "--at",
    type=click.IntRange(min=0),
    metavar="VERSION",
    help="The version to show, 0 for the deal.  [default: the last one]",
)
@output_option("--svg", "Write the board to this file, as an SVG document.  [default: nowhere]")
def command(file: BinaryIO, box: bytes | None, at: int | None, svg: Path | None) -> None:
    """Show a position of a transcript: the table as text, the legal moves and the standing."""
    transcript = read_transcript(file)
    last = len(transcript.events)
    version = last if at is None else at
    if version > last:
        raise click.BadParameter(f"the transcript ends with version {last}", param_hint="'--at'")
    game = game_of(transcript, box)
    state = _position(game, transcript, version)
    out.print(f"{game.title}, version {version} of {last}")
    out.print(table_text(game, state))
    _print_moves(game, state, transcript.names)
    out.print(standing_table(game.standing(state).rows, transcript.names))
    if svg is not None:
        write_file(svg, game.board(state))
        out.print(f"The board is in {svg}.")


def _position(game: AnyGame, transcript: Transcript, version: int) -> object:
    _, state = opening(transcript, game)
    steps = replay(transcript, game)
    for _ in range(version):
        step = next(steps)
        state = step.state
        if step.event.version == version:
            out.print(event_text(game, step, transcript.names))
    return state


def _print_moves(game: AnyGame, state: object, names: Names) -> None:
    holder = game.to_move(state)
    moves = game.legal(state)
    if holder is None:
        out.print("The match is over.")
    elif holder == CHANCE:
        odds = game.odds(state)
        out.print(f"Chance decides between {len(moves)} outcomes:")
        for move, weight in zip(moves, odds, strict=True):
            out.print(f"  {game.write(move):<28} {weight:>5}/{sum(odds)}  {game.sentence(move)}")
    else:
        out.print(f"{seat_name(holder, names)} chooses between {len(moves)} moves:")
        for move in moves:
            out.print(f"  {game.write(move):<28} {game.sentence(move)}")
