"""Changes on the GraphQL door: each is the operation of REST that does the same, on the same desk.

An idempotency key works as it does there, and is recorded in the same way; but it names a request of this
door: what is repeated on the other one is another request. For the digests that tell a repeat from another
request are made of bytes there, and of values here.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from schema import operations, operations_players, wire, wire_players
from schema.graphql.door import Done
from schema.operation import MSGPACK, Operation
from schema.wire import Asked, Scope
from schema.wire_views import PlayedView, Problem
from service.accounts.caller import Caller, caller_of, is_api_token, known_caller
from service.accounts.credential import Credential, credential_of
from service.accounts.office import Office
from service.accounts.views import token_list
from service.bots.seating import SeatBot
from service.desk import Desk, source_of
from service.errors import InvalidBody, TokenRequired
from service.graphql.asker import Asker
from service.http import PROBLEM, Change, in_words, key_fault
from service.routes.common import checked_id
from service.routes.lifecycle import Cancel, Join, Kick, created
from service.routes.play import Play, Resign
from service.routes.rematch import played_again
from service.store.record import Answer
from service.tokens import body_digest, nonce


class Named(Struct):
    """Of a match in an answer, what is looked at here."""

    id: str


class Host(Struct, rename="camel"):
    """Of the answer to the creation of a match, what is looked at here."""

    match: Named
    host_token: str


class Seated(Struct):
    """Of an answer about a seat, what is looked at here. A bot's token is told nobody."""

    seat: int
    match: Named
    token: str = ""


class Wanted(NamedTuple):
    """A change that somebody wants, as it reaches the desk. `token` is None if none is presented."""

    desk: Desk
    asked: Any
    token: str | None
    change: Change
    path: Mapping[str, str]
    language: Any

    @property
    def match_id(self) -> str:
        """The id of the match. Raises NoMatch."""
        return checked_id(self.path["match_id"])

    async def credential(self, scope: Scope) -> Credential:
        """What the token is worth. Raises TokenRequired and what `credential_of` raises."""
        if self.token is None:
            raise TokenRequired("Send `Authorization: Bearer` and the token.")
        return await credential_of(self.desk.store, self.token, scope)

    async def caller(self, scope: Scope) -> Caller:
        """The player who asks. Raises what `caller_of` raises."""
        return await caller_of(self.desk.store, self.token, scope)

    async def guest_or_player(self, scope: Scope) -> Caller | None:
        """The player who asks, None for a guest. Raises what `known_caller` raises."""
        if self.token is None or not is_api_token(self.token):
            return None
        return await known_caller(self.desk.store, self.token, scope)

    def by(self, caller: Caller | None) -> "Change":
        """The change as one of a player, or of a guest, whatever token a guest presents."""
        return self.change._replace(token=None if caller is None else caller.token)


async def _create(wanted: Wanted) -> Answer:
    caller = await wanted.guest_or_player("create")
    return await created(wanted.desk, _keyed(wanted.by(caller)), wanted.asked, caller)


async def _join(wanted: Wanted) -> Answer:
    caller = await wanted.guest_or_player("play")
    asking = _keyed(wanted.by(caller))
    player = None if caller is None else caller.player
    deed = Join(wanted.desk, wanted.asked, source_of(asking) or nonce(), player)
    return await wanted.desk.carry_out(wanted.match_id, asking, deed)


async def _play(wanted: Wanted) -> Answer:
    most = wanted.desk.settings.max_batch
    if len(wanted.asked.moves) > most:
        raise InvalidBody(f"$.moves: At most {most} moves.", where="$.moves")
    shown = await wanted.credential("play")
    deed = Play(wanted.desk, shown, wanted.asked, with_legal_moves=False, language=wanted.language)
    return await wanted.desk.carry_out(wanted.match_id, _keyed(wanted.change), deed)


async def _resign(wanted: Wanted) -> Answer:
    deed = Resign(wanted.desk, await wanted.credential("play"), wanted.language)
    return await wanted.desk.carry_out(wanted.match_id, _keyed(wanted.change), deed)


async def _cancel(wanted: Wanted) -> Answer:
    deed = Cancel(wanted.desk, await wanted.credential("create"))
    return await wanted.desk.carry_out(wanted.match_id, _keyed(wanted.change), deed)


async def _kick(wanted: Wanted) -> Answer:
    deed = Kick(wanted.desk, await wanted.credential("create"), wanted.asked.seat)
    return await wanted.desk.carry_out(wanted.match_id, _keyed(wanted.change), deed)


async def _add_bot(wanted: Wanted) -> Answer:
    deed = SeatBot(wanted.desk, await wanted.credential("create"), wanted.asked)
    return await wanted.desk.carry_out(wanted.match_id, _keyed(wanted.change), deed)


async def _rematch(wanted: Wanted) -> Answer:
    shown = await wanted.credential("play")
    return await played_again(wanted.desk, wanted.match_id, _keyed(wanted.change), wanted.asked, shown)


async def _register(wanted: Wanted) -> Answer:
    return await Office(wanted.desk).register(_keyed(wanted.by(None)), wanted.asked)


async def _create_token(wanted: Wanted) -> Answer:
    caller = await wanted.caller("account")
    return await Office(wanted.desk).add_token(_keyed(wanted.change), caller, wanted.asked)


async def _revoke_token(wanted: Wanted) -> Done:
    caller = await wanted.caller("account")
    player = await Office(wanted.desk).revoke(caller, wanted.path["token_id"])
    _, _, used = await wanted.desk.store.players.load(player.id)
    return Done(token_list(player, used))


class Way(NamedTuple):
    """How an operation is carried out, and what of its answer is looked at."""

    carry_out: Callable[[Wanted], Awaitable[Answer | Done]]
    told: Any


WAYS: Final[Mapping[str, Way]] = {
    operations.CREATE_MATCH.name: Way(_create, Host),
    operations.JOIN_MATCH.name: Way(_join, Seated),
    operations.PLAY_MOVES.name: Way(_play, PlayedView),
    operations.RESIGN.name: Way(_resign, PlayedView),
    operations.CANCEL_MATCH.name: Way(_cancel, Named),
    operations.KICK_SEAT.name: Way(_kick, Named),
    operations_players.ADD_BOT.name: Way(_add_bot, Seated),
    operations_players.REMATCH.name: Way(_rematch, Seated),
    operations_players.REGISTER_PLAYER.name: Way(_register, wire_players.RegisteredView),
    operations_players.CREATE_TOKEN.name: Way(_create_token, wire_players.NewTokenView),
    operations_players.REVOKE_TOKEN.name: Way(_revoke_token, wire_players.TokenList),
}
_problem: Final = msgspec.json.Decoder(Problem).decode


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
    return done if isinstance(done, Done) else _told(done, way.told, path)


def _told(answer: Answer, kind: Any, path: Mapping[str, str]) -> Done | Problem:
    """What an answer says that was made for the other door, perhaps long ago."""
    if ("content-type", PROBLEM) in answer.headers:
        return _problem(answer.body)
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
        words, where = in_words(error)
        raise InvalidBody(words, where=where) from None


def _keyed(change: Change) -> Change:
    """The change, if its key may be used with its credential. Raises InvalidBody."""
    fault = None if change.key is None else key_fault(change.key, is_anonymous=change.token is None)
    if fault is not None:
        raise InvalidBody(f"$.idempotencyKey: {fault}", where="$.idempotencyKey")
    return change
