"""Those who follow something: they sleep until there is something to tell, and are told when to end."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Literal, Self

Reason = Literal["gone", "stopping", "talking", "slow"]


def current_task() -> "asyncio.Task[object]":
    """The task that runs this."""
    task = asyncio.current_task()
    assert task is not None
    return task


class Follower:
    """One client, in its own task: it alone calls `sleep`. It follows until its `with` block ends.

    `ended` says why it has to end, once it has to: its client is gone, the server stops, the client says
    something where it only is to listen, or it takes in nothing. `address` is its client's. Times are those
    of the event loop, in seconds.
    """

    __slots__ = (
        "_is_woken",
        "_leave",
        "_loop",
        "_places",
        "_sleep",
        "address",
        "busy_since",
        "cut",
        "ended",
        "heartbeat_at",
    )

    def __init__(self, address: str, heartbeat_at: float, leave: Callable[["Follower"], None]) -> None:
        self.address = address
        self.heartbeat_at = heartbeat_at
        """When a sign of life is due."""
        self.busy_since: float | None = None
        """Since when its client has been taking in what was sent; None if it has done so."""
        self.cut: Callable[[], object] = current_task().cancel
        """Ends its connection at once, or, where that cannot be done, its task."""
        self.ended: Reason | None = None
        self._is_woken = False
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._places: tuple[set[Follower], ...] = ()
        self._sleep: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for place in self._places:
            place.discard(self)
        self._leave(self)

    def join(self, followers: set["Follower"]) -> None:
        """Be among those who are woken together."""
        followers.add(self)
        self._places = (*self._places, followers)

    def wake(self) -> None:
        """Have `sleep` return, the current one or the next."""
        self._is_woken = True
        if self._sleep is not None and not self._sleep.done():
            self._sleep.set_result(None)

    def end(self, reason: Reason) -> None:
        """Have it end; the first reason stands."""
        self.ended = self.ended or reason
        self.wake()

    async def sleep(self) -> None:
        """Nothing, when woken since it returned the last time."""
        if not self._is_woken:
            self._sleep = self._loop.create_future()
            try:
                await self._sleep
            finally:
                self._sleep = None
        self._is_woken = False
