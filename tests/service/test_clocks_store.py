"""A clock does not run before it is stored, however long that takes, and a store far away is no stall."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from service.clocks.arithmetic import Clock, Control, begin_turn, leave, wound
from service.clocks.lease import BEAT, GAP, MOST_GAP, TRIPS, Lease
from service.settings import Settings
from service.store.channel import Word
from service.store.errors import Stale
from service.store.link import Link, Script
from service.store.record import MatchRecord
from service.store.store import Store, now
from tests.store.records import a_record, an_event, at_version, running

pytestmark = pytest.mark.anyio
FAR = 0.12
"""Seconds on the way to the store, and as many back."""
EXACT = 60
"""Ms by which a busy machine may be late."""


class FarLink(Link):
    """The way to a store that is far away."""

    far = 0.0

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        await asyncio.sleep(self.far)
        answer = await super().run(script, keys, *arguments)
        await asyncio.sleep(self.far)
        return answer


@pytest.fixture
async def far_link(fresh_settings: Settings) -> Any:
    link = FarLink(fresh_settings.redis_url, fresh_settings.store_timeout)
    await link.call("PING")
    yield link
    await link.close()


@pytest.fixture
def far_store(far_link: FarLink, fresh_settings: Settings) -> Store:
    return Store(far_link, fresh_settings)


def timed(
    record: MatchRecord, at: int, change: Callable[[Clock], Clock] = lambda clock: clock
) -> MatchRecord:
    """The record with the clock of seat 0 running since `at`, changed then."""
    clock = begin_turn(wound(Control(base=60_000), 3), 0, at)
    return msgspec.structs.replace(record, updated_at=at, clock=change(clock))


def since(record: MatchRecord) -> int:
    assert record.clock is not None
    return record.clock.since


async def begun(store: Store) -> tuple[int, MatchRecord, int]:
    """A timed match, and when it was decided that it begins."""
    rev = await store.commit(0, a_record())
    at = now()
    record = timed(running(a_record()), at)
    return await store.commit(rev, record, snapshots=((0, record.state),)), record, at


async def test_a_clock_runs_from_when_it_was_stored(
    far_link: FarLink, far_store: Store, store: Store
) -> None:
    far_link.far = FAR
    _, record, at = await begun(far_store)
    far_link.far = 0
    recalled = far_store.recalled(record.id)
    assert recalled is not None
    runs = since(recalled.record)
    assert abs(runs - at - 1_000 * FAR) < EXACT
    (listed,) = await store.load_many((record.id,))
    assert since((await store.load(record.id)).record) == since(listed) == runs
    assert since(record) == at


async def test_it_is_put_off_once(far_link: FarLink, far_store: Store, store: Store) -> None:
    far_link.far = FAR
    rev, record, _ = await begun(far_store)
    far_link.far = 0
    loaded = (await store.load(record.id)).record
    rev = await store.commit(rev, loaded)  # nothing new
    assert since((await store.load(record.id)).record) == since(loaded)
    await asyncio.sleep(0.1)
    left = msgspec.structs.replace(
        at_version(loaded, 1), updated_at=now(), clock=leave(loaded.clock or wound(None, 3), 1)
    )
    await store.commit(rev, left, (an_event(1),))
    again = (await store.load(record.id)).record
    assert since(again) == since(loaded)


async def test_who_is_forestalled_learns_it_too(far_link: FarLink, far_store: Store, store: Store) -> None:
    far_link.far = FAR
    rev, record, at = await begun(far_store)
    far_link.far = 0
    with pytest.raises(Stale) as stale:
        await store.commit(rev - 1, at_version(record, 1), (an_event(1),))
    stands = since((await store.load(record.id)).record)
    assert since(stale.value.loaded.record) == stands > at + 50


async def test_a_clock_that_is_another_one_puts_nothing_off(store: Store) -> None:
    for number, off in enumerate((-5_000, 5_000, 86_400_000), 1):
        rev = await store.commit(0, a_record(number))
        record = timed(running(a_record(number)), now() + off)
        await store.commit(rev, record, snapshots=((0, record.state),))
        assert since((await store.load(record.id)).record) == since(record)


async def test_a_store_far_away_is_no_stall(far_link: FarLink) -> None:
    lease = Lease(far_link, now)
    far_link.far = FAR
    known = []
    for _ in range(16):
        await lease.renew()
        known.append(await lease.stalls())
        await asyncio.sleep(BEAT / 1_000)
    assert known[8:] == known[-1:] * 8


async def test_a_store_far_away_that_stalls_is_one(far_link: FarLink) -> None:
    lease = Lease(far_link, now)
    far_link.far = FAR
    for _ in range(10):
        await lease.renew()
        await asyncio.sleep(BEAT / 1_000)
    before, began = await lease.stalls(), now()
    await asyncio.sleep(2)
    await lease.renew()
    (stall,) = (await lease.stalls())[len(before) :]
    assert began - 1_000 * FAR * 2 - BEAT - EXACT <= stall[0] <= began
    assert began + 2_000 <= stall[1] <= began + 2_000 + EXACT + GAP


async def test_a_store_that_stalls_soon_after_the_start(far_link: FarLink) -> None:
    lease = Lease(far_link, now)
    await lease.renew()
    began, far_link.far = now(), 0.6
    await lease.renew()
    far_link.far = 0
    (stall,) = await lease.stalls()
    assert began - EXACT <= stall[0] <= began + EXACT
    assert began + 1_200 <= stall[1]


async def test_a_store_that_stalls_again_and_again_does_not_pass_for_far_away(far_link: FarLink) -> None:
    lease = Lease(far_link, now)
    for _ in range(TRIPS):
        lease._note(5_000)
    await lease.renew()
    await asyncio.sleep(MOST_GAP / 1_000 + 0.1)
    await lease.renew()
    assert len(await lease.stalls()) == 1
