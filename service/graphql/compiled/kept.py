"""What was told of positions, encoded: who asks the same of the same position is told the same bytes.

The players and all who watch ask for the legal moves of one position, and what is told of it can only be
out of date if it follows from something else: so nothing is kept but fields that follow from their basis.
"""

import itertools
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from msgspec import Raw

from schema.graphql.basis import Based
from service.graphql.compiled.values import Resolver, Running, is_immutable
from service.http import encode_json

BESIDES: Final = 2_048
"""Bytes that an entry is taken to cost besides what is told: most of them are the state that it is of."""
_SHARE: Final = 8
"""Larger parts of the whole than one in so many are not kept."""
_numbers: Final = itertools.count()


class Kept:
    """So many bytes at most, of what was asked for last."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._told: OrderedDict[Hashable, Raw] = OrderedDict()
        self.size = 0
        """How many bytes there are."""

    def get(self, key: Hashable) -> Raw | None:
        """What is kept under a key."""
        found = self._told.get(key)
        if found is not None:
            self._told.move_to_end(key)
        return found

    def put(self, key: Hashable, told: Any) -> Raw:
        """What is told, encoded; now it is kept, unless it is too large for that."""
        raw = Raw(encode_json(told))
        size = _size(raw)
        if size <= self._most // _SHARE and key not in self._told:
            self._told[key] = raw
            self.size += size
            while self.size > self._most:
                self.size -= _size(self._told.popitem(last=False)[1])
        return raw


class Slot:
    """A place in an operation where a field of a basis is told.

    What is kept knows it by a number: so it keeps no document alive that is not asked for any more.
    """

    __slots__ = ("_kept", "_number", "_resolver")

    def __init__(self, kept: Kept, resolver: Resolver) -> None:
        self._kept = kept
        self._number = next(_numbers)
        self._resolver = None if resolver.is_constant else resolver

    def get(self, value: Based, running: Running) -> Raw | None:
        """What was told of an object there."""
        key = self._key(value, running)
        return None if key is None else self._kept.get(key)

    def put(self, value: Based, running: Running, told: Any) -> Any:
        """What is told of it now."""
        key = self._key(value, running)
        return told if key is None else self._kept.put(key, told)

    def _key(self, value: Based, running: Running) -> Hashable | None:
        basis = value.basis
        if basis is None:
            return None
        if self._resolver is None:
            return self._number, basis
        given = tuple(self._resolver.arguments(running).values())
        return (self._number, basis, given) if is_immutable(given) else None


def _size(raw: Raw) -> int:
    return BESIDES + memoryview(raw).nbytes
