"""Where requests are counted: before their handler runs."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Final, TypeVar

from litestar.types import Scope

from schema.operation import NDJSON, SSE, Bucket, Operation
from service.errors import TooManyRequests
from service.limits.limiter import Client, Limiter
from service.negotiation import preferred
from service.observe.figures import LIMITED

Answered = TypeVar("Answered")
Handler = Callable[..., Awaitable[Answered]]

TOLD: Final = "cantiere.headers"
"""In the scope of a request: a list of headers that are put on whatever it is answered."""


def counted(operation: Operation, handler: Handler[Answered]) -> Handler[Answered]:
    """The handler of an operation, asked only if the client may. Raises TooManyRequests."""
    bucket = operation.bucket
    if bucket is None:
        return handler

    @wraps(handler)
    async def asked(request: Any) -> Answered:
        scope: Scope = request.scope
        is_stream = operation.streams is not None and _wants_stream(scope, operation.media_types)
        await admit(scope, "stream" if is_stream else bucket)
        return await handler(request)

    return asked


async def admit(scope: Scope, bucket: Bucket) -> None:
    """Nothing, if the client may. Raises TooManyRequests."""
    limiter: Limiter = scope["litestar_app"].state.limiter
    client = scope["client"]
    token = _header(scope, b"authorization")
    known: Any = scope
    told: list[tuple[bytes, bytes]] = known.get(TOLD, [])
    try:
        told += await limiter.admit(bucket, Client(token, client[0] if client else ""))
    except TooManyRequests as refusal:
        told += refusal.told
        LIMITED.labels(bucket).inc()
        raise


def _wants_stream(scope: Scope, offered: tuple[str, ...]) -> bool:
    accept = (_header(scope, b"accept") or b"").decode("latin-1")
    return preferred(accept, offered) in (SSE, NDJSON)


def _header(scope: Scope, wanted: bytes) -> bytes | None:
    for name, value in scope["headers"]:
        if name == wanted:
            return value
    return None
