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


class Patience:
    """So many seconds for everything that is begun, with one timer for all of it.

    To set a timer for each request and to take it back costs as much as to look up a match.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._dues: dict[Turn, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, turn: "Turn", loop: asyncio.AbstractEventLoop) -> None:
        """Its time begins."""
        self._dues[turn] = due = loop.time() + self._seconds
        if self._loop is not loop:
            self._loop = loop
            loop.call_at(due, self._look, loop)

    def end(self, turn: "Turn") -> None:
        """It has ended."""
        del self._dues[turn]

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel whatever is late; what began first comes first."""
        now = loop.time()
        for turn, due in self._dues.items():
            if due > now:
                loop.call_at(due, self._look, loop)
                return
            turn.cancel()
        self._loop = None


class Turn:
    """A context in which the task raises TimeoutError if it takes longer than one has patience.

    Source: asyncio.timeout, which tells a cancellation of its own from others in this way.
    """

    __slots__ = ("_cancelling", "_is_late", "_patience", "_task")

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._is_late = False

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        self._patience.begin(self, loop)

    def cancel(self) -> None:
        """It is too late: told once."""
        if not self._is_late:
            self._is_late = True
            self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self._patience.end(self)
        if self._is_late and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error


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
