"""The games that can be played here."""

from typing import Final

from engine.registry import GAMES, find_game
from schema.operations import LIST_GAMES, SHOW_GAME
from schema.wire_views import GameList
from service.http import Incoming, Reply, shown
from service.routes.common import NO_QUERY, route
from service.views import game_summary, game_view


@route(LIST_GAMES)
async def list_games(request: Incoming) -> Reply:
    """All games."""
    NO_QUERY.read(request)
    return shown(request, GameList(tuple(map(game_summary, GAMES.values()))))


@route(SHOW_GAME)
async def show_game(request: Incoming) -> Reply:
    """One game."""
    NO_QUERY.read(request)
    return shown(request, game_view(find_game(request.path_params["slug"])))


ROUTES: Final = (list_games, show_game)
