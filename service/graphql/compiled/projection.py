"""From the values of a field to what is told of them: one function for each type and selection.

A function is made when the first value of its type is met, since a selection on an interface may be of many
types and few of them occur. The code holds names of GraphQL and of fields of ours, never text of a client.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
import strawberry
from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
)
from graphql.execution.execute import default_type_resolver

from schema.graphql.basis import OF_BASIS
from service.graphql.compiled.kept import Kept, Slot
from service.graphql.compiled.leaves import PLAIN, Words, coercion
from service.graphql.compiled.outcomes import Bail, Unsupported, bail
from service.graphql.compiled.selection import Nodes, Selection
from service.graphql.compiled.values import (
    DEFINITION,
    FieldInfo,
    Place,
    Resolver,
    Running,
    is_attribute,
    is_awaited,
    is_told_nothing,
)

Function = Callable[[Any, Running], Any]
TYPENAME: Final = "__typename"


class Made(NamedTuple):
    """A function that projects a value, and whether it has to be awaited."""

    function: Function
    is_async: bool


class Below(NamedTuple):
    """What is selected below a field: whether anything is awaited, and whether all of it follows from the
    value of the field alone.
    """

    is_async: bool
    is_settled: bool


_NOTHING: Final = Below(is_async=False, is_settled=True)


class Projection:
    """The functions of one operation for one choice of its flags."""

    def __init__(
        self, schema: strawberry.Schema, selection: Selection, flags: Mapping[str, bool], kept: Kept
    ) -> None:
        self.schema: Final = schema
        self.core: Final[GraphQLSchema] = schema._schema  # noqa: SLF001 - there is no other way to it
        self._selection = selection
        self._flags = flags
        self.kept: Final = kept
        self._dispatches: dict[tuple[Any, ...], Dispatch] = {}
        self._below: dict[tuple[Any, ...], Below] = {}
        self._structs: dict[tuple[str, ...], type] = {}

    def of_field(self, place: Place) -> Made:
        """The function of what the resolver of a field returns. Raises Unsupported."""
        is_async = self.below(place.field.type, place.nodes).is_async
        code = Code(self)
        return Made(code.function(code.value("o", place.field.type, place), is_async=is_async), is_async)

    def of_object(self, kind: GraphQLObjectType, nodes: Nodes, *, is_async: bool) -> Function:
        """The function of values of an object type."""
        code, keys, values = Code(self), [], []
        for key, below in self.fields(kind, nodes).items():
            keys.append(key)
            values.append(code.field(kind, below))
        made = code.name("s", self._struct(tuple(keys)))
        return code.function(f"{made}({', '.join(values)})", is_async=is_async)

    def fields(self, kind: GraphQLObjectType, nodes: Nodes) -> dict[str, Nodes]:
        """What is selected below these nodes of values of an object type."""
        sets = [node.selection_set for node in nodes if node.selection_set]
        return self._selection.fields(kind, sets, self._flags)

    def dispatch(self, kind: Any, place: Place) -> "Dispatch":
        """The functions for the classes of the values of a type."""
        key = (kind.name, *map(id, place.nodes))
        if key not in self._dispatches:
            self._dispatches[key] = Dispatch(self, kind, place)
        return self._dispatches[key]

    def below(self, kind: Any, nodes: Nodes) -> Below:
        """What is selected below these nodes. Raises Unsupported."""
        named = get_named_type(kind)
        if is_leaf_type(named):
            return _NOTHING
        key = (named.name, *map(id, nodes))
        if key not in self._below:
            kinds = [named] if isinstance(named, GraphQLObjectType) else self.core.get_possible_types(named)
            found = [
                self._field(each, below) for each in kinds for below in self.fields(each, nodes).values()
            ]
            self._below[key] = Below(
                any(each.is_async for each in found), all(each.is_settled for each in found)
            )
        return self._below[key]

    def is_of_basis(self, place: Place) -> bool:
        """Whether all that is told of a field follows from the basis of its object and its arguments."""
        marks = place.field.extensions[DEFINITION].metadata
        return OF_BASIS.items() <= marks.items() and self.below(place.field.type, place.nodes) == _NOTHING

    def _field(self, kind: GraphQLObjectType, nodes: Nodes) -> Below:
        """The same of one field and what is selected below it."""
        name = nodes[0].name.value
        if name == TYPENAME:
            return _NOTHING
        field = kind.fields[name]
        if DEFINITION not in field.extensions:
            raise Unsupported("foreign field")
        below = self.below(field.type, nodes)
        return Below(is_awaited(field) | below.is_async, below.is_settled and is_told_nothing(field, nodes))

    def _struct(self, keys: tuple[str, ...]) -> type:
        """The class of objects with these keys: faster to make and to encode than a dict."""
        if keys not in self._structs:
            fields = [(f"f{number}", Any, msgspec.field(name=key)) for number, key in enumerate(keys)]
            self._structs[keys] = msgspec.defstruct("Projected", fields, gc=False)
        return self._structs[keys]


class Dispatch(dict[type, Function]):
    """The function for each class of values of a type; of which type a class is, its first value says."""

    def __init__(self, projection: Projection, kind: Any, place: Place) -> None:
        super().__init__()
        self._projection = projection
        self._kind = kind
        self._place = place
        self.is_async: Final = projection.below(kind, place.nodes).is_async

    def __missing__(self, _: type) -> Function:
        return self._meet

    def _meet(self, value: Any, running: Running) -> Any:
        kind = self._type_of(value, running)
        function = self._projection.of_object(kind, self._place.nodes, is_async=self.is_async)
        self[value.__class__] = function
        return function(value, running)

    def _type_of(self, value: Any, running: Running) -> GraphQLObjectType:
        if asyncio.iscoroutine(value):
            value.close()
            raise Bail("awaitable")
        info: Any = FieldInfo(running, self._place, None)
        kind = self._kind if isinstance(self._kind, GraphQLObjectType) else self._member(value, info)
        if kind.is_type_of is not None and kind.is_type_of(value, info) is not True:
            raise Bail("data")
        return kind

    def _member(self, value: Any, info: Any) -> GraphQLObjectType:
        """The type of a value that may be of several."""
        core = self._projection.core
        found = (self._kind.resolve_type or default_type_resolver)(value, info, self._kind)
        kind = core.get_type(found) if isinstance(found, str) else None
        if not isinstance(kind, GraphQLObjectType) or not core.is_sub_type(self._kind, kind):
            raise Bail("data")
        return kind


class Code:
    """The text of a function, and what its names stand for. It is asked of an object `o` in a run `c`."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._names: dict[str, Any] = {"bail": bail}
        self._count = 0

    def name(self, prefix: str, value: Any = None) -> str:
        """A name that is new, for a value or for a variable."""
        self._count += 1
        name = f"{prefix}{self._count}"
        if value is not None:
            self._names[name] = value
        return name

    def function(self, expression: str, *, is_async: bool) -> Function:
        """The function that returns this."""
        text = f"{'async ' if is_async else ''}def made(o, c): return {expression}"
        exec(compile(text, "<graphql>", "exec"), self._names)  # noqa: S102 - see the module
        made: Function = self._names["made"]
        return made

    def field(self, kind: GraphQLObjectType, nodes: list[FieldNode]) -> str:
        """The expression of a field of `o`."""
        name = nodes[0].name.value
        if name == TYPENAME:
            return repr(kind.name)
        field = kind.fields[name]
        place = Place(kind, field, nodes)
        if is_attribute(field):
            return self.value(f"o.{field.extensions[DEFINITION].python_name}", field.type, place)
        resolver = Resolver(self._projection.schema, place)
        function, arguments = resolver.call()
        called = f"{self.name('r', function)}({arguments.replace('{self}', self.name('a', resolver))})"
        if is_awaited(field):
            return self.value(f"(await {called})", field.type, place)
        told = self.value(called, field.type, place)
        return self._kept(told, resolver) if self._projection.is_of_basis(place) else told

    def _kept(self, told: str, resolver: Resolver) -> str:
        """The expression of what is told once of a basis of `o`."""
        known, slot = self.name("x"), self.name("q", Slot(self._projection.kept, resolver))
        return f"({slot}.put(o, c, {told}) if ({known} := {slot}.get(o, c)) is None else {known})"

    def value(self, value: str, kind: Any, place: Place) -> str:
        """The expression of what is told of a value, itself an expression, of a type."""
        if isinstance(kind, GraphQLNonNull):
            return self._told(value, kind.of_type, place, or_null=False)
        return self._told(value, kind, place, or_null=True)

    def _told(self, value: str, kind: Any, place: Place, *, or_null: bool) -> str:
        bound = value if value.isidentifier() else self.name("x")
        first = value if value.isidentifier() else f"({bound} := {value})"
        if isinstance(kind, GraphQLScalarType | GraphQLEnumType):
            return self._leaf(bound, first, kind, or_null=or_null)
        if isinstance(kind, GraphQLList):
            return self._list(bound, first, self._entries(bound, kind, place), or_null=or_null)
        dispatch = self._projection.dispatch(kind, place)
        called = f"{self.name('d', dispatch)}[{first if not or_null else bound}.__class__]({bound}, c)"
        if dispatch.is_async:
            called = f"(await {called})"
        return f"(None if {first} is None else {called})" if or_null else called

    def _entries(self, bound: str, kind: Any, place: Place) -> str:
        entry = self.name("i")
        return f"[{self.value(entry, kind.of_type, place)} for {entry} in {bound}]"

    @staticmethod
    def _list(bound: str, first: str, entries: str, *, or_null: bool) -> str:
        other = f"None if {bound} is None else bail()" if or_null else "bail()"
        kinds = f"{first}.__class__ is tuple or {bound}.__class__ is list or {bound}.__class__ is frozenset"
        return f"({entries} if {kinds} else {other})"

    def _leaf(self, bound: str, first: str, kind: Any, *, or_null: bool) -> str:
        coerced = self.name("k", coercion(kind, or_null=or_null))
        if isinstance(kind, GraphQLEnumType):
            words = self.name("w", Words(kind))
            return f"({words}[{bound}] if {first}.__class__ is str else {coerced}({bound}))"
        if kind.name not in PLAIN:
            return f"{coerced}({first})"
        return f"({bound} if {PLAIN[kind.name].format(first=first, value=bound)} else {coerced}({bound}))"
