"""A match as its record makes it, rebuilt on the client's side. Nothing here talks to a server."""

from collections.abc import Iterable, Sequence

from engine.errors import EngineError
from engine.match import AnyGame, Event, Step, fold
from engine.transcript import Transcript, opening
from schema.wire import Status
from schema.wire_views import ClockNow, EventView
from service.client.errors import BadAnswer
from service.client.news import News


class Mirror:
    """The state of a match that has started, kept up to date by folding its events.

    `game` is the engine's game, `state` its state at `version`, `names` those of the seats, `status` what the
    server said last of the match, `seen` the steps of the transcript it began with. Raises BadAnswer if the
    match is played by other rules than this engine's.
    """

    def __init__(self, match: str, transcript: Transcript, game: AnyGame) -> None:
        self.match = match
        try:
            self.game, self.state = opening(transcript, game)
        except EngineError as error:
            raise BadAnswer(f"the match cannot be followed: {error}") from None
        self.names = transcript.names
        self.version = 0
        self.status: Status = "running"
        self.is_timed = True
        """Whether anybody may run out of time, as far as is known."""
        self.seen: tuple[Step, ...] = self.fold(transcript.events)

    def take(self, news: News) -> tuple[Step, ...]:
        """A step for each event of the news that is new to this mirror, which has their status then."""
        self.status = news.status
        return self.fold_views(news.events)

    def left(self, seat: int, now: ClockNow) -> float | None:
        """How many seconds a seat has before its time is over, None if it cannot run out."""
        if now.clock is None:
            self.is_timed = False
            return None
        if now.clock.running == seat and now.clock.deadline is not None:
            return max(0, now.clock.deadline - now.now) / 1_000
        return now.left[seat] / 1_000

    def fold_views(self, views: Sequence[EventView]) -> tuple[Step, ...]:
        """A step for each of the events, as a server tells them, that is new to this mirror."""
        return self.fold(Event(view.version, view.kind, view.seat, view.move, view.cause) for view in views)

    def fold(self, events: Iterable[Event]) -> tuple[Step, ...]:
        """A step for each of the events that is new to this mirror. Raises BadAnswer if one is missing."""
        new = [event for event in events if event.version > self.version]
        for place, event in enumerate(new, self.version + 1):
            if event.version != place:
                raise BadAnswer(f"event {place} of match {self.match} is missing")
        try:
            steps: tuple[Step, ...] = tuple(fold(self.game, self.state, new))
        except EngineError as error:
            raise BadAnswer(f"match {self.match} cannot be followed: {error}") from None
        if steps:
            self.state, self.version = steps[-1].state, steps[-1].event.version
        return steps
