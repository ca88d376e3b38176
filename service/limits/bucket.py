"""One bucket as a worker sees it: what it has taken out ahead of need, and what it knows of the rest."""

import asyncio
import time
from typing import Final

from schema.operation import Bucket
from service.limits.policy import Rate
from service.store.link import Link, Script

AHEAD: Final = 64
"""Requests taken ahead of need at most."""
PATIENCE: Final = 0.5
"""Seconds that the store has for an answer; requests are let in then, and see by themselves how it does."""
_TAKE: Final = Script("take.lua", __package__)


class Share:
    """A worker's share in the bucket of a client; `left` requests may be let in without asking the store."""

    __slots__ = (
        "_full_at",
        "_known",
        "_taking",
        "bucket",
        "label",
        "left",
        "name",
        "open_at",
        "policy",
        "rate",
        "waiting",
    )

    def __init__(self, bucket: Bucket, rate: Rate, name: str) -> None:
        self.bucket = bucket
        self.rate = rate
        self.name = name
        self.label: Final = bucket.encode()
        self.policy: Final = b'"%b";q=%d;w=%d' % (self.label, *rate)
        self.left = 0
        self.waiting = 0
        """Requests that cannot go on before something is left."""
        self.open_at = 0.0
        """Until then (of `time.monotonic`) the bucket is known to be empty."""
        self._known = 0
        self._full_at = 0.0
        self._taking: asyncio.Task[None] | None = None

    @property
    def remaining(self) -> int:
        """Requests that are left in the bucket and here, by what was heard last."""
        return self._known + self.left

    @property
    def fullness(self) -> float:
        """Which part of all the bucket holds is left, by what was heard last."""
        return self.remaining / self.rate.quota

    @property
    def seconds_to_full(self) -> int:
        """Seconds until the bucket is full, by what was heard last."""
        return max(0, -int(-(self._full_at - time.monotonic()) // 1))

    def use(self, link: Link) -> None:
        """Let one request in, of those that are left; with plenty left, take more ahead."""
        self.left -= 1
        if not self.left and self._known > AHEAD:
            self.take(link)

    def take(self, link: Link) -> "asyncio.Task[None]":
        """The call that fills it, under way: for all who are `waiting` when it starts, and some ahead.

        It ends with StoreGone, with TimeoutError, or with something left or `open_at` in the future.
        """
        if self._taking is None:
            self._taking = asyncio.create_task(self._take(link), name="limit")
            self._taking.add_done_callback(self._taken)
        return self._taking

    async def _take(self, link: Link) -> None:
        rate = self.rate
        async with asyncio.timeout(PATIENCE):
            granted, known, wait, full = await link.run(
                _TAKE, [self.name], rate.quota, rate.window * 1_000, max(1, self.waiting), AHEAD
            )
        now = time.monotonic()
        self.left += granted
        self._known = known
        self._full_at = now + full / 1_000
        self.open_at = now + wait / 1_000 if not self.left else 0.0

    def _taken(self, task: "asyncio.Task[None]") -> None:
        self._taking = None
        if not task.cancelled():
            task.exception()  # who waited has it
