"""A tournament whose worker is killed at any step ends as if nothing had happened."""

import pytest
from msgspec.structs import replace
from redis import Redis

from schema.manifest import Duplicate
from service.settings import Settings
from service.tournaments.document import Document
from service.tournaments.ledger import Ledger
from service.tournaments.record import Ended, Entry, Ordered
from service.tournaments.runner import Hall, Runner
from service.tournaments.standings import Place, standings
from tests.tournaments.halls import ID, Clock, Killed, announced, bots_act, hall_of, opened, passed

pytestmark = pytest.mark.anyio
MOST_PASSES = 200


class End:
    """How a tournament ended, whoever drove it."""

    def __init__(self, document: Document, entries: tuple[Entry, ...]) -> None:
        ledger = Ledger(document.record(entries))
        self.table: tuple[Place, ...] = standings(ledger)
        self.results = {
            number: replace(result, latencies=()) for number, result in sorted(ledger.results.items())
        }
        ended = [entry.result.order for entry in entries if isinstance(entry, Ended)]
        ordered = [order.number for entry in entries if isinstance(entry, Ordered) for order in entry.orders]
        assert len(ended) == len(set(ended)), "a match was counted twice"
        assert sorted(ended) == ordered, "a match was lost"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, End) and (self.table, self.results) == (other.table, other.results)

    __hash__ = None  # type: ignore[assignment]


async def played(
    settings: Settings, document: Document, at: int = 0, is_after: bool = False
) -> tuple[End, int]:
    """The end of a tournament whose worker is killed at an exchange with the store; how many it had."""
    with Redis.from_url(settings.redis_url) as redis:
        redis.flushall()
    clock = Clock()
    world = hall_of(settings, clock, "world")
    await opened(world, document)
    mortal, heir = hall_of(settings, clock, "mortal", at, is_after), hall_of(settings, clock, "heir")
    try:
        await _driven(mortal, world, clock)
    except Killed:
        await _driven(heir, world, clock)
    standing = await world.tournaments.load(ID)
    assert await world.tournaments.active() == ()
    for number in Ledger(standing.record).orders:
        match = world.tokens.match_id(f"tournament {ID} {number} 0")
        assert not (await world.store.load(match)).record.is_withheld
    for hall in (world, mortal, heir):
        await hall.store.settle()
        await hall.store.link.close()
    return End(standing.document, standing.entries), mortal.store.link._mux.count  # type: ignore[attr-defined]


async def _driven(hall: Hall, world: Hall, clock: Clock) -> None:
    runner = Runner(hall, ID)
    await runner._begin()
    for _ in range(MOST_PASSES):
        if await passed(runner, clock):
            return
        await bots_act(world.store, range(1, len(runner._ledger.orders) + 1))
    raise AssertionError("it does not end")


async def check(settings: Settings, step: int) -> None:
    """Kill at one of so many exchanges, before it and after it."""
    document = announced(3, 2, design=Duplicate())
    undisturbed, exchanges = await played(settings, document)
    assert exchanges > 40
    assert len({place.place for place in undisturbed.table}) > 1
    for at in range(1, exchanges + 1, step):
        for is_after in (False, True):
            end, _ = await played(settings, document, at, is_after)
            assert end == undisturbed, (at, is_after)


async def test_killed_at_many_a_step(fresh_settings: Settings) -> None:
    await check(fresh_settings, 41)


@pytest.mark.soak
async def test_killed_at_every_step(fresh_settings: Settings) -> None:
    await check(fresh_settings, 1)
