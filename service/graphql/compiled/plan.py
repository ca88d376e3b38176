"""An operation as code, and how it is run: the resolvers at the root, then what is told of their values."""

import asyncio
from collections.abc import Mapping
from types import CoroutineType
from typing import Any, Final, NamedTuple

import strawberry
from graphql import FragmentDefinitionNode, OperationDefinitionNode, OperationType
from graphql.execution.values import VariableValues
from graphql.pyutils import Path

from service.graphql.compiled.kept import Kept
from service.graphql.compiled.outcomes import Bail, Raised, Roots, Unfinished, Unsupported
from service.graphql.compiled.projection import TYPENAME, Made, Projection
from service.graphql.compiled.selection import Nodes, Selection
from service.graphql.compiled.values import Place, Resolver, Running, is_attribute

MOST_FLAGS: Final = 6
"""Variables that may decide what is selected; each doubles what there may be to compile."""
_NOTHING: Final[Roots] = {}


class Root(NamedTuple):
    """A field at the root; only `key` and `constant` matter of `__typename`."""

    key: str
    constant: str | None
    resolver: Resolver | None
    made: Made | None


class Plan:
    """The code of one operation, for each choice of its flags that was asked for."""

    def __init__(self, schema: strawberry.Schema, selection: Selection, kept: Kept) -> None:
        """Raises Unsupported."""
        if len(selection.flags) > MOST_FLAGS:
            raise Unsupported("flags")
        self._schema = schema
        self._selection = selection
        self._kept = kept
        self._operation = selection.operation
        root = schema._schema.get_root_type(selection.operation.operation)  # noqa: SLF001
        assert root is not None
        self._root = root
        self._variants: dict[tuple[bool, ...], tuple[Root, ...]] = {}
        self.keys: Final = tuple(field.key for field in self._variant(tuple(False for _ in selection.flags)))
        """The names of the fields at its root, with no flag set."""

    async def answer(
        self, variables: VariableValues, context: Any, given: Roots = _NOTHING
    ) -> dict[str, Any]:
        """What the operation answers; `given` are values of fields at its root that are known.

        Raises Unfinished if the ordinary execution has to finish it.
        """
        roots: dict[str, Any] = dict(given)
        try:
            fields = self._variant(tuple(map(variables.coerced.get, self._selection.flags)))
        except (Bail, Unsupported) as error:
            raise Unfinished(str(error), roots) from None
        running = Running(
            self._schema._schema,  # noqa: SLF001
            self._operation,
            self._selection.fragments,
            variables,
            context,
        )
        run = self._one_by_one if self._operation.operation is OperationType.MUTATION else self._together
        try:
            return await run(fields, running, roots)
        except Bail as bail:
            raise Unfinished(bail.why, roots) from None

    async def _together(
        self, fields: tuple[Root, ...], running: Running, roots: dict[str, Any]
    ) -> dict[str, Any]:
        waiting: dict[str, Any] = {}
        try:
            for field in fields:
                if field.resolver is not None and field.key not in roots:
                    found = self._begun(field.key, field.resolver, running)
                    (waiting if found.__class__ is CoroutineType else roots)[field.key] = found
        except Bail:
            for awaitable in waiting.values():  # the ordinary execution begins them anew
                awaitable.close()
            raise
        if len(waiting) == 1:  # a task of its own would cost as much as a small answer
            ((key, awaitable),) = waiting.items()
            roots[key] = await _outcome(awaitable)
        elif waiting:
            roots.update(zip(waiting, await asyncio.gather(*map(_outcome, waiting.values())), strict=True))
        told: dict[str, Any] = {}
        for field in fields:
            found = _told(field, roots, running)
            told[field.key] = await _finished(found) if found.__class__ is CoroutineType else found
        return told

    async def _one_by_one(
        self, fields: tuple[Root, ...], running: Running, roots: dict[str, Any]
    ) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for field in fields:
            if field.resolver is not None:
                found = self._begun(field.key, field.resolver, running)
                roots[field.key] = await _outcome(found) if found.__class__ is CoroutineType else found
            found = _told(field, roots, running)
            told[field.key] = await _finished(found) if found.__class__ is CoroutineType else found
        return told

    def _begun(self, key: str, resolver: Resolver, running: Running) -> Any:
        """What the resolver of a field at the root returns: its value, a coroutine or Raised. Raises Bail."""
        try:
            return resolver.called(running, Path(None, key, self._root.name))
        except Bail:
            raise
        except Exception as error:  # noqa: BLE001 - the ordinary execution words it
            return Raised(error)

    def _variant(self, flags: tuple[Any, ...]) -> tuple[Root, ...]:
        found = self._variants.get(flags)
        if found is None:
            if not all(flag is True or flag is False for flag in flags):
                raise Bail("flags")
            chosen = dict(zip(self._selection.flags, flags, strict=True))
            found = self._variants[flags] = tuple(self._roots(chosen))
        return found

    def _roots(self, flags: Mapping[str, bool]) -> list[Root]:
        projection = Projection(self._schema, self._selection, flags, self._kept)
        collected = self._selection.fields(self._root, [self._operation.selection_set], flags)
        return [self._field(projection, key, nodes) for key, nodes in collected.items()]

    def _field(self, projection: Projection, key: str, nodes: Nodes) -> Root:
        name = nodes[0].name.value
        if name == TYPENAME:
            return Root(key, self._root.name, None, None)
        if name.startswith("__"):
            raise Unsupported("introspection")
        field = self._root.fields[name]
        if is_attribute(field):
            raise Unsupported("root without resolver")
        place = Place(self._root, field, nodes)
        return Root(key, None, Resolver(self._schema, place), projection.of_field(place))


def planned(
    schema: strawberry.Schema,
    operation: OperationDefinitionNode,
    fragments: Mapping[str, FragmentDefinitionNode],
    kept: Kept,
) -> Plan | str:
    """The code of a valid operation, or a word that says why there is none."""
    try:
        return Plan(schema, Selection(schema._schema, operation, fragments), kept)  # noqa: SLF001
    except Unsupported as error:
        return str(error)


async def _outcome(awaitable: Any) -> Any:
    """What it comes to, or what it has raised."""
    try:
        return await awaitable
    except Exception as error:  # noqa: BLE001 - the ordinary execution words it
        return Raised(error)


def _told(field: Root, roots: Roots, running: Running) -> Any:
    """What is told of a field at the root, or a coroutine that comes to it. Raises Bail."""
    if field.made is None:
        return field.constant
    value = roots[field.key]
    if value.__class__ is Raised:
        raise Bail("raised")
    try:
        return field.made.function(value, running)
    except Bail:
        raise
    except Exception:  # noqa: BLE001 - the ordinary execution words it
        raise Bail("raised") from None


async def _finished(telling: Any) -> Any:
    """What it comes to. Raises Bail."""
    try:
        return await telling
    except Bail:
        raise
    except Exception:  # noqa: BLE001 - the ordinary execution words it
        raise Bail("raised") from None
