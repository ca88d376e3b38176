"""One connection for all: nobody gets the answer of somebody else, whatever happens to it or to them."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ResponseError

from service.store.channel import Channel
from service.store.embedded import EmbeddedServer
from service.store.errors import StoreGone
from service.store.link import Link, Script
from service.store.mux import Mux
from tests.store.muxes import CALLERS, a_server, echoed, mux_to, said, until_said

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """The event loop of Python and the one the service runs on: their transports differ."""
    return "asyncio", {"use_uvloop": request.param == "uvloop"}


@pytest.fixture
async def mux(store_server: EmbeddedServer) -> AsyncIterator[Mux]:
    async with mux_to(store_server.url) as made:
        yield made


async def test_callers_at_once_get_their_own_answers_over_one_connection(mux: Mux) -> None:
    before = await connections(mux)
    for _ in range(3):
        await asyncio.gather(*(echoed(mux, number) for number in range(CALLERS)))
    assert await connections(mux) == before


async def connections(mux: Mux) -> int:
    """How many the server has ever accepted."""
    info: str = (await said(mux, "INFO", "stats")).decode()
    return int(info.partition("total_connections_received:")[2].split()[0])


async def test_what_is_sent_in_one_turn_goes_out_in_one_piece(mux: Mux) -> None:
    """The server reads it in one piece too, if it is small enough."""

    async def reads() -> int:
        info: str = (await said(mux, "INFO", "stats")).decode()
        return int(info.partition("total_reads_processed:")[2].split()[0])

    before = await reads()
    await asyncio.gather(*(said(mux, "PING") for _ in range(200)))
    assert await reads() == before + 2


async def test_answers_of_every_kind_and_size(mux: Mux) -> None:
    large = bytes(range(256)) * 20_000
    answers = await mux.exchange(
        (
            ("SET", "large", large),
            ("GET", "large"),
            ("GET", "absent"),
            ("EVAL", "return {1, {2, false, 'x'}, {}}", 0),
            ("STRLEN", "large"),
            ("GET", "large"),
        )
    )
    assert answers == [b"OK", large, None, [1, [2, None, b"x"], []], len(large), large]
    assert await mux.exchange(()) == []


async def test_a_wrong_command_disturbs_nobody(mux: Mux) -> None:
    wrong = [said(mux, "GET"), said(mux, "NONSENSE"), mux.exchange((("ECHO", 1), ("INCR", "a", "b")))]
    answers = await asyncio.gather(
        *(echoed(mux, 1), wrong[0], echoed(mux, 2), wrong[1], wrong[2], echoed(mux, 3)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [
        type(None),
        ResponseError,
        type(None),
        ResponseError,
        ResponseError,
        type(None),
    ]
    assert mux.losses == 0
    with pytest.raises((TypeError, AttributeError)):
        await mux.exchange((("ECHO", "fine"), ("ECHO", object())))  # type: ignore[arg-type]  # a fault of ours
    await echoed(mux, 4)


async def test_cancelled_callers_shift_no_answers(mux: Mux) -> None:
    """Cancelled before it is sent, while it is under way, and when the answer is there already."""
    await said(mux, "PING")
    for turn in range(60):
        callers = [asyncio.create_task(echoed(mux, 1_000 * turn + number)) for number in range(50)]
        for _ in range(turn % 6):
            await asyncio.sleep(0)
        hasty = [caller for caller in callers[:: 1 + turn % 3] if caller.cancel()]
        await asyncio.wait(callers)
        assert all(caller.cancelled() for caller in hasty)
        assert all(caller.exception() is None for caller in callers if caller not in hasty)
    assert mux.losses == 0


async def test_callers_cancelled_while_the_connection_is_made(store_server: EmbeddedServer) -> None:
    async with mux_to(store_server.url) as mux:
        callers = [asyncio.create_task(echoed(mux, number)) for number in range(20)]
        await asyncio.sleep(0)
        for caller in callers[::2]:
            caller.cancel()
        await asyncio.wait(callers)
        assert [caller.cancelled() for caller in callers] == [True, False] * 10
        assert all(caller.exception() is None for caller in callers[1::2])


async def test_a_server_killed_in_mid_flight(tmp_path: Path) -> None:
    """Who waits is told at once."""
    with a_server(tmp_path, "--busy-reply-threshold", "1") as server:
        async with mux_to(f"unix://{tmp_path}/s") as mux:
            await echoed(mux, 0)
            endless = asyncio.create_task(said(mux, "EVAL", "while true do end", 0))
            callers = [asyncio.create_task(echoed(mux, number)) for number in range(CALLERS)]
            hasty = callers.pop()
            await asyncio.to_thread(until_said, tmp_path, "-BUSY")
            hasty.cancel()
            server.kill()
            for caller in (endless, *callers):
                with pytest.raises(StoreGone):
                    await caller
            assert hasty.cancelled()
            assert mux.losses == 1
            server.wait()
            with pytest.raises(StoreGone):
                await said(mux, "PING")
        with a_server(tmp_path):
            async with mux_to(f"unix://{tmp_path}/s") as mux:
                await echoed(mux, 1)


async def test_counting_through_kills(tmp_path: Path) -> None:
    """Callers count on while the server is killed again and again: no answer is of another call."""
    with EmbeddedServer(tmp_path, "always") as server:
        async with mux_to(server.url) as mux:
            done = asyncio.Event()

            async def count(name: str) -> int:
                acknowledged = refused = 0
                while not done.is_set():
                    try:
                        counted = await said(mux, "INCR", name)
                    except StoreGone:
                        refused += 1
                        await asyncio.sleep(0.002)  # the pace of a caller that is refused
                        continue
                    assert acknowledged < counted <= acknowledged + refused + 1
                    acknowledged, refused = counted, 0
                return acknowledged

            counters = [asyncio.create_task(count(f"counter{number}")) for number in range(20)]
            for losses in (1, 2, 3):
                while await progress(mux) < 200 * losses:
                    assert not any(counter.done() for counter in counters)
                server.is_ready.clear()
                assert server.pid is not None
                os.kill(server.pid, signal.SIGKILL)
                assert await asyncio.to_thread(server.is_ready.wait, 20)
            done.set()
            for number, counter in enumerate(counters):
                assert int(await said(mux, "GET", f"counter{number}")) >= await counter
            assert mux.losses >= 3


async def progress(mux: Mux) -> int:
    """How far one of the counters is."""
    with suppress(StoreGone):
        return int(await said(mux, "GET", "counter7") or 0)
    return 0


async def test_a_server_that_is_stopped_and_goes_on(tmp_path: Path) -> None:
    """A late answer belongs to a call that was given up: nobody else gets it."""
    with a_server(tmp_path) as server:
        async with mux_to(f"unix://{tmp_path}/s", seconds=1) as mux:
            await echoed(mux, 0)
            server.send_signal(signal.SIGSTOP)
            before = time.monotonic()
            callers = [asyncio.create_task(echoed(mux, number)) for number in range(CALLERS)]
            for caller in callers:
                with pytest.raises(StoreGone, match="takes too long"):
                    await caller
            assert time.monotonic() - before >= 1
            assert mux.losses == 1
            late = asyncio.create_task(echoed(mux, 1))
            await asyncio.wait((late,), timeout=0.1)
            server.send_signal(signal.SIGCONT)
            await late
            await asyncio.gather(*(echoed(mux, number) for number in range(CALLERS)))
            assert mux.losses == 1


async def test_slow_is_not_silent(mux: Mux, store_server: EmbeddedServer) -> None:
    """The time of a call begins when it is made: a connection that has waited long before is no slower."""
    async with mux_to(store_server.url, seconds=1) as patient:
        for number in range(6):
            await echoed(patient, number)
            blocked = asyncio.create_task(said(patient, "BLPOP", "slow", 9))
            await asyncio.wait((blocked,), timeout=0.3)
            assert not blocked.done()
            await said(mux, "RPUSH", "slow", number)
            assert await blocked == [b"slow", b"%d" % number]
        assert patient.losses == 0


async def test_who_comes_when_all_places_are_taken_waits(mux: Mux, store_server: EmbeddedServer) -> None:
    async with mux_to(store_server.url, most=2) as narrow:
        blocked = asyncio.create_task(said(narrow, "BLPOP", "list", 10))
        while b"blocked_clients:1" not in await said(mux, "INFO", "clients"):
            pass
        second = asyncio.create_task(echoed(narrow, 2))
        callers = [asyncio.create_task(echoed(narrow, number)) for number in range(50)]
        await asyncio.sleep(0)
        assert narrow._channel is not None
        assert not narrow._channel.room.is_set()
        assert len(narrow._channel._calls) == 2
        callers.pop().cancel()
        await said(mux, "RPUSH", "list", "x")
        assert await blocked == [b"list", b"x"]
        await asyncio.gather(second, *callers)


async def test_who_waits_for_a_place_in_vain_is_told(store_server: EmbeddedServer) -> None:
    async with mux_to(store_server.url, seconds=0.2, most=1) as narrow:
        blocked = asyncio.create_task(said(narrow, "BLPOP", "nothing", 10))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(echoed(narrow, 1))
        for caller in (blocked, waiting):
            with pytest.raises(StoreGone):
                await caller
        await echoed(narrow, 2)


async def test_a_server_that_takes_nothing_in(tmp_path: Path) -> None:
    """What cannot be written is not piled up: callers wait, and the calls that are due are given up."""
    with a_server(tmp_path) as server:
        async with mux_to(f"unix://{tmp_path}/s", seconds=0.5) as mux:
            await echoed(mux, 0)
            server.send_signal(signal.SIGSTOP)
            large = bytes(1_000_000)
            calls = [asyncio.create_task(said(mux, "SET", "key", large)) for _ in range(3)]
            await asyncio.wait(calls, timeout=0.05)
            assert mux._channel is not None
            assert not mux._channel.room.is_set()
            more = [asyncio.create_task(said(mux, "SET", "key", large)) for _ in range(100)]
            await asyncio.wait(more, timeout=0.05)
            assert len(mux._channel._calls) == 3
            for call in (*calls, *more):
                with pytest.raises(StoreGone):
                    await call
            server.send_signal(signal.SIGCONT)
            await said(mux, "SET", "key", large)
            assert await said(mux, "STRLEN", "key") == len(large)


async def test_scripts_forgotten_in_between(store_server: EmbeddedServer) -> None:
    script = Script("shown.lua")
    link = Link(store_server.url, 20)
    try:
        for _ in range(5):
            runs = [link.run(script, (f"{{match:{number}}}:outbox",), 1) for number in range(100)]
            flushes = [link.call("SCRIPT", "FLUSH") for _ in range(20)]
            mixed = [call for pair in zip(runs[::5], flushes, strict=True) for call in pair]
            answers = await asyncio.gather(*mixed, *(run for at, run in enumerate(runs) if at % 5))
            assert set(answers) == {0, b"OK"}
    finally:
        await link.close()


async def test_attempts_are_shared_and_grow_rarer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = 0
    connected = Mux._connected

    async def counted(self: Mux) -> Channel:
        nonlocal attempts
        attempts += 1
        return await connected(self)

    monkeypatch.setattr(Mux, "_connected", counted)
    async with mux_to(f"unix://{tmp_path}/s") as mux:
        begun = time.monotonic()
        for _ in range(5):
            answers = await asyncio.gather(
                *(echoed(mux, number) for number in range(100)), return_exceptions=True
            )
            assert {type(answer) for answer in answers} == {StoreGone}
        assert attempts == 5
        assert time.monotonic() - begun >= 0.02 + 0.04 + 0.08 + 0.16
        for _ in range(20):
            mux._wait_longer()
        assert mux._pause == 1.0
        with a_server(tmp_path):
            await echoed(mux, 1)
        assert attempts == 6


async def test_a_server_that_was_deposed(tmp_path: Path) -> None:
    """Another one may stand behind the address by now: the connection is given up, reads and all."""
    with a_server(tmp_path):
        async with mux_to(f"unix://{tmp_path}/s") as other, mux_to(f"unix://{tmp_path}/s") as mux:
            await said(mux, "SET", "key", "x")
            await said(other, "REPLICAOF", "127.0.0.1", "1")
            assert await said(mux, "GET", "key") == b"x"
            with pytest.raises(StoreGone, match="READONLY"):
                await said(mux, "SET", "key", "y")
            assert mux.losses == 1
            await said(other, "REPLICAOF", "NO", "ONE")
            await said(mux, "SET", "key", "z")
            assert await said(other, "GET", "key") == b"z"
            assert mux.losses == 1


async def test_a_connection_that_ends_as_soon_as_it_is_made_is_not_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does a proxy whose server is away, and a server that has no room."""

    def made(channel: Channel, transport: asyncio.BaseTransport) -> None:
        connection_made(channel, transport)
        channel.end("it has ended the connection.")

    connection_made = Channel.connection_made
    with a_server(tmp_path):
        async with mux_to(f"unix://{tmp_path}/s") as mux:
            with monkeypatch.context() as patch:
                patch.setattr(Channel, "connection_made", made)
                for _ in range(3):
                    with pytest.raises(StoreGone, match="it has ended the connection"):
                        await said(mux, "PING")
            await echoed(mux, 1)


async def test_a_server_that_has_no_room_is_away_and_not_wrong(tmp_path: Path) -> None:
    with a_server(tmp_path, "--maxclients", "1"):
        async with mux_to(f"unix://{tmp_path}/s") as mux:
            async with mux_to(f"unix://{tmp_path}/s") as other:
                await echoed(other, 1)
                for _ in range(4):
                    with pytest.raises(StoreGone):
                        await said(mux, "PING")
            async with asyncio.timeout(60):
                while True:
                    with suppress(StoreGone):
                        await echoed(mux, 2)
                        break
                    await asyncio.sleep(0.01)
