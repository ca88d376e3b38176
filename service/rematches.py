"""The same players again: a new match with the seats rotated, one however often it is asked for."""

from typing import Final

from msgspec.structs import replace

from engine.chance import commitment
from service.clocks.arithmetic import wound
from service.details import detail
from service.errors import MatchIsOver, MatchNotOver
from service.matches import Born
from service.store.record import MatchRecord, SeatRecord
from service.tokens import Tokens, token_hash

GUEST: Final = "-"
"""For whom a seat is held that a guest had: nobody else can ask for it."""


def source_of_match(record: MatchRecord) -> str:
    """What the id of the rematch is derived from. No key of a client has a blank."""
    return f"rematch {record.id}"


def source_of_seat(record: MatchRecord, seat: int) -> str:
    """What the token is derived from that whoever had this seat gets in the rematch."""
    return f"rematch {record.id} {seat}"


def seat_in_rematch(record: MatchRecord, seat: int) -> int:
    """The seat in the rematch of whoever had this one: the next one."""
    return (seat + 1) % len(record.seats)


def rematch(record: MatchRecord, born: Born, tokens: Tokens) -> MatchRecord:
    """The new match, in which every seat is held for one player, and bots sit already.

    Its creator, the host token included, and all options are those of the match before; the deal is new.
    Raises MatchNotOver, and MatchIsOver if that one never began.
    """
    _check_played(record)
    seats = [SeatRecord()] * len(record.seats)
    for number, before in enumerate(record.seats):
        seats[seat_in_rematch(record, number)] = _held(before)
    for number, seat in enumerate(seats):
        if seat.bot:
            token = tokens.bot_token(born.id, number, born.at)
            seats[number] = replace(seat, token_hash=token_hash(token), joined_at=born.at)
    return replace(
        record,
        id=born.id,
        status="open",
        seats=tuple(seats),
        deal=b"",
        state=b"",
        version=0,
        seed=born.seed,
        commitment=commitment(born.seed),
        given=(),
        created_at=born.at,
        started_at=0,
        updated_at=born.at,
        ended_at=0,
        ranks=(),
        clock=None if record.clock is None else wound(record.clock.control, len(record.seats)),
        joining="invited",
        invited=tuple(seat.player for seat in record.seats if seat.player),
        rematch_of=record.id,
        tournament="",
        chance="",
        is_withheld=False,
    )


def _check_played(record: MatchRecord) -> None:
    if record.status == "cancelled":
        raise MatchIsOver(detail("match_cancelled"))
    if not record.is_over:
        raise MatchNotOver(detail("rematch_too_early"))


def _held(before: SeatRecord) -> SeatRecord:
    if before.bot:
        return SeatRecord(name=before.name, bot=before.bot)
    return SeatRecord(held_for=before.player or GUEST)
