"""Streams, by a service of its own process: every channel tells everything once, in order, and ends."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from schema.operations import NDJSON, SSE
from schema.wire_streams import EndMessage, HeartbeatMessage, StatusMessage
from tests.cli.running import background
from tests.service.accounts import registered
from tests.service.channels import CHANNELS, Channel, events, record, sse, told
from tests.service.following import Following, client_of, play, resign
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
each_channel = pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)
MOVES = 30


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that gives a sign of life every second."""
    directory = tmp_path_factory.mktemp("streams")
    quick = {"CANTIERE_HEARTBEAT_INTERVAL": "1"}
    arguments = ("serve", "--port", "0", "--data-dir", directory / "data")
    with background(directory / "out", *arguments, **quick) as server:
        yield server.says(r"listens on (http://\S+)")


@pytest.fixture
async def api(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that checks every answer."""
    async with client_of(url) as client:
        yield client


@pytest.mark.parametrize("slug", SLUGS)
async def test_every_channel_tells_everything_once_and_in_order(
    url: str, api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.opened(api, slug, 2)
    early = {name: Following(channel, url, table.id) for name, channel in CHANNELS.items()}
    await asyncio.gather(*(early[name].begun.wait() for name in early))
    await table.join(name="Ada")
    await table.join(name="Bob")
    await play(table, MOVES)
    late = {name: Following(channel, url, table.id) for name, channel in CHANNELS.items()}
    await play(table, MOVES)
    await resign(table)
    stored = await record(api, table.id)
    assert [event.version for event in stored] == list(range(1, table.version + 1))
    ranks = tuple((await table.get())["ranks"])
    for name in CHANNELS:
        for following in (early[name], late[name]):
            messages = await following.until_over()
            assert events(messages) == stored, name
            end = messages[-1]
            assert isinstance(end, EndMessage)
            assert (end.version, end.status) == (table.version, "finished")
            assert end.ranks == (None if name == "poll" else ranks)
        assert told(early[name].messages) == ["open", "running", "finished"], name
        assert told(late[name].messages) == ["running", "finished"], name


async def test_who_comes_before_the_start_sees_the_seats_fill(url: str, api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, SLUGS[0], 2)
    following = Following(sse, url, table.id)
    await following.begun.wait()
    await table.join(name="Ada")
    await table.post("kick", {"seat": 0}, table.host)
    await table.join(name="Eve")
    await table.join(name="Bob")
    await play(table, 1)
    await resign(table)
    first, *rest = await following.until_over()
    assert [seat.taken for seat in first.seats] == [False, False]
    *_, last = (message for message in rest if isinstance(message, StatusMessage))
    assert (last.status, [seat.name for seat in last.seats]) == ("running", ["Eve", "Bob"])
    assert events(rest) == await record(api, table.id)


@each_channel
@pytest.mark.parametrize("is_over", [True, False], ids=["finished", "running"])
async def test_a_stream_is_resumed_after_any_version(
    url: str, api: httpx.AsyncClient, channel: Channel, is_over: bool
) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    await play(table, 12)
    if is_over:
        await resign(table)
    versions = (0, 1, table.version // 2, table.version - 1, table.version)
    followings = [Following(channel, url, table.id, after) for after in versions]
    await asyncio.gather(*(following.begun.wait() for following in followings[:-1]))
    await resign(table)
    for after, following in zip(versions, followings, strict=True):
        assert events(await following.until_over()) == await record(api, table.id, after)


async def test_more_events_than_are_kept_ready_are_told_too(url: str, api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    while table.version <= 300 and table.status == "running":
        await play(table, 10)
    await resign(table)
    assert table.version > 256
    stored = await record(api, table.id)
    for channel in CHANNELS.values():
        following = Following(channel, url, table.id)
        assert events(await following.until_over()) == stored


@each_channel
async def test_a_match_that_is_cancelled_ends_its_streams(
    url: str, api: httpx.AsyncClient, channel: Channel
) -> None:
    table = await Table.opened(api, SLUGS[0], 2)
    following = Following(channel, url, table.id)
    await following.begun.wait()
    await table.post("cancel", {}, table.host)
    messages = await following.until_over()
    assert told(messages) == ["open", "cancelled"]
    assert messages[-1] == EndMessage(0, "cancelled", None)


async def test_a_match_that_is_aborted_ends_its_streams(url: str, api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    following = Following(sse, url, table.id)
    await following.begun.wait()
    await table.post("cancel", {}, table.host)
    assert told(await following.until_over()) == ["running", "aborted"]


async def test_last_event_id_outweighs_after(url: str, api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    await play(table, 6)
    await resign(table)
    messages = [message async for message in sse(url, table.id, 0, **{"last-event-id": "3"})]
    assert events(messages) == await record(api, table.id, 3)
    messages = [message async for message in sse(url, table.id, 2, **{"last-event-id": ""})]
    assert events(messages) == await record(api, table.id, 2)


async def test_a_browser_that_was_told_everything_is_told_not_to_come_again(
    api: httpx.AsyncClient,
) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    await resign(table)
    headers = {"accept": SSE, "last-event-id": str(table.version)}
    answer = await api.get(f"{table.path}/events", headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")


async def test_so_it_is_after_the_end_of_a_tournament(api: httpx.AsyncClient) -> None:
    olga = await registered(api, "Olga of a cup without end")
    asked = {"name": "Cup", "game": SLUGS[0], "seats": 2, "format": {"format": "round_robin"}}
    made = await api.post("/tournaments", json=asked, headers=olga.headers)
    address = f"/tournaments/{made.json()['id']}"
    assert (await api.post(f"{address}/cancel", json={}, headers=olga.headers)).is_success
    told = await api.get(f"{address}/events", headers={"accept": SSE})
    assert (told.status_code, told.text.count("event: end")) == (200, 1)
    again = await api.get(f"{address}/events", headers={"accept": SSE, "last-event-id": "0"})
    assert (again.status_code, again.content) == (204, b"")


async def test_heartbeats_come_while_nothing_happens(url: str, api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    await play(table, 2)
    for name in ("sse", "ndjson", "json", "msgpack"):
        beats = []
        async with aclosing(CHANNELS[name](url, table.id, 0)) as messages:
            async for message in messages:
                if isinstance(message, HeartbeatMessage):
                    beats.append(message.version)
                if len(beats) == 2:
                    break
        assert beats == [table.version] * 2, name


@pytest.mark.parametrize("media_type", [SSE, NDJSON])
async def test_what_is_wrong_is_said_before_the_first_byte(api: httpx.AsyncClient, media_type: str) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    asked = {"accept": media_type}

    async def code(address: str, headers: dict[str, str] = asked, **query: Any) -> tuple[int, str]:
        answer = await api.get(address, params=query, headers=headers)
        return answer.status_code, answer.json()["code"]

    events_of = f"{table.path}/events"
    assert await code("/matches/nothing/events") == (404, "no_such_match")
    assert await code(f"/matches/{'a' * 24}/events") == (404, "no_such_match")
    assert await code(events_of, after=1) == (404, "unknown_version")
    assert await code(events_of, after=-1) == (400, "invalid_query")
    assert await code(events_of, wait=5) == (400, "invalid_query")
    for bad in ("x", "-1", "1.0", "99999999999"):
        wrong = asked | {"last-event-id": bad}
        assert await code(events_of, headers=wrong) == (400, "invalid_header")
    beyond = asked | {"last-event-id": "1"}
    assert await code(events_of, headers=beyond) == (404, "unknown_version")


async def test_head_on_a_stream_is_answered_at_once(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    for media_type in (SSE, NDJSON):
        answer = await api.head(f"{table.path}/events", headers={"accept": media_type})
        assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
        assert answer.headers["x-accel-buffering"] == "no"
        assert "content-length" not in answer.headers
        answer = await api.head("/matches/nothing/events", headers={"accept": media_type})
        assert answer.status_code == 404
    answer = await api.head(f"{table.path}/events", params={"wait": 60})
    assert answer.status_code == 200


async def test_a_long_poll_is_answered_when_there_is_something_to_say(
    url: str, api: httpx.AsyncClient
) -> None:
    table = await Table.opened(api, SLUGS[0], 2)
    started = await table.get("/events", wait=60, status="running")
    assert started == {"version": 0, "status": "open", "events": [], "next": None}
    waiting = asyncio.create_task(table.get("/events", wait=60, status="open"))
    await table.join()
    await table.join()
    assert (await waiting)["status"] == "running"
    waiting = asyncio.create_task(table.get("/events", wait=60, limit=1))
    await play(table, 1)
    stored = await table.get("/events")
    page = await waiting
    assert page["events"] == stored["events"][:1]
    assert page["next"] == (1 if table.version > 1 else None)
    nothing = await table.get("/events", after=table.version, wait=1)
    assert nothing == stored | {"events": []}
    answer = await api.get(f"{table.path}/events", params={"after": table.version + 1, "wait": 60})
    assert answer.json()["code"] == "unknown_version"
    await resign(table)
    over = await table.get("/events", after=table.version, wait=60)
    assert (over["status"], over["events"]) == ("finished", [])


async def test_whoever_has_just_moved_may_wait_for_what_follows(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, SLUGS[0], 2)
    await table.join()
    await table.join()
    for _ in range(MOVES):
        await play(table, 1)
        page = await table.get("/events", after=table.version, wait=60, status="open")
        assert (page["version"], page["events"]) == (table.version, [])
