"""What `cantiere tournament run` is asked for, and what comes of it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.match import AnyGame
from engine.transcript import Transcript
from schema.wire_tournaments import CreateTournament
from service.tournaments.record import Record


class Plan(NamedTuple):
    """What is to be played, and by whom; `workers` are processes of the service, or of matches.

    A service is asked for the transcripts of its matches, one by one, only if they are wanted.
    """

    game: AnyGame
    players: tuple[str, ...]
    asked: CreateTournament
    think: float
    seed: bytes
    workers: int
    are_transcripts_wanted: bool


class Held(NamedTuple):
    """The record of a tournament that is over, and the transcripts of its matches by number if wanted."""

    record: Record
    transcripts: Sequence[tuple[int, Transcript]]
