"""Clocks as clients see them."""

from schema.wire_views import ClockNow, ClockView, EventTime, TimeControl
from service.clocks.arithmetic import NEVER_STALLED, Clock, Control, Stalls, deadline, left_at
from service.store.record import MatchRecord, StoredEvent


def clock_view(clock: Clock | None, stalls: Stalls = NEVER_STALLED) -> ClockView | None:
    """The clocks of a match, None where nobody can run out of time."""
    if clock is None or clock.control is None:
        return None
    return ClockView(
        control=_control_view(clock.control),
        left=clock.left,
        running=clock.running,
        since=None if clock.running is None else clock.since,
        deadline=deadline(clock, stalls),
        flagged=clock.flagged,
    )


def clock_now(record: MatchRecord, at: int, stalls: Stalls) -> ClockNow:
    """The clocks of a match at a moment."""
    left = () if record.clock is None else left_at(record.clock, at, stalls)
    return ClockNow(at, record.version, left, clock_view(record.clock, stalls))


def event_time(event: StoredEvent) -> EventTime:
    """What an event says of time; those of releases without clocks say only when they were applied."""
    offered, received = event.offered or event.at, event.received or event.at
    return EventTime(offered, received, event.at, event.spent, event.left)


def _control_view(control: Control) -> TimeControl:
    return TimeControl(
        base=control.base or None,
        increment=control.increment,
        delay=control.delay,
        per_turn=control.per_turn or None,
        grace=control.grace,
        on_flag=control.on_flag,
    )
