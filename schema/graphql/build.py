"""The schema, made of all its parts, and as it is printed."""

from functools import cache
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig

from schema.graphql import types
from schema.graphql.mutation import Mutation
from schema.graphql.query import Query
from schema.graphql.scalars import SCALARS
from schema.graphql.subscription import Subscription


class QuietSchema(strawberry.Schema):
    """A schema that logs nothing: whoever executes it tells what was refused from a fault of ours."""

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Nothing."""


@cache
def make_schema() -> QuietSchema:
    """The schema of the service, the same one every time."""
    return QuietSchema(
        Query,
        Mutation,
        Subscription,
        types=types.GAME_TYPES,
        config=StrawberryConfig(scalar_map=SCALARS, disable_field_suggestions=True),
    )


def printed() -> str:
    """The schema in SDL, as it is committed in `schema/schema.graphql`."""
    return make_schema().as_str() + "\n"
