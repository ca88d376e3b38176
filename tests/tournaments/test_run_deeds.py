"""What organisers and players do to a tournament while workers drive it, and what is written of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from redis import Redis

from schema.manifest import FaultPolicy, FaultRule, Rotation, RoundRobin
from schema.wire_tournaments import TournamentsQuery
from service.accounts import keys as players
from service.accounts.caller import Caller
from service.accounts.record import Grant, PlayerRecord
from service.catalogue import Catalogue
from service.errors import Refused, WrongToken
from service.settings import Settings
from service.tournaments import deeds, keys
from service.tournaments.document import Document
from service.tournaments.errors import (
    AlreadyEntered,
    TournamentIsOver,
    TournamentNotStarted,
    TournamentStarted,
)
from service.tournaments.faults import strikes
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import FaultClass
from service.tournaments.office import Deed, Occasion
from service.tournaments.record import Ended, Stopped
from service.tournaments.runner import Hall, Runner
from service.tournaments.standings import standings
from service.tournaments.store import Standing
from service.tournaments.verify import check_record
from service.tournaments.views import tournament_view
from tests.tournaments.halls import ID, NAMES, Clock, act, announced, bots_act, hall_of, opened, passed

pytestmark = pytest.mark.anyio
ORGANISER = "organiser"
MOST_PASSES = 40
AWAY = 60_000


class Scene(NamedTuple):
    """A tournament, a worker that drives it step by step, and the time."""

    hall: Hall
    clock: Clock
    runner: Runner

    async def standing(self) -> Standing:
        return await self.hall.tournaments.load(ID)

    async def ledger(self) -> Ledger:
        """The record so far, every entry of which can stand where it stands."""
        record = (await self.standing()).record
        check_record(record)
        return Ledger(record)

    async def done(self, deed: Deed, player: str) -> None:
        """The player has done that. Raises Refused."""
        standing = await self.standing()
        record = PlayerRecord(1, player, player.title(), "bot", 1)
        caller = Caller(record, Grant("token", "", b"", (), 1), "", 1)
        written = deed(Occasion(standing, caller, self.clock(), Catalogue()))
        assert await self.hall.tournaments.commit(standing.rev, written.document, written.entries)

    async def refused(self, deed: Deed, player: str, why: type[Refused]) -> None:
        """It is refused, and changes nothing."""
        before = await self.standing()
        with pytest.raises(why):
            await self.done(deed, player)
        assert await self.standing() == before

    async def goes_on(self) -> bool:
        """Whether it is over when the worker has done what is due."""
        return await passed(self.runner, self.clock)

    async def played(self, *numbers: int) -> None:
        for number in numbers:
            await bots_act(self.hall.store, range(number, number + 1))
        await self.goes_on()

    async def ends(self) -> Ledger:
        """All that is left is played."""
        for _ in range(MOST_PASSES):
            if await self.goes_on():
                return await self.ledger()
            await bots_act(self.hall.store, range(1, len(self.runner._ledger.orders) + 1))
        raise AssertionError("it does not end")

    async def status(self, number: int) -> str | None:
        """How the match of an order stands, None if there is none."""
        (head,) = await self.hall.store.heads([match_of(self.hall, number)])
        return head.status if head else None

    async def seated(self, number: int, seats: int) -> None:
        """So many players have come to a match."""
        for _ in range(seats):
            rev, record, _ = await self.hall.store.load(match_of(self.hall, number))
            decision = act(record, self.clock())
            await self.hall.store.commit(rev, decision.record, decision.events, decision.snapshots)


def match_of(hall: Hall, number: int) -> str:
    return hall.tokens.match_id(f"tournament {ID} {number} 0")


@asynccontextmanager
async def begun(settings: Settings, document: Document) -> AsyncIterator[Scene]:
    with Redis.from_url(settings.redis_url) as redis:
        redis.flushall()
    clock = Clock()
    hall = hall_of(settings, clock, "worker")
    await opened(hall, document)
    scene = Scene(hall, clock, Runner(hall, ID))
    await scene.runner._begin()
    await scene.goes_on()
    yield scene
    await hall.store.settle()
    await hall.store.link.close()


async def test_a_tournament_that_cannot_be_read_is_left_out_of_the_list(
    fresh_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async with begun(fresh_settings, announced(2, 2)) as scene:
        hall = scene.hall
        await hall.tournaments.commit(0, replace((await scene.standing()).document, id="another"))
        await hall.store.link.call("HSET", keys.tournament("another"), "blob", b"of another release")
        found, following = await hall.tournaments.page(TournamentsQuery())
        assert ([document.id for document in found], following) == ([ID], None)
        assert "The tournament another is left out: A stored tournament cannot be read" in caplog.text


async def test_the_round_that_is_told_is_the_one_that_is_played(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, announced(4, 2)) as scene:
        ledger = await scene.ledger()
        assert ledger.round == 3, "all are ordered at once"
        seen = [tournament_view(await scene.standing(), "").round]
        for _, orders in ledger.rounds():
            await scene.played(*(order.number for order in orders))
            seen.append(tournament_view(await scene.standing(), "").round)
        assert seen == [1, 2, 3, 3]
        said = await scene.hall.store.link.call("XRANGE", players.events(NAMES[0]), "-", "+")
        told = [dict(zip(fields[::2], fields[1::2], strict=True)) for _, fields in said]
        assert [(one[b"k"], one[b"v"]) for one in told if one[b"k"].startswith(b"tournament")] == [
            (b"tournament_started", b"1"),
            (b"tournament_round", b"2"),
            (b"tournament_round", b"3"),
            (b"tournament_over", b"3"),
        ]


async def test_no_match_begins_in_a_pause_and_all_are_played_after_it(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, announced(2, 2, design=Rotation(matches=2))) as scene:
        assert [await scene.status(number) for number in (1, 2)] == ["open", None]
        await scene.refused(deeds.pause, NAMES[0], WrongToken)
        await scene.done(deeds.pause, ORGANISER)
        await scene.played(1)
        assert set((await scene.ledger()).results) == {1}, "what has begun is played and counted"
        assert not await scene.goes_on()
        assert await scene.status(2) is None
        await scene.done(deeds.resume, ORGANISER)
        await scene.goes_on()
        assert await scene.status(2) == "open"
        assert set((await scene.ends()).results) == {1, 2}
        for deed in (deeds.pause, deeds.resume, deeds.cancel, deeds.start):
            await scene.refused(deed, ORGANISER, TournamentIsOver)


@pytest.mark.parametrize("is_paused", [False, True])
async def test_what_goes_on_when_it_is_cancelled_ends_and_counts_for_nothing(
    fresh_settings: Settings, is_paused: bool
) -> None:
    async with begun(fresh_settings, announced(4, 2)) as scene:
        first, second, *_ = await matches_of(scene)
        await scene.played(first)
        await scene.seated(second, 2)
        await scene.goes_on()
        called = [number for number in await matches_of(scene) if await scene.status(number) == "open"]
        if is_paused:
            await scene.done(deeds.pause, ORGANISER)
        await scene.refused(deeds.cancel, NAMES[0], WrongToken)
        await scene.done(deeds.cancel, ORGANISER)
        assert await scene.goes_on()
        ledger = await scene.ledger()
        assert (ledger.stopped, set(ledger.results)) == ("cancelled", {first})
        assert await scene.status(second) == "aborted"
        assert {await scene.status(number) for number in called} <= {"cancelled"}
        standing = await scene.standing()
        assert isinstance(standing.entries[-1], Stopped)
        assert standing.record.seed is not None
        assert await scene.hall.tournaments.active() == ()
        for number in await matches_of(scene):
            assert not (await scene.hall.store.load(match_of(scene.hall, number))).record.is_withheld
        for deed in (deeds.cancel, deeds.resume, deeds.join, deeds.leave):
            await scene.refused(deed, ORGANISER, TournamentIsOver)


async def matches_of(scene: Scene) -> list[int]:
    """The numbers of the orders that there are matches of."""
    orders = sorted((await scene.ledger()).orders)
    return [number for number in orders if await scene.status(number)]


async def test_before_it_begins_it_can_be_cancelled_but_not_paused(fresh_settings: Settings) -> None:
    document = announced(2, 2)
    bare = replace(document.manifest, entrants=())
    async with begun(fresh_settings, replace(document, status="open", started_at=0, manifest=bare)) as scene:
        for deed in (deeds.pause, deeds.resume):
            await scene.refused(deed, ORGANISER, TournamentNotStarted)
        await scene.done(deeds.cancel, ORGANISER)
        assert await scene.goes_on()
        assert (await scene.standing()).entries == ()
        for deed in (deeds.start, deeds.join):
            await scene.refused(deed, ORGANISER, TournamentIsOver)


async def test_who_comes_late_is_taken_as_the_manifest_says_and_counts(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, announced(2, 2, late=1)) as scene:
        await scene.done(deeds.join, "cid")
        await scene.refused(deeds.join, "cid", AlreadyEntered)
        ledger = await scene.ends()
        rows = {row.entrant: row.matches for row in standings(ledger)}
        assert rows == {"ada": 2, "bea": 2, "cid": 2}
        await scene.refused(deeds.join, "dan", TournamentIsOver)


async def test_who_comes_too_late_is_refused(fresh_settings: Settings) -> None:
    async with begun(fresh_settings, announced(2, 2)) as scene:
        await scene.refused(deeds.join, "cid", TournamentStarted)
        await scene.done(deeds.leave, "bea")
        await scene.refused(deeds.join, "bea", AlreadyEntered)
        assert {row.entrant for row in standings(await scene.ends())} == {"ada", "bea"}


async def at_once(one: Scene, other: Scene) -> bool:
    return all(await asyncio.gather(one.goes_on(), other.goes_on()))


async def by_turns(one: Scene, other: Scene) -> bool:
    """As when the lease goes to and fro: each has missed what the other did."""
    return all([await one.goes_on(), await other.goes_on()])


@pytest.mark.parametrize("go_on", [at_once, by_turns])
async def test_two_workers_order_and_count_every_match_once(
    fresh_settings: Settings, go_on: Callable[[Scene, Scene], Awaitable[bool]]
) -> None:
    async with begun(fresh_settings, announced(4, 2)) as scene:
        hall = hall_of(fresh_settings, scene.clock, "other")
        other = Scene(hall, scene.clock, Runner(hall, ID))
        await other.runner._begin()
        for _ in range(MOST_PASSES):
            if await go_on(scene, other):
                break
            assert max((await at_table(scene)).values(), default=0) <= 1
            await bots_act(scene.hall.store, range(1, 7))
        ledger = await scene.ledger()
        entries = (await scene.standing()).entries
        assert sorted(ledger.results) == [1, 2, 3, 4, 5, 6]
        assert sum(isinstance(entry, Ended) for entry in entries) == 6
        assert ledger.voided == []
        await other.hall.store.link.close()


async def at_table(scene: Scene) -> Counter[str]:
    """How many matches each entrant is called to."""
    orders = (await scene.ledger()).orders.values()
    called = [order for order in orders if await scene.status(order.number) in ("open", "running")]
    return Counter(entrant for order in called for entrant in order.entrants)


@pytest.mark.parametrize(("fault", "present"), [("disconnect", 2), ("no_show", 1)])
@pytest.mark.parametrize("allowed", [0, 1])
async def test_a_strike_for_who_is_away_ends_the_match_and_counts_for_the_event(
    fresh_settings: Settings, fault: FaultClass, present: int, allowed: int
) -> None:
    policy = FaultPolicy(strikes=allowed, present_within_ms=AWAY, gone_after_ms=AWAY)
    policy = replace(policy, **{fault: FaultRule(then="strike")})
    async with begun(fresh_settings, announced(2, 2, RoundRobin(rounds=2), faults=policy)) as scene:
        await scene.seated(1, present)
        await scene.goes_on()
        assert await scene.status(1) == ("running" if present == 2 else "open")
        scene.clock.now += AWAY
        await scene.goes_on()
        ledger = await scene.ledger()
        ((seen,),) = [result.faults for result in ledger.results.values()]
        assert (seen.fault, seen.count) == (fault, 1)
        assert seen.seat is not None
        away = ledger.orders[1].entrants[seen.seat]
        assert ledger.results[1].ranks[seen.seat] == 2
        assert strikes(ledger) == {away: 1}
        assert set(ledger.left) == (set() if allowed else {away})
