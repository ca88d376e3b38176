"""What thousands of connections need each: as asyncio has it, but small. For the tasks of one event loop."""

from asyncio import AbstractEventLoop, Future
from typing import Any


class Inbox:
    """Messages that one task takes: a queue of asyncio keeps 2.5 KB beside them."""

    __slots__ = ("_loop", "_messages", "_waiter")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: list[Any] = []
        self._waiter: Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Have it taken after those before."""
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def empty(self) -> bool:
        """Whether none is left."""
        return not self._messages

    async def get(self) -> Any:
        """The first message, when there is one."""
        while not self._messages:
            self._waiter = self._loop.create_future()
            await self._waiter
        self._waiter = None
        return self._messages.pop(0)


class Gate:
    """Lets pass who waits, while it is open: an event of asyncio keeps 0.7 KB for that."""

    __slots__ = ("_is_open", "_loop", "_waiters")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._is_open = True
        self._waiters: list[Future[None]] = []

    def set(self) -> None:
        """Open it."""
        self._is_open = True
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    def clear(self) -> None:
        """Close it."""
        self._is_open = False

    def is_set(self) -> bool:
        """Whether it is open."""
        return self._is_open

    async def wait(self) -> None:
        """Nothing, when it is open."""
        if not self._is_open:
            waiter = self._loop.create_future()
            self._waiters.append(waiter)
            await waiter
