"""Waiting with a limit, whether or not there is something to wait for."""

import asyncio
from typing import Any

import pytest

from service.waiting import within

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """The event loop of Python and the one the service runs on."""
    return "asyncio", {"use_uvloop": request.param == "uvloop"}


async def turns(number: int) -> int:
    for _ in range(number):
        await asyncio.sleep(0.001)
    return number


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_what_the_work_comes_to(number: int) -> None:
    assert await within(20, turns(number)) == number


async def test_an_event_that_comes() -> None:
    event = asyncio.Event()
    waiting = asyncio.create_task(within(20, event.wait()))
    await asyncio.sleep(0)
    assert not waiting.done()
    event.set()
    assert await waiting is True


async def test_an_event_that_does_not_come() -> None:
    with pytest.raises(TimeoutError):
        await within(0.01, asyncio.Event().wait())


@pytest.mark.parametrize("number", [0, 2])
async def test_work_that_fails(number: int) -> None:
    async def failing() -> None:
        await turns(number)
        raise LookupError("it")

    with pytest.raises(LookupError, match="it"):
        await within(20, failing())


async def test_work_that_clears_up_when_its_time_is_over() -> None:
    cleared = []

    async def tidy() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleared.append(await turns(2))

    with pytest.raises(TimeoutError):
        await within(0.01, tidy())
    assert cleared == [2]


@pytest.mark.parametrize("after", [1, 2, 5])
async def test_a_waiter_that_is_cancelled(after: int) -> None:
    ended = []

    async def work() -> None:
        try:
            for _ in range(100):
                await asyncio.sleep(0)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    waiting = asyncio.create_task(within(20, work()))
    for _ in range(after):
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended == ["cancelled"]
