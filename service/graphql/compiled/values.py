"""How the value of a field is had: an attribute, or a call of its resolver."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import strawberry
from graphql import (
    FieldNode,
    GraphQLArgument,
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
_IMMUTABLE: Final = frozenset((str, int, float, bool, type(None)))


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
    def context(self) -> Any:
        return self._running.context

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


def is_told_nothing(field: GraphQLField, nodes: list[FieldNode]) -> bool:
    """Whether the value of a field follows from its object: its resolver is told nothing of the request."""
    if is_attribute(field):
        return True
    resolver = field.extensions[DEFINITION].base_resolver
    return resolver.info_parameter is None and not nodes[0].arguments


def is_immutable(values: Iterable[Any]) -> bool:
    """Whether nobody can change any of these values."""
    return all(value.__class__ in _IMMUTABLE for value in values)


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
        self._are_scalars = all(map(_is_scalar, place.field.args.values()))
        self._by_variable = self._variables()
        self._rest = self._constants()
        self.is_constant: Final = self._rest is not None and not self._by_variable
        """Whether it is called with the same arguments in every run."""

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
        if self._rest is not None and self.is_constant:
            return self._rest
        found = running.arguments.get(id(self))
        if found is None:
            found = running.arguments[id(self)] = self._read(running)
        return found

    def info(self, running: Running, path: Path | None = None) -> Any:
        """What Strawberry tells of the field."""
        told: Any = FieldInfo(running, self._place, path)
        return self._info_class(_raw_info=told, _field=self._definition)

    def _read(self, running: Running) -> Mapping[str, Any]:
        return self._as_they_are(running.variables.coerced) or self._coerced(running)

    def _as_they_are(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The arguments, if those given by variables need nothing done; else None."""
        if self._rest is None:
            return None
        found = dict(self._rest)
        for name, variable in self._by_variable:
            value = values.get(variable)
            if value is None:  # or absent, so that a default counts
                return None
            found[name] = value
        return found

    def _coerced(self, running: Running) -> Mapping[str, Any]:
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

    def _variables(self) -> list[tuple[str, str]]:
        """The parameters that are given by variables, with these."""
        return [
            (self._names[each.name.value], each.value.name.value)
            for each in self._place.nodes[0].arguments or ()
            if isinstance(each.value, VariableNode)
        ]

    def _constants(self) -> Mapping[str, Any] | None:
        """The other arguments, if they are the same in every run and nobody can change them.

        None also if one that is given by a variable has to be converted.
        """
        given = dict(self._by_variable)
        args = self._place.field.args
        others = {name: argument for name, argument in args.items() if self._names[name] not in given}
        if not all(_is_scalar(args[name]) for name in args.keys() - others.keys()):
            return None
        try:
            coerced = get_argument_values(GraphQLField(self._place.field.type, others), self._place.nodes[0])
        except GraphQLError:
            return None
        return self._converted(coerced) if is_immutable(coerced.values()) else None


def _is_scalar(argument: GraphQLArgument) -> bool:
    return isinstance(get_nullable_type(argument.type), GraphQLScalarType)
