"""What Prometheus is told: by one worker, by several, and to nobody through the proxy."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar
from prometheus_client.parser import text_string_to_metric_families

from schema.operations import OPERATIONS
from service.app import asgi, create_app
from service.settings import Settings
from service.shell import Shell
from service.store.errors import StoreGone
from service.store.link import Link
from tests.cli.running import serving
from tests.kill.deployment import deployed
from tests.service.checked import API, BASE
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
NOWHERE = "unix:///nowhere/at/all"
MEMORY = "process_resident_memory_bytes"
SCRAPES = 12
"""So many that each of two workers tells some of them."""


class Figures:
    """What a scraper has read."""

    def __init__(self, text: str) -> None:
        self._samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def __call__(self, name: str, **labels: str) -> float:
        return self._samples.get((f"cantiere_{name}", frozenset(labels.items())), 0.0)

    def values(self, name: str, label: str) -> dict[str, float]:
        """What a figure is, by one of its labels."""
        return {
            dict(labels)[label]: value for (found, labels), value in self._samples.items() if found == name
        }


@pytest.fixture
async def scraper(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the address beside the API."""
    served: Any = Shell(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE) as client:
        yield client


async def scraped(scraper: httpx.AsyncClient) -> Figures:
    answer = await scraper.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return Figures(answer.text)


async def test_a_match_counts_as_what_it_was(api: httpx.AsyncClient, scraper: httpx.AsyncClient) -> None:
    before = await scraped(scraper)
    table = await Table.started(api, GAME, 2)
    stored = [await table.play((await table.legal())[0]) for _ in range(5)]
    while table.status == "running":
        await table.post("resign", {}, table.tokens[0])
        table.note(await table.get())
    cancelled = await Table.opened(api, GAME, 2)
    assert (await cancelled.post("cancel", {}, cancelled.host)).status_code == 200
    after = await scraped(scraper)

    def grown(name: str, **labels: str) -> float:
        return after(name, **labels) - before(name, **labels)

    events = (await table.get("/events", limit=200))["events"]
    assert len(stored) == 5
    assert grown("moves_total", game=GAME) == sum(event["kind"] == "action" for event in events)
    assert grown("matches_created_total", game=GAME) == 2
    assert grown("matches_started_total", game=GAME) == 1
    assert grown("matches_over_total", game=GAME, how="finished") == 1
    assert grown("matches_over_total", game=GAME, how="cancelled") == 1
    assert grown("request_duration_seconds_count", operation="playMoves", status="2xx") == 5
    assert grown("store_round_trip_seconds_count") >= 12
    assert grown("store_round_trip_seconds_sum") > 0


async def test_refusals_count_by_code_and_so_do_their_repeats(
    api: httpx.AsyncClient, scraper: httpx.AsyncClient
) -> None:
    table = await Table.started(api, GAME, 2)
    before = await scraped(scraper)
    illegal, key = {"version": 0, "moves": ["nonsense"]}, {"Idempotency-Key": fresh_key()}
    stale = {"version": 7, "moves": (await table.legal())[:1]}
    codes = [
        (await table.post("moves", body, table.tokens[table.to_move], **key)).json()["code"]
        for body, key in ((illegal, {}), (stale, key), (stale, key))
    ]
    assert codes[1:] == ["stale_version", "stale_version"]
    await api.get("/matches/aaaa", headers=bearer("x"))
    await api.get("/nothing/here")
    after = await scraped(scraper)
    for code, number in ((codes[0], 1), ("stale_version", 2), ("no_such_match", 1), ("not_found", 1)):
        assert after("refusals_total", code=code) - before("refusals_total", code=code) == number
    labels = {"operation": "other", "status": "4xx"}
    name = "request_duration_seconds_count"
    assert after(name, **labels) - before(name, **labels) == 1


async def test_streams_and_long_polls_count_while_they_are_open(
    api: httpx.AsyncClient, scraper: httpx.AsyncClient
) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any()
    before = await scraped(scraper)
    waiting = asyncio.create_task(table.get("/events", after=table.version, wait=20))
    while (await scraped(scraper))("streams_open") != before("streams_open") + 1:
        assert not waiting.done()
    await table.play_any()
    assert (await waiting)["events"]
    while table.status == "running":
        await table.post("resign", {}, table.tokens[0])
        table.note(await table.get())
    told = await scraper.get(f"{API}{table.path}/events", headers={"Accept": "application/x-ndjson"})
    after = await scraped(scraper)
    assert after("streams_open") == before("streams_open")
    sent = after("stream_messages_total") - before("stream_messages_total")
    assert sent == len(told.text.splitlines()) > table.version
    labels = {"operation": "waitForEvents", "status": "2xx"}
    name = "request_duration_seconds_count"
    assert after(name, **labels) - before(name, **labels) == 1


@pytest.mark.parametrize(("on_flag", "how"), [("retire", "finished"), ("abort", "aborted")])
async def test_flags_count_whatever_follows(
    api: httpx.AsyncClient, scraper: httpx.AsyncClient, on_flag: str, how: str
) -> None:
    before = await scraped(scraper)
    table = await Table.started(api, GAME, 2, clock={"perTurn": 1_000, "onFlag": on_flag})
    news = await table.get("/events", after=table.version, wait=20, status="running")
    assert news["status"] == how
    after = await scraped(scraper)
    counted: tuple[tuple[str, dict[str, str]], ...] = (
        ("clock_flags_total", {}),
        ("matches_over_total", {"how": how}),
    )
    async with asyncio.timeout(60):  # the news may be here before the worker that flagged has counted
        while any(
            after(name, game=GAME, **labels) == before(name, game=GAME, **labels) for name, labels in counted
        ):
            await asyncio.sleep(0.02)
            after = await scraped(scraper)
    for name, labels in counted:
        assert after(name, game=GAME, **labels) - before(name, game=GAME, **labels) == 1


async def test_refusals_for_their_number_count_by_bucket(fresh_settings: Settings) -> None:
    settings = msgspec.structs.replace(
        fresh_settings, limits_exempt="none", limit_create="1/h", limit_address=1
    )
    app = create_app(settings)
    async with app.lifespan():
        served: Any = Shell(app)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE) as client:
            before = await scraped(client)
            body = {"game": GAME, "seats": 2}
            statuses = [(await client.post(f"{API}/matches", json=body)).status_code for _ in range(4)]
            after = await scraped(client)
    refused = statuses.count(429)
    assert refused >= 2
    labels = {"bucket": "create"}
    assert after("rate_limited_total", **labels) - before("rate_limited_total", **labels) == refused


async def test_a_store_that_does_not_answer_counts(scraper: httpx.AsyncClient) -> None:
    before = await scraped(scraper)
    nobody = Link(NOWHERE, 1.0)
    with pytest.raises(StoreGone):
        await nobody.call("PING")
    await nobody.close()
    assert (await scraped(scraper))("store_failures_total") == before("store_failures_total") + 1


async def test_they_can_be_turned_off(fresh_settings: Settings) -> None:
    shell: Any = asgi(msgspec.structs.replace(fresh_settings, metrics="off"))
    async with (
        shell.app.lifespan(),
        httpx.AsyncClient(transport=httpx.ASGITransport(shell), base_url=BASE) as client,
    ):
        assert (await client.get("/metrics")).status_code == 404


async def test_every_operation_is_counted_by_its_name(app: Litestar) -> None:
    names = {handler.name for route in app.routes for handler in getattr(route, "route_handlers", ())}
    assert {operation.name for operation in OPERATIONS} <= names


async def test_any_of_several_workers_tells_what_all_have_done(tmp_path: Path) -> None:
    with serving(tmp_path / "out", tmp_path / "data", "--workers", "2") as (_, url):
        async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
            table = await Table.started(api, GAME, 2)
            played = await moves_on_many_connections(url, table, 12)
        figures = [Figures(text) for text in await scrapes(url)]
        assert {each("moves_total", game=GAME) for each in figures} == {played}
        assert {each("matches_created_total", game=GAME) for each in figures} == {1}
        pids = figures[0].values(MEMORY, "pid")
        assert len(pids) == 2
        assert all(memory > 1e7 for memory in pids.values())

        async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
            streams = api.stream(
                "GET", f"{table.path}/events", headers={"Accept": "text/event-stream"}, timeout=30
            )
            async with streams as stream:
                assert stream.status_code == 200
                assert (await told(url, lambda figures: figures("streams_open") == 1))("streams_open") == 1
                for pid in pids:
                    os.kill(int(pid), signal.SIGKILL)
        replaced = await told(
            url,
            lambda figures: len(figures.values(MEMORY, "pid").keys() - pids) == 2,
        )
        assert not replaced.values(MEMORY, "pid").keys() & pids
        assert replaced("streams_open") == 0
        assert replaced("moves_total", game=GAME) == played


async def moves_on_many_connections(url: str, table: Table, moves: int) -> int:
    """Play so many moves, each on a connection of its own, so that all workers have some."""
    for _ in range(moves):
        async with httpx.AsyncClient(base_url=url + API, timeout=30) as table.api:
            await table.play_any()
    async with httpx.AsyncClient(base_url=url + API, timeout=30) as table.api:
        events = (await table.get("/events", limit=200))["events"]
    return sum(event["kind"] == "action" for event in events)


async def scrapes(url: str) -> list[str]:
    """What is told on several connections."""
    texts = []
    for _ in range(SCRAPES):
        async with httpx.AsyncClient(base_url=url, timeout=30) as client:
            texts.append((await client.get("/metrics")).raise_for_status().text)
    return texts


async def told(url: str, is_so: Callable[[Figures], bool]) -> Figures:
    """The figures, as soon as they are so; workers may be on their way up."""
    async with asyncio.timeout(60):
        while True:
            try:
                async with httpx.AsyncClient(base_url=url, timeout=5) as client:
                    figures = Figures((await client.get("/metrics")).text)
            except httpx.TransportError:
                figures = Figures("")
            if is_so(figures):
                return figures
            await asyncio.sleep(0.05)


async def test_the_proxy_keeps_them_from_the_public(tmp_path: Path) -> None:
    with deployed(tmp_path) as deployment:
        async with httpx.AsyncClient(base_url=deployment.url, timeout=30) as client:
            assert (await client.get(f"{API}/health/ready")).status_code == 200
            for path in ("/metrics", "/metrics/", "//metrics", "/%6detrics", f"{API}/../../metrics"):
                assert (await client.get(f"{deployment.url}{path}")).status_code == 404, path
