"""The handlers of the REST API, thin: read, ask, answer."""

from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from service.routes import (
    bots,
    clocks,
    games,
    lifecycle,
    matches,
    me,
    options,
    play,
    players,
    positions,
    previews,
    rematch,
    streams,
    system,
    tournaments,
)

ROUTES: list[HTTPRouteHandler | WebsocketRouteHandler] = [
    *options.ROUTES,
    *games.ROUTES,
    *matches.ROUTES,
    *lifecycle.ROUTES,
    *play.ROUTES,
    *clocks.ROUTES,
    *positions.ROUTES,
    *previews.ROUTES,
    *streams.ROUTES,
    *players.ROUTES,
    *bots.ROUTES,
    *rematch.ROUTES,
    *me.ROUTES,
    *tournaments.ROUTES,
    *system.ROUTES,
]

HOT: tuple[HTTPRouteHandler | WebsocketRouteHandler, ...] = (
    play.post_moves,
    positions.list_legal_moves,
    matches.show_match,
    streams.hold_socket,
)
"""The handlers that are asked most: every turn of every match, by its players and by all who watch."""
