"""How the value of a field is had: an attribute, or a call of its resolver."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import strawberry
from graphql import (
    FieldNode,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
    GraphQLScalarType,
    VariableNode,
    get_nullable_type,
)
from graphql.execution.values import VariableValues, get_argument_values
from graphql.pyutils import Path
from strawberry.execution.is_awaitable import optimized_is_awaitable
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField

from service.graphql.compiled.outcomes import Bail, Unsupported

DEFINITION: Final = "strawberry-definition"
"""Where Strawberry keeps its own view of a field."""
_IMMUTABLE: Final = (str, int, float, bool, type(None))


class Running:
    """One run of an operation: what resolvers may be told of it, and arguments that were read already."""

    __slots__ = ("arguments", "context", "fragments", "operation", "schema", "variables")

    def __init__(
        self, schema: Any, operation: Any, fragments: Any, variables: VariableValues, context: Any
    ) -> None:
        self.schema: Final = schema
        self.operation: Final = operation
        self.fragments: Final = fragments
        self.variables: Final = variables
        self.context: Final = context
        self.arguments: Final[dict[int, Mapping[str, Any]]] = {}


class Place(NamedTuple):
    """Where a field stands in an operation: its type, itself, and the nodes that select it."""

    parent: GraphQLObjectType
    field: GraphQLField
    nodes: list[FieldNode]


class FieldInfo:
    """What the library tells resolvers of a field. Below the root nobody knows the path of an object."""

    __slots__ = ("_path", "_place", "_running")

    def __init__(self, running: Running, place: Place, path: Path | None) -> None:
        self._running = running
        self._place = place
        self._path = path

    @property
    def path(self) -> Path:
        if self._path is None:
            raise Bail("path")
        found: Path = self._path
        return found

    @property
    def field_name(self) -> str:
        return self._place.nodes[0].name.value

    @property
    def field_nodes(self) -> list[FieldNode]:
        return self._place.nodes

    @property
    def parent_type(self) -> GraphQLObjectType:
        return self._place.parent

    @property
    def return_type(self) -> Any:
        return self._place.field.type

    @property
    def variable_values(self) -> Mapping[str, Any]:
        return self._running.variables.coerced

    @property
    def root_value(self) -> None:
        return None

    @property
    def operation_extensions(self) -> None:
        return None

    @staticmethod
    def is_awaitable(value: Any) -> bool:
        return optimized_is_awaitable(value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._running, name)


def is_attribute(field: GraphQLField) -> bool:
    """Whether a field has no resolver."""
    found: bool = field.extensions[DEFINITION].is_basic_field
    return found


def is_awaited(field: GraphQLField) -> bool:
    """Whether the resolver of a field is a coroutine function. Raises Unsupported for one that is wrapped."""
    definition: StrawberryField = field.extensions[DEFINITION]
    if definition.extensions:
        raise Unsupported("extension")
    return definition.is_async


class Resolver:
    """The resolver of a field that has one, with the arguments of one place in an operation."""

    def __init__(self, schema: strawberry.Schema, place: Place) -> None:
        self._schema = schema
        self._place = place
        self._definition: StrawberryField = place.field.extensions[DEFINITION]
        self._info_class = schema.config.info_class
        resolver = self._definition.base_resolver
        assert resolver is not None
        self._resolver = resolver
        self._function: Any = resolver.wrapped_func
        taking = (resolver.parent_parameter, resolver.root_parameter)
        self._names_of_objects = [parameter.name for parameter in taking if parameter is not None]
        self._names = {
            name: argument.extensions[DEFINITION].python_name for name, argument in place.field.args.items()
        }
        kinds = (get_nullable_type(argument.type) for argument in place.field.args.values())
        self._are_scalars = all(isinstance(kind, GraphQLScalarType) for kind in kinds)
        self._always = self._constant()

    def call(self) -> tuple[Callable[..., Any], str]:
        """A function and its arguments, as code: of an object `o`, a run `c` and `{self}`, this resolver."""
        given = ["o"] if self._resolver.self_parameter else []
        given += [f"{name}=o" for name in self._names_of_objects]
        if self._resolver.info_parameter is not None:
            given.append(f"{self._resolver.info_parameter.name}={{self}}.info(c)")
        if self._place.field.args:
            given.append("**{self}.arguments(c)")
        return self._function, ", ".join(given)

    def called(self, running: Running, path: Path) -> Any:
        """What the resolver returns at the root, where there is no object. Raises Bail or what it raises."""
        named = {**self.arguments(running), **dict.fromkeys(self._names_of_objects)}
        if self._resolver.info_parameter is not None:
            named[self._resolver.info_parameter.name] = self.info(running, path)
        return self._function(None, **named) if self._resolver.self_parameter else self._function(**named)

    def arguments(self, running: Running) -> Mapping[str, Any]:
        """What the resolver is called with, by the names of its parameters. Raises Bail."""
        if self._always is not None:
            return self._always
        found = running.arguments.get(id(self))
        if found is None:
            found = running.arguments[id(self)] = self._read(running)
        return found

    def info(self, running: Running, path: Path | None = None) -> Any:
        """What Strawberry tells of the field."""
        told: Any = FieldInfo(running, self._place, path)
        return self._info_class(_raw_info=told, _field=self._definition)

    def _read(self, running: Running) -> Mapping[str, Any]:
        try:
            return self._converted(
                get_argument_values(self._place.field, self._place.nodes[0], running.variables)
            )
        except GraphQLError:
            raise Bail("arguments") from None

    def _converted(self, coerced: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._are_scalars:  # what Strawberry leaves as it is, at a tenth of the cost
            return {self._names[name]: value for name, value in coerced.items()}
        return convert_arguments(
            dict(coerced),
            self._definition.arguments,
            self._schema.schema_converter.scalar_registry,
            self._schema.config,
        )

    def _constant(self) -> Mapping[str, Any] | None:
        """The arguments, if they are the same in every run and nobody can change them."""
        if any(isinstance(each.value, VariableNode) for each in self._place.nodes[0].arguments or ()):
            return None
        try:
            coerced = get_argument_values(self._place.field, self._place.nodes[0])
        except GraphQLError:
            return None
        is_plain = all(type(value) in _IMMUTABLE for value in coerced.values())
        return self._converted(coerced) if is_plain else None
