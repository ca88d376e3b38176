"""The values that would have fitted, where a type names them all."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from msgspec import inspect

MOST: Final = 20
"""More values than so many are not named."""
_REFUSED: Final = re.compile(r"Invalid (?:enum )?value (.+)")
_STEP: Final = re.compile(r"\.(\w+)|\[(?:\d+|\.\.\.)\]")
_described: Final = lru_cache(maxsize=128)(inspect.type_info)


def with_choices(text: str, path: str, kind: Any) -> str:
    """The text of a ValidationError about what was read as `kind`, at a path such as `$.clock.onFlag`.

    If the value is none of several it names those, unless there are too many.
    """
    refused = _REFUSED.fullmatch(text)
    values = choices(kind, path) if refused else ()
    if refused is None or not 0 < len(values) <= MOST:
        return text
    *others, last = (f"`{value}`" for value in values)
    return f"Expected {', '.join(others)}{' or ' if others else ''}{last}, got {refused[1]}"


def choices(kind: Any, path: str) -> tuple[object, ...]:
    """Every value that may stand at a path of a `kind`; none if the type does not name all of them."""
    places = tuple(_alternatives(_described(kind)))
    for step in _STEP.finditer(path):
        inner = (found for place in places for found in _inside(place, step[1]))
        places = tuple(alternative for found in inner for alternative in _alternatives(found))
    named = {place.values: None for place in places if isinstance(place, inspect.LiteralType)}
    if len(named) > 1 and max(map(len, named)) > 1:
        return ()  # it depends on what else was read
    return tuple(value for values in named for value in values)


def _alternatives(place: inspect.Type) -> Iterator[inspect.Type]:
    match place:
        case inspect.Metadata():
            yield from _alternatives(place.type)
        case inspect.UnionType():
            for kind in place.types:
                yield from _alternatives(kind)
        case _:
            yield place


def _inside(place: inspect.Type, name: str | None) -> Iterator[inspect.Type]:
    """What a field with this name may be, or, without a name, what an entry may be."""
    match place:
        case inspect.StructType():
            if name is not None and name == place.tag_field:
                yield inspect.LiteralType((str(place.tag),))
            yield from (field.type for field in place.fields if field.encode_name == name)
        case inspect.VarTupleType() | inspect.ListType() if name is None:
            yield place.item_type
        case inspect.DictType() if name is None:
            yield place.value_type
        case _:
            return
