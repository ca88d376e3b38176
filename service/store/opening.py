"""From settings to a store that works, and back to nothing at the end."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, Protocol

from service.settings import Settings
from service.store.check import server_faults
from service.store.embedded import EmbeddedServer
from service.store.errors import StoreGone
from service.store.link import Link
from service.store.store import Store, now
from service.store.sweep import Sweeper
from service.tokens import Tokens

_log: Final = logging.getLogger(__name__)


class Runnable(Protocol):
    """Something that works until it is cancelled."""

    def run(self) -> Coroutine[Any, Any, None]: ...


@asynccontextmanager
async def running_store(
    settings: Settings, clock: Callable[[], int] = now
) -> AsyncIterator[tuple[Store, Tokens]]:
    """The store that the settings name, swept regularly, and the tokens under its secret.

    Without an address a server is started, and ended at the end. An external one need not answer yet.
    Raises EmbeddedError, OldServer.
    """
    async with AsyncExitStack() as stack:
        if settings.is_embedded:
            server = EmbeddedServer(settings.directory, settings.fsync)
            stack.push_async_callback(asyncio.to_thread, server.stop)
            await asyncio.to_thread(server.start)
            settings = server.attached(settings)
        link = Link(settings.redis_url, settings.store_timeout)
        stack.push_async_callback(link.close)
        store = Store(link, settings, clock)
        await _check(link)
        await stack.enter_async_context(in_background(Sweeper(store, link, settings.sweep_interval)))
        stack.push_async_callback(store.settle)
        yield store, Tokens(settings.secret.encode())


async def _check(link: Link) -> None:
    try:
        for fault in await server_faults(link):
            _log.warning("%s", fault)
    except StoreGone as error:
        _log.warning("%s It is tried again at every request.", error)


@asynccontextmanager
async def in_background(worker: Runnable) -> AsyncIterator[None]:
    """Something that runs as long as the block; that it has failed before is logged at once."""
    task = asyncio.create_task(worker.run(), name=type(worker).__name__)
    task.add_done_callback(_say_if_failed)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _say_if_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s has failed, and works no more.", task.get_name(), exc_info=error)
