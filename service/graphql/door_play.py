"""The service as the GraphQL schema sees it: changes, and what is followed."""

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, get_args

from msgspec import Struct

from schema.graphql.door import Done
from schema.operation import Operation
from schema.wire_players import ReadyMessage, StoppedMessage, Told
from schema.wire_streams import EventMessage
from schema.wire_tournaments import EntryMessage, EntryView
from schema.wire_views import EventView, Problem
from service.accounts import keys
from service.accounts.caller import caller_of
from service.accounts.inbox import Inbox
from service.desk import Desk
from service.errors import UnknownToken, failure
from service.graphql.asker import asker_in, listener_in
from service.graphql.changing import changed
from service.live.delivery import Story
from service.live.feed import MatchStory
from service.live.http import check_reached
from service.observe.figures import REFUSALS
from service.routes.common import checked_id
from service.store.errors import NoMatch, StoreGone
from service.tournaments import keys as tournament_keys
from service.tournaments.reading import reading_of
from service.tournaments.store import checked_id as checked_tournament
from service.tournaments.story import TournamentStory

_OWN: Final = (*get_args(Told), ReadyMessage)
_log: Final = logging.getLogger(__name__)


class Stopping(Exception):
    """The server stops, to start again: what is followed is to be followed on elsewhere."""


class PlayDoor:
    """Changes and streams of the service. One serves a whole process."""

    __slots__ = ("_desk",)

    def __init__(self, at_desk: Desk) -> None:
        self._desk: Final = at_desk

    async def change(
        self,
        operation: Operation,
        path: Mapping[str, str],
        asked: Mapping[str, Any],
        key: str | None,
        context: Any,
    ) -> Done | Problem:
        """What an operation comes to: done, or why it was refused, which is told as REST tells it."""
        asker = asker_in(context)
        try:
            done = await changed(self._desk, operation, path, asked, key, context.token, asker)
        except Exception as error:
            found = failure(error, language=asker.language)
            if found is None or found.problem.code not in operation.codes:
                raise
            if isinstance(error, StoreGone):
                _log.warning("%s: %s", operation.name, error)
            done = found.problem
        if isinstance(done, Problem):
            REFUSALS.labels(done.code).inc()
        return done

    async def match_events(self, match_id: str, after: int, context: Any) -> AsyncIterator[EventView]:
        """Every event of a match after a version, once and in order, until the match is over.

        Raises NoMatch, UnknownVersion, OtherRules, StoreGone, Stopping.
        """
        hub, follower, _ = listener_in(context)
        feed = await hub.follow(checked_id(match_id), follower)
        await check_reached(feed, after)
        async for message in _told(MatchStory(feed, after, context.language), context):
            if isinstance(message, EventMessage):
                yield EventView(*(getattr(message, name) for name in EventView.__struct_fields__))
        if feed.is_lost:
            raise NoMatch(match_id)

    async def tournament_events(
        self, tournament_id: str, after: int, context: Any
    ) -> AsyncIterator[EntryView]:
        """Every entry of a tournament's record after a number, once and in order, until it is over.

        Raises NoSuchTournament, StoreGone, Stopping.
        """
        hub, follower, _ = listener_in(context)
        found = checked_tournament(tournament_id)
        reading = reading_of(self._desk, found)
        await reading.now()
        await hub.listen(tournament_keys.tournament(found), follower)
        async for message in _told(TournamentStory(reading, after), context):
            if isinstance(message, EntryMessage):
                yield EntryView(message.number, message.entry)

    async def own_events(self, after: str | None, context: Any) -> AsyncIterator[Struct]:
        """What concerns the player who asks, from a position on.

        Raises what `caller_of` raises, UnknownToken when the token does not count any more, Stopping.
        """
        hub, follower, _ = listener_in(context)
        caller = await caller_of(self._desk.store, context.token, "read")
        await hub.listen(keys.player(caller.player.id), follower)
        inbox = Inbox(self._desk, caller, after, context.language)
        inbox.wake = follower.wake
        async for message in _told(inbox, context):
            if isinstance(message, _OWN):
                yield message
            elif isinstance(message, StoppedMessage):
                raise UnknownToken("The token does not count any more.")


async def _told(story: Story, context: Any) -> AsyncIterator[Struct]:
    """What a story tells to one client, until it is over. Raises Stopping."""
    hub, follower, beat = listener_in(context)
    while not story.is_over and follower.ended is None:
        frames = await story.due()
        for frame in frames:
            yield frame.message
        if not frames:
            if follower.heartbeat_at <= hub.time():
                await beat()
            await follower.sleep()
    if follower.ended == "stopping" and not story.is_over:
        raise Stopping
