"""Matches come and go: created, joined, cancelled; seats freed."""

import secrets
from typing import Final

from msgspec import Struct

from engine.match import AnyGame
from schema.operations import CANCEL_MATCH, CREATE_MATCH, JOIN_MATCH, KICK_SEAT
from schema.wire import CreateMatch, JoinMatch, KickSeat, Nothing
from schema.wire_views import CreatedView, JoinedView
from service.desk import HOST, Created, Deed, Desk, Issued
from service.http import Body, Incoming, Reply, change, respond
from service.matches import SEED_BYTES, Born, Decision, abort, cancel, create, free_seat, join, kick
from service.routes.common import NO_QUERY, bearer_of, check_host, desk, match_id, route
from service.store.record import MatchRecord
from service.tokens import nonce, token_hash
from service.views import match_view

CREATE: Final = Body(CreateMatch)
JOIN: Final = Body(JoinMatch)
KICK: Final = Body(KickSeat)
CANCEL: Final = Body(Nothing)
FIRST_TURN: Final = 1_000
"""Events of a first turn at most; a match with more is in a later one."""


@route(CREATE_MATCH)
async def create_match(request: Incoming) -> Reply:
    """A new match, and the token of its host."""
    NO_QUERY.read(request)
    asked, body = await CREATE.read(request)
    at_desk = desk(request)

    def make(new_id: str, key: str) -> Created:
        token = at_desk.tokens.host_token(new_id, key)
        born = Born(new_id, secrets.token_bytes(SEED_BYTES), token_hash(token), at_desk.store.clock())
        decision = create(asked, at_desk.catalogue.game(asked.game, asked.edition), born)
        return decision, CreatedView(match_view(decision.record), token), Issued(token, HOST)

    return respond(await at_desk.create(change(request, body, None), make))


class Join(Deed):
    """Somebody takes a seat. `key` is what the token is derived from."""

    def __init__(self, at_desk: Desk, asked: JoinMatch, key: str) -> None:
        self._desk = at_desk
        self._asked = asked
        self._key = key
        self._token = ""
        self._game: AnyGame

    def admit(self, record: MatchRecord) -> None:
        """Anybody may join, if the match can be played here."""
        self._game = self._desk.catalogue.game_of(record)

    async def decide(self, record: MatchRecord) -> Decision:
        seat = free_seat(record, self._asked.seat)
        self._token = self._desk.tokens.seat_token(record.id, seat, self._key)
        hashed = token_hash(self._token)
        return join(record, self._game, self._asked, seat, hashed, self._desk.store.clock())

    def tell(self, decision: Decision) -> tuple[Struct, Issued]:
        view = JoinedView(decision.seat, self._token, match_view(decision.record))
        return view, Issued(self._token, decision.seat)


@route(JOIN_MATCH)
async def join_match(request: Incoming) -> Reply:
    """A seat, and the token that plays it."""
    NO_QUERY.read(request)
    asked, body = await JOIN.read(request)
    asking = change(request, body, None)
    deed = Join(desk(request), asked, asking.key or nonce())
    return respond(await desk(request).carry_out(match_id(request), asking, deed))


class ByHost(Deed):
    """What only the creator of a match may do; it is answered with the match."""

    def __init__(self, at_desk: Desk, token: str) -> None:
        self._desk = at_desk
        self._token = token

    def admit(self, record: MatchRecord) -> None:
        check_host(record, self._token)

    def tell(self, decision: Decision) -> tuple[Struct, None]:
        return match_view(decision.record), None


class Kick(ByHost):
    """A seat becomes free."""

    def __init__(self, at_desk: Desk, token: str, seat: int) -> None:
        super().__init__(at_desk, token)
        self._seat = seat

    async def decide(self, record: MatchRecord) -> Decision:
        return kick(record, self._seat, self._desk.store.clock())


@route(KICK_SEAT)
async def kick_seat(request: Incoming) -> Reply:
    """The match with the seat free."""
    NO_QUERY.read(request)
    asked, body = await KICK.read(request)
    token = bearer_of(request)
    deed = Kick(desk(request), token, asked.seat)
    return respond(await desk(request).carry_out(match_id(request), change(request, body, token), deed))


class Cancel(ByHost):
    """The match ends without a result."""

    async def decide(self, record: MatchRecord) -> Decision:
        store = self._desk.store
        if record.status == "running" and record.version <= FIRST_TURN:
            return abort(record, await store.events(record.id, 0, record.version or 1), store.clock())
        return cancel(record, store.clock())


@route(CANCEL_MATCH)
async def cancel_match(request: Incoming) -> Reply:
    """The match, cancelled or aborted."""
    NO_QUERY.read(request)
    _, body = await CANCEL.read(request)
    token = bearer_of(request)
    deed = Cancel(desk(request), token)
    return respond(await desk(request).carry_out(match_id(request), change(request, body, token), deed))


ROUTES: Final = (create_match, join_match, kick_seat, cancel_match)
