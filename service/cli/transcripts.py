"""Transcripts as they come from files: text or JSON, told apart by their first character."""

from typing import BinaryIO, Final

from engine.errors import BadTranscript, UnknownGame
from engine.match import AnyGame
from engine.registry import find_game
from engine.transcript import Transcript, parse_json, parse_text
from service.cli.parameters import with_box

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a file, at most."""


def read_transcript(file: BinaryIO) -> Transcript:
    """The transcript in a file. Raises BadTranscript."""
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadTranscript(f"the file is larger than {LARGEST // 1024 // 1024} MB")
    try:
        if data.lstrip().startswith(b"{"):
            return parse_json(data)
        return parse_text(data.decode())
    except UnicodeDecodeError as error:
        raise BadTranscript("the file is no UTF-8 text", data.count(b"\n", 0, error.start) + 1) from None


def game_of(transcript: Transcript, box: bytes | None) -> AnyGame:
    """The game of a transcript with its box: the one given by `--box`, or the built-in one.

    Raises BadTranscript if the transcript names another.
    """
    try:
        game = with_box(find_game(transcript.game), box)
    except UnknownGame as error:
        raise BadTranscript(str(error)) from None
    if transcript.edition != game.edition:
        hint = "; give its component file by --box" if box is None else ""
        raise BadTranscript(f"{transcript.edition} was played with, here is {game.edition}{hint}")
    return game
