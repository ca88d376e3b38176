"""What an operation selects: which fields, in which order, of which type.

Source: GraphQL, 6.3.2, CollectFields.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    is_abstract_type,
)

from service.graphql.compiled.outcomes import Unsupported

Nodes = list[FieldNode]
Collected = dict[str, Nodes]
"""The fields that stand behind each name of the answer, in the order of the answer."""
_CONDITIONS: Final = frozenset(("skip", "include"))


class Selection:
    """The selections of one operation. `flags` are the variables that decide what is selected."""

    def __init__(
        self,
        schema: GraphQLSchema,
        operation: OperationDefinitionNode,
        fragments: Mapping[str, FragmentDefinitionNode],
    ) -> None:
        """Raises Unsupported for directives that select by other means."""
        self._schema = schema
        self.fragments: Final = fragments
        self.operation: Final = operation
        self.flags: Final[list[str]] = []
        self._note_flags(operation.selection_set, set())

    def fields(
        self, kind: GraphQLObjectType, sets: Sequence[SelectionSetNode], flags: Mapping[str, bool]
    ) -> Collected:
        """What is selected of a value of this type, with these values of `flags`."""
        found: Collected = {}
        seen: set[str] = set()
        for selections in sets:
            self._collect(kind, selections, flags, found, seen)
        return found

    def _collect(
        self,
        kind: GraphQLObjectType,
        selections: SelectionSetNode,
        flags: Mapping[str, bool],
        found: Collected,
        seen: set[str],
    ) -> None:
        for node in selections.selections:
            if not _is_on(node, flags):
                continue
            if isinstance(node, FieldNode):
                found.setdefault((node.alias or node.name).value, []).append(node)
            elif isinstance(node, InlineFragmentNode):
                if self._applies(node.type_condition, kind):
                    self._collect(kind, node.selection_set, flags, found, seen)
            elif isinstance(node, FragmentSpreadNode) and node.name.value not in seen:
                seen.add(node.name.value)
                fragment = self.fragments[node.name.value]
                if self._applies(fragment.type_condition, kind):
                    self._collect(kind, fragment.selection_set, flags, found, seen)

    def _applies(self, condition: Any, kind: GraphQLObjectType) -> bool:
        if condition is None:
            return True
        named: Any = self._schema.get_type(condition.name.value)
        return named is kind or (is_abstract_type(named) and self._schema.is_sub_type(named, kind))

    def _note_flags(self, selections: SelectionSetNode, seen: set[str]) -> None:
        for node in selections.selections:
            for directive in node.directives or ():
                if directive.name.value not in _CONDITIONS:
                    raise Unsupported("directive")
                value = directive.arguments[0].value  # type: ignore[index]  # validation has seen to it
                if isinstance(value, VariableNode) and value.name.value not in self.flags:
                    self.flags.append(value.name.value)
            if isinstance(node, FragmentSpreadNode):
                fragment = self.fragments[node.name.value]
                if fragment.directives:
                    raise Unsupported("directive")
                if node.name.value not in seen:
                    seen.add(node.name.value)
                    self._note_flags(fragment.selection_set, seen)
            else:
                below: SelectionSetNode | None = node.selection_set  # type: ignore[attr-defined]  # no spread
                if below:
                    self._note_flags(below, seen)


def _is_on(node: Any, flags: Mapping[str, bool]) -> bool:
    for directive in node.directives or ():
        value = directive.arguments[0].value
        is_true = flags[value.name.value] if isinstance(value, VariableNode) else value.value
        if is_true is (directive.name.value == "skip"):
            return False
    return True
