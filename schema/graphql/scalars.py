"""The scalars of the schema, and what stands for maps: GraphQL has none."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NewType

import msgspec
import strawberry
from strawberry.types.scalar import ScalarDefinition

Milliseconds = NewType("Milliseconds", int)
JSON = NewType("JSON", object)


@lru_cache(maxsize=1_024)
def written(moment: datetime) -> str:
    """A moment as REST spells it (RFC 3339)."""
    text: str = msgspec.to_builtins(moment)
    return text


def whole(value: Any) -> int:
    """The value, if it is a whole number that every client can hold. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**53:
        raise ValueError(f"{value!r} is no whole number of milliseconds")
    return value


def moment(text: Any) -> datetime:
    """The moment that a text spells (RFC 3339). Raises ValueError."""
    return msgspec.convert(text, datetime)


SCALARS: Final[Mapping[object, ScalarDefinition]] = {
    Milliseconds: strawberry.scalar(
        name="Milliseconds",
        description="A whole number of milliseconds, larger than Int and below 2^53: a time span, or a moment"
        " since 1970 by the server's clock.",
        serialize=whole,
        parse_value=whole,
    ),
    datetime: strawberry.scalar(
        name="DateTime",
        description="A moment in UTC, such as 2026-01-31T12:00:00Z (RFC 3339).",
        serialize=written,
        parse_value=moment,
    ),
    JSON: strawberry.scalar(
        name="JSON",
        description="Any JSON value: a JSON Schema, or a document in the game's own spelling.",
        serialize=lambda value: value,
        parse_value=lambda value: value,
    ),
}


@strawberry.type(description="Points in one category, or how often something of one class was.")
class Score:
    """An entry of a score sheet."""

    name: str
    value: int


@strawberry.type(description="A figure or a name in a sentence, so that clients can word it themselves.")
class Figure:
    """An entry of the values of a change or a reason."""

    name: str
    value: str = strawberry.field(description="The figure or name as text.")
    number: int | None = strawberry.field(description="The figure, null for a name.")


@strawberry.type(description="A number under a name.")
class Measure:
    """An entry of a map of numbers."""

    name: str
    value: float


@strawberry.type(description="A text under a name.")
class NamedText:
    """An entry of a map of texts."""

    name: str
    value: str


def texts(values: Mapping[str, str]) -> list[NamedText]:
    """The entries of a map of texts, in their order."""
    return [NamedText(name=name, value=value) for name, value in values.items()]


def scores(values: Mapping[str, int]) -> list[Score]:
    """The entries of a score sheet, in their order."""
    return [Score(name=name, value=value) for name, value in values.items()]


def measures(values: Mapping[str, float]) -> list[Measure]:
    """The entries of a map of numbers, in their order."""
    return [Measure(name=name, value=value) for name, value in values.items()]


def figures(values: Mapping[str, int | str]) -> list[Figure]:
    """The entries of the values of a sentence, in their order."""
    return [
        Figure(name=name, value=str(value), number=value if isinstance(value, int) else None)
        for name, value in values.items()
    ]


DERIVED_SCALARS: Final[Mapping[str, Any]] = {
    "int": int,
    "str": str,
    "bool": bool,
    "float": float,
    "datetime": datetime,
    "Milliseconds": Milliseconds,
    "JSON": JSON,
    "NamedText": NamedText,
    "Score": Score,
    "Measure": Measure,
    "Figure": Figure,
}
"""What annotations of derived fields may name beside derived types."""
