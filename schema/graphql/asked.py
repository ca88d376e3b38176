"""Arguments and inputs made of the Structs that say what clients send to the other door."""

import dataclasses
import enum
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import strawberry
from msgspec import Meta, Struct

from schema.graphql import types
from schema.graphql.derive import LARGEST_INT, Place, alias_of
from schema.graphql.scalars import JSON, Milliseconds
from schema.wire import Asked

_ENUMS_OF: Final = ""
"""Enums of the contract have no prefix."""


class Choice:
    """What is asked by an input of which exactly one field is given: one of several kinds."""


class Field(NamedTuple):
    """Something asked: its type as Strawberry wants it, and its default, `Parameter.empty` for none."""

    name: str
    annotation: Any
    default: Any
    description: str | None


def arguments_of(kind: type[Asked]) -> list[inspect.Parameter]:
    """An argument for each field of what is asked, in its order, with its description and default."""
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=Annotated[field.annotation, strawberry.argument(description=field.description)],
        )
        for field in _fields(kind)
    ]


def spelled(kind: type[Struct], values: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked as the other door would be sent it; what was left out, or is null, is left out."""
    config = kind.__struct_config__
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    asked = {names[name]: _plain(value) for name, value in values.items() if value is not None}
    return asked if config.tag is None else {str(config.tag_field): config.tag} | asked


def _plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    kind = getattr(value, "asked", None)
    if kind is None:
        return value
    if kind is Choice:
        (chosen,) = (each for each in vars(value).values() if each is not strawberry.UNSET)
        return _plain(chosen)
    return spelled(kind, vars(value))


def _annotation(hint: Any, place: Place) -> Any:
    """The type of an argument, as Strawberry wants it."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Milliseconds if _is_wide(hint) else _annotation(parts[0], place)
    if origin in (Union, UnionType):
        rest = tuple(part for part in parts if part is not type(None))
        one = _annotation(rest[0], place) if len(rest) == 1 else _choice(alias_of(hint, place.owner), rest)
        return one | None if len(rest) < len(parts) else one
    if origin is Literal:
        return types.DERIVER.mirror(types.DERIVER.enum(alias_of(hint, place.owner) or "", parts, place))
    if origin is tuple:
        return list[_annotation(parts[0], place)]  # type: ignore[misc]  # made from values
    if origin is dict:
        return JSON
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _input(hint)
    return hint


def _is_wide(hint: Any) -> bool:
    """Whether numbers are allowed that no Int holds: those are times."""
    metas = (meta for meta in hint.__metadata__ if isinstance(meta, Meta))
    return any(meta.le is not None and meta.le > LARGEST_INT for meta in metas)


@cache
def _choice(alias: str | None, members: tuple[type[Struct], ...]) -> Any:
    """The input type for a union of tagged Structs: one field for each of them, named after its tag."""
    namespace: dict[str, Any] = {"__annotations__": {}}
    for member in members:
        name = str(member.__struct_config__.tag)
        namespace["__annotations__"][name] = _input(member) | None
        namespace[name] = strawberry.field(description=inspect.getdoc(member), default=strawberry.UNSET)
    made: Any = strawberry.input(
        type(f"{alias}Input", (), namespace), one_of=True, description="One of these."
    )
    made.asked = Choice
    return made


@cache
def _input(kind: type[Struct]) -> Any:
    """The input type for a Struct within what is asked."""
    namespace: dict[str, Any] = {"__annotations__": {}}
    for field in _fields(kind):
        namespace["__annotations__"][field.name] = field.annotation
        is_needed = field.default is inspect.Parameter.empty
        default = dataclasses.MISSING if is_needed else field.default
        namespace[field.name] = strawberry.field(description=field.description, default=default)
    name = f"{kind.__name__.removeprefix('Asked')}Input"
    made: Any = strawberry.input(type(name, (), namespace), name=name, description=inspect.getdoc(kind))
    made.asked = kind
    return made


def _fields(kind: type[Struct]) -> Iterator[Field]:
    """What is asked, field by field. What may be left out has a default, or may be null."""
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        annotation, default = _annotation(hint, Place(kind, field.name, _ENUMS_OF)), field.default
        if field.required:
            default = inspect.Parameter.empty
        elif isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            default = annotation(default)
        elif not isinstance(default, str | int | float):
            annotation, default = annotation | None, None
        yield Field(field.name, annotation, default, _description(hint))


def _description(hint: Any) -> str | None:
    """What is said of a field, also of one that may be null."""
    for meta in getattr(hint, "__metadata__", ()):
        if isinstance(meta, Meta) and meta.description:
            return meta.description
    within = [part for part in get_args(hint) if part is not type(None)]
    return _description(within[0]) if within and get_origin(hint) in (Annotated, Union, UnionType) else None
