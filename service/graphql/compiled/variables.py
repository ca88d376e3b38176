"""The values of variables: as they were sent where the library would take them so, else what it says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from graphql import GraphQLError, GraphQLSchema, VariableDefinitionNode, get_nullable_type
from graphql.execution.get_variable_signature import get_variable_signature
from graphql.execution.values import VariableValues, VariableValueSource, get_variable_values

MOST_ERRORS: Final = 20
"""What is wrong with variables, named at most."""
Sent = Mapping[str, Any]


class _Known(NamedTuple):
    """A variable: what the library knows it by, and which of its values are what they mean."""

    name: str
    signature: Any
    is_plain: Callable[[Any], bool]


class Variables:
    """The variables of one valid operation."""

    def __init__(
        self, core: GraphQLSchema, nodes: Sequence[VariableDefinitionNode], *, hides_suggestions: bool
    ) -> None:
        self._core = core
        self._nodes = nodes
        self._hides_suggestions = hides_suggestions
        self._known = [_known(core, node) for node in nodes]

    def values(self, sent: Sent) -> VariableValues | list[GraphQLError]:
        """The values, or what is wrong with them: the library takes ten times as long to find plain ones."""
        sources: dict[str, VariableValueSource] = {}
        coerced: dict[str, Any] = {}
        for name, signature, is_plain in self._known:
            value = sent.get(name)
            if not is_plain(value):
                return self._coerced(sent)
            sources[name] = VariableValueSource(signature, value)
            coerced[name] = value
        return VariableValues(sources, coerced)

    def _coerced(self, sent: Sent) -> VariableValues | list[GraphQLError]:
        return get_variable_values(
            self._core,
            self._nodes,
            dict(sent),
            max_errors=MOST_ERRORS,
            hide_suggestions=self._hides_suggestions,
        )


def _is_text(value: Any) -> bool:
    return value.__class__ is str


def _is_int(value: Any) -> bool:
    return value.__class__ is int and -(2**31) <= value < 2**31


def _is_truth(value: Any) -> bool:
    return value.__class__ is bool


def _never(_: Any) -> bool:
    return False


_PLAIN: Final[Mapping[str, Callable[[Any], bool]]] = {
    "Boolean": _is_truth,
    "ID": _is_text,
    "Int": _is_int,
    "String": _is_text,
}
"""By scalar, which values are what they mean."""


def _known(core: GraphQLSchema, node: VariableDefinitionNode) -> _Known:
    name, signature = node.variable.name.value, get_variable_signature(core, node)
    if isinstance(signature, GraphQLError):  # of a built-in type that the schema does not use
        return _Known(name, signature, _never)
    return _Known(name, signature, _PLAIN.get(str(get_nullable_type(signature.type)), _never))
