"""What `cantiere tournament run` is asked for, and what comes of it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.match import AnyGame
from engine.transcript import Transcript
from schema.wire_tournaments import CreateTournament
from service.tournaments.record import Record


class Plan(NamedTuple):
    """What is to be played, and by whom; `workers` are processes of the service, or of matches."""

    game: AnyGame
    players: tuple[str, ...]
    asked: CreateTournament
    think: float
    seed: bytes
    workers: int


class Held(NamedTuple):
    """The record of a tournament that is over, and the transcripts of its matches by number."""

    record: Record
    transcripts: Sequence[tuple[int, Transcript]]
