"""Rematches: whoever had a seat asks, and has one in the new match."""

import secrets
from contextlib import suppress
from typing import Final

from msgspec import Struct

from engine.errors import EngineError
from engine.match import AnyGame
from schema.operations_players import REMATCH
from schema.wire import Rematch
from schema.wire_views import JoinedView
from service.accounts.credential import Credential, seat_of
from service.clocks.referee import Moment
from service.desk import Deed, Desk, Issued, request_key
from service.errors import AlreadySeated, Refused, SeatTaken
from service.http import Body, Change, Incoming, Reply, change, respond
from service.matches import SEED_BYTES, Born, Decision, check_open, join
from service.rematches import rematch, seat_in_rematch, source_of_match, source_of_seat
from service.routes.common import NO_QUERY, credential, desk, match_id, route
from service.store.errors import Stale
from service.store.record import Answer, MatchRecord, SeatRecord
from service.tokens import is_token, token_hash
from service.views import match_view

REMATCH_BODY: Final = Body(Rematch)


class TakeSeatAgain(Deed):
    """Whoever had `seat` in `before` takes the one that is held for it; it may have done so already."""

    def __init__(self, at_desk: Desk, before: MatchRecord, seat: int, asked: Rematch) -> None:
        self._desk = at_desk
        self._before = before.seats[seat]
        self._source = source_of_seat(before, seat)
        self._seat = seat_in_rematch(before, seat)
        self._asked = asked
        self._token = ""
        self._game: AnyGame

    def admit(self, record: MatchRecord) -> None:
        self._game = self._desk.catalogue.game_of(record)
        self._token = self._desk.tokens.seat_token(record.id, self._seat, self._source)

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        now, before = record.seats[self._seat], self._before
        if is_token(self._token, now.token_hash):
            return Decision(record, seat=self._seat)
        check_open(record)
        if before.player and any(seat.player == before.player for seat in record.seats):
            raise AlreadySeated("The player has a seat in the rematch.")
        if now.is_taken:
            raise SeatTaken("Somebody else has the seat now.")
        hashed, at = token_hash(self._token), moment.applied
        taken = SeatRecord(before.name, hashed, self._asked.nonce, at, before.player)
        return join(record, self._game, self._seat, taken)

    def tell(self, decision: Decision) -> tuple[Struct, Issued]:
        view = JoinedView(self._seat, self._token, match_view(decision.record))
        return view, Issued(self._token, self._seat)


@route(REMATCH)
async def post_rematch(request: Incoming) -> Reply:
    """A seat in the rematch, which is made if nobody has asked for it yet."""
    NO_QUERY.read(request)
    asked, body = await REMATCH_BODY.read(request)
    shown = await credential(request, "play")
    asking = change(request, body, shown.token)
    return respond(await played_again(desk(request), match_id(request), asking, asked, shown))


async def played_again(
    at_desk: Desk, old_id: str, asking: Change, asked: Rematch, shown: Credential
) -> Answer:
    """The answer to a request for a rematch of a match. Raises what is not recorded."""
    _, before, refused = await at_desk.store.load(old_id, request_key(asking))
    seat = seat_of(before, shown)
    asking = asking._replace(source=source_of_seat(before, seat))
    if refused is not None:
        return at_desk.again(refused, old_id, asking)
    at_desk.catalogue.game_of(before)  # nothing is made that cannot be played here
    try:
        new_id = await _made(at_desk, before)
    except (Refused, EngineError) as error:
        return await at_desk.refuse(old_id, asking, error)
    return await at_desk.carry_out(new_id, asking, TakeSeatAgain(at_desk, before, seat, asked))


async def _made(at_desk: Desk, before: MatchRecord) -> str:
    """The id of the rematch, which there is then. Raises MatchNotOver, MatchIsOver."""
    new_id = at_desk.tokens.match_id(source_of_match(before))
    born = Born(new_id, secrets.token_bytes(SEED_BYTES), before.host_hash, at_desk.store.clock())
    with suppress(Stale):  # somebody has asked before
        await at_desk.store.commit(0, rematch(before, born, at_desk.tokens))
    return new_id


ROUTES: Final = (post_rematch,)
