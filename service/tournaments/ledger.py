"""The record of a tournament, indexed: what the entries come to, kept up as they are added."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from service.tournaments.manifest import Duplicate, Entrant
from service.tournaments.record import (
    Ended,
    Entered,
    Entry,
    Left,
    MatchOrder,
    MatchResult,
    Ordered,
    Record,
    StopCause,
    Stopped,
    Voided,
)


class Ledger:
    """What a record says at one place of it.

    `orders` and `results` are by number of the order; `open` are the numbers that wait for a result;
    `entrants` are all there ever were, in the sequence in which they came; `voids` counts the voided matches
    of an order; `round` is the last round ordered. What came in after the event was stopped is in none of
    them.
    """

    def __init__(self, record: Record) -> None:
        self.manifest = record.manifest
        self.entrants: dict[str, Entrant] = {entrant.id: entrant for entrant in record.manifest.entrants}
        self.left: dict[str, Left] = {}
        self.orders: dict[int, MatchOrder] = {}
        self.results: dict[int, MatchResult] = {}
        self.voided: list[Voided] = []
        self.voids: Counter[int] = Counter()
        self.open: dict[int, None] = {}
        self.stopped: StopCause | None = None
        self.round = 0
        self.deal = 0
        for entry in record.entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take one more entry in."""
        if self.stopped:
            return
        match entry:
            case Ordered():
                self._order(entry.orders)
            case Ended(result=result):
                self.results[result.order] = result
                self.open.pop(result.order, None)
            case Voided():
                self._void(entry)
            case Entered(entrant=entrant):
                self.entrants[entrant.id] = entrant
            case Left():
                self.left[entry.entrant] = entry
            case Stopped():
                self.stopped = entry.cause

    @property
    def active(self) -> tuple[str, ...]:
        """Who takes part, in the sequence in which they came."""
        return tuple(entrant for entrant in self.entrants if entrant not in self.left)

    @property
    def round_played(self) -> int:
        """The first round with an open order, else the last one: plans are ordered many rounds ahead."""
        return min((self.orders[number].round for number in self.open), default=self.round)

    def matches(self) -> Iterator[tuple[MatchOrder, MatchResult]]:
        """Every order that has a result, by number."""
        return ((self.orders[number], self.results[number]) for number in sorted(self.results))

    def rounds(self) -> Iterator[tuple[int, tuple[MatchOrder, ...]]]:
        """The orders of each round, byes among them."""
        orders = sorted(self.orders.values(), key=lambda order: (order.round, order.number))
        return ((number, tuple(group)) for number, group in groupby(orders, lambda order: order.round))

    def sets(self) -> Iterator[tuple[MatchOrder, ...]]:
        """The orders of each meeting, byes left out, by number."""
        for _, orders in self.rounds():
            for _, group in groupby(orders, lambda order: order.table):
                played = tuple(order for order in group if not order.is_bye)
                if played:
                    yield played

    def units(self) -> Iterator[tuple[MatchOrder, ...]]:
        """What counts as one observation, by number: the matches of one deal, or of one set without such."""
        for played in self.sets():
            if isinstance(self.manifest.design, Duplicate):
                yield from (tuple(group) for _, group in groupby(played, lambda order: order.deal))
            else:
                yield played

    def is_done(self, orders: Sequence[MatchOrder]) -> bool:
        """Whether nothing more will come of these orders."""
        return not any(order.number in self.open for order in orders)

    def is_dropped(self, number: int) -> bool:
        """Whether the order was voided too often to be played again."""
        return self.voids[number] > self.manifest.limits.replays

    def is_deal_over(self, deal: int) -> bool:
        """Whether no match of the deal is to be played any more: its seeds may be published."""
        return not any(self.orders[number].deal == deal for number in self.open)

    def _order(self, orders: Sequence[MatchOrder]) -> None:
        for order in orders:
            self.orders[order.number] = order
            self.round = max(self.round, order.round)
            self.deal = max(self.deal, order.deal)
            if not order.is_bye:
                self.open[order.number] = None

    def _void(self, entry: Voided) -> None:
        self.voided.append(entry)
        self.voids[entry.order] += 1
        if self.is_dropped(entry.order):
            self.open.pop(entry.order, None)
