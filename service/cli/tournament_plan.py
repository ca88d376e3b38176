"""What `cantiere tournament run` is asked for, and what comes of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.match import AnyGame
from engine.transcript import Transcript
from schema.wire_tournaments import CreateTournament
from service.tournaments.record import Record


class Plan(NamedTuple):
    """What is to be played, and by whom; `workers` are processes of the service, or of matches.

    All chance comes from `seed`, or from one that nobody knows. What becomes of it is written to `directory`;
    without one nobody wants the transcripts, which a service has to be asked for one by one.
    """

    game: AnyGame
    players: tuple[str, ...]
    asked: CreateTournament
    think: float
    seed: bytes | None
    workers: int
    directory: Path | None


class Held(NamedTuple):
    """The record of a tournament that is over, and the transcripts of its matches by number if wanted."""

    record: Record
    transcripts: Sequence[tuple[int, Transcript]]
