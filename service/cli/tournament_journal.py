"""What is known of a local tournament that is not over: the same command goes on with it."""

import fcntl
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import msgspec

from engine.transcript import Transcript
from schema.wire import SEED_PATTERN
from service.cli.exits import BadInput
from service.tournaments.manifest import Manifest
from service.tournaments.record import Entry

NAME: Final = "unfinished.jsonl"


class Head(msgspec.Struct, frozen=True):
    """The first line: what is played, and the secret seed (hex) that everything follows from."""

    manifest: Manifest
    seed: Annotated[str, msgspec.Meta(pattern=SEED_PATTERN)]


class Line(msgspec.Struct, frozen=True):
    """An entry of the record; the result of a match has its transcript beside it."""

    entry: Entry
    transcript: Transcript | None = None


class Journal:
    """A file that grows by a line with each entry, and what stood in it when it was opened.

    The last line is dropped if it was torn off. Raises BadInput if the file is none, or another run has it.
    """

    def __init__(self, file: BinaryIO) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"{file.name} belongs to a tournament that goes on") from None
        file.seek(0)
        lines = file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            file.truncate(sum(map(len, lines[:-1])))
            del lines[-1]
        self._file = file
        try:
            self.head = msgspec.json.decode(lines[0], type=Head) if lines else None
            self.lines: Sequence[Line] = [msgspec.json.decode(line, type=Line) for line in lines[1:]]
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadInput(f"{file.name} cannot be read: {error}") from None

    def write(self, line: Head | Line) -> None:
        """What is written is in the file when this returns, and outlives this process."""
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


@contextmanager
def journal_in(directory: Path | None) -> Iterator[Journal]:
    """The journal in a directory; without one it is lost at the end of the block."""
    with (directory / NAME).open("a+b") if directory else tempfile.TemporaryFile() as file:
        yield Journal(file)


def forget(directory: Path) -> None:
    """The tournament in the directory is over, and all that is to be kept of it is written."""
    (directory / NAME).unlink(missing_ok=True)
