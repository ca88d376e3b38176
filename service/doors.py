"""The doors beside REST, each there if the settings say so."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from litestar.types import ControllerRouterHandler

from service.desk import Desk
from service.express import Hot
from service.settings import Settings


class Door(NamedTuple):
    """What a door adds to the application: handlers on the short way, all its handlers, and what of it lives
    as long as the store is open."""

    hot: Sequence[Hot] = ()
    routes: Sequence[ControllerRouterHandler] = ()
    opened: Callable[[Desk, Settings], Any] = lambda _desk, _settings: None


def graphql_door(settings: Settings) -> Door:
    """The GraphQL door, or one that is not there."""
    if settings.graphql == "off":
        return Door()
    # Here: to build its schema is half of a worker's start.
    from service.graphql import http  # noqa: PLC0415
    from service.graphql.gateway import Gateway  # noqa: PLC0415

    return Door(http.HOT, http.ROUTES, Gateway)
