"""Waiting with a limit."""

import asyncio
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar, cast

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to. Raises TimeoutError if it takes longer.

    The time is only taken if there is something to wait for: `asyncio.timeout` alone costs 5 us.
    """
    try:
        waits_for = work.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    async with asyncio.timeout(seconds):
        return cast("T", await _Begun(work, waits_for))


class _Begun(Generator[Any, Any, Any]):
    """Work that was begun, to be awaited from where it waits first; from then on it is the work itself."""

    def __init__(self, work: Coroutine[Any, Any, Any], waits_for: Any) -> None:
        self._work = work
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        return self

    def send(self, value: Any, /) -> Any:
        if self._waits_for is None:
            return self._work.send(value)
        waits_for, self._waits_for = self._waits_for, None
        return waits_for

    def throw(self, *error: Any) -> Any:
        self._waits_for = None
        return self._work.throw(*error)
