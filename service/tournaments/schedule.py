"""What is to be done next in a tournament, and whether it is over."""

from service.tournaments.record import MatchOrder, Record


def orders_due(record: Record) -> tuple[MatchOrder, ...]:
    """The orders that follow now, to be added as one entry `Ordered`; none, if results are awaited first.

    The same record gives the same orders. In all formats but the arena they do not depend on the sequence
    in which the results of a round came in.
    """
    raise NotImplementedError


def is_finished(record: Record) -> bool:
    """Whether nothing is due and every order has its result, or the event was stopped and nothing is open."""
    raise NotImplementedError
