"""GraphQL on a WebSocket: the protocol `graphql-transport-ws`.

Source: the protocol of the library graphql-ws (PROTOCOL.md), whose messages and codes of ends these are. A
connection and each subscription on it count as a stream; what a client does not take in, nobody keeps.
"""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Any, Final

import msgspec
from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.handlers import WebsocketRouteHandler
from litestar.types import Receive, Scope, Send

from service.accounts.caller import is_api_token, known_caller
from service.accounts.errors import MissingScope
from service.desk import Desk
from service.errors import Refused, TooManyRequests, TooManyStreams
from service.graphql.asker import Asker, Listener
from service.graphql.door_play import Stopping
from service.graphql.gateway import Gateway, gateway_of
from service.graphql.messages import (
    ACK,
    PING,
    PONG,
    PROTOCOL,
    Complete,
    End,
    Ended,
    Init,
    Ping,
    Sent,
    Subscribe,
    errors_message,
    headers_in,
    next_message,
    read,
    token_in,
)
from service.graphql.results import body_of, errors_of, results_of
from service.http import language_of
from service.limits.admission import TOLD, admit
from service.live.follower import Follower
from service.live.http import address_of
from service.live.hub import Hub
from service.live.line import line_of
from service.observe.figures import SENT
from service.shell import request_id_of

PATH: Final = "/graphql"
INIT_SECONDS: Final = 5
MOST_AT_ONCE: Final = 100
"""Operations of one connection that are under way at most."""
_log: Final = logging.getLogger(__name__)


class Conversation:
    """A connection, from its first message to its end."""

    def __init__(self, gateway: Gateway, hub: Hub, desk: Desk, asgi: tuple[Scope, Receive, Send]) -> None:
        self._gateway = gateway
        self._hub = hub
        self._store = desk.store
        self._largest = desk.settings.max_body
        self._scope, self._receive, self._send = asgi
        self._known: Any = self._scope
        """The scope, with the token of the first message."""
        self._token: str | None = None
        self._is_known = False
        self._running: dict[str, asyncio.Task[None]] = {}
        self._sending = asyncio.Lock()
        self._end: Ended | None = None
        self._follower: Follower

    async def hold(self) -> None:
        """Answer and tell until it ends, whoever ends it."""
        await self._receive()  # that somebody connects
        offered: list[str] = self._scope["subprotocols"]  # type: ignore[typeddict-item]  # of a WebSocket
        chosen = PROTOCOL if PROTOCOL in offered else None
        try:
            await self._send({"type": "websocket.accept", "subprotocol": chosen, "headers": []})
            if chosen is None:
                await self._close(Ended(End.SUBPROTOCOL, f"Speak {PROTOCOL}."))
                return
            try:
                with self._hub.admitted(address_of(self._scope)) as self._follower:
                    await self._talk()
            except Refused as refused:
                await self._close(Ended(End.LATER, refused.code))
        except (OSError, WebSocketDisconnect):
            return  # there is nobody any more who could be told anything

    async def _talk(self) -> None:
        follower, hub = self._follower, self._hub
        line = line_of(self._scope)
        if line is not None:
            line.prepare(hub.patience)
            line.on_end, follower.cut = follower.end, line.cut
        reading = asyncio.create_task(self._read_on(), name="graphql socket")
        try:
            while follower.ended is None:
                if follower.heartbeat_at <= hub.time():
                    await self._say(PING)
                await follower.sleep()
        finally:
            await _stopped(reading, *self._running.values())
            if line is not None:
                line.release()
        if follower.ended == "stopping":
            await self._close(Ended(End.RESTART, "The server stops, to start again."))
        elif self._end is not None:
            await self._close(self._end)
        elif follower.ended == "slow":
            _log.info("The WebSocket %s was cut: its client did not keep up.", self._scope["path"])

    async def _read_on(self) -> None:
        try:
            async with asyncio.timeout(INIT_SECONDS) as patience:
                while True:
                    await self._take(await self._message())
                    if self._is_known:
                        patience.reschedule(None)
        except TimeoutError:
            self._end = Ended(End.INIT_TIMEOUT, "Connection initialisation timeout")
        except Ended as end:
            self._end = end
        except (OSError, WebSocketDisconnect):
            self._follower.end("gone")
        except Exception:  # noqa: BLE001 - logged, and the connection is ended
            _log.exception("A WebSocket of GraphQL failed (%s)", request_id_of(self._scope))
            self._end = Ended(End.FAULT, "internal_error")
        self._follower.end("talking" if self._end else "gone")

    async def _message(self) -> Sent:
        """The next message. Raises Ended, WebSocketDisconnect."""
        message: Any = await self._receive()
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(detail="gone")
        text = message.get("text")
        if text is None:
            raise Ended(End.MALFORMED, "Messages are texts.")
        return read(text, self._largest)

    async def _take(self, message: Sent) -> None:
        """Do what a message asks for. Raises Ended."""
        match message:
            case Init():
                await self._init(message)
            case Ping():
                await self._say(PONG)
            case Subscribe():
                await self._subscribe(message)
            case Complete() if (running := self._running.pop(message.id, None)) is not None:
                running.cancel()

    async def _init(self, message: Init) -> None:
        if self._is_known:
            raise Ended(End.INIT_AGAIN, "Too many initialisation requests")
        self._token = token_in(message.payload, self._scope)
        headers = headers_in(message.payload, self._token, self._scope)
        self._known = {**self._scope, "headers": headers, TOLD: []}
        try:
            await admit(self._known, "stream")
            if self._token is not None and is_api_token(self._token):
                await known_caller(self._store, self._token, "read")
        except MissingScope:
            pass  # it may do other things
        except TooManyRequests as refused:
            raise Ended(End.LATER, refused.code) from None
        except Refused as refused:
            raise Ended(End.FORBIDDEN, refused.code) from None
        self._is_known = True
        await self._say(ACK)

    async def _subscribe(self, message: Subscribe) -> None:
        if not self._is_known:
            raise Ended(End.UNAUTHORIZED, "Unauthorized")
        if message.id in self._running:
            raise Ended(End.TWICE, f"Subscriber for {message.id[:60]} already exists")
        received = self._store.clock()
        if len(self._running) >= MOST_AT_ONCE:
            full = TooManyStreams(f"A connection has {MOST_AT_ONCE} operations at once.")
            await self._say(self._errors(message.id, full))
            return
        task = asyncio.create_task(self._carry_out(message, received), name="graphql operation")
        self._running[message.id] = task

    async def _carry_out(self, message: Subscribe, received: int) -> None:
        """Tell what an operation comes to, and its end."""
        try:
            with self._hub.admitted(address_of(self._scope)) as follower:
                await self._tell(message, received, follower)
            last = msgspec.json.encode(Complete(message.id)).decode()
        except (Stopping, OSError, WebSocketDisconnect):
            return
        except Exception as error:  # noqa: BLE001 - the client is told, and a fault of ours is logged
            last = self._errors(message.id, error)
        self._running.pop(message.id, None)
        await _unless_lost(self._say(last))

    async def _tell(self, message: Subscribe, received: int, follower: Follower) -> None:
        gateway, payload = self._gateway, message.payload
        operation = await gateway.admitted(self._known, payload)
        asked = gateway.executor.asked(operation, payload.variables)
        listener = Listener(self._hub, follower, lambda: _rest(follower, self._hub))
        language, admission = language_of(self._known), lambda bucket: admit(self._known, bucket)
        context = gateway.context(asked, self._token, Asker(received, language, admission, listener))
        found = results_of(gateway.executor, asked, context, request_id_of(self._scope), follower)
        async with aclosing(found) as results:  # type: ignore[type-var]
            async for result in results:
                await self._say(next_message(message.id, body_of(result)))
                SENT.inc()

    def _errors(self, operation: str, error: Exception) -> str:
        request_id = request_id_of(self._scope)
        return errors_message(operation, errors_of(error, language_of(self._known), request_id))

    async def _say(self, text: str) -> None:
        """Send a message when the ones before it are taken. Raises OSError if the connection is lost."""
        async with self._sending:
            follower, hub = self._follower, self._hub
            follower.busy_since = hub.time()
            follower.heartbeat_at = follower.busy_since + hub.heartbeat
            try:
                await self._send({"type": "websocket.send", "text": text, "bytes": None})
            finally:  # also where the client takes back what it is told
                follower.busy_since = None

    async def _close(self, end: Ended) -> None:
        await self._send({"type": "websocket.close", "code": end.code, "reason": end.reason})


@WebsocketRouteHandler(PATH, name="graphql socket")
async def hold_socket(socket: WebSocket[Any, Any, State]) -> None:
    """Operations over a WebSocket."""
    state = socket.app.state
    asgi = (socket.scope, socket.receive, socket.send)
    await Conversation(gateway_of(socket.scope), state.hub, state.desk, asgi).hold()


async def _rest(follower: Follower, hub: Hub) -> None:
    """The connection gives signs of life, not each subscription on it."""
    follower.heartbeat_at = hub.time() + hub.heartbeat


async def _stopped(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _unless_lost(sending: Awaitable[None]) -> None:
    try:
        await sending
    except (OSError, WebSocketDisconnect):
        return


ROUTES: Final = (hold_socket,)
