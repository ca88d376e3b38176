"""WebSockets: what is wrong is said as a message, and by the code of the end."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec
import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from schema.wire_streams import EndMessage, ProblemMessage, StatusMessage
from service.store import keys
from tests.cli.running import serving
from tests.service.channels import (
    JSON_PROTOCOL,
    MSGPACK_PROTOCOL,
    path,
    read_json,
    read_msgpack,
    socket_to,
    subscribe,
)
from tests.service.following import client_of, play, resign
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    directory = tmp_path_factory.mktemp("sockets")
    with serving(directory / "out", directory / "data") as (_, address):
        yield address


@pytest.fixture
async def api(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(url) as client:
        yield client


@pytest.fixture
async def table(api: httpx.AsyncClient) -> Table:
    """A match that runs."""
    return await Table.started(api, SLUGS[0], 2)


async def refused(socket: ClientConnection, sent: str | bytes | None) -> tuple[str, int]:
    """The code of the problem that is told, and that of the end which follows at once."""
    if sent is not None:
        await socket.send(sent)
    said: str | bytes = ""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(60):
            while True:
                said = await socket.recv()
    told = read_msgpack(said) if isinstance(said, bytes) else read_json(said)
    assert isinstance(told, ProblemMessage)
    assert socket.close_code == 4000 + told.problem.status
    return told.problem.code, socket.close_code


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("{", "malformed_body"),
        ("", "malformed_body"),
        ("[" * 2_000, "invalid_body"),
        ("{}", "invalid_body"),
        ("[]", "invalid_body"),
        ('{"type": "login"}', "invalid_body"),
        ('{"type": "auth", "token": "x"}', "unknown_token"),
        ('{"type": "subscribe", "after": "1"}', "invalid_body"),
        ('{"type": "subscribe", "after": -1}', "invalid_body"),
        ('{"type": "subscribe", "since": 1}', "invalid_body"),
        (b"", "malformed_body"),
        (b"\xc1", "malformed_body"),
        (b'{"type": "subscribe"}', "invalid_body"),
        ('{"type": "subscribe", "after": 1}', "unknown_version"),
        ('{"type": "subscribe", "token": "x"}', "unknown_token"),
    ],
)
async def test_what_is_wrong_with_a_subscription_is_said(
    url: str, table: Table, sent: str | bytes, code: str
) -> None:
    for protocol in ((), (JSON_PROTOCOL,), (MSGPACK_PROTOCOL,)):
        async with socket_to(url, table.id, *protocol) as socket:
            found, _ = await refused(socket, sent)
        assert found == code


async def test_there_is_a_match_to_subscribe_to(url: str) -> None:
    for match_id in ("nothing", "a" * 24):
        async with socket_to(url, match_id) as socket:
            assert await refused(socket, '{"type": "subscribe"}') == ("no_such_match", 4404)


async def test_an_unknown_subprotocol_is_refused(url: str, table: Table) -> None:
    async with socket_to(url, table.id, "mqtt") as socket:
        assert socket.subprotocol is None
        assert await refused(socket, None) == ("invalid_header", 4400)


async def test_a_query_is_refused_as_it_is_elsewhere(url: str, table: Table) -> None:
    address = f"{url.replace('http', 'ws')}{path(table.id, 'socket')}?token={table.host}"
    async with connect(address) as socket:
        assert await refused(socket, None) == ("invalid_query", 4400)


async def test_of_several_subprotocols_the_first_known_one_is_spoken(url: str, table: Table) -> None:
    async with socket_to(url, table.id, "mqtt", MSGPACK_PROTOCOL, JSON_PROTOCOL) as socket:
        assert socket.subprotocol == MSGPACK_PROTOCOL


async def test_without_a_subprotocol_json_is_spoken(url: str, table: Table) -> None:
    async with socket_to(url, table.id) as socket:
        assert socket.subprotocol is None
        await socket.send(msgspec.msgpack.encode({"type": "subscribe"}))
        said = await socket.recv()
        assert isinstance(read_json(said), StatusMessage)


async def test_tokens_of_the_match_are_known(url: str, table: Table) -> None:
    for token in (table.host, *table.tokens.values(), None):
        async with socket_to(url, table.id) as socket:
            await subscribe(socket, after=0, token=token)
            assert isinstance(read_json(await socket.recv()), StatusMessage)


async def test_who_begins_with_its_token_has_subscribed(url: str, table: Table) -> None:
    async with socket_to(url, table.id) as socket:
        await subscribe(socket, type="auth", token=table.host)
        assert isinstance(read_json(await socket.recv()), StatusMessage)


async def test_the_subscription_may_say_what_is_spoken(url: str, table: Table) -> None:
    await table.play_any(1)
    texts: list[str] = []
    for lang in (None, "es", "xx, pt;q=0.5"):
        async with socket_to(url, table.id) as socket:
            await subscribe(socket, lang=lang)
            assert isinstance(read_json(await socket.recv()), StatusMessage)
            texts.append(msgspec.json.decode(await socket.recv())["text"])
        async with socket_to(url, "aaaa") as socket:
            await subscribe(socket, lang=lang)
            texts.append(msgspec.json.decode(await socket.recv())["problem"]["title"])
    assert len(set(texts)) == 6


async def test_who_says_nothing_is_not_waited_for(url: str, table: Table) -> None:
    async with socket_to(url, table.id) as socket:
        assert await refused(socket, None) == ("subscribe_timeout", 4408)


async def test_nothing_is_read_after_the_subscription(url: str, table: Table) -> None:
    async with socket_to(url, table.id) as socket:
        await subscribe(socket)
        assert isinstance(read_json(await socket.recv()), StatusMessage)
        assert await refused(socket, '{"type": "subscribe"}') == ("invalid_body", 4400)


async def test_a_message_that_is_too_long_is_not_read(url: str, table: Table) -> None:
    async with socket_to(url, table.id) as socket:
        await socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as caught:
            await socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


async def test_a_plain_request_is_told_to_upgrade(api: httpx.AsyncClient, table: Table) -> None:
    answer = await api.get(f"{table.path}/socket")
    assert (answer.status_code, answer.json()["code"]) == (426, "upgrade_required")
    assert answer.headers["upgrade"] == "websocket"


async def test_the_end_of_the_match_is_a_normal_end(url: str, table: Table) -> None:
    await play(table, 2)
    async with socket_to(url, table.id, JSON_PROTOCOL) as socket:
        await subscribe(socket, after=table.version)
        assert isinstance(read_json(await socket.recv()), StatusMessage)
        await resign(table)
        said = [read_json(message) async for message in socket]
    assert isinstance(said[-1], EndMessage)
    assert socket.close_code == 1000


async def test_a_fault_of_ours_is_masked(tmp_path: Path) -> None:
    """Where a match is stored that cannot be read, the log says why, and the client where to look."""
    with serving(tmp_path / "out", tmp_path / "data") as (server, address):
        async with client_of(address) as api:
            table = await Table.started(api, SLUGS[0], 2)
            await spoil(tmp_path / "data", table.id)
            async with socket_to(address, table.id) as socket:
                assert await refused(socket, '{"type": "subscribe"}') == ("internal_error", 4500)
        assert "BadRecord" in server.text()


async def spoil(directory: Path, match_id: str) -> None:
    """Make the document of a match one that nobody can read."""
    async with Redis(unix_socket_path=str(directory / "valkey.sock")) as store:
        await store.hset(keys.match(match_id), "blob", b"\xc1")
