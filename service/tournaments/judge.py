"""What is to be done about a match of a tournament: it follows from what is known of it, and its policy.

Faults leave their traces in the match itself: who has not come has no account in its seat, who was made to
leave has an event that says so. So it is judged alike however often, and by whomever, it is judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.match import AnyGame, digest
from service.matches import FORFEITED, state_of
from service.store.record import MatchRecord, StoredEvent
from service.tournaments.faults import consequence, forfeit_ranks, rule_of
from service.tournaments.latency import counted
from service.tournaments.manifest import FaultClass, Manifest
from service.tournaments.record import FaultCount, MatchOrder, MatchResult, Reason

_REASONS: Final[dict[str, Reason]] = {
    "resigned": "resigned",
    "flagged": "flagged",
    FORFEITED: "forfeited",
}
_CLASSES: Final[dict[Reason, FaultClass]] = {
    "resigned": "resign",
    "flagged": "timeout",
    "absent": "no_show",
}


class Case(NamedTuple):
    """A match as far as it concerns its judge. `now` is in ms since 1970.

    `refused` counts refused moves by seat; `present` says by player when it listened last; `struck` how many
    strikes an entrant has from matches before; `gone` are entrants that take no part in the event any more.
    """

    manifest: Manifest
    order: MatchOrder
    game: AnyGame
    record: MatchRecord
    events: Sequence[StoredEvent]
    refused: Mapping[int, int]
    present: Mapping[str, int]
    struck: Mapping[str, int]
    gone: frozenset[str]
    now: int


class Wait(NamedTuple):
    """Nothing is to be done, before the time `until` if nothing happens; None if there is no such time."""

    until: int | None = None


class Fill(NamedTuple):
    """These seats are to be taken by nobody, so that the others can play."""

    seats: tuple[int, ...]


class Retire(NamedTuple):
    """This seat is to leave the match."""

    seat: int


class End(NamedTuple):
    """The match is to end without a result of its own."""


class Count(NamedTuple):
    """The match has this result."""

    result: MatchResult


class Void(NamedTuple):
    """The match does not count."""

    faults: tuple[FaultCount, ...]


Judgement = Wait | Fill | Retire | End | Count | Void


def judge(case: Case) -> Judgement:
    """What is to be done next."""
    match case.record.status:
        case "open":
            return _of_open(case)
        case "running":
            return _of_running(case)
    return _of_over(case)


def _of_open(case: Case) -> Judgement:
    record, policy = case.record, case.manifest.faults
    absent = tuple(number for number, seat in enumerate(record.seats) if not seat.is_taken)
    late = tuple(number for number in absent if case.order.entrants[number] not in case.gone)
    rule = policy.no_show
    due = record.created_at + policy.present_within_ms * (1 + rule.borne)
    if late and (case.now < due or rule.then == "retry"):
        return Wait(due if case.now < due else None)
    if len(absent) == len(record.seats) or (late and rule.then == "void"):
        return End()
    return Fill(absent)


def _of_running(case: Case) -> Judgement:
    leavers = {event.seat for event in case.events if event.kind == "retire"}
    if _worst(case) in ("forfeit", "void"):
        return End()
    for number, seat in enumerate(case.record.seats):
        if number in leavers:
            continue
        entrant = case.order.entrants[number]
        if not seat.player or entrant in case.gone or _is_past_bearing(case, number, entrant):
            return Retire(number)
    return _of_mover(case)


def _is_past_bearing(case: Case, seat: int, entrant: str) -> bool:
    """Whether the refused moves of a seat are too many."""
    policy = case.manifest.faults
    rule, count = policy.illegal_move, case.refused.get(seat, 0)
    if rule.then == "retry" or count <= rule.borne:
        return False
    return rule.then != "strike" or case.struck.get(entrant, 0) + count - rule.borne > policy.strikes


def _of_mover(case: Case) -> Judgement:
    """Whoever has to move may be away."""
    record, policy = case.record, case.manifest.faults
    mover = case.game.to_move(state_of(case.game, record.state))
    if mover is None or mover < 0 or not policy.gone_after_ms or policy.disconnect.then == "retry":
        return Wait()
    here = max(case.present.get(record.seats[mover].player, 0), record.updated_at)
    due = here + policy.gone_after_ms * (1 + policy.disconnect.borne)
    return Retire(mover) if due <= case.now else Wait(due)


def _of_over(case: Case) -> Judgement:
    faults = _faults(case)
    if _worst(case) == "void":
        return Void(faults)
    forfeited = forfeit_ranks(case.manifest.faults, faults, len(case.record.seats))
    if forfeited:
        return Count(_result(case, forfeited, faults))
    if case.record.status == "finished":
        return Count(_result(case, _ranks(case), faults))
    if case.record.status == "cancelled" and not any(seat.is_taken for seat in case.record.seats):
        return Count(_result(case, (1,) * len(case.record.seats), faults))
    server = (*faults, FaultCount(seat=None, fault="server", count=1))
    return Void(server)


def _worst(case: Case) -> str:
    """What the gravest of the faults leads to that ends a match: void, forfeit, or nothing of the kind."""
    policy = case.manifest.faults
    led_to = {consequence(policy, fault.fault, fault.count) for fault in _faults(case)}
    return next((then for then in ("void", "forfeit") if then in led_to), "")


def _reason(case: Case, seat: int) -> Reason:
    """How a seat has ended, or is ending."""
    if not case.record.seats[seat].player:
        return "absent"
    causes = [event.cause for event in case.events if event.kind == "retire" and event.seat == seat]
    if causes:
        return _REASONS.get(causes[0] or "", "played")
    refused = case.refused.get(seat, 0)
    is_forfeit = consequence(case.manifest.faults, "illegal_move", refused) == "forfeit"
    return "forfeited" if is_forfeit else "played"


def _faults(case: Case) -> tuple[FaultCount, ...]:
    found: list[FaultCount] = []
    is_called = case.record.status != "open"
    for seat, entrant in enumerate(case.order.entrants):
        refused = case.refused.get(seat, 0)
        if refused:
            found.append(FaultCount(seat=seat, fault="illegal_move", count=refused))
        reason = _reason(case, seat)
        if reason == "absent" and (entrant in case.gone or not is_called):
            continue
        if reason == "forfeited" and entrant not in case.gone and not _is_past_bearing(case, seat, entrant):
            found.append(FaultCount(seat=seat, fault="disconnect", count=_count(case, "disconnect")))
        elif reason in _CLASSES:
            fault = _CLASSES[reason]
            found.append(FaultCount(seat=seat, fault=fault, count=_count(case, fault)))
    return tuple(found)


def _count(case: Case, fault: FaultClass) -> int:
    """How many faults it is: who has stayed away has done so as often as it was overlooked, and once more."""
    if fault in ("disconnect", "no_show"):
        return rule_of(case.manifest.faults, fault).borne + 1
    return 1


def _ranks(case: Case) -> tuple[int, ...]:
    rows = case.game.standing(state_of(case.game, case.record.state)).rows
    by_seat = {row.seat: row.rank for row in rows if row.label is None}
    return tuple(by_seat[seat] for seat in range(len(case.record.seats)))


def _result(case: Case, ranks: tuple[int, ...], faults: tuple[FaultCount, ...]) -> MatchResult:
    record, seats = case.record, range(len(case.record.seats))
    reasons = tuple(_reason(case, seat) for seat in seats)
    if not record.state:
        return MatchResult(
            order=case.order.number,
            match="",
            ranks=ranks,
            scores=(0,) * len(ranks),
            reasons=reasons,
            faults=faults,
        )
    state = state_of(case.game, record.state)
    totals = {row.seat: row.total for row in case.game.standing(state).rows if row.label is None}
    return MatchResult(
        order=case.order.number,
        match=record.id,
        ranks=ranks,
        scores=tuple(totals[seat] for seat in seats),
        reasons=reasons,
        faults=faults,
        latencies=tuple(counted(_times(case.events, seat)) for seat in seats),
        commitment=record.commitment,
        digest=digest(state),
    )


def _times(events: Sequence[StoredEvent], seat: int) -> Iterator[int]:
    """How long the seat took for each request, in ms. What else came with a request took no time."""
    last = 0
    for event in events:
        if event.kind == "action" and event.seat == seat and event.received != last:
            last = event.received
            yield max(0, event.received - event.offered)
