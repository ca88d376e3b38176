"""The record of a tournament: see `schema.tournament_record`."""

from schema.tournament_record import (
    Ended,
    Entered,
    Entry,
    FaultCount,
    Left,
    LeftFor,
    MatchOrder,
    MatchResult,
    Ordered,
    Reason,
    Record,
    StopCause,
    Stopped,
    Voided,
    Written,
)

__all__ = [
    "Ended",
    "Entered",
    "Entry",
    "FaultCount",
    "Left",
    "LeftFor",
    "MatchOrder",
    "MatchResult",
    "Ordered",
    "Reason",
    "Record",
    "StopCause",
    "Stopped",
    "Voided",
    "Written",
]
