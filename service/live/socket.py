"""Streams over a WebSocket, in JSON or MessagePack."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar.exceptions import WebSocketDisconnect
from litestar.types import Receive, Scope, Send

from schema.wire_streams import ProblemMessage, Subscribe
from service.errors import InvalidBody, InvalidHeader, InvalidQuery, SubscribeTimeout, failure, masked
from service.http import decoded, language_of
from service.languages import wanted as wanted_language
from service.live.delivery import deliver
from service.live.feed import MatchStory
from service.live.follower import Follower
from service.live.frames import JSON_MESSAGES, MSGPACK_MESSAGES, Frame, Framing
from service.live.http import address_of, check_reached
from service.live.hub import Hub
from service.live.line import Line, line_of
from service.observe.figures import REFUSALS
from service.shell import request_id_of

PROTOCOLS: Final[Mapping[str, Framing]] = {
    "cantiere.json": JSON_MESSAGES,
    "cantiere.msgpack": MSGPACK_MESSAGES,
}
FIRST: Final = "cantiere.json"
SUBSCRIBE_SECONDS: Final = 5
OVER: Final = 1000
"""The code of the end when everything was told. Source: RFC 6455, 7.4.1."""
RESTART: Final = 1012
"""The server stops, to start again: resume. Source: IANA's registry of these codes."""
PROBLEM: Final = 4000
"""With the status of a problem added: why the server ends it."""
_log: Final = logging.getLogger(__name__)
_read_json: Final = msgspec.json.Decoder(Subscribe).decode
_read_msgpack: Final = msgspec.msgpack.Decoder(Subscribe).decode


Admission = Callable[[Scope, Subscribe], Awaitable[str]]
"""The id of the match that is subscribed to. Raises NoMatch, UnknownToken."""


class Gone(Exception):
    """The client has left."""


class Talk:
    """A WebSocket, from its first message to its end."""

    __slots__ = ("_admit", "_hub", "_language", "_receive", "_scope", "_send")

    def __init__(self, hub: Hub, admit: Admission, scope: Scope, receive: Receive, send: Send) -> None:
        self._hub = hub
        self._admit = admit
        self._scope = scope
        self._receive = receive
        self._send = send
        self._language = language_of(scope)

    async def hold(self) -> None:
        """Tell what happens in the match from the version on that the client names; or what is wrong."""
        await self._receive()  # that somebody connects
        offered: list[str] = self._scope["subprotocols"]  # type: ignore[typeddict-item]  # of a WebSocket
        chosen = next((name for name in offered if name in PROTOCOLS), None)
        outlet = SocketOutlet(self._send, PROTOCOLS[chosen or FIRST])
        try:
            await self._send({"type": "websocket.accept", "subprotocol": chosen, "headers": []})
            try:
                self._check(offered, chosen)
                with self._hub.admitted(address_of(self._scope)) as follower:
                    await self._tell(outlet, follower)
            except (Gone, OSError, WebSocketDisconnect):
                raise
            except Exception as error:  # noqa: BLE001 - the client is told, and a fault of ours is logged
                await self._refuse(outlet, error)
        except (Gone, OSError, WebSocketDisconnect):
            return  # there is nobody any more who could be told anything

    def _check(self, offered: Sequence[str], chosen: str | None) -> None:
        """Nothing, if the client offers a subprotocol that is spoken here, or none.

        Raises InvalidHeader, and InvalidQuery if its address has parameters.
        """
        if offered and chosen is None:
            raise InvalidHeader(f"Sec-WebSocket-Protocol: {' or '.join(PROTOCOLS)}, or none.")
        if self._scope["query_string"]:
            raise InvalidQuery("$: There are none here; a token goes into the first message.", where="$")

    async def _tell(self, outlet: "SocketOutlet", follower: Follower) -> None:
        asked = await self._subscription()
        if asked.lang is not None:
            self._language = wanted_language(asked.lang)
        match_id = await self._admit(self._scope, asked)
        feed = await self._hub.follow(match_id, follower)
        await check_reached(feed, asked.after)
        line = self._attended(follower)
        watch = asyncio.create_task(self._watch(follower))
        try:
            story = MatchStory(feed, asked.after, self._language)
            await deliver(story, outlet, follower, self._hub)
        finally:
            watch.cancel()
            if line is not None:
                line.release()
            if follower.ended == "slow":
                _log.info("The WebSocket %s was cut: its client did not keep up.", self._scope["path"])
        if follower.ended in ("slow", "gone"):
            raise Gone
        if follower.ended == "talking":
            raise InvalidBody("$: Nothing is read after the subscription; open another WebSocket.", where="$")
        follower.busy_since = self._hub.time()
        await outlet.close(OVER if follower.ended is None else RESTART)

    def _attended(self, follower: Follower) -> Line | None:
        """The line below, which has the follower end with it."""
        line = line_of(self._scope)
        if line is not None:
            line.prepare(self._hub.patience)
            line.on_end = follower.end
            follower.cut = line.cut
        return line

    async def _subscription(self) -> Subscribe:
        """The first message. Raises SubscribeTimeout, MalformedBody, InvalidBody, Gone."""
        try:
            async with asyncio.timeout(SUBSCRIBE_SECONDS):
                message: Any = await self._receive()
        except TimeoutError:
            raise SubscribeTimeout(f"Send within {SUBSCRIBE_SECONDS} s what you subscribe to.") from None
        if message["type"] != "websocket.receive":
            raise Gone
        text = message.get("text")
        return (
            decoded(_read_msgpack, message["bytes"], Subscribe)
            if text is None
            else decoded(_read_json, text.encode(), Subscribe)
        )

    async def _watch(self, follower: Follower) -> None:
        """End the follower when its client is gone, or says anything."""
        message = await self._receive()
        follower.end("talking" if message["type"] == "websocket.receive" else "gone")

    async def _refuse(self, outlet: "SocketOutlet", error: Exception) -> None:
        """Say what is wrong, and end it."""
        told = failure(error, language=self._language)
        if told is None:
            request_id = request_id_of(self._scope)
            path, named = self._scope["path"], {"request": request_id}
            _log.error("The WebSocket %s failed (%s)", path, request_id, exc_info=error, extra=named)
            told = masked(request_id)
        REFUSALS.labels(told.problem.code).inc()
        await outlet.write((Frame(ProblemMessage(told.problem)),))
        await outlet.close(PROBLEM + told.problem.status)


class SocketOutlet:
    """The messages of a WebSocket."""

    __slots__ = ("_framing", "_send")

    def __init__(self, send: Send, framing: Framing) -> None:
        self._send = send
        self._framing = framing

    async def write(self, frames: Sequence[Frame]) -> None:
        """Raises OSError if the connection is lost."""
        framing = self._framing
        is_text = framing is JSON_MESSAGES
        for frame in frames:
            spelled = frame.spelled(framing)
            text, data = (spelled.decode(), None) if is_text else (None, spelled)
            await self._send({"type": "websocket.send", "text": text, "bytes": data})

    async def close(self, code: int) -> None:
        """End it. Raises OSError if the connection is lost."""
        await self._send({"type": "websocket.close", "code": code, "reason": ""})
