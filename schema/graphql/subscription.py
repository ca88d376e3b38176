"""What can be followed at the root."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Final

import strawberry

from schema.graphql import types
from schema.graphql.context import Info
from schema.graphql.errors import BadArgument
from schema.graphql.own import OWN_MESSAGE, own_message
from schema.graphql.query import MatchId, TournamentId
from schema.graphql.spoken import Lang, in_language
from schema.graphql.tournament import AfterNumber, checked_number
from schema.wire_views import EventView

_DESCRIPTION: Final = (
    "What happens, as it happens: on a WebSocket (subprotocol `graphql-transport-ws`), or as"
    " `text/event-stream` (GraphQL over SSE, distinct connections). A stream that breaks off is resumed after"
    " the last position told: subscribe again with `after`."
)
After = Annotated[
    int, strawberry.argument(description="The version of the last event known; 0 for all there are.")
]
AfterId = Annotated[
    str | None,
    strawberry.argument(description="The `id` of the last message; without it what is pending comes first."),
]


@strawberry.type(description=_DESCRIPTION)
class Subscription:
    """The root of subscriptions."""

    @strawberry.subscription(
        description="Every event of a match after a version, once and in order. It is complete when the match"
        " is over.",
        graphql_type=types.view(EventView),
    )
    async def match_events(
        self,
        info: Info,
        id: MatchId,  # noqa: A002  # the argument's name
        after: After = 0,
        lang: Lang = None,
    ) -> AsyncIterator[Any]:
        if after < 0:
            raise BadArgument("after", "Versions count from 0.")
        context = in_language(info.context, lang)
        found: Any = context.door.match_events(id, after, context)
        async with aclosing(found) as events:
            async for event in events:
                yield event

    @strawberry.subscription(
        description="What concerns the matches of the player whose API token is sent: what is pending, then"
        " what happens, at least once and in order.",
        graphql_type=OWN_MESSAGE,
    )
    async def my_events(self, info: Info, after: AfterId = None, lang: Lang = None) -> AsyncIterator[Any]:
        context = in_language(info.context, lang)
        found: Any = context.door.own_events(after, context)
        async with aclosing(found) as messages:
            async for message in messages:
                yield own_message(message)

    @strawberry.subscription(
        description="Every entry of a tournament's record after a number, once and in order. It is complete"
        " when the tournament is over.",
        graphql_type=types.ENTRY,
    )
    async def tournament_events(
        self,
        info: Info,
        id: TournamentId,  # noqa: A002  # the argument's name
        after: AfterNumber = 0,
    ) -> AsyncIterator[Any]:
        found: Any = info.context.door.tournament_events(id, checked_number(after), info.context)
        async with aclosing(found) as entries:
            async for entry in entries:
                yield entry
