"""GraphQL over SSE in its mode of distinct connections: a request is answered with the results, one by one.

Source: PROTOCOL.md of the library graphql-sse. A stream that ends without `complete` is to be resumed.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

from litestar.types import Receive, Scope, Send

from schema.graphql.context import Context
from schema.operation import SSE
from service.graphql.asker import Listener
from service.graphql.door_play import Stopping
from service.graphql.execution import Asked, Executor
from service.graphql.results import body_of, errors_of, results_of
from service.graphql.telling import Told
from service.http import encode_json, language_of
from service.live.delivery import attend
from service.live.follower import Follower
from service.live.http import HEADERS, address_of
from service.live.hub import Hub
from service.live.line import line_of
from service.observe.figures import SENT
from service.shell import request_id_of

ALIVE: Final = b":\n\n"
"""A comment, which every client passes over. Source: HTML, 9.2.6."""
COMPLETE: Final = b"event: complete\ndata: \n\n"
Contextual = Callable[[Listener], Context]
Refuse = Callable[[Exception], Any]
_log: Final = logging.getLogger(__name__)


class ResultStream:
    """The answer that is all results of an operation, as they come."""

    def __init__(
        self, hub: Hub, executor: Executor, asked: Asked, context: Contextual, refuse: Refuse
    ) -> None:
        """`context` makes what goes with the operation; `refuse` answers what cannot begin."""
        self._hub = hub
        self._executor = executor
        self._asked = asked
        self._context = context
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            follower = self._hub.admitted(address_of(scope))
        except Exception as error:  # noqa: BLE001 - answered, and logged if it is a fault of ours
            await self._refuse(error)(scope, receive, send)
            return
        with follower:
            line = line_of(scope)
            if line is not None:
                line.prepare(self._hub.patience)
            release = attend(follower, scope, receive)
            try:
                await self._tell(_Body(self._hub, follower, send), follower, scope)
            finally:
                release()
            if follower.ended == "slow":
                _log.info("A stream was cut, %s: its client did not keep up.", scope["path"])

    async def _tell(self, body: "_Body", follower: Follower, scope: Scope) -> None:
        request_id = request_id_of(scope)
        context = self._context(Listener(self._hub, follower, body.beat))
        await body.begin()
        found: Any = results_of(self._executor, self._asked, context, request_id, follower)
        try:
            async with aclosing(found) as results:
                async for result in results:
                    await body.write(_next(body_of(result)))
                    SENT.inc()
        except Stopping:
            pass
        except Exception as error:  # noqa: BLE001 - the client is told, and a fault of ours is logged
            await body.end(refusal_events(errors_of(error, language_of(scope), request_id)))
            return
        if follower.ended is None:
            await body.end(COMPLETE)
        elif follower.ended == "stopping":
            await body.end(b"")


class _Body:
    """The body of an answer; the hub sees how long the client takes."""

    def __init__(self, hub: Hub, follower: Follower, send: Send) -> None:
        self._hub = hub
        self._follower = follower
        self._send = send

    async def begin(self) -> None:
        headers = [*HEADERS, (b"content-type", SSE.encode())]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.beat()

    async def beat(self) -> None:
        """A sign of life."""
        await self.write(ALIVE)

    async def write(self, text: bytes) -> None:
        await self._counted(self._send({"type": "http.response.body", "body": text, "more_body": True}))

    async def end(self, text: bytes) -> None:
        await self._counted(self._send({"type": "http.response.body", "body": text, "more_body": False}))

    async def _counted(self, sending: Awaitable[None]) -> None:
        follower = self._follower
        follower.busy_since = self._hub.time()
        follower.heartbeat_at = follower.busy_since + self._hub.heartbeat
        await sending
        follower.busy_since = None


def refusal_events(errors: list[Told]) -> bytes:
    """All that there is of an operation that is refused."""
    return _next({"errors": errors}) + COMPLETE


def _next(body: dict[str, Any]) -> bytes:
    return b"event: next\ndata: %b\n\n" % encode_json(body)
