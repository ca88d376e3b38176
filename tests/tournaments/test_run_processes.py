"""Remote bots, each a process of its own, play to the end while the worker of the tournament is killed."""

import asyncio
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from redis import Redis

from schema.manifest import Duplicate, Limits, Luck
from schema.wire_players import RegisterPlayer
from service.client import Client
from service.settings import Settings
from service.tournaments import keys
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Entrant
from service.tournaments.record import Record
from service.tournaments.standings import Place, standings
from service.tournaments.store import LEASE_MS
from tests.cli.running import ENVIRONMENT, background
from tests.tournaments.brief_bot import brief
from tests.tournaments.halls import Clock, announced, hall_of

SECONDS = 3_000
UNDISTURBED, DISTURBED = "aaaabbbbccccdddd", "eeeeffffgggghhhh"


class Bots(NamedTuple):
    """The bots of a service, each in a process; the service drives no tournament itself."""

    settings: Settings
    environment: Mapping[str, str]
    client: Client
    entrants: tuple[Entrant, ...]
    logs: Path


@contextmanager
def playing(settings: Settings, logs: Path, commands: Sequence[Sequence[str]]) -> Iterator[Bots]:
    """Bots by their commands, on an empty store; they have the same ids each time."""
    with Redis.from_url(settings.redis_url) as redis:
        redis.flushall()
    environment = settings.to_env() | {"CANTIERE_BOTS": "0", "CANTIERE_TOURNAMENTS": "0"}
    with ExitStack() as stack:
        server = stack.enter_context(background(logs / "server", "serve", "--port", "0", **environment))
        url = server.says(r"listens on (http://\S+)")
        client = stack.enter_context(Client(url, patience=120))
        entrants = []
        for number, command in enumerate(commands):
            name = f"Bot {number}"
            made = client.register(RegisterPlayer(name, "bot"), key=f"the-key-of-bot-number-{number:04}")
            entrants.append(Entrant(id=made.player.id, name=name))
            told = ENVIRONMENT | {"CANTIERE_ACCOUNT_TOKEN": made.token}
            process = subprocess.Popen([*command, url], env=told, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield Bots(settings, environment, client, tuple(entrants), logs)


async def announce(bots: Bots, tournament: str, luck: Luck) -> None:
    """A three-seat round robin with duplicate deals begins, with a seed that is always the same."""
    document = announced(0, 3, design=Duplicate(seatings="cyclic"), limits=Limits(per_entrant=2))
    manifest = replace(document.manifest, entrants=bots.entrants, luck=luck)
    hall = hall_of(bots.settings, Clock(), "organiser")
    begun = replace(document, id=tournament, manifest=manifest, entrants=bots.entrants)
    await hall.tournaments.commit(0, begun)
    await hall.store.link.close()


def held(bots: Bots, tournament: str, luck: Luck, kills: int, lease_ms: int = LEASE_MS) -> Record:
    """The record of a tournament whose worker was killed so often, each time when something was written.

    `lease_ms` is for how long nobody else may drive it then.
    """
    asyncio.run(announce(bots, tournament, luck))
    deadline = time.monotonic() + SECONDS
    known = 0
    for _ in range(kills):
        with background(bots.logs / "worker", "tournaments", **bots.environment) as worker:
            before = known
            while known <= before:
                page = bots.client.tournament_entries(tournament, before, wait=20)
                known = page.count
                assert page.status == "running", "it was over before the last kill"
                assert time.monotonic() < deadline
            worker.process.kill()
            worker.process.wait()
        with Redis.from_url(bots.settings.redis_url) as redis:
            redis.pexpire(keys.driver(tournament), lease_ms)
    with background(bots.logs / "worker", "tournaments", **bots.environment):
        while (page := bots.client.tournament_entries(tournament, known, wait=20)).status != "finished":
            known = page.count
            assert time.monotonic() < deadline
    return bots.client.tournament_record(tournament)


class End:
    """The table, and every result but for what it was called and how long its turns took."""

    def __init__(self, record: Record) -> None:
        ledger = Ledger(record)
        assert len(ledger.results) == len(ledger.orders)
        assert not ledger.voided
        self.table: tuple[Place, ...] = standings(ledger)
        self.results = [
            replace(result, match="", latencies=()) for _, result in sorted(ledger.results.items())
        ]
        self.matches = {result.match for result in ledger.results.values()}


def check(undisturbed: Record, disturbed: Record, matches: int) -> None:
    """One ended like the other, after so many matches."""
    ends = End(undisturbed), End(disturbed)
    assert ends[1].table == ends[0].table
    assert ends[1].results == ends[0].results
    assert [len(end.matches) for end in ends] == [matches] * 2
    assert len({place.place for place in ends[0].table}) > 1


def test_a_worker_that_is_killed_changes_nothing(store_settings: Settings, tmp_path: Path) -> None:
    """Luck is that of the deals, so that both tournaments are the same; these bots remember nothing."""
    with playing(store_settings, tmp_path, brief(1, 3, 5)) as bots:
        undisturbed = held(bots, UNDISTURBED, "shared", kills=0)
        disturbed = held(bots, DISTURBED, "shared", kills=2, lease_ms=1)
    check(undisturbed, disturbed, 3)


@pytest.mark.soak
def test_eight_bots_of_two_kinds_and_ten_kills(store_settings: Settings, tmp_path: Path) -> None:
    commands = brief(*[2] * 4, *[6] * 4)
    with playing(store_settings, tmp_path, commands) as bots:
        undisturbed = held(bots, UNDISTURBED, "own", kills=0)
    with playing(store_settings, tmp_path, commands) as bots:
        disturbed = held(bots, UNDISTURBED, "own", kills=10)
    check(undisturbed, disturbed, 48)  # sixteen tables in three seatings each
