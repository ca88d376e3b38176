"""The hub: one a process. It hears what happens in the store and wakes those whom it concerns."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from typing import Final, NoReturn

from service.errors import Busy, TooManyStreams
from service.live.feed import Feed
from service.live.follower import Follower
from service.observe.figures import CUT, STREAMS
from service.settings import Settings
from service.store import keys
from service.store.errors import StoreGone
from service.store.news import read_head
from service.store.store import Store

CHECK_SECONDS: Final = 3.0
"""What the loss of a message about a match delays its followers at most."""
TICK_SECONDS: Final = 0.25
"""How exact heartbeats are, and the patience with clients."""
_BATCH: Final = 500
_log: Final = logging.getLogger(__name__)


class Listeners:
    """All who listen to one channel; `are_told` once the store has confirmed that it tells what is said."""

    __slots__ = ("_was_empty", "are_told", "followers", "lock")

    def __init__(self) -> None:
        self.followers: set[Follower] = set()
        self.lock = asyncio.Lock()
        self.are_told = False
        self._was_empty = False

    def wake(self) -> None:
        """Have all look for what is new."""
        for follower in self.followers:
            follower.wake()

    def are_gone(self) -> bool:
        """Whether there are none now, nor were when this was asked the last time."""
        was_empty, self._was_empty = self._was_empty, not self.followers
        return was_empty and self._was_empty


class Hub:
    """The feeds of all matches that are followed in this process, and all who follow."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._news = store.news(self._hear, self._look)
        self._feeds: dict[str, Feed] = {}
        self._opening: dict[str, asyncio.Task[Feed]] = {}
        self._followers: set[Follower] = set()
        self._by_address: Counter[str] = Counter()
        self._listeners: dict[str, Listeners] = {}
        self._is_due = asyncio.Event()
        self.time = asyncio.get_running_loop().time
        """The time of the event loop, in seconds."""
        self.heartbeat = settings.heartbeat_interval
        """Seconds after which a follower that is told nothing needs a sign of life."""
        self.patience = settings.stream_timeout
        """Seconds for which a client may take in nothing."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The hub hears and wakes as long as the block runs."""
        jobs = (self._news.run, self._check_on, self._tick_on)
        tasks = [asyncio.create_task(_kept_on(job), name=f"hub {number}") for number, job in enumerate(jobs)]
        try:
            yield
        finally:
            for feed in self._feeds.values():
                feed.close()
            for task in (*tasks, *self._opening.values()):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def admitted(self, address: str) -> Follower:
        """A follower for a client at an address, to be used in a `with`. Raises TooManyStreams, Busy."""
        settings = self._settings
        if len(self._followers) >= settings.max_streams:
            raise Busy(f"This worker has all the {settings.max_streams} streams that it may have.")
        if self._by_address[address] >= settings.max_streams_per_address:
            raise TooManyStreams(f"Your address has all the {settings.max_streams_per_address} it may have.")
        follower = Follower(address, self.time() + self.heartbeat, self._dismiss)
        self._followers.add(follower)
        self._by_address[address] += 1
        STREAMS.inc()
        return follower

    async def follow(self, match_id: str, follower: Follower) -> Feed:
        """The feed of a match, whose news wake the follower from now on.

        Raises NoMatch, BadRecord, OtherRules, StoreGone.
        """
        feed = await self._feed(match_id)
        follower.join(feed.followers)
        return feed

    async def listen(self, channel: str, follower: Follower) -> None:
        """Whatever is published on a channel wakes the follower from now on, and so does each check.

        Raises StoreGone.
        """
        listeners = self._listeners.setdefault(channel, Listeners())
        follower.join(listeners.followers)
        async with listeners.lock:
            if not listeners.are_told:
                await self._news.follow(channel)
                listeners.are_told = True

    def _dismiss(self, follower: Follower) -> None:
        STREAMS.dec()
        self._followers.discard(follower)
        self._by_address[follower.address] -= 1
        if not self._by_address[follower.address]:
            del self._by_address[follower.address]

    async def _feed(self, match_id: str) -> Feed:
        """The feed of a match. It is kept while it has followers, and a little longer."""
        feed = self._feeds.get(match_id)
        if feed is not None and feed.is_open and not feed.is_lost:
            return feed
        opening = self._opening.get(match_id)
        if opening is None:
            opening = self._opening[match_id] = asyncio.create_task(self._open(match_id), name="open feed")
            opening.add_done_callback(lambda task: self._opened(match_id, task))
        return await asyncio.shield(opening)

    async def _open(self, match_id: str) -> Feed:
        """First listen, then look: what happens in between is heard."""
        await self._store.load(match_id)  # an id that is none is not worth listening for
        feed = self._feeds[match_id] = Feed(self._store, match_id)
        try:
            await self._news.follow(keys.match(match_id))
            await feed.open()
        except BaseException:
            del self._feeds[match_id]
            await self._news.leave(keys.match(match_id))
            raise
        return feed

    def _opened(self, match_id: str, task: asyncio.Task[Feed]) -> None:
        del self._opening[match_id]
        if not task.cancelled():
            task.exception()  # who asked for the feed has it, or has gone meanwhile

    def _hear(self, channel: str, content: bytes) -> None:
        feed = self._feeds.get(keys.match_of(channel))
        if feed is not None:
            feed.hear(read_head(content))
        elif (listeners := self._listeners.get(channel)) is not None:
            listeners.wake()

    def _look(self) -> None:
        """Something may have been missed."""
        self._is_due.set()

    async def _check_on(self) -> NoReturn:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._is_due.wait()
            self._is_due.clear()
            with contextlib.suppress(StoreGone):
                await self._check()

    async def _check(self) -> None:
        """Compare every feed with the store, and leave what nobody follows any more."""
        await self._news.check()
        await self._leave_deserted()
        for listeners in self._listeners.values():
            listeners.wake()
        feeds = iter([feed for feed in self._feeds.values() if feed.is_open])
        while batch := tuple(islice(feeds, _BATCH)):
            await self._compare(batch)

    async def _leave_deserted(self) -> None:
        # Asked one by one, just before: while one is left, somebody may come to the next.
        for feed in tuple(self._feeds.values()):
            if feed.is_open and feed.is_deserted() and self._feeds.get(feed.id) is feed:
                del self._feeds[feed.id]
                await self._news.leave(keys.match(feed.id))
        for channel, listeners in tuple(self._listeners.items()):
            if listeners.are_gone():
                del self._listeners[channel]
                await self._news.leave(channel)

    async def _compare(self, feeds: Sequence[Feed]) -> None:
        known = [feed.rev for feed in feeds]
        heads = await self._store.heads([feed.id for feed in feeds])
        for feed, rev, head in zip(feeds, known, heads, strict=True):
            if head is None or head.rev < rev:
                _log.warning("The match %s is gone, or is not as far as it was.", feed.id)
                feed.lose()
            else:
                feed.hear(head)
                feed.rest()

    async def _tick_on(self) -> NoReturn:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = self.time()
            slow = []
            for follower in self._followers:
                if follower.busy_since is not None:
                    if follower.busy_since + self.patience < now:
                        slow.append(follower)
                elif follower.heartbeat_at <= now:
                    follower.wake()
            for follower in slow:
                CUT.inc()
                follower.end("slow")
                follower.cut()


async def _kept_on(job: Callable[[], Awaitable[NoReturn]]) -> None:
    """Run what never ends; if it does, say so: streams go on, but not as they should."""
    try:
        await job()
    except Exception:
        _log.exception("A part of the hub has failed.")
        raise
