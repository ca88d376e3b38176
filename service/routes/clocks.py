"""What the clocks of a match show now."""

from typing import Final

from schema.operations import SHOW_CLOCK
from service.clocks.views import clock_now
from service.http import VARY, Incoming, Reply, encoded, wanted
from service.routes.common import NO_QUERY, desk, match_id, route


@route(SHOW_CLOCK)
async def show_clock(request: Incoming) -> Reply:
    """The clocks at this moment."""
    NO_QUERY.read(request)
    store = desk(request).store
    _, record, _ = await store.load(match_id(request))
    now = store.clock()
    view = clock_now(record, now, await store.lease.stalls_for(record.clock))
    media_type = wanted(request)
    headers = (("content-type", media_type), VARY, ("cache-control", "no-store"))
    return Reply(200, headers, encoded(view, media_type))


ROUTES: Final = (show_clock,)
