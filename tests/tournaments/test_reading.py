"""All who follow a tournament share what was read of it, and are told of it piece by piece."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast
from weakref import ref

import pytest
from msgspec.structs import replace
from redis import Redis

from schema.wire_tournaments import CloseMessage, EntryMessage, StageMessage
from service.settings import Settings
from service.tournaments import keys
from service.tournaments.ledger import Ledger
from service.tournaments.reading import reading_of
from service.tournaments.record import Entered, Left, Stopped
from service.tournaments.runner import Hall
from service.tournaments.story import AT_ONCE, TournamentStory
from tests.tournaments.halls import ID, Clock, announced, hall_of, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hall(fresh_settings: Settings) -> AsyncIterator[Hall]:
    """What a worker has, with a tournament of five that waits for entrants."""
    with Redis.from_url(fresh_settings.redis_url) as redis:
        redis.flushall()
    made = hall_of(fresh_settings, Clock(), "worker")
    await opened(made, replace(announced(5, 2), status="open", started_at=0))
    yield made
    await made.store.link.close()


def desk_of(hall: Hall) -> Any:
    """The parts of a desk that matter here."""
    settings = SimpleNamespace(idempotency_ttl=1)
    return cast("Any", SimpleNamespace(store=hall.store, settings=settings))


async def written(hall: Hall, *entries: Any, **changes: Any) -> None:
    standing = await hall.tournaments.load(ID)
    assert await hall.tournaments.commit(standing.rev, replace(standing.document, **changes), entries)


async def test_what_is_read_is_read_once_for_all(hall: Hall) -> None:
    desk = desk_of(hall)
    one, other = reading_of(desk, ID), reading_of(desk, ID)
    assert one is other
    await written(hall, status="running", started_at=2)
    await written(hall, Left(entrant="ada"))
    before, _ = await one.now()
    await written(hall, Left(entrant="bea"))
    standing, ledger = await other.now()
    assert standing.entries[0] is before.entries[0], "it is not read again"
    assert ledger.active == ("cid", "dan", "eva")
    assert await one.now() == (standing, ledger)


async def test_the_ledger_is_that_of_the_record_whenever_it_is_read(hall: Hall) -> None:
    reading = reading_of(desk_of(hall), ID)
    document = (await hall.tournaments.load(ID)).document
    late = replace(document.entrants[0], id="fay")
    for entries, changes in (
        ((), {"entrants": document.entrants[:3]}),
        ((), {"status": "running", "started_at": 2}),
        ((Left(entrant="ada"), Entered(entrant=late)), {}),
        ((), {"status": "paused"}),
        ((Stopped(cause="cancelled"),), {"status": "cancelled"}),
    ):
        await written(hall, *entries, **changes)
        standing, ledger = await reading.now()
        assert standing == await hall.tournaments.load(ID)
        assert vars(ledger) == vars(Ledger(standing.record))


async def test_what_the_store_has_lost_is_lost_here(hall: Hall) -> None:
    reading = reading_of(desk_of(hall), ID)
    await written(hall, Left(entrant="ada"), status="running", started_at=2)
    await written(hall, Left(entrant="bea"))
    await reading.now()
    await hall.store.link.call("HINCRBY", keys.tournament(ID), "rev", -1)
    await hall.store.link.call("RPOP", keys.entries(ID))
    standing, ledger = await reading.now()
    assert standing.entries == (Left(entrant="ada"),)
    assert ledger.active == ("bea", "cid", "dan", "eva")


async def test_nothing_is_kept_when_nobody_follows(hall: Hall) -> None:
    desk = desk_of(hall)
    story = TournamentStory(reading_of(desk, ID), 0)
    await story.due()
    kept = ref(reading_of(desk, ID))
    assert kept() is not None
    del story
    assert kept() is None


@pytest.mark.parametrize("after", [0, 3])
async def test_a_long_record_is_told_piece_by_piece(hall: Hall, after: int) -> None:
    entries = [Left(entrant=f"n{number}") for number in range(2 * AT_ONCE)]
    await written(hall, *entries, status="running", started_at=2)
    await written(hall, Stopped(cause="cancelled"), status="cancelled")
    story = TournamentStory(reading_of(desk_of(hall), ID), after)
    messages, most = [], 0
    while not story.is_over:
        frames = await story.due()
        messages += [frame.message for frame in frames]
        most = max(most, sum(isinstance(frame.message, EntryMessage) for frame in frames))
    assert most == AT_ONCE
    stage, *told, close = messages
    assert stage == StageMessage(after, "cancelled")
    assert [getattr(message, "number", 0) for message in told] == list(range(after + 1, 2 * AT_ONCE + 2))
    assert close == CloseMessage(2 * AT_ONCE + 1, "cancelled")
