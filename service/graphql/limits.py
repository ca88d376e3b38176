"""How large a document may be, measured before it is held against the schema.

Validation compares fields with the same name pairwise, so what is checked here keeps it from being asked for
more than some ms of work.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from service.graphql.refusals import TooCostly
from service.settings import Settings

MOST_DIRECTIVES: Final = 50
"""Directives in an operation at most."""
MOST_ALIKE: Final = 100
"""Fields with one name in the answer, in one selection, at most."""


class Size(NamedTuple):
    """What a selection comes to with all its fragments spread: levels of fields, and numbers."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0

    def beside(self, other: "Size") -> "Size":
        """Both, one after the other."""
        return Size(
            max(self.depth, other.depth),
            self.fields + other.fields,
            self.aliases + other.aliases,
            self.directives + other.directives,
        )


def check_size(document: DocumentNode, settings: Settings) -> None:
    """Nothing, if no definition of the document is too large. Raises TooCostly."""
    meter = _Meter(document)
    try:
        for definition in document.definitions:
            if isinstance(definition, OperationDefinitionNode | FragmentDefinitionNode):
                _check(meter.size(definition.selection_set), settings)
                meter.check_alike(definition.selection_set)
            if isinstance(definition, OperationDefinitionNode):
                _check_roots(meter.names(definition.selection_set), settings)
    except RecursionError:
        raise TooCostly("The document is nested too deeply.") from None


def _check(size: Size, settings: Settings) -> None:
    for what, found, most in (
        ("levels of fields", size.depth, settings.graphql_max_depth),
        ("fields", size.fields, settings.graphql_max_fields),
        ("aliases", size.aliases, settings.graphql_max_aliases),
        ("directives", size.directives, MOST_DIRECTIVES),
    ):
        if found > most:
            raise TooCostly(f"An operation has {found} {what}; {most} are allowed.")


def _check_roots(names: Counter[str], settings: Settings) -> None:
    if names.total() > settings.graphql_max_roots:
        raise TooCostly(
            f"An operation has {names.total()} fields at its root; {settings.graphql_max_roots} are allowed."
        )


class _Meter:
    """Measures selections of one document; each fragment once."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            node.name.value: node.selection_set
            for node in document.definitions
            if isinstance(node, FragmentDefinitionNode)
        }
        self._sizes: dict[str, Size] = {}

    def size(self, selections: SelectionSetNode) -> Size:
        """What the selections come to. Raises RecursionError."""
        size = Size()
        for node in selections.selections:
            size = size.beside(Size(directives=len(node.directives or ())))
            if isinstance(node, FieldNode):
                inner = self.size(node.selection_set) if node.selection_set else Size()
                inner = inner.beside(Size(fields=1, aliases=int(node.alias is not None)))
                size = size.beside(inner._replace(depth=inner.depth + 1))
            elif isinstance(node, FragmentSpreadNode):
                size = size.beside(self._spread(node.name.value))
            else:
                size = size.beside(self.size(_of_inline(node)))
        return size

    def check_alike(self, selections: SelectionSetNode) -> None:
        """Nothing, if no name is selected too often at one place. Raises TooCostly, RecursionError."""
        for name, count in self.names(selections).items():
            if count > MOST_ALIKE:
                raise TooCostly(f"`{name[:60]}` is selected {count} times; {MOST_ALIKE} are allowed.")
        for below in _selections_below(selections):
            self.check_alike(below)

    def names(self, selections: SelectionSetNode) -> Counter[str]:
        """How often each name of the answer is selected, in fragments too. Raises RecursionError."""
        names: Counter[str] = Counter()
        self._count(selections, names, set())
        return names

    def _spread(self, name: str) -> Size:
        if name not in self._sizes:
            self._sizes[name] = Size()  # of a fragment in itself, which validation refuses
            if name in self._fragments:
                self._sizes[name] = self.size(self._fragments[name])
        return self._sizes[name]

    def _count(self, selections: SelectionSetNode, names: Counter[str], seen: set[str]) -> None:
        for node in selections.selections:
            if isinstance(node, FieldNode):
                names[(node.alias or node.name).value] += 1
            elif not isinstance(node, FragmentSpreadNode):
                self._count(_of_inline(node), names, seen)
            elif node.name.value not in seen and node.name.value in self._fragments:
                seen.add(node.name.value)
                self._count(self._fragments[node.name.value], names, seen)


def _selections_below(selections: SelectionSetNode) -> Iterator[SelectionSetNode]:
    """What the fields selected here select; fragments are looked at by themselves."""
    for node in selections.selections:
        if isinstance(node, FieldNode):
            if node.selection_set:
                yield node.selection_set
        elif not isinstance(node, FragmentSpreadNode):
            yield from _selections_below(_of_inline(node))


def _of_inline(node: Any) -> SelectionSetNode:
    found: SelectionSetNode = node.selection_set
    return found
