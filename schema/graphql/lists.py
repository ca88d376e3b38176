"""Lists with cursors."""

from collections.abc import Sequence
from typing import Annotated, Any, Self, TypeVar

import msgspec
import strawberry

from schema.graphql.context import Context
from schema.graphql.door import StoredPage
from schema.graphql.errors import BadArgument
from schema.graphql.match import Match
from schema.wire import LARGEST_PAGE

Q = TypeVar("Q", bound=msgspec.Struct)
PAGE = 50
"""Entries of a page, if nothing is said."""

First = Annotated[int, strawberry.argument(description=f"So many at most, up to {LARGEST_PAGE}.")]
After = Annotated[str | None, strawberry.argument(description="The cursor of the last one known.")]


@strawberry.type(description="Whether there is more, and where it begins.")
class PageInfo:
    """The end of a page."""

    has_next_page: bool
    end_cursor: str | None = strawberry.field(
        description="What to go on `after`; null where nothing was found."
    )

    @classmethod
    def of(cls, following: str | None, edges: Sequence[Any]) -> Self:
        """The end of a page with these edges, which the cursor, if any, goes on after."""
        end = following or (edges[-1].cursor if edges else None)
        return cls(has_next_page=following is not None, end_cursor=end)


@strawberry.type(description="A match in a list.")
class MatchEdge:
    """A match with its place."""

    cursor: str = strawberry.field(description="What to go on `after`.")
    node: Match


@strawberry.type(
    description="A page of matches, newest first. A page may be short, or empty, and have a next one."
)
class MatchConnection:
    """Some matches of a list."""

    edges: list[MatchEdge]
    page_info: PageInfo

    @strawberry.field(description="The matches by themselves.")
    def nodes(self) -> list[Match]:
        return [edge.node for edge in self.edges]


def connection(page: StoredPage, context: Context) -> MatchConnection:
    """The page as it is told."""
    edges = [MatchEdge(cursor=cursor, node=Match(stored, context)) for cursor, stored in page.matches]
    return MatchConnection(edges=edges, page_info=PageInfo.of(page.next, edges))


def read(kind: type[Q], first: int, after: str | None, **chosen: Any) -> Q:
    """The arguments of a list, as the query of REST that they are. Raises BadArgument."""
    values = {name: value for name, value in chosen.items() if value is not None}
    try:
        return msgspec.convert({**values, "cursor": after, "limit": first}, kind)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`")
        raise BadArgument({"limit": "first", "cursor": "after"}.get(name, name), f"{what}.") from None
