"""What is said of a tournament: everything that follows from its record, as one document."""

import msgspec

from service.tournaments.counting import counting
from service.tournaments.faults import FaultRow, fault_rows
from service.tournaments.ledger import Ledger
from service.tournaments.ratings import Rating, ratings
from service.tournaments.record import Record, Written
from service.tournaments.schedule import is_over, planned_matches
from service.tournaments.seating import imbalance
from service.tournaments.standings import Place, standings
from service.tournaments.stopping import Verdict, verdict
from service.tournaments.tables import Cell, EloRow, SeatRow, crosstable, elo_rows, seat_advantage


class Progress(Written, frozen=True, kw_only=True):
    """How far it is: the round that is played, and matches ordered, ended, counting and voided.

    `planned` is None where results decide.
    """

    round: int
    ordered: int
    ended: int
    counting: int
    voided: int
    planned: int | None
    finished: bool


class Balance(Written, frozen=True, kw_only=True):
    """How far from even the ordered matches are, see `seating.Imbalance`; all 0 is perfect."""

    seats: int
    before: int
    meetings: int
    matches: int


class Statement(Written, frozen=True, kw_only=True):
    """Table, ratings and what stands beside them."""

    progress: Progress
    standings: tuple[Place, ...]
    crosstable: tuple[Cell, ...]
    ratings: tuple[Rating, ...]
    elo: tuple[EloRow, ...]
    seats: tuple[SeatRow, ...]
    balance: Balance
    faults: tuple[FaultRow, ...]
    verdict: Verdict | None = None


class Export(Written, frozen=True, kw_only=True):
    """A record, and what is stated about it, if anything is: the file that anybody can check."""

    record: Record
    statement: Statement | None = None


def stated(record: Record) -> Statement:
    """Everything that follows from the record."""
    ledger = Ledger(record)
    return Statement(
        progress=progress(ledger),
        standings=standings(ledger),
        crosstable=crosstable(ledger),
        ratings=ratings(ledger),
        elo=elo_rows(ledger),
        seats=seat_advantage(ledger),
        balance=balance(ledger),
        faults=fault_rows(ledger),
        verdict=verdict(ledger),
    )


def export(record: Record) -> bytes:
    """The record and its statement as JSON."""
    return msgspec.json.encode(Export(record=record, statement=stated(record)))


def progress(ledger: Ledger) -> Progress:
    """How far the event is."""
    return Progress(
        round=ledger.round_played,
        ordered=sum(not order.is_bye for order in ledger.orders.values()),
        ended=len(ledger.results),
        counting=len(counting(ledger)),
        voided=len(ledger.voided),
        planned=planned_matches(ledger),
        finished=is_over(ledger),
    )


def balance(ledger: Ledger) -> Balance:
    """The deviations of what was ordered from a perfect design."""
    played = [order.entrants for order in ledger.orders.values() if not order.is_bye]
    return Balance(**imbalance(tuple(ledger.entrants), ledger.manifest.seats, played)._asdict())
