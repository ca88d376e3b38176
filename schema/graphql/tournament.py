"""A tournament: how it stands, its tables, and the documents by which anybody can check them."""

from typing import Annotated, Any, Final

import strawberry

from schema.graphql import types
from schema.graphql.context import Context
from schema.graphql.door_tournaments import StoredTournament, TournamentPage
from schema.graphql.errors import BadArgument
from schema.graphql.lists import PageInfo
from schema.graphql.prices import ENTRY_BEYOND, PRICES
from schema.graphql.scalars import JSON
from schema.wire import LARGEST_PAGE
from schema.wire_tournaments import LATEST_ENTRY, TournamentMatchesQuery

AfterNumber = Annotated[int, strawberry.argument(description="The last number known; 0 for none.")]
FirstNumbers = Annotated[int, strawberry.argument(description=f"So many at most, up to {LARGEST_PAGE}.")]


def checked_number(after: int) -> int:
    """The number after which somebody goes on. Raises BadArgument."""
    if not 0 <= after <= LATEST_ENTRY:
        raise BadArgument("after", "It is a number, and counts from 1.")
    return after


@strawberry.type(description="A tournament as it stands.")
class Tournament(types.TOURNAMENT):  # type: ignore[misc]  # its fields are derived
    """A tournament that was read from the store."""

    def __init__(self, stored: StoredTournament, context: Context) -> None:
        self.stored: Final = stored
        self.context: Final = context

    def __getattr__(self, name: str) -> Any:
        """A derived field."""
        return getattr(self.stored.view, name)

    @classmethod
    def is_type_of(cls, value: Any, _info: Any) -> bool:
        return type(value) is cls

    @strawberry.field(description="Everybody's place so far.", graphql_type=types.STANDINGS)
    async def standings(self) -> Any:
        found = await self.stored.standings()
        self._pay("Standings.standings", len(found.standings))
        return found

    @strawberry.field(
        description="Who has got how much against whom, for every two who have met.",
        graphql_type=types.CROSSTABLE,
    )
    async def crosstable(self) -> Any:
        found = await self.stored.crosstable()
        self._pay("Crosstable.cells", len(found.cells))
        return found

    @strawberry.field(
        description="Its matches, by number: go on with `after: next`.",
        graphql_type=types.TOURNAMENT_MATCH_PAGE,
    )
    async def matches(self, after: AfterNumber = 0, first: FirstNumbers = LARGEST_PAGE) -> Any:
        return await self.stored.matches(TournamentMatchesQuery(checked_number(after), _checked_size(first)))

    @strawberry.field(
        description="Entries of its record: go on `after` the number of the last one, up to `count`.",
        graphql_type=types.ENTRY_PAGE,
    )
    def events(self, after: AfterNumber = 0, first: FirstNumbers = LARGEST_PAGE) -> Any:
        return self.stored.entries(checked_number(after), _checked_size(first))

    @strawberry.field(
        description="The document with all that is fixed before the start, of which `hash` is the SHA-256."
    )
    def manifest(self) -> JSON:
        return JSON(self.stored.manifest)

    @strawberry.field(
        description="Manifest and entries as one document: all that is needed to compute every table again."
        " Each entry costs 1."
    )
    def record(self) -> JSON:
        entries = self.stored.view.entries
        self.context.budget.spend(entries, f"`record` with {entries} entries")
        return JSON(self.stored.record)

    def _pay(self, name: str, entries: int) -> None:
        """Pay for what is longer than its price has foreseen. Raises TooCostly."""
        beyond = max(0, entries - PRICES[name].entries)
        self.context.budget.spend(beyond * ENTRY_BEYOND, f"`{name}` with {entries} entries")


@strawberry.type(description="A tournament in a list, with its place there.")
class TournamentEdge:
    """A tournament with its cursor."""

    cursor: str = strawberry.field(description="What to go on `after`.")
    node: Annotated[Any, "TournamentSummary"] = strawberry.field(graphql_type=types.TOURNAMENT_SUMMARY)


@strawberry.type(
    description="A page of tournaments, newest first. A page may be short, or empty, and have a next one."
)
class TournamentConnection:
    """Some tournaments of a list."""

    edges: list[TournamentEdge]
    page_info: PageInfo

    @strawberry.field(
        description="The tournaments by themselves.", graphql_type=list[types.TOURNAMENT_SUMMARY]
    )
    def nodes(self) -> Any:
        return [edge.node for edge in self.edges]


def tournament_connection(page: TournamentPage) -> TournamentConnection:
    """The page as it is told."""
    edges = [TournamentEdge(cursor=cursor, node=summary) for cursor, summary in page.tournaments]
    return TournamentConnection(edges=edges, page_info=PageInfo.of(page.next, edges))


def _checked_size(first: int) -> int:
    if not 1 <= first <= LARGEST_PAGE:
        raise BadArgument("first", f"1 to {LARGEST_PAGE}.")
    return first
