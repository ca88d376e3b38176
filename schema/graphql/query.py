"""What can be asked at the root."""

from enum import Enum
from typing import Annotated, Any

import strawberry

from schema.graphql import types
from schema.graphql.context import Info
from schema.graphql.lists import PAGE, After, First, MatchConnection, connection, read
from schema.graphql.match import Match
from schema.graphql.prices import told
from schema.graphql.spoken import Lang, in_language
from schema.graphql.tournament import Tournament, TournamentConnection, tournament_connection
from schema.wire import MatchesQuery
from schema.wire_players import OwnMatchesQuery
from schema.wire_tournaments import TournamentsQuery

STATUS: Any = types.DERIVER.mirror("MatchStatus")
TOURNAMENT_STATUS: Any = types.DERIVER.mirror("TournamentStatus")
JOINING: Any = types.DERIVER.mirror("Joining")
TIME_KIND: Any = types.word("TimeKind", MatchesQuery, "clock")

MatchId = Annotated[strawberry.ID, strawberry.argument(description="The id of a match.")]
PlayerId = Annotated[strawberry.ID, strawberry.argument(description="The id of a player.")]
TournamentId = Annotated[strawberry.ID, strawberry.argument(description="The id of a tournament.")]
TournamentsOf = Annotated[
    Enum | None,
    strawberry.argument(description="Tournaments of this status.", graphql_type=TOURNAMENT_STATUS | None),
]
Slug = Annotated[str, strawberry.argument(description="The name of a game.")]
SlugOrAll = Annotated[str | None, strawberry.argument(description="Matches of this game.")]
Status = Annotated[
    Enum | None,
    strawberry.argument(description="Matches of this status.", graphql_type=STATUS | None),
]
Seats = Annotated[int | None, strawberry.argument(description="Matches with so many seats.")]
Free = Annotated[
    int | None,
    strawberry.argument(description="Matches in which at least so many seats are free for anybody."),
]
Join = Annotated[
    Enum | None,
    strawberry.argument(description="Matches that may be joined so.", graphql_type=JOINING | None),
]
Clock = Annotated[
    Enum | None,
    strawberry.argument(description="Matches with this kind of clock.", graphql_type=TIME_KIND | None),
]
Played = Annotated[
    strawberry.ID | None, strawberry.argument(description="Matches in which this player has a seat.")
]


@strawberry.type(description="Who asks, by an API token.")
class Me(types.ME):  # type: ignore[misc]  # its fields are derived
    """The player whose token the request presents."""

    def __init__(self, view: Any) -> None:
        self.player = view.player
        self.token = view.token

    @classmethod
    def is_type_of(cls, value: Any, _info: Any) -> bool:
        return type(value) is cls

    @strawberry.field(description="Your matches: those you play, have played or are invited to.")
    async def matches(
        self, info: Info, status: Status = None, first: First = PAGE, after: After = None
    ) -> MatchConnection:
        context = info.context
        query = read(OwnMatchesQuery, first, after, status=_word(status))
        return connection(await context.door.own_matches(context.token, query), context)

    @strawberry.field(description="Your API tokens, without what is secret.", graphql_type=list[types.TOKEN])
    async def tokens(self, info: Info) -> Any:
        return await info.context.door.tokens(info.context.token)


@strawberry.type(description=f"Questions. None of them changes anything.\n\n{told()}")
class Query:
    """The root of queries."""

    @strawberry.field(description="The games that can be played here.", graphql_type=list[types.GAME])
    def games(self, info: Info, lang: Lang = None) -> Any:
        context = in_language(info.context, lang)
        return context.door.games(context.language)

    @strawberry.field(description="The game with this name.", graphql_type=types.GAME | None)
    def game(self, info: Info, slug: Slug, lang: Lang = None) -> Any:
        context = in_language(info.context, lang)
        return context.door.game(slug, context.language)

    @strawberry.field(description="The match with this id: a public one, or one whose id you were given.")
    async def match(
        self,
        info: Info,
        id: MatchId,  # noqa: A002  # the argument's name
        lang: Lang = None,
    ) -> Match | None:
        context = in_language(info.context, lang)
        return Match(await context.door.match(id), context)

    @strawberry.field(description="Public matches, newest first.")
    async def matches(  # noqa: PLR0913, PLR0917  # arguments of the field
        self,
        info: Info,
        game: SlugOrAll = None,
        status: Status = None,
        seats: Seats = None,
        free: Free = None,
        join: Join = None,
        clock: Clock = None,
        player: Played = None,
        first: First = PAGE,
        after: After = None,
        lang: Lang = None,
    ) -> MatchConnection:
        context = in_language(info.context, lang)
        chosen = {"game": game, "seats": seats, "free": free, "player": player}
        words = {"status": _word(status), "join": _word(join), "clock": _word(clock)}
        page = await context.door.matches(read(MatchesQuery, first, after, **chosen, **words))
        return connection(page, context)

    @strawberry.field(description="A player as everybody sees it.", graphql_type=types.PLAYER | None)
    async def player(self, info: Info, id: PlayerId) -> Any:  # noqa: A002  # the argument's name
        return await info.context.door.player(id)

    @strawberry.field(description="Who asks; it needs an API token with the scope `read`.")
    async def me(self, info: Info) -> Me | None:
        return Me(await info.context.door.me(info.context.token))

    @strawberry.field(description="Tournaments, newest first.")
    async def tournaments(
        self, info: Info, status: TournamentsOf = None, first: First = PAGE, after: After = None
    ) -> TournamentConnection:
        query = read(TournamentsQuery, first, after, status=_word(status))
        return tournament_connection(await info.context.door.tournaments(query))

    @strawberry.field(
        description="The tournament with this id. Who sends an API token with the scope `read` is told of its"
        " own matches too."
    )
    async def tournament(
        self,
        info: Info,
        id: TournamentId,  # noqa: A002  # the argument's name
    ) -> Tournament | None:
        context = info.context
        player = await context.door.asking(context.token)
        return Tournament(await context.door.tournament(id, player), context)


def _word(value: Enum | None) -> str | None:
    """The word that an enum of the schema stands for."""
    return None if value is None else str(value.value)
