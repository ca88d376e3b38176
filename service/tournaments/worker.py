"""The worker of tournaments: drives as many as there are, each as long as it has the lease of it."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NoReturn

from service.errors import Refused
from service.store.errors import StoreError, StoreGone
from service.store.opening import in_background
from service.tournaments import keys
from service.tournaments.runner import Hall, Runner

LOOK_SECONDS: Final = 2.0
"""Time after which it is looked for tournaments that nobody drives, whatever was told."""
_log: Final = logging.getLogger(__name__)


class Worker:
    """Drives tournaments until cancelled. While the store is away nothing is done and nothing raised."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._news = hall.store.news(self._hear, self._look)
        self._runners: dict[str, tuple[Runner, asyncio.Task[None]]] = {}
        self._is_due = asyncio.Event()

    async def run(self) -> NoReturn:
        """Look for tournaments that nobody drives, and drive them."""
        async with in_background(self._news), self._ending():
            await self._follow(keys.WAKE)
            while True:
                try:
                    await self._take_up()
                except StoreGone as error:
                    _log.warning("No tournament goes on: %s", error)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._is_due.wait()
                self._is_due.clear()

    @asynccontextmanager
    async def _ending(self) -> AsyncIterator[None]:
        """Leave every tournament at the end."""
        try:
            yield
        finally:
            tasks = [task for _, task in self._runners.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for tournament_id in self._runners:
                with contextlib.suppress(StoreGone):
                    await self._hall.tournaments.release(tournament_id, self._hall.worker)

    async def _take_up(self) -> None:
        for tournament_id in [name for name, (_, task) in self._runners.items() if task.done()]:
            del self._runners[tournament_id]
            for channel in (keys.tournament(tournament_id), keys.matches(tournament_id)):
                await self._news.leave(channel)
        for tournament_id in await self._hall.tournaments.active():
            if tournament_id in self._runners:
                continue
            if await self._hall.tournaments.lease(tournament_id, self._hall.worker):
                await self._follow(keys.tournament(tournament_id))
                await self._follow(keys.matches(tournament_id))
                runner = Runner(self._hall, tournament_id)
                task = asyncio.create_task(self._drive(runner, tournament_id), name=f"drive {tournament_id}")
                self._runners[tournament_id] = (runner, task)

    async def _drive(self, runner: Runner, tournament_id: str) -> None:
        try:
            await runner.run()
        except StoreGone as error:
            _log.warning("The tournament %s waits: %s", tournament_id, error)
        except (StoreError, Refused) as error:
            _log.error("The tournament %s cannot be driven: %s", tournament_id, error)
        except Exception:
            _log.exception("Driving the tournament %s failed.", tournament_id)
            raise

    async def _follow(self, channel: str) -> None:
        """Hear of a channel, as soon as there is a connection for news. Without, it is looked regularly."""
        with contextlib.suppress(StoreGone):
            await self._news.follow(channel)

    def _hear(self, channel: str, content: bytes) -> None:
        found = self._runners.get(keys.tournament_of(channel))
        if found is None:
            self._is_due.set()
            return
        match, _, status = content.decode().partition(" ")
        if status:
            found[0].touch(match, is_running=status == "running")
        else:
            found[0].wake()

    def _look(self) -> None:
        """Something may have been missed."""
        self._is_due.set()
        for runner, _ in self._runners.values():
            runner.wake()
