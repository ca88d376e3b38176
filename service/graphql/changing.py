"""Changes on the GraphQL door: each is the operation of REST that does the same, on the same desk.

An idempotency key works as it does there, and is recorded in the same way; but it names a request of this
door: what is repeated on the other one is another request. For the digests that tell a repeat from another
request are made of bytes there, and of values here.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from schema import operations, operations_players, wire, wire_players
from schema.graphql.door import Done
from schema.operation import MSGPACK, Operation
from schema.wire import Asked, in_words
from schema.wire_views import PlayedView, Problem
from service.accounts.office import Office
from service.bots.seating import SeatBot
from service.desk import Desk, source_of
from service.errors import InvalidBody
from service.graphql import changing_tournaments
from service.graphql.asker import Asker
from service.graphql.wanted import Named, Wanted, Way, keyed, problem_in
from service.http import Change
from service.routes.lifecycle import Cancel, Join, Kick, Leave, created
from service.routes.play import Play, Resign
from service.routes.rematch import played_again
from service.store.record import Answer
from service.tokens import body_digest, nonce


class Host(Struct, rename="camel"):
    """Of the answer to the creation of a match, what is looked at here."""

    match: Named
    host_token: str


class Seated(Struct):
    """Of an answer about a seat, what is looked at here. A bot's token is told nobody."""

    seat: int
    match: Named
    token: str = ""


async def _create(wanted: Wanted) -> Answer:
    caller = await wanted.guest_or_player("create")
    return await created(wanted.desk, keyed(wanted.by(caller)), wanted.asked, caller)


async def _join(wanted: Wanted) -> Answer:
    caller = await wanted.guest_or_player("play")
    asking = keyed(wanted.by(caller))
    player = None if caller is None else caller.player
    deed = Join(wanted.desk, wanted.asked, source_of(asking) or nonce(), player)
    return await wanted.desk.carry_out(wanted.match_id, asking, deed)


async def _play(wanted: Wanted) -> Answer:
    most = wanted.desk.settings.max_batch
    if len(wanted.asked.moves) > most:
        raise InvalidBody(f"$.moves: At most {most} moves.", where="$.moves")
    shown = await wanted.credential("play")
    deed = Play(wanted.desk, shown, wanted.asked, with_legal_moves=False, language=wanted.language)
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _resign(wanted: Wanted) -> Answer:
    deed = Resign(wanted.desk, await wanted.credential("play"), wanted.language)
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _cancel(wanted: Wanted) -> Answer:
    deed = Cancel(wanted.desk, await wanted.credential("create"))
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _kick(wanted: Wanted) -> Answer:
    deed = Kick(wanted.desk, await wanted.credential("create"), wanted.asked.seat)
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _leave(wanted: Wanted) -> Answer:
    deed = Leave(wanted.desk, await wanted.credential("play"))
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _add_bot(wanted: Wanted) -> Answer:
    deed = SeatBot(wanted.desk, await wanted.credential("create"), wanted.asked)
    return await wanted.desk.carry_out(wanted.match_id, keyed(wanted.change), deed)


async def _rematch(wanted: Wanted) -> Answer:
    shown = await wanted.credential("play")
    return await played_again(wanted.desk, wanted.match_id, keyed(wanted.change), wanted.asked, shown)


async def _register(wanted: Wanted) -> Answer:
    return await Office(wanted.desk).register(keyed(wanted.by(None)), wanted.asked)


async def _create_token(wanted: Wanted) -> Answer:
    caller = await wanted.caller("account")
    return await Office(wanted.desk).add_token(keyed(wanted.change), caller, wanted.asked)


async def _revoke_token(wanted: Wanted) -> Answer:
    office, asking = Office(wanted.desk), keyed(wanted.change)
    if (before := await office.recorded(asking)) is not None:
        return before
    caller = await wanted.caller("account")
    return await office.revoke(asking, caller, wanted.path["token_id"])


WAYS: Final[Mapping[str, Way]] = {
    operations.CREATE_MATCH.name: Way(_create, Host),
    operations.JOIN_MATCH.name: Way(_join, Seated),
    operations.PLAY_MOVES.name: Way(_play, PlayedView),
    operations.RESIGN.name: Way(_resign, PlayedView),
    operations.CANCEL_MATCH.name: Way(_cancel, Named),
    operations.KICK_SEAT.name: Way(_kick, Named),
    operations.LEAVE_MATCH.name: Way(_leave, Named),
    operations_players.ADD_BOT.name: Way(_add_bot, Seated),
    operations_players.REMATCH.name: Way(_rematch, Seated),
    operations_players.REGISTER_PLAYER.name: Way(_register, wire_players.RegisteredView),
    operations_players.CREATE_TOKEN.name: Way(_create_token, wire_players.NewTokenView),
    operations_players.REVOKE_TOKEN.name: Way(_revoke_token, wire_players.TokenList),
    **changing_tournaments.WAYS,
}


async def changed(
    at_desk: Desk,
    operation: Operation,
    path: Mapping[str, str],
    asked: Mapping[str, Any],
    key: str | None,
    token: str | None,
    asker: Asker,
) -> Done | Problem:
    """What an operation comes to. Raises what is not recorded, as on the other door."""
    if operation.bucket is not None:
        await asker.admit(operation.bucket)
    way = WAYS[operation.name]
    read = _read(operation.body or wire.Nothing, asked)
    digest = body_digest(msgspec.json.encode(read))
    address = f"/graphql/{operation.name}/{'/'.join(path.values())}"
    change = Change("POST", address, digest, key, token, MSGPACK, asker.received, language=asker.language)
    done = await way.carry_out(Wanted(at_desk, read, token, change, path, asker.language))
    return _told(done, way.told, path) if isinstance(done, Answer) else done


def _told(answer: Answer, kind: Any, path: Mapping[str, str]) -> Done | Problem:
    """What an answer says that was made for the other door, perhaps long ago."""
    if (problem := problem_in(answer)) is not None:
        return problem
    told = msgspec.msgpack.decode(answer.body, type=kind)
    if isinstance(told, Named):
        return Done(told, told.id)
    if isinstance(told, Host | Seated):
        return Done(told, told.match.id)
    return Done(told, path.get("match_id", ""))


def _read(kind: type[Asked], asked: Mapping[str, Any]) -> Any:
    """What is asked, checked as a body is. Raises InvalidBody."""
    try:
        return msgspec.convert(asked, kind)
    except msgspec.ValidationError as error:
        words, where = in_words(error, kind)
        raise InvalidBody(words, where=where) from None
