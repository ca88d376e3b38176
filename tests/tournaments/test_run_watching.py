"""Who may look on: a match is told when its players are called, to all if nobody else is to play its deal."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from redis import Redis

from schema.manifest import Duplicate, Rotation
from schema.wire_tournaments import TournamentMatchesQuery, TournamentMatchView, TournamentStatus
from service.settings import Settings
from service.tournaments.manifest import Design
from service.tournaments.pairings import match_page
from service.tournaments.record import Ended, Stopped
from service.tournaments.runner import Hall, Runner
from service.tournaments.views import shown_record
from tests.tournaments.halls import ID, NAMES, Clock, announced, bots_act, hall_of, opened, passed

pytestmark = pytest.mark.anyio
ALL = TournamentMatchesQuery()
GUEST = ""


class Stand:
    """A tournament of two, one match at a time, and what people are told of its matches."""

    def __init__(self, hall: Hall, clock: Clock) -> None:
        self._hall = hall
        self._clock = clock
        self._runner = Runner(hall, ID)

    async def goes_on(self, *played: int) -> None:
        """These matches are played, and the tournament does what is due."""
        for number in played:
            await bots_act(self._hall.store, range(number, number + 1))
        await passed(self._runner, self._clock)

    async def ends(self, status: TournamentStatus) -> None:
        """It is over before all is played."""
        standing = await self._hall.tournaments.load(ID)
        assert await self._hall.tournaments.commit(
            standing.rev, replace(standing.document, status=status), (Stopped(cause="cancelled"),)
        )

    async def told(self, player: str) -> Sequence[TournamentMatchView]:
        standing = await self._hall.tournaments.load(ID)
        return (await match_page(self._hall.store, self._hall.tokens, standing, player, ALL)).matches

    async def recorded(self) -> list[tuple[str, str, str]]:
        """What the record, as everybody may read it, says of each match that ended."""
        record = shown_record(await self._hall.tournaments.load(ID))
        results = [entry.result for entry in record.entries if isinstance(entry, Ended)]
        return [(result.match, result.commitment, result.digest) for result in results]


@asynccontextmanager
async def begun(settings: Settings, design: Design) -> AsyncIterator[Stand]:
    with Redis.from_url(settings.redis_url) as redis:
        redis.flushall()
    clock = Clock()
    hall = hall_of(settings, clock, "world")
    await opened(hall, announced(2, 2, design=design))
    stand = Stand(hall, clock)
    await stand._runner._begin()
    await stand.goes_on()
    yield stand
    await hall.store.settle()
    await hall.store.link.close()


def known(views: Sequence[TournamentMatchView]) -> list[bool]:
    return [view.match is not None for view in views]


async def test_a_match_with_a_deal_of_its_own_is_told_while_it_is_played(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, Rotation(matches=2)) as stand:
        views = await stand.told(GUEST)
        assert [view.stage for view in views] == ["open", "ordered"]
        assert known(views) == [True, False]
        assert known(await stand.told(NAMES[0])) == [True, False]
        await stand.goes_on(1)
        views = await stand.told(GUEST)
        assert [view.stage for view in views] == ["done", "open"]
        assert known(views) == [True, True]


async def test_a_deal_that_others_are_to_play_is_told_to_its_players_alone(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, Duplicate(deals=1)) as stand:
        assert known(await stand.told(GUEST)) == [False, False]
        assert known(await stand.told(NAMES[0])) == [True, False]
        await stand.goes_on(1)
        assert known(await stand.told(GUEST)) == [False, True]
        assert await stand.recorded() == [("", "", "")]
        await stand.goes_on(2)
        assert all(all(told) for told in await stand.recorded())
        views = await stand.told(GUEST)
        assert [view.stage for view in views] == ["done", "done"]
        assert known(views) == [True, True]


@pytest.mark.parametrize("status", ["cancelled", "finished"])
async def test_nothing_is_open_when_the_tournament_is_over(
    fresh_settings: Settings, status: TournamentStatus
) -> None:
    async with begun(fresh_settings, Rotation(matches=3)) as stand:
        await stand.goes_on(1)
        await stand.ends(status)
        assert [view.stage for view in await stand.told(GUEST)] == ["done", "void", "void"]
