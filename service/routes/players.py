"""Players: registered, and shown to everybody."""

import re
from typing import Final

from schema.operations_players import REGISTER_PLAYER, SHOW_PLAYER
from schema.wire_players import PlayerView, RegisterPlayer
from service.accounts.errors import NoSuchPlayer
from service.accounts.office import Office
from service.accounts.views import player_view
from service.http import Body, Incoming, Reply, change, respond, shown
from service.routes.common import NO_QUERY, desk, route
from service.store.store import Store

REGISTRATION: Final = Body(RegisterPlayer)
_ID: Final = re.compile(r"[a-z2-7]{1,64}")


@route(REGISTER_PLAYER)
async def register_player(request: Incoming) -> Reply:
    """A new player, and its first API token."""
    NO_QUERY.read(request)
    asked, body = await REGISTRATION.read(request)
    return respond(await Office(desk(request)).register(change(request, body, None), asked))


@route(SHOW_PLAYER)
async def show_player(request: Incoming) -> Reply:
    """A player as everybody sees it."""
    NO_QUERY.read(request)
    return shown(request, await player_with(desk(request).store, request.path_params["player_id"]))


async def player_with(store: Store, player_id: str) -> PlayerView:
    """The player with an id, as everybody sees it. Raises NoSuchPlayer."""
    if not _ID.fullmatch(player_id):
        raise NoSuchPlayer(f"There is no player '{player_id[:60]}'.")
    _, player, _ = await store.players.load(player_id)
    return player_view(player)


ROUTES: Final = (register_player, show_player)
