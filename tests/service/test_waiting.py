"""Waiting with a limit, whether or not there is something to wait for."""

import asyncio
from typing import Any

import pytest

from service.waiting import Patience, Turn, within

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


async def taking_turns(patience: Patience, work: Any) -> Any:
    with Turn(patience):
        return await work


async def test_patience_ends_for_what_takes_too_long_alone() -> None:
    patience, event = Patience(0.2), asyncio.Event()
    late = [asyncio.create_task(taking_turns(patience, asyncio.Event().wait())) for _ in range(3)]
    assert await taking_turns(patience, turns(3)) == 3
    await asyncio.wait(late)
    assert [type(task.exception()) for task in late] == [TimeoutError] * 3
    soon = asyncio.create_task(taking_turns(patience, event.wait()))
    await asyncio.sleep(0)
    event.set()
    assert await soon is True
    with pytest.raises(TimeoutError):
        await taking_turns(patience, asyncio.Event().wait())


async def test_patience_leaves_other_ends_as_they_are() -> None:
    patience = Patience(20)
    waiting = asyncio.create_task(taking_turns(patience, asyncio.Event().wait()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(LookupError, match="it"), Turn(patience):
        raise LookupError("it")


async def test_who_does_not_heed_the_end_of_patience_is_told_once() -> None:
    patience = Patience(0.01)
    told: list[str] = []

    async def deaf() -> str:
        while not told:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                told.append("late")
        with pytest.raises(TimeoutError):  # the timer goes on for others
            await asyncio.create_task(taking_turns(patience, asyncio.Event().wait()))
        return "done"

    assert await taking_turns(patience, deaf()) == "done"
    assert told == ["late"]


def test_patience_serves_one_loop_after_the_other() -> None:
    patience = Patience(0.01)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            asyncio.run(taking_turns(patience, forever()))


async def forever() -> None:
    await asyncio.Event().wait()
