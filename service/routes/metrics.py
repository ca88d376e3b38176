"""The figures for Prometheus, beside the API: not for its clients."""

import asyncio
from typing import Final

from litestar.handlers import HTTPRouteHandler

from service.http import NO_CACHE, Incoming, Reply
from service.observe.exposition import exposition

METRICS: Final = "/metrics"


@HTTPRouteHandler(METRICS, http_method="GET", name="metrics")
async def show_metrics(request: Incoming) -> Reply:
    """The figures of all workers."""
    # In a thread: files of all workers are read.
    told = await asyncio.to_thread(exposition, request.headers.get("accept", ""))
    return Reply(200, (("content-type", told.media_type), NO_CACHE), told.body)
