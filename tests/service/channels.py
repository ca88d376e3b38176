"""Streams as clients see them: every channel as an iterator of messages."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from schema.operations import API, NDJSON, SSE
from schema.wire_streams import EndMessage, EventMessage, StatusMessage, StreamMessage
from schema.wire_views import EventPage, EventView

Messages = AsyncGenerator[Any, None]
Channel = Callable[[str, str, int], Messages]
"""The messages of a stream of a match, after a version, until it is closed, from the server at an address."""

ENDED: Final = frozenset(("finished", "cancelled", "aborted"))
JSON_PROTOCOL: Final = "cantiere.json"
MSGPACK_PROTOCOL: Final = "cantiere.msgpack"
read_json: Final = msgspec.json.Decoder(StreamMessage).decode
read_msgpack: Final = msgspec.msgpack.Decoder(StreamMessage).decode
read_page: Final = msgspec.json.Decoder(EventPage).decode


def path(match_id: str, part: str = "events") -> str:
    """The path of a part of a match."""
    return f"{API}/matches/{match_id}/{part}"


async def sse(url: str, match_id: str, after: int, **headers: str) -> Messages:
    """Over SSE; other fields of an event must say the same as its message."""
    event: dict[str, str] = {}
    async for line in _lines(url, match_id, after, {"accept": SSE} | headers):
        name, _, value = line.partition(": ")
        if line:
            event[name] = value
            continue
        if "data" in event:
            message = read_json(event["data"])
            assert event["event"] == message.__struct_config__.tag
            assert event.get("id") == (str(message.version) if isinstance(message, EventMessage) else None)
            yield message
        event = {}


async def ndjson(url: str, match_id: str, after: int) -> Messages:
    """Over NDJSON."""
    async for line in _lines(url, match_id, after, {"accept": NDJSON}):
        yield read_json(line)


async def _lines(url: str, match_id: str, after: int, headers: dict[str, str]) -> AsyncIterator[str]:
    async with (
        httpx.AsyncClient(base_url=url, timeout=60) as client,
        client.stream("GET", path(match_id), params={"after": after}, headers=headers) as answer,
    ):
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"] == headers["accept"]
        async for line in answer.aiter_lines():
            yield line


def socket_to(url: str, match_id: str, *protocols: str) -> connect:
    """A WebSocket about a match, to be opened."""
    address = f"ws://{urlsplit(url).netloc}{path(match_id, 'socket')}"
    return connect(address, subprotocols=[Subprotocol(name) for name in protocols] or None)


async def json_socket(url: str, match_id: str, after: int) -> Messages:
    """Over a WebSocket in JSON."""
    async with socket_to(url, match_id, JSON_PROTOCOL) as socket:
        assert socket.subprotocol == JSON_PROTOCOL
        await subscribe(socket, after=after)
        async for message in until_closed(socket):
            assert isinstance(message, str)
            yield read_json(message)


async def msgpack_socket(url: str, match_id: str, after: int) -> Messages:
    """Over a WebSocket in MessagePack."""
    async with socket_to(url, match_id, MSGPACK_PROTOCOL) as socket:
        assert socket.subprotocol == MSGPACK_PROTOCOL
        await socket.send(msgspec.msgpack.encode({"type": "subscribe", "after": after}))
        async for message in until_closed(socket):
            assert isinstance(message, bytes)
            yield read_msgpack(message)


async def until_closed(socket: ClientConnection) -> AsyncIterator[str | bytes]:
    """What comes on a WebSocket until the server ends it. Raises ConnectionClosed if it breaks off."""
    try:
        async for message in socket:
            yield message
    except ConnectionClosed as closed:
        if closed.rcvd is None:
            raise


async def subscribe(socket: ClientConnection, **asked: Any) -> None:
    """Say what is subscribed to."""
    await socket.send(msgspec.json.encode({"type": "subscribe"} | asked).decode())


async def long_poll(url: str, match_id: str, after: int) -> Messages:
    """By long polls, told as the messages of a stream would be; seats are not told."""
    known: str | None = None
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while True:
            query = {"after": str(after)} | ({} if known is None else {"wait": "30", "status": known})
            answer = await client.get(path(match_id), params=query)
            assert answer.status_code == 200, answer.text
            page = read_page(answer.content)
            if page.status != known and page.status not in ENDED:
                yield StatusMessage(page.version, page.status, ())
            known = page.status
            for event in page.events:
                after = event.version
                yield message_of(event)
            if page.status in ENDED and page.next is None:
                yield EndMessage(after, page.status, None)
                return


def message_of(event: EventView) -> EventMessage:
    """An event as streams tell it."""
    return EventMessage(*(getattr(event, name) for name in event.__struct_fields__))


CHANNELS: Final[dict[str, Channel]] = {
    "sse": sse,
    "ndjson": ndjson,
    "json": json_socket,
    "msgpack": msgpack_socket,
    "poll": long_poll,
}


async def record(api: httpx.AsyncClient, match_id: str, after: int = 0) -> list[EventMessage]:
    """The events that the match has after a version, as streams should tell them."""
    found: list[EventMessage] = []
    following: int | None = after
    while following is not None:
        answer = await api.get(f"/matches/{match_id}/events", params={"after": following})
        page = read_page(answer.content)
        found += map(message_of, page.events)
        following = page.next
    return found


def events(messages: Sequence[Any]) -> list[EventMessage]:
    """Those messages that are events."""
    return [message for message in messages if isinstance(message, EventMessage)]


def told(messages: Sequence[Any]) -> list[str]:
    """The statuses that were told, and the last one if the end was told: each once in a row."""
    found: list[str] = []
    for message in messages:
        if isinstance(message, StatusMessage | EndMessage) and found[-1:] != [message.status]:
            found.append(message.status)
    return found
