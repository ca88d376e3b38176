"""Transcripts as they come from files: text or JSON, told apart by their first character."""

from typing import BinaryIO, Final

from engine.errors import BadTranscript
from engine.transcript import Transcript, parse_json, parse_text

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
