"""What changes come to: a success, or one of the refusals that are to be expected.

Each kind of problem is a type of its own, named after its code: `illegal_move` is `IllegalMove`. Which ones
a change may end with says the table of REST operations; what they tell, `schema.problems`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Final, get_args, get_type_hints

import msgspec
import strawberry
from msgspec import UNSET, Meta, Struct

from schema.graphql import types
from schema.graphql.derive import union_of
from schema.operation import Operation
from schema.problems import ENTRIES, KINDS
from schema.wire_views import Problem as WireProblem

OF_TRANSPORT: Final = frozenset(
    (
        "bad_request",
        "body_timeout",
        "body_too_large",
        "internal_error",
        "invalid_header",
        "invalid_query",
        "malformed_body",
        "not_acceptable",
        "unsupported_media_type",
    )
)
"""Codes of refusals that a field cannot end with: they are about a whole request, or are faults of ours."""
Code = Annotated[str, Meta(description="Stable: what a client decides by.")]
Title = Annotated[str, Meta(description="What kind of problem it is, in words.")]
Detail = Annotated[str, Meta(description="What is wrong in this case, in words.")]
Status = Annotated[int, Meta(description="The status that REST answers with.")]
_COMMON: Final = [("code", Code), ("title", Title), ("detail", Detail), ("http_status", Status)]
_NULLABLE: Final = frozenset(("index", "next", "to_move", "legal_moves"))
"""Entries that some problem has and has not: in all types null then, so that one selection fits them all."""
_TO_MOVE: Final = Annotated[int, Meta(description="The seat that decides.")]


@strawberry.interface(description="Why something was refused. Its type has the particulars.")
class Problem:
    """What all problems have."""

    code: str = strawberry.field(description="Stable: what a client decides by.")
    title: str = strawberry.field(description="What kind of problem it is, in words.")
    detail: str = strawberry.field(description="What is wrong in this case, in words.")
    http_status: int = strawberry.field(description="The status that REST answers with.")


def _entry(name: str, hint: Any) -> Any:
    """The type of an entry."""
    meta = getattr(hint, "__metadata__", ())
    kind = get_args(hint)[0] if meta else hint
    (one,) = (part for part in get_args(kind) or (kind,) if part not in (type(None), msgspec.UnsetType))
    return Annotated[(one | None if name in _NULLABLE else one, *meta)]


@cache
def problem_type(code: str) -> type[Struct]:
    """The Struct of the problems with a code."""
    hints = get_type_hints(WireProblem, include_extras=True) | {"to_move": _TO_MOVE}
    own = [(name, _entry(name, hints[name])) for name in ENTRIES.get(code, ())]
    made = msgspec.defstruct(
        "".join(word.capitalize() for word in code.split("_")),
        [*_COMMON, *own],
        namespace={"__doc__": f"{KINDS[code].title}."},
        module=__name__,
        frozen=True,
    )
    types.DERIVER.implement(Problem, (made,))
    types.DERIVER.struct(made)
    return made


def problem_of(told: WireProblem) -> Any:
    """A problem as the value of its type."""
    kind = problem_type(told.code)
    values = {name: getattr(told, name) for name in ENTRIES.get(told.code, ())}
    present = {name: None if value is UNSET else value for name, value in values.items()}
    return kind(told.code, told.title, told.detail, told.status, **present)


def result_of(name: str, operation: Operation, success: type) -> Any:
    """The union of what an operation comes to, for the field of this name."""
    codes = sorted(set(operation.codes) - OF_TRANSPORT, key=tuple(KINDS).index)
    members = _members(codes)
    return union_of(
        f"{name[0].upper()}{name[1:]}Result",
        (success, *members.values()),
        f"What `{name}` comes to: `{success.__name__}`, or why it was refused.",
    )


def _members(codes: Iterable[str]) -> Mapping[str, Any]:
    return {code: types.DERIVER.mirror(problem_type(code).__name__) for code in codes}
