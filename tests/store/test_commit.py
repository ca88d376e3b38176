"""One write is all or nothing, and exactly one writer wins."""

import asyncio

import pytest
from msgspec.structs import replace
from redis.exceptions import ResponseError

from engine.game import Change
from service.settings import Settings
from service.store import keys
from service.store.errors import MatchExpired, NoMatch, Repeated, Stale
from service.store.link import Link
from service.store.record import SNAPSHOT_EVERY, MatchRecord, StoredEvent, ended
from service.store.store import Store
from tests.store.records import a_record, an_event, an_idem, at_version, everything, running

pytestmark = pytest.mark.anyio


async def start(store: Store, number: int = 1) -> tuple[int, MatchRecord]:
    """A running match at version 0, with its revision."""
    record = a_record(number)
    rev = await store.commit(0, record)
    record = running(record)
    return await store.commit(rev, record, snapshots=((0, record.state),)), record


async def test_a_document_is_read_as_it_was_written(store: Store) -> None:
    record = a_record()
    rev = await store.commit(0, record)
    assert await store.load(record.id) == (rev, record, None)


async def test_the_deal_of_a_match_is_written_once(store: Store, link: Link) -> None:
    given = a_record(deal=b'{"given":1}')
    rev = await store.commit(0, given)
    assert (await store.load(given.id)).record == given
    begun = running(given)
    assert begun.deal == given.deal
    rev = await store.commit(rev, begun, snapshots=((0, begun.state),))
    without = replace(begun, deal=b"")
    recalled = store.recalled(given.id)
    assert recalled is not None
    assert recalled.record == (await store.load(given.id)).record == without
    await store.commit(rev, at_version(without, 1), (an_event(1),))
    assert await store.deal(without) == given.deal
    assert begun.deal not in await link.call("HGET", keys.match(given.id), "blob")


async def test_a_deal_that_is_in_the_document_stays_there(store: Store) -> None:
    """As releases wrote it in whose time the match started."""
    record = replace(running(a_record()), deal=b"{}")
    await store.commit(0, record)
    assert await store.deal((await store.load(record.id)).record) == b"{}"


async def test_no_deal_is_left_of_a_match_that_is_forgotten(store: Store) -> None:
    with pytest.raises(NoMatch):
        await store.deal(running(a_record()))


async def test_twenty_racers_on_one_revision(store: Store, link: Link) -> None:
    rev, record = await start(store)

    async def race(racer: int) -> int:
        state = b"state of racer %d" % racer
        await store.commit(
            rev, at_version(record, 1, state), (an_event(1),), idem=an_idem(bytes([racer]) * 32, state)
        )
        return racer

    results = await asyncio.gather(*map(race, range(20)), return_exceptions=True)
    winners = [result for result in results if isinstance(result, int)]
    losers = [result for result in results if isinstance(result, Stale)]
    assert (len(winners), len(losers)) == (1, 19)
    state = b"state of racer %d" % winners[0]
    assert (await store.load(record.id)).record.state == state
    assert {loser.loaded for loser in losers} == {(rev + 1, at_version(record, 1, state), None)}
    assert await store.events(record.id, 0, 10) == (an_event(1),)
    answers = [name async for name in link.scan("*idem*")]
    assert answers == [keys.answer(record.id, bytes([winners[0]]) * 32).encode()]


async def test_a_stale_write_changes_nothing_and_learns_what_stands(store: Store, link: Link) -> None:
    rev, record = await start(store)
    before = await everything(link)
    late = at_version(ended(record, "finished", 1), SNAPSHOT_EVERY)
    events = tuple(map(an_event, range(1, SNAPSHOT_EVERY + 1)))
    with pytest.raises(Stale) as stale:
        await store.commit(rev - 1, late, events, ((SNAPSHOT_EVERY, b"state"),), an_idem())
    assert stale.value.loaded == (rev, record, None)
    assert await everything(link) == before


async def test_everything_is_written_in_one_step(store: Store, link: Link) -> None:
    rev, record = await start(store)
    later = at_version(ended(record, "finished", 5, (1, 2)), SNAPSHOT_EVERY)
    events = tuple(map(an_event, range(1, SNAPSHOT_EVERY + 1)))
    assert await store.commit(rev, later, events, ((SNAPSHOT_EVERY, b"kept"),), an_idem()) == rev + 1
    assert await store.load(record.id, an_idem().key) == (rev + 1, later, an_idem().answer)
    assert await store.events(record.id, 0, 1_000) == events
    assert await store.state_before(record.id, SNAPSHOT_EVERY) == (SNAPSHOT_EVERY, b"kept")


async def test_an_event_out_of_order_writes_nothing(store: Store, link: Link) -> None:
    """The log is written first: the server refuses it, and a script is not rolled back."""
    rev, record = await start(store)
    await link.call("XADD", keys.events(record.id), "7-0", "e", "x")
    before = await everything(link)
    with pytest.raises(ResponseError):
        await store.commit(rev, at_version(record, 1), (an_event(1),), idem=an_idem())
    assert await everything(link) == before


async def test_a_new_match_does_not_replace_one(store: Store) -> None:
    rev, record = await start(store)
    with pytest.raises(Stale) as stale:
        await store.commit(0, a_record())
    assert stale.value.loaded == (rev, record, None)


async def test_a_match_that_is_not_there(store: Store, link: Link) -> None:
    with pytest.raises(NoMatch, match="There is no match 'nowhere'"):
        await store.load("nowhere")
    with pytest.raises(NoMatch):
        await store.state_before("nowhere", 3)
    with pytest.raises(NoMatch):
        await store.commit(4, a_record())
    assert await store.events("nowhere", 0, 10) == ()
    assert await everything(link) == {}


async def test_a_repeated_request_gets_the_first_answer(store: Store, link: Link) -> None:
    rev, record = await start(store)
    first = an_idem(body=b"first")
    rev = await store.commit(rev, at_version(record, 1), (an_event(1),), idem=first)
    before = await everything(link)
    for expected in (rev, rev - 1, 0):
        with pytest.raises(Repeated) as repeated:
            await store.commit(expected, at_version(record, 2), (an_event(2),), idem=an_idem(body=b"second"))
        assert repeated.value.answer == first.answer
    assert await everything(link) == before


async def test_a_key_is_of_one_match(store: Store) -> None:
    await store.commit(0, a_record(1), idem=an_idem(body=b"one"))
    await store.commit(0, a_record(2), idem=an_idem(body=b"two"))
    assert (await store.load(a_record(2).id, an_idem().key)).repeated == an_idem(body=b"two").answer


async def test_two_at_once_with_one_key(store: Store) -> None:
    rev, record = await start(store)

    async def post(racer: int) -> bytes:
        idem = an_idem(body=b"answer of %d" % racer)
        try:
            await store.commit(rev, at_version(record, 1), (an_event(1),), idem=idem)
        except Repeated as repeated:
            return repeated.answer.body
        return idem.answer.body

    answers = await asyncio.gather(*map(post, range(10)))
    assert len(set(answers)) == 1
    assert len(await store.events(record.id, 0, 10)) == 1


async def test_the_first_refusal_stands(store: Store) -> None:
    refusals = [an_idem(body=b"refusal %d" % number) for number in range(5)]
    stood = await asyncio.gather(*(store.record_answer("m", refusal) for refusal in refusals))
    assert len({answer.body for answer in stood}) == 1
    assert await store.answer("m", an_idem().key) == stood[0]
    assert await store.answer("m", b"other") is None


async def test_a_recorded_refusal_stops_a_write(store: Store) -> None:
    rev, record = await start(store)
    await store.record_answer(record.id, an_idem(body=b"no"))
    with pytest.raises(Repeated) as repeated:
        await store.commit(rev, at_version(record, 1), (an_event(1),), idem=an_idem(body=b"yes"))
    assert repeated.value.answer.body == b"no"
    assert (await store.load(record.id)).record.version == 0


async def test_answers_are_kept_for_their_time(store: Store, link: Link, store_settings: Settings) -> None:
    await store.commit(0, a_record(), idem=an_idem(b"1"))
    await store.record_answer(a_record().id, an_idem(b"2"))
    most = store_settings.idempotency_ttl * 1_000
    for key in (b"1", b"2"):
        assert most - 60_000 < await link.call("PTTL", keys.answer(a_record().id, key)) <= most


async def test_a_range_of_events(store: Store) -> None:
    rev, record = await start(store)
    events = tuple(map(an_event, range(1, 13)))
    rev = await store.commit(rev, at_version(record, 5), events[:5])
    await store.commit(rev, at_version(record, 12), events[5:])
    assert await store.events(record.id, 0, 100) == events
    assert await store.events(record.id, 4, 3) == events[4:7]
    assert await store.events(record.id, 11, 100) == events[11:]
    assert await store.events(record.id, 12, 100) == ()
    assert await store.events(record.id, 99, 100) == ()


async def test_there_is_no_state_of_a_version_to_come(store: Store) -> None:
    await store.commit(0, a_record(2))
    with pytest.raises(ValueError, match="has no state at version 0"):
        await store.state_before(a_record(2).id, 0)
    _, record = await start(store)
    with pytest.raises(ValueError, match="has no state at version 256"):
        await store.state_before(record.id, 300)


async def test_an_event_keeps_everything(store: Store) -> None:
    rev, record = await start(store)
    event = StoredEvent(1, "retire", 1, "retire:1", "resigned", 77, (Change("left", 1, {"points": 3}),))
    await store.commit(rev, at_version(record, 1), (event,))
    assert await store.events(record.id, 0, 10) == (event,)


async def test_the_state_is_kept_every_256_events(store: Store) -> None:
    rev, record = await start(store)
    events = tuple(map(an_event, range(1, 600)))
    states = ((256, b"state 256"), (512, b"state 512"))
    await store.commit(rev, at_version(record, 599), events, states)
    kept = {v: await store.state_before(record.id, v) for v in (0, 1, 255, 256, 511, 512, 599)}
    assert kept == {
        **dict.fromkeys((0, 1, 255), (0, b"state 0")),
        **dict.fromkeys((256, 511), (256, b"state 256")),
        **dict.fromkeys((512, 599), (512, b"state 512")),
    }


@pytest.mark.parametrize(
    ("version", "events", "states"),
    [
        (2, (1,), ()),
        (2, (1, 3), ()),
        (3, (1, 2), ()),
        (256, range(1, 257), ()),
        (255, range(1, 256), (255,)),
        (257, range(1, 258), (257,)),
    ],
)
async def test_a_log_with_a_hole_is_our_fault(
    store: Store, link: Link, version: int, events: tuple[int, ...], states: tuple[int, ...]
) -> None:
    rev, record = await start(store)
    before = await everything(link)
    kept = tuple((at, b"") for at in states)
    with pytest.raises(ValueError, match=r"do not lead|are due"):
        await store.commit(rev, at_version(record, version), tuple(map(an_event, events)), kept)
    assert await everything(link) == before


async def test_a_match_that_never_began_is_kept_a_day_where_others_are_kept_for_ever(
    link: Link, store_settings: Settings
) -> None:
    keeping = Settings(redis_url=store_settings.redis_url, secret=store_settings.secret, finished_ttl=0)
    store = Store(link, keeping)
    record = a_record()
    rev = await store.commit(0, record)
    await store.commit(rev, ended(record, "cancelled", 1))
    rev, begun = await start(store, 2)
    await store.commit(rev, ended(begun, "aborted", 1))
    left = [await link.call("PTTL", keys.match(match.id)) for match in (record, begun)]
    assert 86_300_000 < left[0] <= 86_400_000
    assert left[1] == -1
    assert store.index.due_at(ended(record, "cancelled", 1)) == 86_400_001


async def test_a_match_that_ended_expires_with_all_of_its_keys(link: Link, store_settings: Settings) -> None:
    keeping = Settings(redis_url=store_settings.redis_url, secret=store_settings.secret, finished_ttl=3_600)
    store = Store(link, keeping)
    rev, record = await start(store)
    events = tuple(map(an_event, range(1, 515)))
    rev = await store.commit(rev, at_version(record, 514), events, ((256, b"a"), (512, b"b")))
    assert {await link.call("PTTL", name) async for name in link.scan("{match*")} == {-1}
    record = at_version(ended(record, "finished", 9), 514)
    await store.commit(rev, record)
    gone = keys.ended(record.id).encode()
    left = {name: await link.call("PTTL", name) async for name in link.scan("{match*")}
    assert 7_000_000 < left.pop(gone) <= 7_200_000
    assert len(left) == 5
    assert all(3_500_000 < ttl <= 3_600_000 for ttl in left.values())

    await link.calls([("PEXPIRE", name, 0) for name in left])
    for attempt in (store.load(record.id), store.state_before(record.id, 3), store.commit(rev, record)):
        with pytest.raises(MatchExpired, match="is not kept any longer"):
            await attempt
