"""What streams may cost: how many there are, how slow their clients, how fast they end with the server."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from schema.operations import NDJSON, SSE
from schema.wire_streams import CutMessage, ProblemMessage
from tests.cli.running import Running, background
from tests.service.channels import (
    CHANNELS,
    events,
    ndjson,
    path,
    read_json,
    record,
    socket_to,
    subscribe,
    until_closed,
)
from tests.service.checked import API
from tests.service.following import Following, client_of, play, resign
from tests.service.lazy import Lazy
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
STREAMING: Final = tuple(name for name in CHANNELS if name != "poll")


@contextmanager
def service(directory: Path, **settings: str) -> Iterator[tuple[Running, str]]:
    arguments = ("serve", "--port", "0", "--data-dir", directory / "data")
    variables = {f"CANTIERE_{name.upper()}": value for name, value in settings.items()}
    with background(directory / "out", *arguments, **variables) as server:
        yield server, server.says(r"listens on (http://\S+)")


async def status_of_stream(api: httpx.AsyncClient, match_id: str) -> int:
    """What a stream of the match would be answered with now."""
    return (await api.head(f"/matches/{match_id}/events", headers={"accept": SSE})).status_code


async def until_answered(api: httpx.AsyncClient, match_id: str, status: int) -> None:
    """Nothing, when a stream of the match would be answered with this status."""
    async with asyncio.timeout(30):
        while await status_of_stream(api, match_id) != status:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("setting", "status", "code"),
    [("max_streams_per_address", 429, "too_many_streams"), ("max_streams", 503, "busy")],
)
async def test_there_are_only_so_many_streams(tmp_path: Path, setting: str, status: int, code: str) -> None:
    with service(tmp_path, **{setting: "3"}) as (_, url):
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            followings = [Following(CHANNELS[name], url, table.id) for name in ("sse", "ndjson", "json")]
            await asyncio.gather(*(following.begun.wait() for following in followings))
            asked: list[dict[str, Any]] = [
                {"headers": {"accept": SSE}},
                {"headers": {"accept": NDJSON}},
                {"params": {"wait": 9}},
            ]
            for request in asked:
                answer = await api.get(f"{table.path}/events", **request)
                assert (answer.status_code, answer.json()["code"]) == (status, code)
                assert answer.json().get("bucket") == ("stream" if status == 429 else None)
            async with socket_to(url, table.id) as connection:
                told = read_json(await connection.recv())
                assert isinstance(told, ProblemMessage)
                assert told.problem.code == code
            for following in followings:
                following.task.cancel()
                await asyncio.wait([following.task])
                await until_answered(api, table.id, 200)
                again = Following(ndjson, url, table.id)
                await again.begun.wait()
                again.task.cancel()
                await asyncio.wait([again.task])


async def test_all_addresses_of_a_subscriber_have_so_many_streams(tmp_path: Path) -> None:
    with service(tmp_path, max_streams_per_address="1") as (_, url):
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            asked = f"{table.path}/events"
            headers = {"accept": SSE, "X-Forwarded-For": "2001:db8::1"}
            async with (
                httpx.AsyncClient() as other,
                other.stream("GET", f"{url}{API}{asked}", headers=headers),
            ):
                for address, status in (("2001:db8::2", 429), ("2001:db8:0:1::1", 200)):
                    answer = await api.head(asked, headers=headers | {"X-Forwarded-For": address})
                    assert answer.status_code == status


async def test_a_long_poll_that_nobody_waits_for_gives_its_place_back(tmp_path: Path) -> None:
    with service(tmp_path, max_streams="1") as (_, url):
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            asked = f"{table.path}/events?wait=60"
            poll = asyncio.create_task(api.get(asked))
            while await status_of_stream(api, table.id) != 503:
                if poll.done():  # our question had the only place
                    poll = asyncio.create_task(api.get(asked))
            poll.cancel()
            await until_answered(api, table.id, 200)


async def long_match(api: httpx.AsyncClient) -> Table:
    """A running match with more to tell than fits into the buffers on the way."""
    table = await Table.started(api, SLUGS[0], 2)
    while table.version <= 300:
        await play(table, 5)
        assert table.status == "running"
    return table


@pytest.mark.parametrize("media_type", [SSE, NDJSON])
async def test_a_client_that_takes_nothing_in_is_cut_and_resumes(tmp_path: Path, media_type: str) -> None:
    with service(tmp_path, stream_timeout="1", max_streams="1") as (server, url):
        async with client_of(url) as api:
            table = await long_match(api)
            request = f"GET {path(table.id)} HTTP/1.1\r\nHost: x\r\nAccept: {media_type}\r\n\r\n"
            lazy = await asyncio.to_thread(Lazy, url, request.encode())
            assert lazy.came == b"HTTP/1.1 200 OK"
            await until_answered(api, table.id, 200)
            came = await asyncio.to_thread(lazy.rest)
            assert b"\r\n0\r\n" not in came  # it was no proper end
            whole = [line.partition(b"{")[2] for line in came.split(b"\n")[:-1] if b'{"type"' in line]
            told = events([read_json(b"{" + line) for line in whole if line.endswith(b"}")])
            assert told
            await resign(table)
            following = Following(ndjson, url, table.id, told[-1].version)
            stored = await record(api, table.id)
            assert len(told) < len(stored)
            assert told + events(await following.until_over()) == stored
            assert "did not keep up" in server.text()
            assert "Traceback" not in server.text()


async def test_a_socket_that_takes_nothing_in_is_cut_and_resumes(tmp_path: Path) -> None:
    with service(tmp_path, stream_timeout="1", max_streams="1") as (server, url):
        async with client_of(url) as api:
            table = await long_match(api)
            protocol = ClientProtocol(parse_uri(f"ws://{urlsplit(url).netloc}{path(table.id, 'socket')}"))
            protocol.send_request(protocol.connect())
            lazy = await asyncio.to_thread(Lazy, url, b"".join(protocol.data_to_send()))
            subscription = ClientProtocol(protocol.uri, state=OPEN)
            subscription.send_text(msgspec.json.encode({"type": "subscribe", "after": 0}))
            lazy.say(b"".join(subscription.data_to_send()))
            await until_answered(api, table.id, 200)
            protocol.receive_data(await asyncio.to_thread(lazy.rest))
            frames = [frame for frame in protocol.events_received() if isinstance(frame, Frame)]
            told = events([read_json(frame.data) for frame in frames if frame.opcode is Opcode.TEXT])
            assert told
            await resign(table)
            following = Following(CHANNELS["json"], url, table.id, told[-1].version)
            assert told + events(await following.until_over()) == await record(api, table.id)
            assert "did not keep up" in server.text()
            assert "Traceback" not in server.text()


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_streams_end_at_once_when_the_server_stops(tmp_path: Path, workers: str) -> None:
    with service(tmp_path, workers=workers) as (server, url):
        async with client_of(url) as api:
            table = await Table.started(api, SLUGS[0], 2)
            await play(table, 2)
            followings = [Following(CHANNELS[name], url, table.id) for name in STREAMING * 3]
            await asyncio.gather(*(following.until(table.version) for following in followings))
            poll = asyncio.create_task(table.get("/events", after=table.version, wait=60))
            async with socket_to(url, table.id) as connection:
                await subscribe(connection, after=table.version)
                await connection.recv()
                server.process.send_signal(signal.SIGTERM)
                *_, last = [read_json(message) async for message in until_closed(connection)]
            assert (last, connection.close_code) == (CutMessage(table.version, "stopping"), 1012)
            for following in followings:
                messages = await following.until_over()
                assert messages[-1] == CutMessage(table.version, "stopping")
            assert (await poll)["events"] == []
        assert await asyncio.to_thread(server.ended) in (0, -signal.SIGTERM)
        assert "exceeded" not in server.text()
        assert "Traceback" not in server.text()
