"""GraphQL on a WebSocket, message by message, as the protocol `graphql-transport-ws` has it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PROTOCOL = "graphql-transport-ws"
PATIENCE = 120
EVENTS = "subscription ($id: ID!, $after: Int!) { matchEvents(id: $id, after: $after) { version move text } }"


class Socket:
    """A connection. Pings are answered, and not told."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def begin(self, **payload: Any) -> Self:
        """The first message, and that it was taken."""
        await self.say("connection_init", payload=payload)
        assert await self.heard() == {"type": "connection_ack"}
        return self

    async def say(self, kind: str, **more: Any) -> None:
        await self.connection.send(json.dumps({"type": kind} | more))

    async def subscribe(self, name: str, query: str, **variables: Any) -> None:
        await self.say("subscribe", id=name, payload={"query": query, "variables": variables})

    async def heard(self) -> Any:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads(await self.connection.recv())
                if message["type"] != "ping":
                    return message
                await self.say("pong")

    async def event(self, name: str) -> Any:
        """The next result of a subscription, which is the next message."""
        message = await self.heard()
        assert (message["type"], message["id"]) == ("next", name), message
        assert "errors" not in message["payload"], message
        (told,) = message["payload"]["data"].values()
        return told

    async def ended(self) -> tuple[int, str]:
        """The code and the reason of the end, whatever comes before it."""
        with pytest.raises(ConnectionClosed) as caught:
            await self._drained()
        end = caught.value.rcvd
        assert end is not None
        return end.code, end.reason

    async def _drained(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.connection.recv()


@asynccontextmanager
async def socket_to(url: str, *protocols: str, **headers: str) -> AsyncIterator[Socket]:
    """A connection to a service."""
    address = f"{url.replace('http', 'ws', 1)}/graphql"
    options: Any = {"subprotocols": protocols or (PROTOCOL,), "additional_headers": headers, "proxy": None}
    async with connect(address, open_timeout=PATIENCE, **options) as connection:
        yield Socket(connection)
