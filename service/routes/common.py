"""What the handlers share: routes from the table of operations, and how a match and a position are found."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from litestar.handlers import HTTPRouteHandler

from engine.match import AnyGame, fold
from schema.games import move_kinds, thing_kinds
from schema.operations import API, Operation
from schema.wire import NoQuery
from schema.wire import Scope as AccountScope
from schema.wire_views import EventPage
from service.accounts.caller import Caller, player_or_guest
from service.accounts.credential import Credential, credential_of
from service.catalogue import rules_of
from service.desk import Desk
from service.details import detail
from service.errors import MatchNotStarted, TokenRequired, UnknownVersion
from service.http import Incoming, Query, bearer
from service.languages import ENGLISH, Language
from service.limits.admission import Handler, counted
from service.matches import state_of
from service.store.errors import NoMatch
from service.store.record import MatchRecord, encode
from service.store.store import Store
from service.views import event_views

NO_QUERY: Final = Query(NoQuery)
_ID: Final = re.compile(r"[a-z2-7]{1,64}")


class Position(NamedTuple):
    """A state of a match, encoded, at a version."""

    game: AnyGame
    version: int
    data: bytes

    @property
    def state(self) -> Any:
        """The state, decoded anew."""
        return state_of(self.game, self.data)


def route(operation: Operation) -> Callable[[Handler[Any]], HTTPRouteHandler]:
    """The decorator of the handler of an operation, whose requests are counted.

    101 is a matter of its WebSocket.
    """
    status = 200 if operation.status == 101 else operation.status
    made = HTTPRouteHandler(
        API + operation.path, http_method=operation.method, name=operation.name, status_code=status
    )
    return lambda handler: made(counted(operation, handler))


def desk(request: Incoming) -> Desk:
    """Where changing requests are carried out."""
    found: Desk = request.app.state.desk
    return found


def match_id(request: Incoming) -> str:
    """The id in the address. Raises NoMatch if no match can have it."""
    return checked_id(request.path_params["match_id"])


def checked_id(text: str) -> str:
    """The id of a match. Raises NoMatch if no match can have it."""
    if not _ID.fullmatch(text):
        raise NoMatch(text)
    return text


def bearer_of(request: Incoming) -> str:
    """The token that the request presents. Raises TokenRequired if it presents none."""
    token = bearer(request)
    if token is None:
        raise TokenRequired("Send `Authorization: Bearer` and the token.")
    return token


async def credential(request: Incoming, scope: AccountScope) -> Credential:
    """What the token that the request presents is worth. Raises TokenRequired and as `credential_of`."""
    return await credential_of(desk(request).store, bearer_of(request), scope)


async def player_of(request: Incoming, scope: AccountScope) -> Caller | None:
    """The player whose API token the request presents, None for a guest.

    Raises TokenRequired, UnknownToken, TokenExpired, MissingScope.
    """
    return await player_or_guest(desk(request).store, bearer(request), scope)


async def position(at_desk: Desk, record: MatchRecord, version: int | None) -> Position:
    """The match at a version, or as it stands.

    Raises MatchNotStarted, UnknownVersion, OtherRules, EditionMissing, and NoMatch if it is forgotten
    meanwhile.
    """
    game, store = at_desk.catalogue.game_of(record), at_desk.store
    if not record.state:
        raise MatchNotStarted("The match has not been dealt.")
    if version is None or version == record.version:
        return Position(game, record.version, record.state)
    if not 0 <= version <= record.version:
        raise UnknownVersion(detail("versions", version=record.version), version=record.version)
    kept, data = await store.state_before(record.id, version)
    if kept < version:
        events = await store.events(record.id, kept, version - kept)
        if len(events) < version - kept:
            raise NoMatch(record.id)
        *_, last = fold(game, state_of(game, data), (event.event for event in events))
        data = encode(last.state)
    return Position(game, version, data)


def move_fault(game: AnyGame, kind: str | None) -> str | None:
    """What is wrong with a kind of moves that is asked for, None if there are such moves."""
    return _kind_fault(kind, "moves", move_kinds(game.slug))


def thing_fault(game: AnyGame, kind: str | None) -> str | None:
    """What is wrong with a kind of things that is asked for, None if there are such things."""
    return _kind_fault(kind, "things", thing_kinds(game.slug))


def _kind_fault(kind: str | None, what: str, kinds: tuple[str, ...]) -> str | None:
    return None if kind is None or kind in kinds else f"$.kind: The kinds of {what} are {', '.join(kinds)}."


async def event_page(
    store: Store, record: MatchRecord, after: int, limit: int, language: Language = ENGLISH
) -> EventPage:
    """The events of a match that there are after a version. Raises OtherRules."""
    most = min(limit, record.version - after)
    events = await store.events(record.id, after, most) if most > 0 else ()
    last = after + len(events)
    following = last if events and last < record.version else None
    return EventPage(
        record.version, record.status, event_views(rules_of(record), events, language), following
    )
