"""The handlers of the REST API, thin: read, ask, answer."""

from litestar.handlers import HTTPRouteHandler

from service.routes import games, lifecycle, matches, options, play, positions, system

ROUTES: list[HTTPRouteHandler] = [
    *options.ROUTES,
    *games.ROUTES,
    *matches.ROUTES,
    *lifecycle.ROUTES,
    *play.ROUTES,
    *positions.ROUTES,
    *system.ROUTES,
]
