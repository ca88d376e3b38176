"""Nothing acknowledged is lost and nothing is told twice while workers and the store are killed.

Two workers behind the proxy of `deploy/`; bots play whole matches and subscribers follow them while a worker
is killed with SIGKILL again and again, and the store now and then.
"""

from contextlib import ExitStack
from itertools import cycle, islice
from pathlib import Path

import pytest

from engine.chance import Draw
from engine.registry import GAMES
from engine.transcript import replay
from service.client import Client
from tests.cli.running import until
from tests.kill.crowd import Table
from tests.kill.deployment import Deployment, deployed

SHORT = {"red-cathedral": {"turnLimit": 12}, "torri-di-bologna": {}}
"""Options for matches of some hundred events."""


@pytest.mark.parametrize(
    ("tables", "every", "store_kills"),
    [pytest.param(4, 40, 1, id="a few"), pytest.param(100, 250, 2, id="many", marks=pytest.mark.soak)],
)
def test_nothing_acknowledged_is_lost(tmp_path: Path, tables: int, every: int, store_kills: int) -> None:
    with deployed(tmp_path) as deployment, ExitStack() as ends:
        crowd = [Table(deployment.url, game, SHORT[game]) for game in islice(cycle(GAMES), tables)]
        for table in crowd:
            ends.callback(table.give_up)
            table.start()
        kills = _kill(deployment, crowd, every, store_kills)
        for table in crowd:
            table.join()
        for table in crowd:
            _check(deployment.url, table)
    print(_figures(crowd, kills, store_kills))  # noqa: T201  # `make soak` shows it


def _figures(crowd: list[Table], kills: int, store_kills: int) -> str:
    events = sum(len(table.seen) for table in crowd)
    resumed = sum(table.connections - 1 for table in crowd)
    return (
        f"\n{len(crowd)} matches of {events} events; {kills} workers and {store_kills} stores killed;"
        f" streams resumed {resumed} times"
    )


def _kill(deployment: Deployment, crowd: list[Table], every: int, store_kills: int) -> int:
    """How many workers were killed, one after so many acknowledged events; now and then the store as well."""
    draw, kills = Draw(b"who is next"), 0

    def is_due() -> bool:
        for table in crowd:
            table.check()
        return not _is_busy(crowd) or _acknowledged(crowd) >= (kills + 1) * every

    while until(is_due) and _is_busy(crowd):
        kills += 1
        deployment.workers[draw.below(len(deployment.workers), kills)].kill()
        if kills % 2 == 0 and kills // 2 <= store_kills:
            deployment.kill_store()
    assert kills // 2 >= store_kills, "the matches were over too soon"
    return kills


def _is_busy(crowd: list[Table]) -> bool:
    return any(table.is_busy() for table in crowd)


def _acknowledged(crowd: list[Table]) -> int:
    return sum(len(table.acknowledged) for table in crowd)


def _check(url: str, table: Table) -> None:
    with Client(url) as client:
        transcript = client.transcript(table.match)
    record = [(event.version, event.move) for event in transcript.events]
    assert len(list(replay(transcript))) == len(record)
    assert transcript.ranks is not None, "the match has not ended"
    assert table.seen == record, "the subscriber saw something else"
    assert table.acknowledged == record, "an acknowledged move is missing, or was played twice"
