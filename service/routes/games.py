"""The games that can be played here."""

from typing import Final

from schema.operations import LIST_GAMES, SHOW_BOX, SHOW_GAME, TEXT
from schema.wire_views import GameList
from service.http import Incoming, Reply, language_of, said_in, shown, told, wanted
from service.routes.common import NO_QUERY, desk, route
from service.views import game_summary, game_view


@route(LIST_GAMES)
async def list_games(request: Incoming) -> Reply:
    """All games."""
    NO_QUERY.read(request)
    catalogue = desk(request).catalogue
    summaries = (game_summary(game, catalogue.editions(game.slug)) for game in catalogue.games)
    return shown(request, GameList(tuple(summaries)))


@route(SHOW_GAME)
async def show_game(request: Incoming) -> Reply:
    """One game."""
    NO_QUERY.read(request)
    catalogue, slug = desk(request).catalogue, request.path_params["slug"]
    language = language_of(request.scope)
    view = game_view(catalogue.game(slug), catalogue.editions(slug), language)
    return shown(request, view, headers=said_in(language))


@route(SHOW_BOX)
async def show_box(request: Incoming) -> Reply:
    """The component data of an edition."""
    NO_QUERY.read(request)
    game = desk(request).catalogue.game(request.path_params["slug"], request.path_params["edition"])
    return told(request, game.box, wanted(request, (TEXT,)))


ROUTES: Final = (list_games, show_game, show_box)
