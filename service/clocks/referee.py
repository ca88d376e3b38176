"""How the clocks follow what is played: which step ends a turn, and what each event says of time."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from engine.errors import BadSetup
from engine.match import AnyGame, Step
from schema.wire import AskedClock
from service.clocks.arithmetic import (
    NEVER_STALLED,
    Clock,
    Control,
    Stalls,
    Timing,
    begin_turn,
    end_turn,
    go_on,
    is_flag_down,
    leave,
    spend,
    stop,
)

FLAGGED: Final = "flagged"
"""The cause of a retirement because time ran out."""


class Moment(NamedTuple):
    """When a request was received and when it is carried out, in ms since 1970.

    `stalls` are those known then.
    """

    received: int
    applied: int
    stalls: Stalls = NEVER_STALLED

    def is_late_for(self, clock: Clock | None) -> bool:
        """Whether the running seat's time was over when the request was received."""
        return clock is not None and is_flag_down(clock, self.received, self.stalls)


def control_of(asked: AskedClock | None) -> Control | None:
    """The time control that a creator asks for. Raises BadSetup."""
    if asked is None:
        return None
    if (asked.base is None) == (asked.per_turn is None):
        raise BadSetup("clock", "give either base, the time for the whole match, or perTurn")
    if asked.per_turn is not None and (asked.increment or asked.delay):
        raise BadSetup("clock", "increment and delay go with base; perTurn is anew in each turn")
    if asked.increment and asked.delay:
        raise BadSetup("clock", "give increment or delay, not both")
    return Control(
        asked.base or 0, asked.increment, asked.delay, asked.per_turn or 0, asked.grace, asked.on_flag
    )


def follow(
    clock: Clock, game: AnyGame, state: Any, steps: Sequence[Step], moment: Moment
) -> tuple[Clock, tuple[Timing, ...]]:
    """The clocks after the steps from `state`, and what each step's event says of time.

    What a request brings is paid for once, with its first move; outcomes and forced moves cost nobody. A
    turn that nobody was asked in, because all of it was forced, brings no increment.
    """
    walk = _Walk(clock, game, state, moment)
    for step in steps:
        walk.take(step)
    holder = game.to_move(steps[-1].state if steps else state)
    return walk.settled(holder), tuple(walk.timings)


class _Walk:
    """The clocks on their way along the steps."""

    def __init__(self, clock: Clock, game: AnyGame, state: Any, moment: Moment) -> None:
        self._clock = clock
        self._game = game
        self._turn = game.turn(state)
        self._moment = moment
        self._paid = False
        self._last = -1
        self.timings: list[Timing] = []

    def take(self, step: Step) -> None:
        seat = step.event.seat
        if seat is None or step.event.kind == "forced":
            self.timings.append(self._free_of_charge(seat, self._moment.applied))
        elif step.event.kind == "retire" and seat != self._clock.running:
            self.timings.append(self._free_of_charge(seat, self._moment.received))
        else:
            self._pay(seat)
        if step.event.kind == "retire" and seat is not None:
            self._clock = leave(self._clock, seat)
        if self._game.turn(step.state) != self._turn:
            self._turn = self._game.turn(step.state)
            self._end_turn()

    def settled(self, holder: int | None) -> Clock:
        """The clocks at the end, where `holder` decides."""
        clock, applied = self._clock, self._moment.applied
        if holder is None:
            if clock.running is not None and not self._paid:
                clock, _ = spend(clock, self._moment.received, self._moment.stalls)
            return stop(clock)
        if clock.running != holder:
            return begin_turn(clock, holder, applied)
        return go_on(clock, applied) if self._paid else clock

    def _free_of_charge(self, seat: int | None, at: int) -> Timing:
        left = self._clock.left[seat] if seat is not None and self._clock.left else None
        return Timing(at, at, 0, left)

    def _pay(self, seat: int) -> None:
        """The running seat's next move of the request, or its retirement."""
        received = self._moment.received
        if self._clock.running != seat:  # a further turn in the same request
            self._clock = begin_turn(self._clock, seat, received)
        offered = self._clock.since
        self._clock, spent = spend(self._clock, received, self._moment.stalls)
        self._paid = True
        self._last = len(self.timings)
        left = self._clock.left[seat] if self._clock.left else None
        self.timings.append(Timing(offered, received, spent, left))

    def _end_turn(self) -> None:
        seat = self._clock.running
        if seat is None:
            return
        if not self._paid:  # another seat left, and with that the turn of this one is over
            self._clock, _ = spend(self._clock, self._moment.received, self._moment.stalls)
            self._paid = True
        self._clock = end_turn(self._clock)
        if self._last >= 0 and self._clock.left:
            self.timings[self._last] = self.timings[self._last]._replace(left=self._clock.left[seat])
