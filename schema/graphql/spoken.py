"""The language that a field asks for, instead of the request."""

from typing import Annotated

import strawberry

from schema.graphql.context import Context
from schema.graphql.errors import BadArgument
from schema.wire_streams import LONGEST_LANG

Lang = Annotated[
    str | None,
    strawberry.argument(
        description="The languages liked, spelled as in the header `Accept-Language` and in its place: `pt`."
    ),
]


def in_language(context: Context, lang: str | None) -> Context:
    """The context of a field that asks for a language, or for none. Raises BadArgument."""
    if lang is None:
        return context
    if len(lang) > LONGEST_LANG:
        raise BadArgument("lang", f"At most {LONGEST_LANG} characters.")
    return Context(context.door, context.token, context.budget, context.door.language(lang), context.asker)
