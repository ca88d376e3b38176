"""Matches come and go: created, joined, cancelled; seats freed."""

import secrets
from collections.abc import Callable
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from engine.match import AnyGame
from schema.operation import Operation
from schema.operations import CANCEL_MATCH, CREATE_MATCH, JOIN_MATCH, KICK_SEAT, LEAVE_MATCH
from schema.wire import CreateMatch, JoinMatch
from schema.wire_views import CreatedView, JoinedView
from service.accounts.caller import Caller
from service.accounts.credential import Credential, check_host, seat_of
from service.accounts.errors import NoSuchPlayer
from service.accounts.record import PlayerRecord
from service.clocks.referee import Moment
from service.desk import HOST, Created, Deed, Desk, Issued, source_of
from service.errors import Failure, UnknownToken, WrongToken
from service.http import Body, Change, Incoming, Reply, change, respond
from service.languages import Language
from service.matches import (
    SEED_BYTES,
    Born,
    Decision,
    abort,
    cancel,
    check_invited,
    create,
    free_seat,
    join,
    kick,
    vacate,
)
from service.routes.common import NO_QUERY, credential, desk, match_id, player_of, route
from service.store.record import Answer, MatchRecord, SeatRecord
from service.tokens import nonce, token_hash
from service.views import match_view

CREATE: Final = Body(CreateMatch)
JOIN: Final = Body(JoinMatch)
FIRST_TURN: Final = 1_000
"""Events of a first turn at most; a match with more is in a later one."""


@route(CREATE_MATCH)
async def create_match(request: Incoming) -> Reply:
    """A new match, and the token of its host."""
    NO_QUERY.read(request)
    asked, body = await CREATE.read(request)
    caller = await player_of(request, "create")
    asking = change(request, body, None if caller is None else caller.token)
    return respond(await created(desk(request), asking, asked, caller))


async def created(at_desk: Desk, asking: Change, asked: CreateMatch, caller: Caller | None) -> Answer:
    """The answer to a request for a new match; `caller` is None for a guest."""

    async def make(new_id: str, key: str) -> Created:
        if missing := await at_desk.store.players.missing(asked.invited):
            raise NoSuchPlayer(f"There is no player with the id '{missing[0][:60]}' to be invited.")
        token = at_desk.tokens.host_token(new_id, key)
        creator = "" if caller is None else caller.player.id
        seed, at = secrets.token_bytes(SEED_BYTES), at_desk.store.clock()
        born = Born(new_id, seed, token_hash(token), at, creator)
        decision = create(asked, at_desk.catalogue.game(asked.game, asked.edition), born)
        return decision, CreatedView(match_view(decision.record), token), Issued(token, HOST)

    return await at_desk.create(asking, make)


class Join(Deed):
    """Somebody takes a seat. `key` is what the token is derived from; `player` is None for a guest."""

    def __init__(self, at_desk: Desk, asked: JoinMatch, key: str, player: PlayerRecord | None) -> None:
        self._player = player
        self._desk = at_desk
        self._asked = asked
        self._key = key
        self._token = ""
        self._game: AnyGame

    def admit(self, record: MatchRecord) -> None:
        """Whoever is invited may join, or anybody, if the match can be played here."""
        self._game = self._desk.catalogue.game_of(record)
        check_invited(record, self._player_id)

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        asked, player = self._asked, self._player
        seat = free_seat(record, asked.seat, self._player_id)
        self._token = self._desk.tokens.seat_token(record.id, seat, self._key)
        name = asked.name if asked.name or player is None else player.name
        hashed, at = token_hash(self._token), moment.applied
        return join(record, self._game, seat, SeatRecord(name, hashed, asked.nonce, at, self._player_id))

    def tell(self, decision: Decision) -> tuple[Struct, Issued]:
        view = JoinedView(decision.seat, self._token, match_view(decision.record))
        return view, Issued(self._token, decision.seat)

    @property
    def _player_id(self) -> str:
        return "" if self._player is None else self._player.id


@route(JOIN_MATCH)
async def join_match(request: Incoming) -> Reply:
    """A seat, and the token that plays it."""
    NO_QUERY.read(request)
    asked, body = await JOIN.read(request)
    caller = await player_of(request, "play")
    asking = change(request, body, None if caller is None else caller.token)
    player = None if caller is None else caller.player
    deed = Join(desk(request), asked, source_of(asking) or nonce(), player)
    return respond(await desk(request).carry_out(match_id(request), asking, deed))


class Managing(Deed):
    """What is done about seats, and not at the table; it is answered with the match."""

    def __init__(self, at_desk: Desk, shown: Credential) -> None:
        self._desk = at_desk
        self._shown = shown

    def tell(self, decision: Decision) -> tuple[Struct, None]:
        return match_view(decision.record), None


class ByHost(Managing):
    """What only the creator of a match may do."""

    def admit(self, record: MatchRecord) -> None:
        check_host(record, self._shown)


class Kick(ByHost):
    """A seat becomes free."""

    def __init__(self, at_desk: Desk, shown: Credential, seat: int) -> None:
        super().__init__(at_desk, shown)
        self._seat = seat

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        return kick(record, self._seat, moment.applied)


class Leave(Managing):
    """Who has a seat gives it back, or who is invited will not come."""

    def admit(self, record: MatchRecord) -> None:
        """Nothing yet: the token of a seat is dead when its request is repeated."""

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        player = self._shown.player_id
        if player and player in record.invited and all(seat.player != player for seat in record.seats):
            return vacate(record, None, player, moment.applied)
        seat = seat_of(record, self._shown)
        return vacate(record, seat, record.seats[seat].player, moment.applied)

    async def explain(self, record: MatchRecord, error: Exception, language: Language) -> Failure | None:
        """None for a token that does not do."""
        if isinstance(error, UnknownToken | WrongToken):
            return None
        return await super().explain(record, error, language)


class Cancel(ByHost):
    """The match ends without a result."""

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        store = self._desk.store
        if record.status == "running" and record.version <= FIRST_TURN:
            return abort(record, await store.events(record.id, 0, record.version or 1), moment.applied)
        return cancel(record, moment.applied)


def _managed(operation: Operation, deed: Callable[[Desk, Credential, Any], Managing]) -> HTTPRouteHandler:
    """The handler that has a deed done, which is made of what is asked and of who asks."""
    scope, asked_type = operation.scope, operation.body
    assert scope is not None
    assert asked_type is not None
    reader = Body(asked_type)

    async def handle(request: Incoming) -> Reply:
        NO_QUERY.read(request)
        asked, body = await reader.read(request)
        shown = await credential(request, scope)
        asking = change(request, body, shown.token)
        made = deed(desk(request), shown, asked)
        return respond(await desk(request).carry_out(match_id(request), asking, made))

    return route(operation)(handle)


ROUTES: Final = (
    create_match,
    join_match,
    _managed(KICK_SEAT, lambda at_desk, shown, asked: Kick(at_desk, shown, asked.seat)),
    _managed(LEAVE_MATCH, lambda at_desk, shown, _: Leave(at_desk, shown)),
    _managed(CANCEL_MATCH, lambda at_desk, shown, _: Cancel(at_desk, shown)),
)
