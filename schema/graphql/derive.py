"""GraphQL types derived from Structs: what a Struct says of itself is all that is needed.

For each Struct a mirror class is made that Strawberry reads; the values stay the Structs. Docstrings and
`Meta(description=...)` become descriptions, tags the field `kind`, aliases of Literals enums, aliases of
unions unions. What has no sound GraphQL form is refused when the schema is built, with the field's path.
"""

import enum
import inspect
import re
import sys
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import strawberry
from msgspec import Meta, Struct, UnsetType

from schema.graphql.scalars import DERIVED_SCALARS, figures, measures, scores, texts

LARGEST_INT: Final = 2**31 - 1
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED: Final = frozenset(("true", "false", "null"))
_LISTS: Final = (list, frozenset, tuple)
Convert = Callable[[Any], Any]


class DeriveError(TypeError):
    """A Struct that no GraphQL type can stand for. The message begins with the field's path."""


class Shape(NamedTuple):
    """The GraphQL form of a type: an annotation in terms of the mirrors, and what makes the value fit."""

    annotation: str
    convert: Convert | None = None


class Place(NamedTuple):
    """Where a type stands: its Struct, the field, and the prefix of the names derived from it."""

    owner: type[Struct]
    field: str
    prefix: str

    def __str__(self) -> str:
        return f"{self.owner.__name__}.{self.field}"


class Deriver:
    """All types derived for one schema. Names are claimed once: a second claimant is refused."""

    def __init__(self, module: str, renamed: Mapping[str, str]) -> None:
        """Mirrors live in the module of this name; `renamed` are names of Structs and aliases that change."""
        self._module: Final = types.ModuleType(module, "Mirrors of Structs.")
        sys.modules[module] = self._module
        vars(self._module).update(DERIVED_SCALARS, Annotated=Annotated, strawberry=strawberry)
        self._renamed: Final = renamed
        self._owners: Final[dict[str, Any]] = {}
        self._names: Final[dict[tuple[str, Any], str]] = {}
        self._fields: Final[dict[str, dict[str, str]]] = {}
        self._bases: Final[dict[type[Struct], tuple[type, ...]]] = {}
        self.objects: Final[list[str]] = []
        """The names of the object types derived."""

    def mirror(self, name: str) -> Any:
        """The class, union or enum that Strawberry knows under a GraphQL name."""
        return vars(self._module)[name]

    def implement(self, interface: type, kinds: tuple[type[Struct], ...]) -> None:
        """The types of these Structs, none of which is derived yet, implement an interface."""
        for kind in kinds:
            self._bases[kind] = (*self._bases.get(kind, ()), interface)

    def struct(
        self,
        kind: type[Struct],
        prefix: str = "",
        *,
        values: type | None = None,
        skipped: frozenset[str] = frozenset(),
    ) -> str:
        """The name of the object type for a Struct.

        `values` is the class of its values if that is not the Struct; fields `skipped` are left out. Raises
        DeriveError.
        """
        if (prefix, kind) in self._names:
            return self._names[prefix, kind]
        name = self._claim(prefix + self._renamed.get(kind.__name__, kind.__name__), kind)
        self._names[prefix, kind] = name  # before its fields: there recursion ends
        shown = values or kind
        namespace: dict[str, Any] = {"__annotations__": {}, "__module__": self._module.__name__}
        self._fields[name] = {}
        bases = self._bases.get(kind, ())
        if values is None:
            self._add_tag(kind, namespace, name)
        hints = get_type_hints(kind, include_extras=True)
        for field in kind.__struct_fields__:
            if field not in skipped:
                self._add(namespace, name, Place(kind, field, prefix), hints[field])
        if not self._fields[name] and not bases:
            raise DeriveError(f"{kind.__name__}: it has no field, and GraphQL no type without one")
        namespace["is_type_of"] = staticmethod(lambda value, _info: type(value) is shown)
        made = type(name, bases, namespace)
        vars(self._module)[name] = strawberry.type(made, name=name, description=_doc(kind))
        self.objects.append(name)
        return name

    def union(self, alias: str, members: tuple[type[Struct], ...], place: Place, description: str) -> str:
        """The name of the union of these Structs. Raises DeriveError, also if fields of members conflict."""
        key = (place.prefix, frozenset(members))
        if key in self._names:
            return self._names[key]
        name = self._names[key] = self._claim(place.prefix + alias, key)
        parts = tuple(self._member(self.struct(member, place.prefix)) for member in members)
        self.check_together(name, [self._names[place.prefix, member] for member in members])
        vars(self._module)[name] = union_of(name, parts, description or None)
        return name

    def check_together(self, where: str, names: list[str]) -> None:
        """Nothing, if one selection may name fields of all these types. Raises DeriveError.

        Source: GraphQL, 5.3.2: fields of one response name have one shape, whatever the object is.
        """

        def object_or_leaf(found: re.Match[str]) -> str:
            return "{}" if found[0] in self._fields else found[0]

        shapes: dict[str, tuple[str, str]] = {}
        for name in names:
            for field, annotation in self._fields[name].items():
                shape = re.sub(r"\w+", object_or_leaf, annotation)
                known, first = shapes.setdefault(field, (shape, name))
                if known != shape:
                    raise DeriveError(f"{where}: {first}.{field} is {known}, {name}.{field} is {shape}")

    def enum(self, alias: str, values: tuple[Any, ...], place: Place) -> str:
        """The name of the enum of these words, which are its values. Raises DeriveError."""
        name = self._renamed.get(alias, place.prefix + alias)
        if (place.prefix, values) in self._names:
            return self._names[place.prefix, values]
        for value in values:
            if not isinstance(value, str) or not _NAME.fullmatch(value) or value in _RESERVED:
                raise DeriveError(f"{place}: {value!r} is no name that an enum may have")
        self._names[place.prefix, values] = self._claim(name, values)
        made = enum.Enum(name, {value: value for value in values}, module=self._module.__name__)  # type: ignore[misc]
        vars(self._module)[name] = strawberry.enum(made, name=name)
        return name

    def _claim(self, name: str, owner: Any) -> str:
        if self._owners.setdefault(name, owner) != owner:
            raise DeriveError(f"two things are called {name}: {self._owners[name]!r} and {owner!r}")
        return name

    def _member(self, name: str) -> Any:
        """A member of a union; one whose fields are being derived is not there yet."""
        made = vars(self._module).get(name)
        return made or Annotated[name, strawberry.lazy(self._module.__name__)]

    def _add_tag(self, kind: type[Struct], namespace: dict[str, Any], name: str) -> None:
        """The field `kind` of a tagged Struct."""
        tag = kind.__struct_config__.tag
        if tag is None:
            return

        def told(root: Any) -> str:
            return str(tag)

        self._fields[name]["kind"] = "str"
        namespace["kind"] = strawberry.field(told, description=f"`{tag}`.", graphql_type=str)

    def _add(self, namespace: dict[str, Any], name: str, place: Place, hint: Any) -> None:
        """A field of the mirror."""
        description, hint = _described(hint)
        shape = self._shape(hint, place)
        self._fields[name][place.field] = shape.annotation
        if shape.convert is None:
            namespace["__annotations__"][place.field] = shape.annotation
            namespace[place.field] = strawberry.field(description=description)
        else:
            resolver = _resolver(place.field, shape.convert)
            namespace[place.field] = strawberry.field(
                resolver, description=description, graphql_type=shape.annotation
            )

    def _shape(self, hint: Any, place: Place) -> Shape:
        hint, scalar = _bare(hint, place)
        origin, parts = get_origin(hint), get_args(hint)
        if scalar is not None:
            return Shape(scalar)
        if origin in (Union, types.UnionType):
            return self._choice(hint, parts, place)
        if origin is Literal:
            alias = alias_of(hint, place.owner) or place.owner.__name__ + _pascal(place.field)
            return Shape(self.enum(alias, parts, place))
        if origin is dict:
            return _of_dict(parts, place)
        if origin in _LISTS and len(set(parts) - {Ellipsis}) == 1:
            inner = self._shape(parts[0], place)
            if inner.convert is None:
                return Shape(f"list[{inner.annotation}]")
        elif hint is Any:
            return Shape("JSON")
        elif isinstance(hint, type) and hint.__name__ in DERIVED_SCALARS:
            return Shape(hint.__name__)
        elif isinstance(hint, type) and issubclass(hint, Struct):
            return Shape(self.struct(hint, place.prefix))
        raise DeriveError(f"{place}: no GraphQL type for {hint}")

    def _choice(self, hint: Any, parts: tuple[Any, ...], place: Place) -> Shape:
        rest = tuple(part for part in parts if part not in (type(None), UnsetType))
        optional = " | None" if len(rest) < len(parts) else ""
        if len(rest) == 1:
            inner = self._shape(rest[0], place)
            absent = UnsetType in parts
            return Shape(inner.annotation + optional, _unset(inner.convert) if absent else inner.convert)
        if not all(isinstance(part, type) and issubclass(part, Struct) for part in rest):
            raise DeriveError(f"{place}: {hint}: GraphQL has unions of object types only")
        alias = alias_of(hint, place.owner)
        if alias is None:
            raise DeriveError(f"{place}: the union has no name: give it an alias in its module")
        return Shape(self.union(alias, rest, place, "") + optional)


def union_of(name: str, parts: tuple[Any, ...], description: str | None) -> Any:
    """The union of these types, as Strawberry wants it."""
    together: Any = Union[parts]  # noqa: UP007  # made from values
    return Annotated[together, strawberry.union(name, description=description)]


def _doc(kind: type[Struct]) -> str | None:
    """What a Struct itself, none of its bases, says of itself."""
    doc = vars(kind).get("__doc__")
    return inspect.cleandoc(doc) if doc else None


def _described(hint: Any) -> tuple[str | None, Any]:
    """The description of a field, and its type."""
    for meta in getattr(hint, "__metadata__", ()):
        if isinstance(meta, Meta) and meta.description:
            return meta.description, hint
    return None, hint


def _bare(hint: Any, place: Place) -> tuple[Any, str | None]:
    """A type without annotations, and the scalar that they ask for. Raises DeriveError."""
    scalar = None
    while get_origin(hint) is Annotated:
        for meta in hint.__metadata__:
            if isinstance(meta, Meta):
                scalar = (meta.extra or {}).get("scalar", scalar)
                if scalar is None and max(map(abs, _bounds(meta)), default=0) > LARGEST_INT:
                    raise DeriveError(f"{place}: Int has 32 bits; name a scalar in Meta(extra=...)")
        hint = hint.__origin__
    if scalar is None or type(None) not in get_args(hint):
        return hint, scalar
    return hint, f"{scalar} | None"


def _bounds(meta: Meta) -> list[float]:
    return [bound for bound in (meta.ge, meta.gt, meta.le, meta.lt) if bound is not None]


def alias_of(hint: Any, owner: type[Struct]) -> str | None:
    """The name that the module of a Struct gives to a Literal or a union, None or not."""
    wanted = frozenset(get_args(hint)) - {type(None), UnsetType}
    for name, value in vars(sys.modules[owner.__module__]).items():
        if get_origin(value) in (Literal, Union, types.UnionType) and frozenset(get_args(value)) == wanted:
            return name
    return None


def _of_dict(parts: tuple[Any, ...], place: Place) -> Shape:
    """A map from names: GraphQL has lists."""
    if parts == (str, Any):
        return Shape("JSON")
    if parts == (str, str):
        return Shape("list[NamedText]", texts)
    if parts == (str, int):
        return Shape("list[Score]", scores)
    if parts == (str, float):
        return Shape("list[Measure]", measures)
    if parts == (str, int | str):
        return Shape("list[Figure]", figures)
    raise DeriveError(f"{place}: no GraphQL type for a map of {parts}")


def _unset(convert: Convert | None) -> Convert:
    """Null where a value is absent."""
    if convert is None:
        return lambda value: None if value is msgspec.UNSET else value
    return lambda value: None if value is msgspec.UNSET else convert(value)


def _resolver(field: str, convert: Convert) -> Callable[[Any], Any]:
    def resolve(root: Any) -> Any:
        return convert(getattr(root, field))

    return resolve


def _pascal(field: str) -> str:
    return "".join(word.capitalize() for word in field.split("_"))
