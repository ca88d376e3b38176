"""Twins: the shape in which the games' own Structs travel.

A game's states are arrays of snake_case fields, which is small and fast but no contract for clients. The
twin of a Struct has the same fields as a map with camelCase names, and its schema is what is sent.
Twins are made from the types alone, so every game has them.
"""

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

TAG_FIELD: Final = "kind"
"""Tells the members of a union apart."""

Projection = Callable[[Any], Any]


@cache
def twin(kind: Any, prefix: str) -> Any:
    """The type in which values of `kind` are sent: Structs become their twins, named `prefix` and their own
    name, at any depth; anything else stays."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        fields = [(name, twin(hint, prefix)) for name, hint in _fields(kind)]
        return _define(kind, prefix, fields)
    return _rebuilt(kind, lambda part: twin(part, prefix))


@cache
def asked_twin(kind: type[Struct], prefix: str) -> type[Struct]:
    """The type in which a client sends a value of `kind`: as `twin`, with the defaults of `kind`, and
    unknown fields are refused."""
    fields = [
        (field.name, _asked(hint, prefix), _default(field, prefix))
        for field, (_, hint) in zip(msgspec.structs.fields(kind), _fields(kind), strict=True)
    ]
    return _define(kind, prefix, fields, forbid_unknown_fields=True)


@cache
def projection(kind: Any, prefix: str) -> Projection:
    """The function that makes the twin of a value of `kind`."""
    return _projection(kind, prefix) or _same


def _same(value: Any) -> Any:
    return value


def _fields(kind: type[Struct]) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return [(name, hints[name]) for name in kind.__struct_fields__]


def _default(field: msgspec.structs.FieldInfo, prefix: str) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    if isinstance(field.default, Struct):
        default = msgspec.convert(
            field.default, asked_twin(type(field.default), prefix), from_attributes=True
        )
        return msgspec.field(default=default)
    return msgspec.field(default=field.default)


def _define(kind: type[Struct], prefix: str, fields: Any, **config: Any) -> type[Struct]:
    tag = kind.__struct_config__.tag
    return msgspec.defstruct(
        prefix + kind.__name__,
        fields,
        namespace={"__doc__": vars(kind).get("__doc__")},
        module=kind.__module__,
        rename="camel",
        frozen=True,
        kw_only=True,
        tag=tag,
        tag_field=TAG_FIELD if tag is not None else None,
        **config,
    )


def _asked(kind: Any, prefix: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Struct):
        return asked_twin(kind, prefix)
    return _rebuilt(kind, lambda part: _asked(part, prefix))


def _rebuilt(kind: Any, change: Callable[[Any], Any]) -> Any:
    """A generic type with each of its parts changed; any other type as it is."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[change(parts[0]), *kind.__metadata__]
    if origin is Literal:
        return kind
    changed = tuple(part if part is Ellipsis else change(part) for part in parts)
    if changed == parts:
        return kind
    return reduce(or_, changed) if _is_union(kind) else origin[changed]


def _is_union(kind: Any) -> bool:
    return get_origin(kind) is Union or type(kind).__name__ == "UnionType"


def _projection(kind: Any, prefix: str) -> Projection | None:
    """As `projection`, None where values of `kind` hold no Struct."""
    kind = _bare(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_struct(kind, prefix)
    parts = get_args(kind)
    within = [None if _is_no_type(part) else _projection(part, prefix) for part in parts]
    if not any(within):
        return None
    if _is_union(kind):
        return _of_union(parts, within)
    if get_origin(kind) is tuple:
        row = within[0] if parts[-1] is Ellipsis else None
        return _of_row(row) if row else _of_tuple(within)
    raise TypeError(f"no twin for {kind}: Structs may lie in Structs, tuples and unions")


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_no_type(part: Any) -> bool:
    """Whether a part of a generic type is `...` or a value of a Literal."""
    return part is Ellipsis or isinstance(part, str | int)


def _of_struct(kind: type[Struct], prefix: str) -> Projection:
    made = twin(kind, prefix)
    names = kind.__struct_fields__
    changes = [(name, change) for name, hint in _fields(kind) if (change := _projection(hint, prefix))]
    if not names:
        only = made()
        return lambda _: only
    get = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)

    def project(value: Any) -> Any:
        values = dict(zip(names, get(value), strict=True))
        for name, change in changes:
            values[name] = change(values[name])
        return made(**values)

    return project


def _of_row(change: Projection) -> Projection:
    return lambda value: tuple(map(change, value))


def _of_tuple(within: list[Projection | None]) -> Projection:
    changes = [change or _same for change in within]
    return lambda value: tuple(change(part) for change, part in zip(changes, value, strict=True))


def _of_union(parts: tuple[Any, ...], within: list[Projection | None]) -> Projection:
    """By class: in a union msgspec allows one member of each kind of value, and tagged Structs."""
    table: Mapping[type, Projection] = {
        get_origin(_bare(part)) or _bare(part): change
        for part, change in zip(parts, within, strict=True)
        if change
    }
    return lambda value: table.get(type(value), _same)(value)
