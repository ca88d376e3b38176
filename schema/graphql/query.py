"""What can be asked at the root."""

from typing import Annotated, Any

import strawberry

from schema.graphql import types
from schema.graphql.context import Info
from schema.graphql.match import Match

MatchId = Annotated[strawberry.ID, strawberry.argument(description="The id of a match.")]


@strawberry.type(description="Questions. None of them changes anything.")
class Query:
    """The root of queries."""

    @strawberry.field(description="The games that can be played here.", graphql_type=list[types.GAME])
    def games(self, info: Info) -> Any:
        return info.context.door.games()

    @strawberry.field(description="The game with this name.", graphql_type=types.GAME | None)
    def game(self, info: Info, slug: str) -> Any:
        return info.context.door.game(slug)

    @strawberry.field(description="The match with this id: a public one, or one whose id you were given.")
    async def match(self, info: Info, id: MatchId) -> Match | None:  # noqa: A002  # the argument's name
        return Match(await info.context.door.match(id), info.context)
