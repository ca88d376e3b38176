"""What a clock shows and when its flag falls: arithmetic on whole milliseconds, nothing else.

Moments are ms since 1970. The clock of the seat to move runs from the moment at which the event that made it
so was stored until the request that ends its turn is received. What it does not pay for: the time between
the receipt of one of its requests and the next decision, stalls of the service, the delay of each turn, and
the grace of its first turn.
"""

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

Interval = tuple[int, int]
Stalls = tuple[Interval, ...]
"""When the service was away: beginning and end of each time, one after the other."""

OnFlag = Literal["retire", "abort"]
SLACK: Final = 200
"""A flag is called so long after it has fallen, in ms: a request received before it is carried out first."""
NEVER_STALLED: Final[Stalls] = ()
_END: Final = itemgetter(1)


class Control(Struct, frozen=True, array_like=True, gc=False):
    """How much time seats have, in ms; one of `base` and `per_turn` is 0.

    `base` is for the whole match, and each turn adds `increment` when it ends, or costs nothing for its first
    `delay`. `per_turn` is for each turn anew. `grace` of a seat's first turn costs nothing.
    """

    base: int = 0
    increment: int = 0
    delay: int = 0
    per_turn: int = 0
    grace: int = 0
    on_flag: OnFlag = "retire"


class Clock(Struct, frozen=True, array_like=True, gc=False):
    """The clocks of a match, as they stood at `since`.

    `running` is the seat whose clock runs since then, None if none does; the next `free` ms cost it nothing.
    `left` is by seat, empty without a `control`: then time is taken down but never runs out. `played` and
    `out` are sets of seats (bit 0 is seat 0): whose first turn is over, and who has left the match.
    `flagged` is the seat that ran out of time last.
    """

    control: Control | None = None
    left: tuple[int, ...] = ()
    running: int | None = None
    since: int = 0
    free: int = 0
    played: int = 0
    out: int = 0
    flagged: int | None = None

    @property
    def runs_out(self) -> bool:
        """Whether a clock runs whose time may be over."""
        return self.control is not None and self.running is not None


class Timing(NamedTuple):
    """What an event says of time. `offered` and `received` are ms since 1970, `spent` and `left` ms.

    `left` is None for an outcome, and without a time control.
    """

    offered: int
    received: int
    spent: int
    left: int | None


def wound(control: Control | None, seats: int) -> Clock:
    """The clocks before the start."""
    if control is None:
        return Clock()
    return Clock(control, (control.base or control.per_turn,) * seats)


def begin_turn(clock: Clock, seat: int, at: int) -> Clock:
    """The clocks when a turn of `seat` begins at `at`."""
    free = 0
    if clock.control is not None:
        free = clock.control.delay
        free += 0 if clock.played >> seat & 1 else clock.control.grace
    return replace(clock, running=seat, since=at, free=free)


def spend(clock: Clock, received: int, stalls: Stalls) -> tuple[Clock, int]:
    """The clocks when a request of the running seat is received, and what that seat has spent since.

    What it has spent is taken off what it had left, down to 0. It pays for nothing more before `go_on`.
    """
    assert clock.running is not None
    thought = max(0, received - clock.since - stalled(stalls, clock.since, received))
    spent = max(0, thought - clock.free)
    left = clock.left
    if clock.control is not None:
        left = _with(left, clock.running, max(0, left[clock.running] - spent))
    return replace(clock, left=left, since=received, free=max(0, clock.free - thought)), spent


def go_on(clock: Clock, at: int) -> Clock:
    """The clocks when the next decision of the same turn is offered at `at`."""
    return replace(clock, since=at)


def end_turn(clock: Clock) -> Clock:
    """The clocks when the turn of the running seat has ended, and none runs."""
    seat, control, left = clock.running, clock.control, clock.left
    assert seat is not None
    if control is not None and not clock.out >> seat & 1:
        left = _with(left, seat, control.per_turn or left[seat] + control.increment)
    return replace(clock, left=left, running=None, free=0, played=clock.played | 1 << seat)


def stop(clock: Clock) -> Clock:
    """The clocks when the match is over."""
    return replace(clock, running=None, free=0)


def leave(clock: Clock, seat: int) -> Clock:
    """The clocks when a seat has left the match."""
    return replace(clock, out=clock.out | 1 << seat)


def fall(clock: Clock) -> Clock:
    """The clocks when the running seat has run out of time."""
    return replace(clock, flagged=clock.running)


def deadline(clock: Clock, stalls: Stalls) -> int | None:
    """The last moment at which a request of the running seat is in time; None if no time runs out."""
    if clock.control is None or clock.running is None:
        return None
    due = clock.since + clock.free + clock.left[clock.running]
    for start, end in _later(stalls, clock.since):
        if start <= due:
            due += end - max(start, clock.since)
    return due


def put_off(clock: Clock | None, stalls: Stalls) -> int:
    """By how much stalls have put off the deadline so far."""
    if clock is None:
        return 0
    return (deadline(clock, stalls) or 0) - (deadline(clock, NEVER_STALLED) or 0)


def is_flag_down(clock: Clock, at: int, stalls: Stalls) -> bool:
    """Whether the running seat's time was over before `at`."""
    due = deadline(clock, stalls)
    return due is not None and at > due


def left_at(clock: Clock, at: int, stalls: Stalls) -> tuple[int, ...]:
    """What each seat has left at a moment, if nothing happened since the clocks were read."""
    return clock.left if clock.running is None else spend(clock, max(at, clock.since), stalls)[0].left


def next_call(clock: Clock | None, at: int, stalls: Stalls) -> int | None:
    """A moment before which no flag is called, whatever is played after `at`; None if none ever is.

    No seat can use up what it has left sooner than if its clock ran from now on.
    """
    if clock is None or (due := deadline(clock, stalls)) is None:
        return None
    at = max(at, clock.since)
    left = (ms for seat, ms in enumerate(left_at(clock, at, stalls)) if not clock.out >> seat & 1)
    return min(due, at + min(left)) + SLACK


def stalled(stalls: Stalls, start: int, end: int) -> int:
    """How much of the time from `start` to `end` the service was away."""
    later = _later(stalls, start)
    return sum(max(0, min(end, until) - max(start, since)) for since, until in later)


def merged(stalls: Iterable[Interval]) -> Stalls:
    """The same times in order, those that touch put together."""
    whole: list[Interval] = []
    for start, end in sorted(stalls):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        elif start < end:
            whole.append((start, end))
    return tuple(whole)


def _later(stalls: Stalls, at: int) -> Stalls:
    """Those that ended after a moment."""
    return stalls[bisect_right(stalls, at, key=_END) :]


def _with(left: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*left[:seat], value, *left[seat + 1 :])
