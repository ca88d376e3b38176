"""A match as its record makes it, rebuilt on the client's side."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.errors import EngineError
from engine.match import AnyGame, Event, Step, fold
from engine.registry import find_game
from engine.transcript import Transcript, opening
from schema.wire import Status
from schema.wire_views import EventView
from service.client.client import Client
from service.client.errors import BadAnswer
from service.client.news import News


class Replica:
    """The state of a match that has started, kept up to date by folding its events.

    `game` is the engine's game, `state` its state at `version`, `names` those of the seats, `status` what the
    server said last of the match. A box that is not the built-in one is fetched from the server. Raises
    BadAnswer if the match is played by other rules than this engine's.
    """

    def __init__(self, client: Client, match: str) -> None:
        self._client = client
        self.match = match
        transcript = client.transcript(match)
        self.game, self.state = _opened(client, transcript)
        self.names = transcript.names
        self.version = 0
        self.status: Status = "running"
        self._is_timed = True
        self.seen: tuple[Step, ...] = self.fold(transcript.events)

    def take(self, news: News) -> tuple[Step, ...]:
        """A step for each event of the news that is new to this replica, which has their status then."""
        self.status = news.status
        return self.fold_views(news.events)

    def update(self, wait: int = 0) -> tuple[Step, ...]:
        """A step for each event that is new to this replica.

        If there is none, and the status is the same, it is waited for one, up to `wait` seconds.
        """
        steps: list[Step] = []
        after: int | None = self.version
        while after is not None:
            page = self._client.events(self.match, after, wait=wait, status=self.status)
            self.status = page.status
            steps += self.fold_views(page.events)
            after = page.next
        return tuple(steps)

    def time_left(self, seat: int) -> float | None:
        """How many seconds a seat has now before its time is over, None if it cannot run out."""
        if not self._is_timed:
            return None
        now = self._client.clock(self.match)
        if now.clock is None:
            self._is_timed = False
            return None
        if now.clock.running == seat and now.clock.deadline is not None:
            return max(0, now.clock.deadline - now.now) / 1_000
        return now.left[seat] / 1_000

    def fold_views(self, views: Sequence[EventView]) -> tuple[Step, ...]:
        """A step for each of the events, as a server tells them, that is new to this replica."""
        return self.fold(Event(view.version, view.kind, view.seat, view.move, view.cause) for view in views)

    def fold(self, events: Iterable[Event]) -> tuple[Step, ...]:
        """A step for each of the events that is new to this replica. Raises BadAnswer if one is missing."""
        new = [event for event in events if event.version > self.version]
        for place, event in enumerate(new, self.version + 1):
            if event.version != place:
                raise BadAnswer(f"event {place} of match {self.match} is missing")
        try:
            steps = tuple(fold(self.game, self.state, new))
        except EngineError as error:
            raise BadAnswer(f"match {self.match} cannot be followed: {error}") from None
        if steps:
            self.state, self.version = steps[-1].state, steps[-1].event.version
        return steps


def _opened(client: Client, transcript: Transcript) -> tuple[AnyGame, Any]:
    """The game with the box of the match, which the server has if it is not the built-in one, and state 0."""
    try:
        game = find_game(transcript.game)
        if transcript.edition != game.edition:
            game = game.with_box(client.box(transcript.game, transcript.edition.digest))
        return opening(transcript, game)
    except EngineError as error:
        raise BadAnswer(f"the match cannot be followed: {error}") from None
