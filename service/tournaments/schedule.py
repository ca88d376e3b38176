"""What is to be done next in a tournament, and whether it is over."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from service.tournaments.formats import arena, gauntlet, knockout, round_robin, swiss
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Arena, Gauntlet, Knockout, RoundRobin, Swiss
from service.tournaments.record import MatchOrder, Record
from service.tournaments.seating import Meeting, orders_of, set_size
from service.tournaments.stopping import is_decided

AHEAD: Final = 64
"""Rounds that are known from the start are ordered until so many orders, or twice as many as may be played
at once, wait for results; and again when half of them have one."""


def orders_due(record: Record) -> tuple[MatchOrder, ...]:
    """The orders that follow now, to be added as one entry `Ordered`; none, if results are awaited first.

    The same record gives the same orders. In all formats but the arena they do not depend on the sequence
    in which the results of a round came in.
    """
    return due(Ledger(record))


def is_finished(record: Record) -> bool:
    """Whether nothing is due and every order has its result, or the event was stopped or decided.

    Matches that were under way then may still end; they count for nothing.
    """
    return is_over(Ledger(record))


def is_over(ledger: Ledger) -> bool:
    """`is_finished` of a record that is indexed already."""
    return bool(ledger.stopped) or is_decided(ledger) or (not ledger.open and not due(ledger))


def due(ledger: Ledger) -> tuple[MatchOrder, ...]:
    """`orders_due` of a record that is indexed already."""
    most = max(AHEAD, 2 * ledger.manifest.limits.at_once)
    if len(ledger.open) > most // 2 and isinstance(ledger.manifest.format, RoundRobin | Gauntlet):
        return ()
    if ledger.stopped or is_decided(ledger):
        return ()
    orders: list[MatchOrder] = []
    number, deal = len(ledger.orders) + 1, ledger.deal + 1
    for meetings in _rounds_due(ledger):
        if len(ledger.open) + len(orders) >= most:
            break
        for meeting in meetings:
            made = tuple(orders_of(meeting, ledger.manifest.design, number, deal))
            number += len(made)
            deal = max(deal, made[-1].deal + 1)
            orders += made
    return tuple(orders)


def room_for(ledger: Ledger, running: Collection[int]) -> Iterator[MatchOrder]:
    """The orders whose matches may begin now, in their sequence, while those of these numbers go on."""
    limits = ledger.manifest.limits
    busy = Counter(entrant for number in running for entrant in ledger.orders[number].entrants)
    count = len(running)
    for number in ledger.open:
        order = ledger.orders[number]
        if number in running:
            continue
        if limits.at_once and count >= limits.at_once:
            return
        if limits.per_entrant and any(busy[name] >= limits.per_entrant for name in order.entrants):
            continue
        count += 1
        busy.update(order.entrants)
        yield order


def planned_matches(ledger: Ledger) -> int | None:
    """How many matches there will be in all as things stand, byes left out; None where results decide it."""
    ordered = sum(not order.is_bye for order in ledger.orders.values())
    each = set_size(ledger.manifest.seats, ledger.manifest.design)
    match ledger.manifest.format:
        case RoundRobin() | Gauntlet():
            return ordered + each * sum(map(len, _rounds_due(ledger)))
        case Swiss(rounds=rounds):
            tables = len(ledger.active) // ledger.manifest.seats
            return ordered + each * tables * max(0, rounds - ledger.round)
        case Arena(sets=sets) if sets:
            return sets * each
        case _:
            return None


def _rounds_due(ledger: Ledger) -> Iterator[tuple[Meeting, ...]]:
    match ledger.manifest.format:
        case RoundRobin() as chosen:
            return round_robin.rounds_due(ledger, chosen)
        case Gauntlet() as chosen:
            return gauntlet.rounds_due(ledger, chosen)
        case Swiss() as chosen:
            return swiss.rounds_due(ledger, chosen)
        case Knockout() as chosen:
            return knockout.rounds_due(ledger, chosen)
        case Arena() as chosen:
            return arena.rounds_due(ledger, chosen)
