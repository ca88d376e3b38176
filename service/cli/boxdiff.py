"""What is in a file of component data, and in what it differs from another one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

_NAMES: Final = ("id", "name")
"""What an entry of a list is called by, where it has a name."""


class Difference(NamedTuple):
    """An entry that two boxes do not have alike; None where one has none."""

    where: str
    old: Any
    new: Any


class Count(NamedTuple):
    """A list or a table of components: its entries, and the pieces they are if each says its copies."""

    where: str
    entries: int
    pieces: int | None


def differences(old: Any, new: Any, where: str = "") -> Iterator[Difference]:
    """Every entry in which two boxes differ, in the order of the old one, what is only in the new one last.

    Entries of a list are compared by their names if they have some, else by their places.
    """
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in dict.fromkeys((*old, *new)):
            below = f"{where}.{name}" if where else str(name)
            yield from differences(old.get(name), new.get(name), below)
    elif (before := _by_name(old)) and (after := _by_name(new)):
        yield from differences(before, after, where)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, pair in enumerate(zip(old, new, strict=True)):
            yield from differences(*pair, f"{where}[{place}]")
    else:
        yield Difference(where, old, new)


def counts(data: Mapping[str, Any], above: str = "") -> Iterator[Count]:
    """How many entries each list has, and each table of plain tables."""
    for name, value in data.items():
        where = f"{above}{name}"
        if isinstance(value, list):
            yield _count(where, value)
        elif isinstance(value, Mapping) and _is_of_plain_tables(value):
            yield _count(where, list(value.values()))
        elif isinstance(value, Mapping):
            yield from counts(value, f"{where}.")


def _count(where: str, entries: Sequence[Any]) -> Count:
    copies = [entry.get("copies") if isinstance(entry, Mapping) else None for entry in entries]
    pieces = [number for number in copies if isinstance(number, int)]
    return Count(where, len(entries), sum(pieces) if pieces and len(pieces) == len(entries) else None)


def _is_of_plain_tables(table: Mapping[str, Any]) -> bool:
    return bool(table) and all(
        isinstance(entry, Mapping) and not any(isinstance(value, list | Mapping) for value in entry.values())
        for entry in table.values()
    )


def _by_name(value: Any) -> dict[str, Any] | None:
    """The entries of a list by their names, None if it is no list or they have none of their own."""
    if not isinstance(value, list):
        return None
    for name in _NAMES:
        named = {str(entry[name]): entry for entry in value if isinstance(entry, Mapping) and name in entry}
        if len(named) == len(value):
            return named
    return None
