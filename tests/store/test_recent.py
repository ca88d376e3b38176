"""A worker goes on from what it wrote last, as long as that can be what the store holds."""

import pytest

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.errors import NoMatch, Stale
from service.store.link import Link
from service.store.recent import Recent
from service.store.record import Loaded, ended
from service.store.store import Store
from tests.store.records import a_record, an_event, at_version, match_id, running

pytestmark = pytest.mark.anyio


def test_the_oldest_is_forgotten() -> None:
    recent = Recent(2)
    for number in (1, 2, 1, 3):
        recent.put(Loaded(number, a_record(number)), 0)
    assert recent.get(match_id(1), 0) == (1, a_record(1), None)
    assert recent.get(match_id(2), 0) is None
    assert recent.get(match_id(3), 0) == (3, a_record(3), None)


def test_what_is_over_is_forgotten() -> None:
    recent = Recent()
    recent.put(Loaded(1, a_record()), 0)
    recent.put(Loaded(2, ended(a_record(), "finished", 5)), 0)
    assert recent.get(match_id(1), 0) is None


def test_nothing_outlives_the_connection() -> None:
    recent = Recent()
    recent.put(Loaded(1, a_record(1)), 0)
    assert recent.get(match_id(1), 1) is None
    recent.put(Loaded(1, a_record(2)), 1)
    assert recent.get(match_id(1), 1) is None
    recent.put(Loaded(7, a_record(2)), 0)  # an answer that was on its way when the connection was lost
    assert recent.get(match_id(2), 1) is None


async def test_what_was_written_is_recalled(store: Store) -> None:
    assert store.recalled(match_id(1)) is None
    rev = await store.commit(0, a_record())
    assert store.recalled(match_id(1)) == (rev, a_record(), None)
    record = running(a_record())
    rev = await store.commit(rev, record, snapshots=((0, record.state),))
    assert store.recalled(match_id(1)) == (rev, record, None)
    assert store.recalled(match_id(1)) == await store.load(match_id(1))
    await store.commit(rev, ended(record, "aborted", 5))
    assert store.recalled(match_id(1)) is None


async def test_what_was_refused_is_not(store: Store) -> None:
    record = a_record()
    rev = await store.commit(0, record)
    with pytest.raises(Stale):
        await store.commit(rev + 1, running(record), snapshots=((0, b"state 0"),))
    with pytest.raises(NoMatch):
        await store.commit(1, a_record(2))
    assert store.recalled(record.id) == (rev, record, None)
    assert store.recalled(match_id(2)) is None


async def test_it_may_be_out_of_date_and_the_store_notices(
    store: Store, link: Link, store_server: EmbeddedServer
) -> None:
    """Another worker wrote meanwhile; then the match is gone altogether."""
    record = running(a_record())
    rev = await store.commit(0, record, snapshots=((0, record.state),))
    other = Link(store_server.url, 5)
    later = at_version(record, 1)
    other_rev = await Store(other, Settings()).commit(rev, later, (an_event(1),))
    await other.close()
    recalled = store.recalled(record.id)
    assert recalled is not None
    assert (recalled.rev, recalled.record) == (rev, record)
    with pytest.raises(Stale) as stale:
        await store.commit(recalled.rev, at_version(record, 1, b"mine"), (an_event(1),))
    assert stale.value.loaded == (other_rev, later, None)
    await link.call("FLUSHALL")
    with pytest.raises(NoMatch):
        await store.commit(recalled.rev, at_version(record, 1, b"mine"), (an_event(1),))


async def test_a_lost_connection_makes_it_forget(store: Store, link: Link) -> None:
    await store.commit(0, a_record())
    channel = link._mux._channel
    assert channel is not None
    identity = await link.call("CLIENT", "ID")
    other = Link(link._url, 5)
    await other.call("CLIENT", "KILL", "ID", identity)
    await other.close()
    await channel.gone.wait()
    assert store.recalled(match_id(1)) is None
    assert await store.load(match_id(1)) == (1, a_record(), None)
