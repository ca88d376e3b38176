"""A match as those see it who follow it: its log, its status, and what of it is new."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Literal

from engine.match import AnyGame
from schema.wire import Status
from schema.wire_streams import CutMessage, EndMessage, EventMessage, HeartbeatMessage, StatusMessage
from schema.wire_views import SeatView
from service.catalogue import rules_of
from service.languages import ENGLISH, Language
from service.live.follower import Follower
from service.live.frames import Frame
from service.store.errors import BadRecord, NoMatch, StoreGone
from service.store.news import Head
from service.store.record import ENDED, MatchRecord, StoredEvent
from service.store.store import Store
from service.views import event_views, seat_views

KEPT: Final = 256
"""Events that are kept ready at most, of a match in which something happens."""
PORTION: Final = 200
"""Followers that are told before other work of the process is looked at."""
PAGE: Final = 200
"""Events that a follower takes at once at most."""

_log: Final = logging.getLogger(__name__)


class Feed:
    """What there is to tell of a match. Everything that is new is read once, whoever follows.

    `version` and `status` are the last ones known; the events up to `version` can be told. `news` counts
    what is not numbered: changes of the status and of the seats.
    """

    def __init__(self, store: Store, match_id: str) -> None:
        self._store = store
        self.id = match_id
        self.followers: set[Follower] = set()
        self.version = 0
        self.status: Status = "open"
        self.news = 0
        self.is_lost = False
        self._game: AnyGame
        self._seats: tuple[SeatView, ...] = ()
        self._ranks: tuple[int, ...] = ()
        self._rev = 0
        self._told = Head(0, 0, "open")
        self._ready: deque[EventFrame] = deque()
        self._reading = asyncio.Lock()
        self._catching_up: asyncio.Task[None] | None = None
        self._is_at_rest = False
        self._is_empty = False
        self._has_stumbled = False

    @property
    def is_over(self) -> bool:
        """Whether nothing can follow the events up to `version`."""
        return self.status in ENDED

    @property
    def is_open(self) -> bool:
        """Whether it is known how the match stands."""
        return self._rev > 0

    @property
    def rev(self) -> int:
        """The revision of the match that is known."""
        return self._rev

    async def open(self) -> None:
        """Learn how the match stands. Raises NoMatch, BadRecord, OtherRules, StoreGone."""
        rev, record, _ = await self._store.load(self.id)
        self._game = rules_of(record)
        self.version = record.version
        self._note(rev, record)
        self.hear(self._told)

    def hear(self, head: Head) -> None:
        """Take note of how far the match is; what is new is read in the background, then told."""
        if head.rev > self._told.rev:
            self._told = head
        if self._told.rev > self._rev > 0 and self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(), name=f"feed {self.id}")

    async def reach(self, version: int) -> None:
        """Be as far as the store is, if a client may have seen a version that is not known here yet.

        Whoever made a move is answered before the news of it arrive here, and may go on at any worker.
        Raises StoreGone.
        """
        if version <= self.version:
            return
        (head,) = await self._store.heads([self.id])
        if head is not None:
            self.hear(head)
        if self._catching_up is not None:
            await asyncio.shield(self._catching_up)

    def close(self) -> None:
        """Read no more."""
        if self._catching_up is not None:
            self._catching_up.cancel()

    def lose(self) -> None:
        """The match is not there any more, or is not as far as it was: there is nothing to follow."""
        self.is_lost = True
        self.wake()

    def is_deserted(self) -> bool:
        """Whether nobody follows it now, nor when this was asked the last time."""
        was_empty, self._is_empty = self._is_empty, not self.followers
        return was_empty and self._is_empty

    def rest(self) -> None:
        """To be called now and then: forget what all have been told if nothing happens; help up who fell."""
        if self._is_at_rest and not self._reading.locked():
            self._ready.clear()
        self._is_at_rest = True
        if self._has_stumbled:
            self._has_stumbled = False
            self.wake()
        self.hear(self._told)

    def wake(self) -> None:
        """Have all who follow look for what is new: a crowd by portions, between which others have a turn."""
        self._wake(iter(tuple(self.followers)))

    def _wake(self, followers: Iterator[Follower]) -> None:
        portion = tuple(islice(followers, PORTION))
        for follower in portion:
            follower.wake()
        if len(portion) == PORTION:
            asyncio.get_running_loop().call_soon(self._wake, followers)

    async def after(self, version: int) -> Sequence["EventFrame"]:
        """Some of the events after a version, in order; none if there are none or the store is away."""
        try:
            if self.version - version > KEPT:
                return self._frames(await self._range(version, PAGE))
            if version < self._oldest:
                async with self._reading:
                    await self._make_ready(version)
        except StoreGone:
            self._has_stumbled = True
            return ()
        except (NoMatch, BadRecord) as error:
            self._lose(error)
            return ()
        skipped = version - self._oldest
        return tuple(islice(self._ready, skipped, skipped + PAGE))

    def status_frame(self) -> Frame:
        """How the match stands."""
        return Frame(StatusMessage(self.version, self.status, self._seats))

    def end_frame(self) -> Frame:
        """That it is over."""
        return Frame(EndMessage(self.version, self.status, self._ranks or None))

    def _lose(self, error: Exception) -> None:
        _log.warning("The match %s is not followed any more: %s", self.id, error)
        self.lose()

    @property
    def _oldest(self) -> int:
        """The version that the first event kept ready follows."""
        return self.version - len(self._ready)

    async def _make_ready(self, version: int) -> None:
        """Have all events after a version ready that is not too long ago: they grow towards the past."""
        missing = self._oldest - version
        if missing > 0:
            self._ready.extendleft(reversed(self._frames(await self._range(version, missing))))

    async def _range(self, version: int, most: int) -> tuple[StoredEvent, ...]:
        """The events after a version, at most so many, of those that there must be. Raises NoMatch."""
        most = min(most, self.version - version)
        events = await self._store.events(self.id, version, most)
        if len(events) < most:
            raise NoMatch(self.id)
        return events

    def _frames(self, events: Sequence[StoredEvent]) -> tuple["EventFrame", ...]:
        return tuple(EventFrame(self._game, event) for event in events)

    async def _catch_up(self) -> None:
        try:
            while self._told.rev > self._rev:
                await self._read(self._told)
                self.wake()
        except StoreGone:
            pass  # looked at again when the store is back, or at the next check
        except (NoMatch, BadRecord) as error:
            self._lose(error)
        finally:
            self._catching_up = None

    async def _read(self, head: Head) -> None:
        """Read what is new up to `head`, or up to something newer still."""
        rev, version, record = head.rev, head.version, None
        if head.status != self.status or version == self.version:
            rev, record, _ = await self._store.load(self.id)
            version = record.version
        async with self._reading:
            if version > self.version:
                most = version - self.version
                events = await self._store.events(self.id, self.version, most)
                if len(events) < most:
                    raise NoMatch(self.id)
                self._ready.extend(self._frames(events))
                self.version = version
                self._is_at_rest = False
                while len(self._ready) > KEPT:
                    self._ready.popleft()
        if record is None:
            self._rev = rev
        else:
            self._note(rev, record)

    def _note(self, rev: int, record: MatchRecord) -> None:
        """Take over what is not numbered."""
        seats = seat_views(record)
        if (record.status, seats) != (self.status, self._seats):
            self.news += 1
        self._rev, self.status, self._seats, self._ranks = rev, record.status, seats, record.ranks


class EventFrame(Frame):
    """An event as streams tell it, in English; `told_in` is the frame in another language, made once."""

    __slots__ = ("_event", "_game", "_translated")

    def __init__(self, game: AnyGame, event: StoredEvent) -> None:
        super().__init__(_event_message(game, event, ENGLISH), event.version)
        self._game = game
        self._event = event
        self._translated: dict[str, Frame] = {}

    def told_in(self, language: Language) -> Frame:
        """The same event in a language."""
        if language is ENGLISH:
            return self
        found = self._translated.get(language.code)
        if found is None:
            message = _event_message(self._game, self._event, language)
            found = self._translated[language.code] = Frame(message, self.position)
        return found


def _event_message(game: AnyGame, event: StoredEvent, language: Language) -> EventMessage:
    (view,) = event_views(game, (event,), language)
    return EventMessage(*(getattr(view, name) for name in view.__struct_fields__))


class MatchStory:
    """What one follower is told of a match, from a version on, in its language: a source of frames."""

    __slots__ = ("_feed", "_language", "_news", "after", "is_over")

    def __init__(self, feed: Feed, after: int, language: Language = ENGLISH) -> None:
        self.after = after
        self._language = language
        self.is_over = False
        self._feed = feed
        self._news = -1

    async def due(self) -> Sequence[Frame]:
        """What is to be sent now; nothing if everything was, or the store is away."""
        feed = self._feed
        if self.after == feed.version and self._news == feed.news and not feed.is_lost:
            return ()
        events = await feed.after(self.after)
        frames = [event.told_in(self._language) for event in events]
        # From here on nothing else happens in between: status and version are those of one moment.
        if frames:
            self.after += len(frames)
        if self._news < 0 or (self._news != feed.news and not feed.is_over):
            self._news = feed.news
            frames.insert(0, feed.status_frame())
        if feed.is_lost:
            self.is_over = True
            frames.append(self.cut("lost"))
        elif feed.is_over and self.after == feed.version:
            self.is_over = True
            frames.append(feed.end_frame())
        return frames

    def heartbeat(self) -> Frame:
        """A sign of life."""
        return Frame(HeartbeatMessage(self.after))

    def cut(self, reason: Literal["stopping", "lost"]) -> Frame:
        """That the story is to be continued elsewhere."""
        return Frame(CutMessage(self.after, reason))
