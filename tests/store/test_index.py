"""Listings follow from what is stored: at once, in any order, and after a crash."""

import itertools
import logging
from collections.abc import Sequence

import msgspec
import pytest

from service.settings import Settings
from service.store import keys
from service.store.errors import BadCursor, MatchExpired, StoreGone
from service.store.index import Index
from service.store.link import Link
from service.store.record import MatchRecord, Status, encode, ended
from service.store.store import Store
from service.store.sweep import Sweeper
from tests.store.records import CREATED, a_record, an_event, at_version, everything, match_id, running

pytestmark = pytest.mark.anyio

HOUR = 3_600_000


class Clock:
    """A clock that shows what a test says."""

    def __init__(self) -> None:
        self.now = CREATED + 10_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed_store(link: Link, store_settings: Settings, clock: Clock) -> Store:
    """A store of matches that wait an hour, idle for two and are kept for three."""
    settings = msgspec.structs.replace(store_settings, open_ttl=3_600, idle_ttl=7_200, finished_ttl=10_800)
    return Store(link, settings, clock)


async def start(store: Store, number: int = 1) -> tuple[int, MatchRecord]:
    rev = await store.commit(0, a_record(number))
    record = running(a_record(number))
    return await store.commit(rev, record, snapshots=((0, record.state),)), record


async def listed(store: Store, status: str | None = None, game: str | None = None) -> tuple[str, ...]:
    ids, cursor = await store.page(game, status, None, 100)
    assert cursor is None
    return ids


def ids(*numbers: int) -> tuple[str, ...]:
    return tuple(map(match_id, numbers))


async def die_before_indexing(*_: object) -> None:
    """Stands for a worker that ends between the write and what follows it."""
    raise StoreGone


async def test_the_newest_match_comes_first(store: Store) -> None:
    for number in (2, 5, 1, 4, 3):
        await store.commit(0, a_record(number))
    assert await listed(store) == ids(5, 4, 3, 2, 1)


async def test_pages_follow_each_other_while_matches_come_and_go(store: Store) -> None:
    for number in range(1, 8):
        await store.commit(0, a_record(number))
    first, cursor = await store.page(None, "open", None, 3)
    assert (first, cursor is None) == (ids(7, 6, 5), False)
    await store.commit(0, a_record(8))
    await store.commit(1, ended(a_record(5), "cancelled", 9))
    second, cursor = await store.page(None, "open", cursor, 3)
    assert second == ids(4, 3, 2)
    third, cursor = await store.page(None, "open", cursor, 3)
    assert (third, cursor) == (ids(1), None)


async def test_a_page_that_is_just_full_is_the_last(store: Store) -> None:
    for number in (1, 2):
        await store.commit(0, a_record(number))
    assert await store.page(None, None, None, 2) == (ids(2, 1), None)
    assert await store.page(None, "running", None, 2) == ((), None)


@pytest.mark.parametrize(
    "cursor", ["", "!", "x", "AAAA", "KA", "é", "MTIzNDU2Nzg5MDEyMzphYmM\n", "a" * 5_000]
)
async def test_a_cursor_from_elsewhere_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        await store.page(None, None, cursor, 10)


async def test_a_match_is_listed_by_game_and_status(store: Store) -> None:
    rev, record = await start(store, 1)
    await store.commit(0, a_record(2, game="other-game"))
    assert await listed(store) == ids(2, 1)
    assert await listed(store, game="some-game") == ids(1)
    assert await listed(store, "running") == ids(1)
    assert await listed(store, "running", "other-game") == ()
    await store.commit(rev, ended(record, "finished", 9, (1, 2)))
    assert await listed(store, "running") == ()
    assert await listed(store, "finished", "some-game") == ids(1)
    assert await listed(store) == ids(2, 1)


async def test_an_unlisted_match_is_in_no_listing(store: Store, link: Link) -> None:
    await store.commit(0, a_record(visibility="unlisted"))
    assert [name async for name in link.scan("{index}:some-game:*")] == []
    assert await listed(store) == ()


async def test_a_move_costs_the_index_nothing(store: Store, link: Link) -> None:
    rev, record = await start(store)
    before = {name: value for name, value in (await everything(link)).items() if b"index" in name}
    await store.commit(rev, at_version(record, 1), (an_event(1),))
    assert {name: value for name, value in (await everything(link)).items() if b"index" in name} == before
    assert await link.call("EXISTS", keys.outbox(record.id)) == 0


LIFE: tuple[tuple[int, Status], ...] = ((1, "open"), (2, "running"), (3, "finished"))


@pytest.mark.parametrize("order", list(itertools.permutations(LIFE)))
async def test_news_out_of_order(
    store: Store, link: Link, store_settings: Settings, order: Sequence[tuple[int, Status]]
) -> None:
    """Whatever order workers index in, the latest revision is what is shown."""
    index = Index(link, store_settings)
    for rev, status in order:
        await index.show(rev, a_record(status=status))
    assert await listed(store, "finished") == ids(1)
    assert await listed(store, "open") == await listed(store, "running") == ()


async def test_an_outbox_is_emptied_only_of_what_is_shown(
    store: Store, link: Link, store_settings: Settings
) -> None:
    index = Index(link, store_settings)
    await link.call("SET", keys.outbox(match_id(1)), 5)
    await index.show(4, a_record())
    assert await link.call("GET", keys.outbox(match_id(1))) == b"5"
    await index.show(6, a_record())
    assert await link.call("GET", keys.outbox(match_id(1))) is None


async def test_the_sweep_repairs_what_a_crash_left(
    timed_store: Store, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    rev, record = await start(timed_store, 1)
    with monkeypatch.context() as patched:
        patched.setattr(timed_store.index, "show", die_before_indexing)
        await timed_store.commit(rev, ended(record, "finished", 9))
        await timed_store.commit(0, a_record(2))
    assert await listed(timed_store, "running") == ids(1)
    assert await listed(timed_store, "open") == ()
    await Sweeper(timed_store, link, 60).sweep()
    assert await listed(timed_store, "running") == ()
    assert await listed(timed_store, "finished") == ids(1)
    assert await listed(timed_store, "open") == ids(2)
    assert [name async for name in link.scan(keys.OUTBOX_PATTERN)] == []


async def test_nobody_waits_for_ever(timed_store: Store, link: Link, clock: Clock) -> None:
    await start(timed_store, 1)
    await timed_store.commit(0, a_record(2))
    sweeper = Sweeper(timed_store, link, 60)
    clock.now = CREATED + HOUR - 1_000
    await sweeper.sweep()
    assert (await listed(timed_store, "open"), await listed(timed_store, "running")) == (ids(2), ids(1))
    clock.now = CREATED + HOUR + 1_000
    await sweeper.sweep()
    assert await listed(timed_store, "cancelled") == ids(2)
    clock.now = CREATED + 2 * HOUR + 5_000
    await sweeper.sweep()
    aborted = (await timed_store.load(match_id(1))).record
    assert (aborted.status, aborted.ended_at) == ("aborted", clock.now)
    assert await listed(timed_store, "running") == ()


async def test_a_match_that_goes_on_is_left_alone(timed_store: Store, link: Link, clock: Clock) -> None:
    rev, record = await start(timed_store)
    clock.now = CREATED + HOUR
    moved = msgspec.structs.replace(at_version(record, 1), updated_at=clock.now)
    await timed_store.commit(rev, moved, (an_event(1),))
    clock.now = CREATED + 2 * HOUR + 5_000
    await Sweeper(timed_store, link, 60).sweep()
    assert (await timed_store.load(record.id)).record == moved
    assert await timed_store.index.due(CREATED + 3 * HOUR - 1, 10) == ()
    clock.now = CREATED + 3 * HOUR + 1
    await Sweeper(timed_store, link, 60).sweep()
    assert (await timed_store.load(record.id)).record.status == "aborted"


async def test_a_move_during_the_sweep_wins(
    timed_store: Store, link: Link, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rev, record = await start(timed_store)
    clock.now = CREATED + 3 * HOUR
    load = timed_store.load

    async def load_and_be_overtaken(match_id: str, key: bytes | None = None) -> object:
        loaded = await load(match_id, key)
        await timed_store.commit(rev, at_version(record, 1), (an_event(1),))
        return loaded

    monkeypatch.setattr(timed_store, "load", load_and_be_overtaken)
    await Sweeper(timed_store, link, 60).sweep()
    assert (await load(record.id)).record == at_version(record, 1)


async def test_a_match_is_looked_at_later_never_earlier(link: Link, store_settings: Settings) -> None:
    index = Index(link, store_settings)
    await index.show(1, a_record())
    due = index.due_at(a_record())
    assert due is not None
    await index.postpone(match_id(1), due - 5)
    assert await index.due(due - 1, 10) == ()
    assert await index.due(due, 10) == ids(1)
    await index.postpone(match_id(1), due + 5)
    assert await index.due(due + 4, 10) == ()
    await index.postpone(match_id(2), due)
    assert await index.due(due + 5, 10) == ids(1)


async def test_what_expired_leaves_the_listings(timed_store: Store, link: Link, clock: Clock) -> None:
    rev, record = await start(timed_store)
    await timed_store.commit(rev, ended(record, "finished", clock.now))
    for name in (keys.match(record.id), keys.state_at(record.id, 0)):
        assert await link.call("PEXPIRE", name, 0) == 1
    assert await timed_store.load_many((record.id,)) == ()
    clock.now += 3 * HOUR + 1
    await Sweeper(timed_store, link, 60).sweep()
    assert await listed(timed_store) == ()
    assert [name async for name in link.scan("{index}*")] == []
    with pytest.raises(MatchExpired):
        await timed_store.load(record.id)


async def test_one_broken_document_does_not_stop_the_sweep(
    timed_store: Store, link: Link, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in (1, 2, 3):
        await timed_store.commit(0, a_record(number))
    await link.call("HSET", keys.match(match_id(1)), "blob", encode([9]))
    await link.call("SET", keys.outbox(match_id(1)), 1)
    clock.now = CREATED + HOUR + 1_000
    with caplog.at_level(logging.ERROR):
        await Sweeper(timed_store, link, 60).sweep()
    assert await listed(timed_store, "cancelled") == ids(3, 2)
    assert "has format 9" in caplog.text


async def test_what_can_be_read_is_loaded_in_order(
    store: Store, link: Link, caplog: pytest.LogCaptureFixture
) -> None:
    for number in (1, 2, 3):
        await store.commit(0, a_record(number))
    await link.call("HSET", keys.match(match_id(2)), "blob", encode([9]))
    records = await store.load_many(ids(3, 9, 2, 1))
    assert [record.id for record in records] == list(ids(3, 1))
    assert f"The match {match_id(2)} is left out: A stored match has format 9" in caplog.text
    assert await store.load_many(()) == ()


async def test_one_worker_sweeps_at_a_time(store: Store, link: Link) -> None:
    assert [await Sweeper(store, link, 60)._is_mine() for _ in range(3)] == [True, False, False]
    assert 0 < await link.call("PTTL", keys.SWEEPING) <= 60_000
