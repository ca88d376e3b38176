"""The lease: one worker at a time is handed what is due, and times without any worker are kept."""

import asyncio

import msgspec
import pytest
from redis import Redis

from service.clocks import lease as lease_module
from service.clocks.arithmetic import SLACK, Clock, Control, begin_turn, wound
from service.clocks.lease import BEAT, GAP, HOLD, Lease
from service.settings import Settings
from service.store import keys
from service.store.errors import StoreGone
from service.store.index import Index
from service.store.link import Link
from service.store.record import MatchRecord, ended
from service.store.store import Store
from service.store.sweep import Sweeper
from tests.store.records import CREATED, a_record, an_event, at_version, match_id, running

pytestmark = pytest.mark.anyio


class Hands:
    """A clock that shows what a test says."""

    def __init__(self) -> None:
        self.at = CREATED

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def worker(link: Link, hands: Hands) -> Lease:
    return Lease(link, hands)


@pytest.fixture
def other(link: Link, hands: Hands) -> Lease:
    return Lease(link, hands)


@pytest.fixture
def redis(fresh_settings: Settings) -> Redis:
    return Redis.from_url(fresh_settings.redis_url)


def timed(number: int, since: int = CREATED, base: int = 1_000) -> MatchRecord:
    """A running match whose seat 0 has so many ms from `since` on."""
    clock = begin_turn(wound(Control(base=base), 2), 0, since)
    return msgspec.structs.replace(running(a_record(number)), clock=clock)


async def begin(store: Store, record: MatchRecord) -> int:
    rev = await store.commit(0, msgspec.structs.replace(record, status="open", state=b""))
    return await store.commit(rev, record, snapshots=((0, record.state),))


async def live(hands: Hands, lease: Lease, ms: int) -> None:
    """Time passes while a worker lives."""
    for _ in range(ms // BEAT):
        hands.at += BEAT
        await lease.renew()


async def test_what_is_due_is_handed_to_one_worker(
    store: Store, worker: Lease, other: Lease, hands: Hands
) -> None:
    for number in (1, 2, 3):
        await begin(store, timed(number))
    await live(hands, worker, 1_000 + SLACK - BEAT)
    assert await worker.renew(10) == ()
    hands.at += BEAT
    handed = await asyncio.gather(*(lease.renew(10) for lease in (worker, other) * 5))
    assert sorted(map(len, handed)) == [0] * 9 + [3]
    assert {found for ids in handed for found in ids} == {match_id(number) for number in (1, 2, 3)}


async def test_what_a_dead_worker_was_handed_comes_again(
    store: Store, worker: Lease, other: Lease, hands: Hands
) -> None:
    await begin(store, timed(1))
    await live(hands, worker, 1_000 + SLACK - BEAT)
    hands.at += BEAT
    assert await worker.renew(10) == (match_id(1),)
    await live(hands, other, HOLD - BEAT)
    hands.at += BEAT
    assert await other.renew(10) == (match_id(1),)


async def test_no_more_is_handed_out_than_is_asked_for(store: Store, worker: Lease, hands: Hands) -> None:
    for number in (1, 2, 3):
        await begin(store, timed(number))
    await live(hands, worker, 1_000 + SLACK - BEAT)
    handed = []
    for most in (0, 2, 2):
        hands.at += BEAT
        handed.append(await worker.renew(most))
    assert list(map(len, handed)) == [0, 2, 1]
    assert len({*handed[1], *handed[2]}) == 3


async def test_a_time_without_any_worker_is_a_stall_for_all(
    worker: Lease, other: Lease, hands: Hands
) -> None:
    await worker.renew()
    hands.at += GAP
    await worker.renew()
    assert await worker.stalls() == ()
    hands.at += GAP + 1
    await other.renew()
    first = (hands.at - GAP - 1, hands.at)
    assert await other.stalls() == (first,)
    await live(hands, other, 1_000)
    hands.at += 60_000
    await worker.renew()
    second = (hands.at - 60_000, hands.at)
    for lease in (worker, other):
        assert await lease.stalls() == (first, second)


async def test_workers_live_for_each_other(worker: Lease, other: Lease, hands: Hands) -> None:
    await worker.renew()
    await live(hands, other, 10_000)
    assert await worker.stalls() == ()


async def test_a_worker_that_was_stopped_asks_before_it_judges(
    worker: Lease, other: Lease, hands: Hands
) -> None:
    await worker.renew()
    await other.renew()
    start, hands.at = hands.at, hands.at + 5_000
    judged = await asyncio.gather(*(worker.stalls() for _ in range(5)), other.stalls())
    assert set(judged) == {((start, start + 5_000),)}


async def test_a_new_worker_learns_of_every_stall(worker: Lease, link: Link, hands: Hands) -> None:
    await worker.renew()
    for _ in range(3):
        hands.at += 1_000
        await worker.renew()
        await live(hands, worker, 1_000)
    assert len(await worker.stalls()) == 3
    assert await Lease(link, hands).stalls() == await worker.stalls()


async def test_a_request_of_a_slow_worker_that_comes_late_is_no_stall(
    worker: Lease, link: Link, hands: Hands
) -> None:
    await worker.renew()
    await live(hands, worker, 5_000)
    now, hands.at = hands.at, hands.at - 4_000
    await Lease(link, hands).renew()
    hands.at = now + BEAT
    await worker.renew()
    assert await worker.stalls() == ()


async def test_a_clock_set_back_stops_no_clock(store: Store, worker: Lease, hands: Hands) -> None:
    await live(hands, worker, 1_000)
    hands.at -= 3_600_000
    await begin(store, timed(1, hands.at))
    await worker.renew()
    await live(hands, worker, 1_000 + SLACK - BEAT)
    hands.at += BEAT
    assert await worker.renew(10) == (match_id(1),)
    assert await worker.stalls() == ()


async def test_old_stalls_are_forgotten(
    worker: Lease, link: Link, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_module, "MOST_STALLS", 2)
    starts = []
    await worker.renew()
    for _ in range(4):
        starts.append(hands.at)
        hands.at += 1_000
        await worker.renew()
        await live(hands, worker, 1_000)
    kept = tuple((start, start + 1_000) for start in starts[-2:])
    assert await worker.stalls() == await Lease(link, hands).stalls() == kept


async def test_clocks_that_never_run_out_ask_nothing(hands: Hands) -> None:
    nowhere = Lease(Link("unix:///nowhere", 1), hands)
    for clock in (None, Clock(), wound(Control(base=1_000), 2), begin_turn(wound(None, 2), 0, 1)):
        assert await nowhere.stalls_for(clock) == ()
    with pytest.raises(StoreGone):
        await nowhere.stalls_for(begin_turn(wound(Control(base=1_000), 2), 0, 1))


async def test_the_deadlines_follow_the_matches(store: Store, redis: Redis) -> None:
    record = timed(1, base=60_000)
    rev = await begin(store, record)
    assert redis.zscore(keys.DEADLINES, record.id) == CREATED + 60_000 + SLACK
    rev = await store.commit(rev, at_version(record, 1), (an_event(1),))
    assert redis.zscore(keys.DEADLINES, record.id) == CREATED + 60_000 + SLACK
    await store.commit(rev, at_version(ended(record, "finished", 9), 1))
    assert redis.zcard(keys.DEADLINES) == 0
    await begin(store, running(a_record(2)))
    assert redis.zcard(keys.DEADLINES) == 0


async def test_old_news_sets_no_deadline(
    store: Store, link: Link, redis: Redis, fresh_settings: Settings
) -> None:
    index = Index(link, fresh_settings)
    await index.show(3, ended(timed(1), "finished", 9))
    await index.show(2, timed(1))
    assert redis.zcard(keys.DEADLINES) == 0
    await store.lease.look_at(match_id(1), 5)
    assert redis.zcard(keys.DEADLINES) == 0


async def test_the_sweep_repairs_the_deadlines(
    link: Link, redis: Redis, hands: Hands, fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(link, fresh_settings, hands)

    async def killed(*_: object) -> None:
        raise StoreGone

    with monkeypatch.context() as patch:
        patch.setattr(Index, "show", killed)
        record = timed(1)
        await begin(store, record)
    assert redis.zcard(keys.DEADLINES) == 0
    await Sweeper(store, link, 60).sweep()
    assert redis.zscore(keys.DEADLINES, record.id) == CREATED + 1_000 + SLACK
    redis.delete(keys.match(record.id))
    await store.index.forget(record.id)
    assert redis.zcard(keys.DEADLINES) == 0
