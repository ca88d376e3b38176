"""Scalars and enums: what a value has to be to be told as it is.

Whatever else comes is given to the library's own coercion; what that refuses ends in Bail.
"""

from collections.abc import Callable
from typing import Any, Final

from graphql import GraphQLEnumType, GraphQLLeafType, Undefined

from service.graphql.compiled.outcomes import Bail, bail

PLAIN: Final = {
    "Int": "{first}.__class__ is int and -2147483648 <= {value} <= 2147483647",
    "Float": "{first}.__class__ is float and {value} - {value} == 0",
    "String": "{first}.__class__ is str",
    "ID": "{first}.__class__ is str",
    "Boolean": "{first}.__class__ is bool",
}
"""Conditions under which a value of the built-in types is told as it is; `first` may bind `value`."""
_MOST_KEPT: Final = 1_000


def coercion(kind: GraphQLLeafType, *, or_null: bool) -> Callable[[Any], Any]:
    """The function that makes of any value what is told. It raises Bail for what is no value of the type."""
    coerce = kind.coerce_output_value
    of_null = _null if or_null else bail

    def coerced(value: Any) -> Any:
        if value is None:
            return of_null()
        try:
            told = coerce(value)
        except Exception:  # noqa: BLE001 - the ordinary execution words it
            raise Bail("data") from None
        if told is None or told is Undefined:
            raise Bail("data")
        return told

    return coerced


class Words(dict[str, Any]):
    """What an enum tells for texts, each found out once."""

    def __init__(self, kind: GraphQLEnumType) -> None:
        super().__init__()
        self._coerced = coercion(kind, or_null=False)

    def __missing__(self, text: str) -> Any:
        told = self._coerced(text)
        if len(self) < _MOST_KEPT:
            self[text] = told
        return told


def _null() -> None:
    return None
