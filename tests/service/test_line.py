"""What lies below ASGI: answers that go out as a whole, and what a connection waits with."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from service.live.lean import Gate, Inbox
from service.live.line import _Answer

pytestmark = pytest.mark.anyio


class Wire:
    """The connection of a request, as far as an answer needs it."""

    def __init__(self, keep_alive: bool = True, disconnected: bool = False, is_closing: bool = False) -> None:
        self.written: list[bytes] = []
        self.ends: list[str] = []
        self.cycle: Any = SimpleNamespace(
            flow=SimpleNamespace(write_paused=False),
            default_headers=[(b"date", b"today")],
            disconnected=disconnected,
            keep_alive=keep_alive,
            transport=SimpleNamespace(write=self.written.append, close=lambda: self.ends.append("closed")),
            message_event=SimpleNamespace(set=lambda: self.ends.append("heard")),
            on_response=lambda: self.ends.append("answered"),
        )

    async def answer(self, *headers: tuple[bytes, bytes]) -> None:
        await _Answer(self.cycle)(200, list(headers), b"body")


async def test_an_answer_is_one_piece() -> None:
    wire = Wire()
    await wire.answer((b"content-length", b"4"))
    assert wire.written == [b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-length: 4\r\n\r\nbody"]
    assert wire.cycle.response_complete
    assert wire.ends == ["heard", "answered"]


async def test_the_connection_ends_after_it_if_the_client_wants_that() -> None:
    wire = Wire(keep_alive=False)
    await wire.answer((b"content-length", b"4"))
    assert b"connection: close\r\n" in wire.written[0]
    assert wire.ends == ["heard", "closed", "answered"]


@pytest.mark.parametrize("value", [b"a\r\nset-cookie: b", b"a\nb", b"a\rb"])
async def test_no_header_smuggles_in_another(value: bytes) -> None:
    wire = Wire()
    with pytest.raises(ValueError, match="line break"):
        await wire.answer((b"x", value))
    assert wire.written == []


async def test_nobody_is_answered_who_has_left() -> None:
    wire = Wire(disconnected=True)
    await wire.answer()
    assert wire.written == []


async def test_messages_are_taken_in_order_as_they_come() -> None:
    inbox = Inbox(asyncio.get_running_loop())
    inbox.put_nowait(1)
    inbox.put_nowait(2)
    assert [await inbox.get(), await inbox.get()] == [1, 2]
    assert inbox.empty()
    taking = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait(3)
    inbox.put_nowait(4)
    assert await taking == 3
    assert await inbox.get() == 4


async def test_who_gives_up_takes_no_message() -> None:
    inbox = Inbox(asyncio.get_running_loop())
    taking = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    inbox.put_nowait(1)
    assert await inbox.get() == 1


async def test_a_gate_lets_pass_all_who_wait_when_it_opens() -> None:
    gate = Gate(asyncio.get_running_loop())
    await gate.wait()
    gate.clear()
    waiting = [asyncio.create_task(gate.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    assert not any(task.done() for task in waiting)
    gate.set()
    await asyncio.gather(*waiting[1:])
    await gate.wait()
