"""Bots fill seats."""

from typing import Final

from schema.operations_players import ADD_BOT
from schema.wire_players import AddBot
from service.bots.seating import SeatBot
from service.http import Body, Incoming, Reply, change, respond
from service.routes.common import NO_QUERY, credential, desk, match_id, route

BOT: Final = Body(AddBot)


@route(ADD_BOT)
async def add_bot(request: Incoming) -> Reply:
    """The seat that the bot has, and the match."""
    NO_QUERY.read(request)
    asked, body = await BOT.read(request)
    shown = await credential(request, "create")
    deed = SeatBot(desk(request), shown, asked)
    return respond(await desk(request).carry_out(match_id(request), change(request, body, shown.token), deed))


ROUTES: Final = (add_bot,)
