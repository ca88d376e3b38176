"""What faults lead to: the policy of the manifest, applied."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import get_args

from service.tournaments.latency import merged, percentile
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Consequence, FaultClass, FaultPolicy, FaultRule
from service.tournaments.record import FaultCount, Written

CLASSES: tuple[FaultClass, ...] = get_args(FaultClass)
PERCENTS = (50, 90, 99)


class FaultRow(Written, frozen=True, kw_only=True):
    """The faults of one entrant, or with an empty id those of the server, by class; and its strikes.

    `turns` is how many of its turns were timed, `p50`, `p90` and `p99` what so many percent of them took at
    most, in ms.
    """

    entrant: str
    faults: dict[str, int]
    strikes: int = 0
    turns: int = 0
    p50: int | None = None
    p90: int | None = None
    p99: int | None = None


def rule_of(policy: FaultPolicy, fault: FaultClass) -> FaultRule:
    """The rule for a class of faults."""
    rule: FaultRule = getattr(policy, fault)
    return rule


def consequence(policy: FaultPolicy, fault: FaultClass, times: int) -> Consequence:
    """What the fault leads to that is the seat's number `times`, counted from 1, of its class in a match."""
    rule = rule_of(policy, fault)
    return "retry" if times <= rule.borne else rule.then


def strikes(ledger: Ledger) -> Counter[str]:
    """How many strikes each entrant has."""
    found: Counter[str] = Counter()
    for entrant, seen in _seen(ledger):
        rule = rule_of(ledger.manifest.faults, seen.fault)
        if entrant and rule.then == "strike":
            found[entrant] += max(0, seen.count - rule.borne)
    return found


def struck_out(ledger: Ledger) -> tuple[str, ...]:
    """Who still takes part and has more strikes than are allowed: each is to leave, cause `struck_out`."""
    found = strikes(ledger)
    return tuple(one for one in ledger.active if found[one] > ledger.manifest.faults.strikes)


def forfeit_ranks(policy: FaultPolicy, seen: Iterable[FaultCount], seats: int) -> tuple[int, ...] | None:
    """The ranks of a match that these faults have ended: who forfeited it is last, the others are equal.

    None if nobody forfeited it; then its moves give the ranks.
    """
    guilty = {one.seat for one in seen if consequence(policy, one.fault, one.count) == "forfeit"}
    last = 1 + seats - len(guilty)
    return tuple(last if seat in guilty else 1 for seat in range(seats)) if guilty else None


def fault_rows(ledger: Ledger) -> tuple[FaultRow, ...]:
    """Faults and times of every entrant, in the sequence of entry, and the server's faults at the end.

    All matches are in it, also those that were voided or count for nothing else.
    """
    counts: dict[str, Counter[str]] = {entrant: Counter() for entrant in (*ledger.entrants, "")}
    for entrant, seen in _seen(ledger):
        counts[entrant][seen.fault] += seen.count
    struck = strikes(ledger)
    rows = []
    for entrant, faults in counts.items():
        times = merged(
            result.latencies[order.entrants.index(entrant)]
            for order, result in ledger.matches()
            if entrant in order.entrants and result.latencies
        )
        row = FaultRow(
            entrant=entrant,
            faults={fault: faults[fault] for fault in CLASSES},
            strikes=struck[entrant],
            turns=sum(count for _, count in times),
            **{f"p{percent}": percentile(times, percent) for percent in PERCENTS},
        )
        rows.append(row)
    return tuple(rows)


def _seen(ledger: Ledger) -> Iterator[tuple[str, FaultCount]]:
    """Every fault count of the record, with whose it is; the server's have no entrant."""
    ended = ((order, result.faults) for order, result in ledger.matches())
    voided = ((ledger.orders[entry.order], entry.faults) for entry in ledger.voided)
    for order, faults in (*ended, *voided):
        for seen in faults:
            yield ("" if seen.seat is None else order.entrants[seen.seat]), seen
