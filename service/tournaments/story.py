"""The stream of a tournament: its entries as they are written, to its end."""

from collections.abc import Sequence
from typing import Final, Literal

from litestar.types import Receive, Scope, Send

from schema.wire_tournaments import (
    BreakMessage,
    CloseMessage,
    EntryMessage,
    EntryPage,
    PulseMessage,
    StageMessage,
)
from service.live.delivery import attend
from service.live.follower import Follower
from service.live.frames import Frame, Framing
from service.live.http import address_of, head_of_stream, send_head, send_story
from service.live.hub import Hub
from service.shell import IS_HEAD
from service.store.errors import StoreGone
from service.tournaments.document import Status
from service.tournaments.ledger import Ledger
from service.tournaments.reading import Reading
from service.tournaments.store import Standing
from service.tournaments.views import shown_entries

AT_ONCE: Final = 256
"""Entries that one follower is sent at a time: what it does not take in is kept for it."""


class TournamentStory:
    """What one follower is told of a tournament, from an entry on: a source of frames."""

    def __init__(self, reading: Reading, after: int) -> None:
        self.after = after
        self.is_over = False
        self._reading = reading
        self._status: Status | None = None

    async def due(self) -> Sequence[Frame]:
        """What is to be sent now, not too much at once; nothing if everything was, or the store is away."""
        try:
            return self._frames(*await self._reading.now())
        except StoreGone:
            return ()

    def _frames(self, standing: Standing, ledger: Ledger) -> Sequence[Frame]:
        status = standing.document.status
        frames = []
        if status != self._status:
            self._status = status
            frames.append(Frame(StageMessage(self.after, status)))
        for view in shown_entries(standing, ledger, self.after, AT_ONCE):
            frames.append(Frame(EntryMessage(view.number, view.entry), view.number))
            self.after = view.number
        if standing.document.is_over and self.after >= len(standing.entries):
            self.is_over = True
            frames.append(Frame(CloseMessage(self.after, status)))
        return frames

    def heartbeat(self) -> Frame:
        """A sign of life."""
        return Frame(PulseMessage(self.after))

    def cut(self, reason: Literal["stopping"]) -> Frame:
        """That the story is to be continued elsewhere."""
        return Frame(BreakMessage(self.after, reason))


class TournamentStream:
    """The answer that does not end before the tournament does. The tournament must be there."""

    def __init__(self, hub: Hub, story: TournamentStory, channel: str, framing: Framing) -> None:
        self._hub = hub
        self._story = story
        self._channel = channel
        self._framing = framing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. Raises TooManyStreams, Busy and StoreGone before anything is sent."""
        with self._hub.admitted(address_of(scope)) as follower:
            await self._hub.listen(self._channel, follower)
            if IS_HEAD in scope:
                await send_head(send, head_of_stream(scope, self._framing))
                return
            await send_story(self._hub, self._story, self._framing, follower, (scope, receive, send))


async def entry_page(reading: Reading, after: int) -> EntryPage:
    """The entries that there are after so many. Raises NoSuchTournament."""
    return _page(*await reading.now(), after)


def entries_after(standing: Standing, after: int, first: int) -> EntryPage:
    """The first of the entries that there are after so many."""
    return _page(standing, Ledger(standing.record), after, first)


async def polled_entries(
    hub: Hub, reading: Reading, channel: str, asked: tuple[int, int], asgi: tuple[Scope, Receive]
) -> EntryPage:
    """The entries after so many as soon as there is one, or when time is over: `asked` are the number and
    the seconds.

    Raises NoSuchTournament, TooManyStreams, Busy, StoreGone.
    """
    after, wait = asked
    scope, receive = asgi
    page = await entry_page(reading, after)
    if page.entries or page.status in ("finished", "cancelled"):
        return page
    with hub.admitted(address_of(scope)) as follower:
        await hub.listen(channel, follower)
        release = attend(follower, scope, receive)
        try:
            return await _awaited(hub, reading, after, follower, wait)
        finally:
            release()


async def _awaited(hub: Hub, reading: Reading, after: int, follower: Follower, wait: int) -> EntryPage:
    deadline = follower.heartbeat_at = hub.time() + wait
    while True:
        page = await entry_page(reading, after)
        is_over = page.status in ("finished", "cancelled")
        if page.entries or is_over or follower.ended is not None or hub.time() >= deadline:
            return page
        await follower.sleep()


def _page(standing: Standing, ledger: Ledger, after: int, first: int | None = None) -> EntryPage:
    entries = shown_entries(standing, ledger, after, first)
    return EntryPage(standing.document.status, entries, len(standing.entries))
