"""The schema, made of all its parts, and as it is printed."""

from functools import cache
from typing import Any, Final

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig

from schema.graphql import types
from schema.graphql.match import Match
from schema.graphql.query import Query
from schema.graphql.scalars import SCALARS

CLASSES: Final[dict[str, type]] = {
    **types.DERIVER.classes,
    **{kind.__name__: kind for kind in (Match,)},
}
"""The class of the values of each object type, for who projects values without asking resolvers."""


class QuietSchema(strawberry.Schema):
    """A schema that logs nothing: whoever executes it tells what was refused from a fault of ours."""

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Nothing."""


@cache
def make_schema() -> QuietSchema:
    """The schema of the service, the same one every time."""
    return QuietSchema(
        Query,
        types=types.GAME_TYPES,
        config=StrawberryConfig(scalar_map=SCALARS, disable_field_suggestions=True),
    )


def printed() -> str:
    """The schema in SDL, as it is committed in `schema/schema.graphql`."""
    return make_schema().as_str() + "\n"
