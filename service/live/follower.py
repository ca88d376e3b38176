"""Those who follow something: they sleep until there is something to tell, and are told when to end."""

import asyncio
from typing import Literal

Reason = Literal["gone", "stopping", "talking"]


class Follower:
    """One client of a stream, in its own task: it alone calls `sleep`.

    `ended` says why it has to end, once it has to: its client is gone, the server stops, or the client says
    something where it only is to listen.
    """

    __slots__ = ("_is_woken", "_sleep", "ended", "heartbeat_at")

    def __init__(self, heartbeat_at: float) -> None:
        self.heartbeat_at = heartbeat_at
        """When a sign of life is due, in seconds of the event loop."""
        self.ended: Reason | None = None
        self._is_woken = False
        self._sleep: asyncio.Future[None] | None = None

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
            self._sleep = asyncio.get_running_loop().create_future()
            try:
                await self._sleep
            finally:
                self._sleep = None
        self._is_woken = False
