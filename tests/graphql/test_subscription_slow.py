"""Clients of subscriptions that take nothing in: cut in time, resumed without gap or double."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from schema.operation import SSE
from service.graphql.sockets import Conversation
from service.live.follower import Follower
from service.settings import Settings
from tests.cli.running import background
from tests.graphql.sockets import PATIENCE, PROTOCOL, Socket, socket_to
from tests.service.following import client_of, play, resign
from tests.service.lazy import Lazy
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
MUCH: Final = " ".join(f"text{number:0500}: text" for number in range(60))
WORDY: Final = f"""subscription ($id: ID!, $after: Int!) {{
    matchEvents(id: $id, after: $after) {{ version move {MUCH} }} }}"""
"""Events so long that a few of them do not fit into what lies between server and client."""
ROOM: Final = 65_536
"""Bytes that a client's system takes in for it, about: some of these events."""
CUT: Final = ("(A stream was cut, /graphql)", "(The WebSocket /graphql was cut)")


def lazy_stream(url: str, asked: dict[str, Any]) -> Lazy:
    """Somebody who subscribes by SSE and then sleeps."""
    body = json.dumps(asked).encode()
    head = f"POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: {SSE}\r\nContent-Type: application/json\r\n"
    return Lazy(url, head.encode() + b"Content-Length: %d\r\n\r\n%b" % (len(body), body), ROOM)


def lazy_socket(url: str, asked: dict[str, Any], protocol: ClientProtocol) -> Lazy:
    """Somebody who subscribes on a WebSocket and then sleeps."""
    protocol.send_request(protocol.connect())
    lazy = Lazy(url, b"".join(protocol.data_to_send()), ROOM)
    saying = ClientProtocol(protocol.uri, state=OPEN)
    for message in ({"type": "connection_init"}, {"type": "subscribe", "id": "lazy", "payload": asked}):
        saying.send_text(json.dumps(message).encode())
    lazy.say(b"".join(saying.data_to_send()))
    return lazy


def in_stream(came: bytes) -> list[Any]:
    """The events in a body that broke off, each written whole."""
    lines = came.replace(b"\r\n", b"\n").split(b"\n")[:-1]
    return events(line.removeprefix(b"data: ") for line in lines if line.startswith(b"data: "))


def in_frames(came: bytes, protocol: ClientProtocol) -> list[Any]:
    """The events in messages of a WebSocket that broke off."""
    protocol.receive_data(came)
    frames = [frame for frame in protocol.events_received() if isinstance(frame, Frame)]
    said = [json.loads(bytes(frame.data)) for frame in frames if frame.opcode is Opcode.TEXT]
    return events(json.dumps(message["payload"]) for message in said if message["type"] == "next")


def events(results: Iterable[str | bytes]) -> list[Any]:
    return [json.loads(result)["data"]["matchEvents"] for result in results]


async def figure(url: str, name: str) -> float:
    """What a worker says of itself."""
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        text = (await client.get(f"{url}/metrics")).text
    (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.rpartition(" ")[2])


async def told_until_complete(socket: Socket) -> list[Any]:
    """The events of a subscription up to its end."""
    told = []
    while (message := await socket.heard())["type"] == "next":
        told.append(message["payload"]["data"]["matchEvents"])
    assert message["type"] == "complete"
    return told


async def test_clients_that_take_nothing_in_are_cut_and_resume(tmp_path: Path) -> None:
    settings = {"CANTIERE_GRAPHQL": "on", "CANTIERE_STREAM_TIMEOUT": "2"}
    serve = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "out", *serve, **settings) as server:
        url = server.says(r"listens on (http://\S+)")
        async with client_of(url) as api, socket_to(url) as awake:
            await awake.begin()
            table = await Table.started(api, SLUGS[0], 2)
            await play(table, 12)
            asked: dict[str, Any] = {"query": WORDY, "variables": {"id": table.id, "after": 0}}
            await awake.subscribe("awake", WORDY, **asked["variables"])
            listening = asyncio.create_task(told_until_complete(awake))
            streaming = await asyncio.to_thread(lazy_stream, url, asked)
            protocol = ClientProtocol(
                parse_uri(f"ws://{urlsplit(url).netloc}/graphql"), subprotocols=[Subprotocol(PROTOCOL)]
            )
            talking = await asyncio.to_thread(lazy_socket, url, asked, protocol)
            for cut in CUT:
                await asyncio.to_thread(server.says, cut)
            while await figure(url, "cantiere_streams_open") > 2:  # those of who is awake
                await table.get()
            assert await figure(url, "cantiere_streams_cut_total") == 2
            came = in_stream(streaming.rest()), in_frames(talking.rest(), protocol)
            await resign(table)
            stored = await listening
            assert [event["version"] for event in stored] == [*range(1, len(stored) + 1)]
            for told in came:
                assert 0 < len(told) < table.version
                async with socket_to(url) as again:
                    await again.begin()
                    await again.subscribe("again", WORDY, id=table.id, after=told[-1]["version"])
                    assert told + await told_until_complete(again) == stored
        assert "Traceback" not in server.text()


async def test_who_takes_back_what_does_not_get_through_is_not_slow_for_ever() -> None:
    """The client completes a subscription while a result waits for it to read, then reads on."""
    is_sending, time = asyncio.Event(), asyncio.get_running_loop().time

    async def choked(_: Any) -> None:
        is_sending.set()
        await asyncio.Event().wait()

    hub: Any = SimpleNamespace(time=time, heartbeat=15)
    desk: Any = SimpleNamespace(store=None, settings=Settings())
    asgi: Any = ({}, None, choked)
    conversation = Conversation(SimpleNamespace(), hub, desk, asgi)  # type: ignore[arg-type]  # not needed
    conversation._follower = follower = Follower("", 0.0, lambda _: None)
    telling = asyncio.create_task(conversation._say("a result"))
    await is_sending.wait()
    assert follower.busy_since is not None
    telling.cancel()
    await asyncio.wait((telling,))
    assert follower.busy_since is None
