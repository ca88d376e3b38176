"""`cantiere replay`: check a transcript against the rules."""

from typing import BinaryIO

import rich_click as click

from engine.match import digest
from engine.transcript import opening, replay
from service.cli.command import Command
from service.cli.exits import Failure
from service.cli.output import event_text, out, result_sentence, standing_table
from service.cli.parameters import EXAMPLE, box_option, file_argument
from service.cli.transcripts import game_of, read_transcript


@click.command(
    "replay",
    cls=Command,
    examples=(
        f"cantiere play {EXAMPLE} --quiet --save match.txt",
        "cantiere replay match.txt",
        "curl -s $URL/api/v1/matches/$ID/transcript | cantiere replay -",
    ),
)
@file_argument
@box_option
@click.option(
    "-q", "--quiet", is_flag=True, help="Print the standing and the verdict only.  [default: every event]"
)
def command(file: BinaryIO, box: bytes | None, quiet: bool) -> None:
    """Check a transcript, text or JSON, against the rules, and tell it in sentences.

    Every event is checked as it is recorded, then the digest of the last state and the ranking. The exit code
    is 1, and the line or version at fault is named, when the transcript does not follow the rules.
    """
    transcript = read_transcript(file)
    game, state = opening(transcript, game_of(transcript, box))
    out.print(f"{game.title}, {len(game.active(state))} seats, edition {game.edition.name}")
    for step in replay(transcript, game):
        state = step.state
        if not quiet:
            out.print(event_text(game, step, transcript.names))
    rows = game.standing(state).rows
    ranks = tuple(row.rank for row in rows)
    if transcript.ranks is not None and transcript.ranks != ranks:
        raise Failure(f"the moves lead to the ranking {ranks}, not to {transcript.ranks} as recorded")
    over = game.to_move(state) is None
    out.print(standing_table(rows, transcript.names))
    out.print(result_sentence(rows, transcript.names) if over else "The match is not over.")
    verdict = "as recorded" if transcript.digest else "none recorded"
    out.print(f"{len(transcript.events)} events follow the rules; digest {digest(state)} ({verdict})")
