"""What can be changed at the root."""

from typing import Any, Final

import strawberry

from schema.graphql.changes import CHANGES, fields_of

_DESCRIPTION: Final = (
    "Changes. Each comes to a union: its success, or one of the refusals that are to be expected, which have"
    " the codes of REST. Several in one operation are carried out one after the other, each by itself. Tokens"
    " are sent as the header `Authorization: Bearer`. An `idempotencyKey` has 1 to 255 visible ASCII"
    " characters; without a token, at least 22 random ones of A-Z, a-z, 0-9, _ and -. It counts for a day,"
    " for one credential, field and match, and on this door only."
)

Mutation: Any = strawberry.type(type("Mutation", (), dict(fields_of(CHANGES))), description=_DESCRIPTION)
"""The root of mutations."""
