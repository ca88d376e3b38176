"""Requests and streams leave nothing to the garbage collector: it comes seldom, and memory would wait."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from typing import Final

import pytest
import uvicorn
from litestar import Litestar

from service.live.line import HttpLine, SocketLine
from service.shell import Shell
from tests.service.channels import CHANNELS
from tests.service.following import Following, client_of, play, resign
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
OURS: Final = ("service", "uvicorn", "litestar")
TIMES: Final = 5
SECONDS: Final = 30


@asynccontextmanager
async def served(application: Litestar) -> AsyncIterator[tuple[uvicorn.Server, str]]:
    """A server in this process, as the service runs it, and its address."""
    config = uvicorn.Config(
        Shell(application), http=HttpLine, ws=SocketLine, log_config=None, port=0, lifespan="on"
    )
    with closing(config.bind_socket()) as listener:
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        while not server.started:
            assert not serving.done()
            await asyncio.sleep(0)
        yield server, f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await serving


async def alone(server: uvicorn.Server) -> None:
    """Nothing, when every client has left and every request has ended."""
    deadline = time.monotonic() + SECONDS
    while server.server_state.connections or server.server_state.tasks:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def garbage() -> Counter[str]:
    """What waits for the collector, by type, of the server's side."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        types = [type(each) for each in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    return Counter(f"{kind.__module__}.{kind.__name__}" for kind in types if kind.__module__.startswith(OURS))


async def left(server: uvicorn.Server, use: Callable[[], Awaitable[None]]) -> Counter[str]:
    """What is left to the collector by using the server some times, after a first time."""
    await use()
    await alone(server)
    gc.collect()
    gc.disable()
    try:
        for _ in range(TIMES):
            await use()
        await alone(server)
        return garbage()
    finally:
        gc.enable()


async def test_requests(application: Litestar, fresh_settings: object) -> None:
    async with served(application) as (server, url):

        async def use() -> None:
            async with client_of(url) as api:
                table = await Table.started(api, SLUGS[0], 2)
                await play(table, 3)
                for path in ("", "/events", "/legal-moves", "/versions/1", "/board", "/nothing"):
                    await api.get(table.path + path)
                await api.post(f"{table.path}/moves", json={"version": 0, "moves": []})

        assert await left(server, use) == {}


@pytest.mark.parametrize("name", CHANNELS)
async def test_streams(application: Litestar, fresh_settings: object, name: str) -> None:
    async with served(application) as (server, url):

        async def use() -> None:
            async with client_of(url) as api:
                table = await Table.started(api, SLUGS[0], 2)
                leaving, staying = (Following(CHANNELS[name], url, table.id) for _ in range(2))
                await play(table, 2)
                await leaving.until(table.version)
                leaving.task.cancel()
                await asyncio.wait([leaving.task])
                await resign(table)
                await staying.until_over()

        assert await left(server, use) == {}
