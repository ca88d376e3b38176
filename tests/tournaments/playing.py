"""Whole tournaments without a server: results come from a bare model of strength."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.chance import Draw
from engine.game import Edition
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Entrant, Format, Manifest, digest
from service.tournaments.record import Ended, Entry, MatchOrder, MatchResult, Ordered, Reason, Record
from service.tournaments.schedule import due

SEED = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
MOST_STEPS = 20_000

Play = Callable[[MatchOrder], MatchResult]
Meanwhile = Callable[[Ledger], list[Entry]]


def entrants(number: int, first: int = 1) -> tuple[Entrant, ...]:
    return tuple(
        Entrant(id=f"e{one}", name=f"Entrant {one}", kind="local") for one in range(first, first + number)
    )


def manifest(chosen: Format, number: int, seats: int = 2, **others: Any) -> Manifest:
    return Manifest(
        name="An event",
        game="some-game",
        rules=1,
        edition=Edition("some", "0" * 64),
        seats=seats,
        entrants=entrants(number),
        format=chosen,
        commitment=COMMITMENT,
        **others,
    )


def opened(announced: Manifest) -> Record:
    return Record(manifest=announced, hash=digest(announced))


def by_strength(order: MatchOrder) -> MatchResult:
    """The lower number wins, always."""
    strength = [int(entrant[1:]) for entrant in order.entrants]
    ranks = tuple(1 + sum(other < own for other in strength) for own in strength)
    return result(order, ranks)


def by_luck(key: bytes, pull: float = 0.0) -> Play:
    """Scores are drawn; a lower number helps by so many points a place. Ties occur."""
    draw = Draw(key)

    def play(order: MatchOrder) -> MatchResult:
        scores = [
            draw.below(12, order.number, entrant) - round(pull * int(entrant[1:]))
            for entrant in order.entrants
        ]
        return result(order, tuple(1 + sum(other > own for other in scores) for own in scores), tuple(scores))

    return play


def result(order: MatchOrder, ranks: tuple[int, ...], scores: tuple[int, ...] = ()) -> MatchResult:
    reasons: tuple[Reason, ...] = tuple("played" for _ in ranks)
    return MatchResult(
        order=order.number,
        match=f"match {order.number}",
        ranks=ranks,
        scores=scores or tuple(10 * (len(ranks) - rank) for rank in ranks),
        reasons=reasons,
    )


def nothing(ledger: Ledger) -> list[Entry]:
    """Nobody comes or goes."""
    return []


def steps(record: Record, play: Play, arrivals: Draw, meanwhile: Meanwhile = nothing) -> Iterator[Entry]:
    """The entries of a whole event: results as `arrivals` has them, between them what `meanwhile` adds."""
    ledger = Ledger(record)
    for step in range(MOST_STEPS):
        added: list[Entry] = list(meanwhile(ledger))
        for entry in added:
            ledger.add(entry)
        orders = due(ledger)
        if orders:
            added.append(Ordered(orders=orders))
            ledger.add(added[-1])
        yield from added
        if not ledger.open:
            if not orders:
                return
            continue
        waiting = list(ledger.open)
        number = waiting[arrivals.below(len(waiting), "arrival", step)]
        entry = Ended(result=play(ledger.orders[number]))
        ledger.add(entry)
        yield entry
    raise AssertionError(f"no end after {MOST_STEPS} steps")


def played(
    announced: Manifest, play: Play = by_strength, arrivals: bytes = b"first", meanwhile: Meanwhile = nothing
) -> Record:
    """The record of a whole event."""
    record = opened(announced)
    return record.with_entries(tuple(steps(record, play, Draw(arrivals), meanwhile)))
