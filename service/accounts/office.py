"""Where players are registered, and tokens made and revoked."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schema.wire_players import SCOPES, CreateToken, NewTokenView, RegisteredView, RegisterPlayer
from service.accounts import keys
from service.accounts.caller import Caller, owner_of
from service.accounts.errors import (
    InviteRefused,
    MissingScope,
    NameTaken,
    NoSuchToken,
    RegistrationClosed,
    TooManyTokens,
)
from service.accounts.invites import invites
from service.accounts.record import FORMAT, Grant, PlayerRecord
from service.accounts.views import player_view, token_list, token_view
from service.desk import TRIES, Desk, request_key, source_of
from service.errors import Busy, KeyReused, Refused, failure
from service.http import Change, encoded, problem_answer
from service.store.errors import Repeated
from service.store.record import Answer, Idem
from service.tokens import nonce, token_hash

MOST_TOKENS: Final = 50
FIRST_LABEL: Final = "first"
DAY: Final = 86_400_000
LONG_AGO: Final = "A player was registered with this key before; take a new key."
HIDDEN: Final = b"\xc1"
"""Stands for each byte of a token in a recorded answer: no UTF-8 and no MessagePack has a run of it."""

NO_TOKEN: Final = ""
"""Of an answer in which there is no token to hide."""


class Office:
    """Registrations and tokens, each request carried out once."""

    def __init__(self, desk: Desk) -> None:
        self._players = desk.store.players
        self._clock = desk.store.clock
        self._tokens = desk.tokens
        self._settings = desk.settings

    async def register(self, change: Change, asked: RegisterPlayer) -> Answer:
        """The answer to a registration."""
        source = source_of(change) or nonce()
        player_id = self._tokens.player_id(source)
        token = self._tokens.api_token(player_id, source)
        key = request_key(change)
        if key is not None and (before := await self._players.answer(player_id, key)) is not None:
            return _again(before, change, token)
        if key is not None and not await self._players.missing((player_id,)):
            raise KeyReused(LONG_AGO)
        try:
            await self._admit(player_id, asked)
        except NameTaken as error:
            return await self._refused(player_id, change, error, token)
        record = self._new_player(player_id, asked, token)
        view = RegisteredView(player_view(record), token)
        try:
            answer = await self._written(0, record, change, _told(change, view, 201), token)
        except KeyReused:
            await self._give_back(player_id, asked.name)
            raise
        if answer is None:
            await self._give_back(player_id, asked.name)
            raise KeyReused(LONG_AGO)
        return answer

    async def add_token(self, change: Change, caller: Caller, asked: CreateToken) -> Answer:
        """The answer to a request for a further token. Raises MissingScope."""
        if excess := set(asked.scopes) - set(caller.grant.scopes):
            raise MissingScope(f"The token that asks may not give the scope `{min(excess)}`.")
        source = source_of(change) or nonce()
        player_id = caller.player.id
        token, grant_id = self._tokens.api_token(player_id, source), self._tokens.grant_id(player_id, source)
        key = request_key(change)
        if key is not None and (before := await self._players.answer(player_id, key)) is not None:
            return _again(before, change, token)
        now = self._clock()
        expires = 0 if asked.expires_in_days is None else now + asked.expires_in_days * DAY
        scopes = tuple(scope for scope in SCOPES if scope in asked.scopes)
        grant = Grant(grant_id, asked.label, token_hash(token), scopes, now, expires)
        view = NewTokenView(token, token_view(grant, 0))
        for _ in range(TRIES):
            rev, player, _ = await self._players.load(player_id)
            if len(player.grants) >= MOST_TOKENS:
                error = TooManyTokens(f"A player has at most {MOST_TOKENS} tokens; revoke one first.")
                return await self._refused(player_id, change, error, token)
            wider = replace(player, grants=(*player.grants, grant))
            told = _told(change, view, 201)
            if (answer := await self._written(rev, wider, change, told, token)) is not None:
                return answer
        raise Busy("Others changed the player again and again at the same time; try again.")

    async def recorded(self, change: Change) -> Answer | None:
        """The answer that a player got to the same request, also if its token is none any more.

        For whoever revokes the token of the request itself may ask again. Raises KeyReused.
        """
        key, player_id = request_key(change), owner_of(change.token)
        if key is None or player_id is None:
            return None
        before = await self._players.answer(player_id, key)
        return before and _again(before, change, NO_TOKEN)

    async def revoke(self, change: Change, caller: Caller, grant_id: str) -> Answer:
        """The answer to a request to revoke a token. Raises Busy."""
        for _ in range(TRIES):
            rev, player, used = await self._players.load(caller.player.id)
            left = tuple(grant for grant in player.grants if grant.id != grant_id)
            if len(left) == len(player.grants):
                error = NoSuchToken("None of your tokens has this id.")
                return await self._refused(player.id, change, error, NO_TOKEN)
            poorer = replace(player, grants=left)
            told = _told(change, token_list(poorer, used), 200)
            if (answer := await self._written(rev, poorer, change, told, NO_TOKEN)) is not None:
                await self._players.forget_use(player.id, grant_id)
                return answer
        raise Busy("Others changed the player again and again at the same time; try again.")

    async def _admit(self, player_id: str, asked: RegisterPlayer) -> None:
        """Take the name, and the invite if one is needed."""
        if self._settings.registration == "off":
            raise RegistrationClosed("This service registers no players.")
        is_by_invite = self._settings.registration == "invite"
        if is_by_invite and asked.invite not in invites(self._settings):
            raise InviteRefused("This service registers players who have an invite of its operator.")
        if not await self._players.claim(keys.name(asked.name), player_id):
            raise NameTaken(f"There is a player '{asked.name}' already.")
        if is_by_invite and not await self._players.claim(keys.invite(asked.invite or ""), player_id):
            await self._players.release(keys.name(asked.name), player_id)
            raise InviteRefused("Somebody has used this invite.")

    async def _give_back(self, player_id: str, name: str) -> None:
        """Free a name that was taken for a player who has another one: of two with one key, at once."""
        _, player, _ = await self._players.load(player_id)
        if keys.name(player.name) != keys.name(name):
            await self._players.release(keys.name(name), player_id)

    def _new_player(self, player_id: str, asked: RegisterPlayer, token: str) -> PlayerRecord:
        now = self._clock()
        first = Grant(
            self._tokens.grant_id(player_id, FIRST_LABEL), FIRST_LABEL, token_hash(token), SCOPES, now
        )
        return PlayerRecord(FORMAT, player_id, asked.name, asked.kind, now, (first,))

    async def _written(
        self, rev: int, record: PlayerRecord, change: Change, answer: Answer, token: str
    ) -> Answer | None:
        """The answer, when the player is written; None if somebody else wrote it since it was read."""
        key = request_key(change)
        try:
            idem = None if key is None else Idem(key, replace(answer, body=_hidden(answer.body, token)))
            return answer if await self._players.commit(rev, record, idem) else None
        except Repeated as before:
            return _again(before.answer, change, token)

    async def _refused(self, player_id: str, change: Change, error: Refused, token: str) -> Answer:
        told = failure(error, language=change.language)
        assert told is not None
        answer = problem_answer(told, change.digest)
        if (key := request_key(change)) is None:
            return answer
        return _again(await self._players.record_answer(player_id, Idem(key, answer)), change, token)


def _told(change: Change, view: Struct, status: int) -> Answer:
    headers = (("content-type", change.media_type),)
    return Answer(change.digest, status, headers, encoded(view, change.media_type))


def _hidden(body: bytes, token: str) -> bytes:
    """The body as it may be stored."""
    return body.replace(token.encode(), HIDDEN * len(token))


def _again(answer: Answer, change: Change, token: str) -> Answer:
    """The recorded answer with its token. Raises KeyReused."""
    if answer.request != change.digest:
        raise KeyReused("This Idempotency-Key came before with another request; take a new key.")
    return replace(answer, body=answer.body.replace(HIDDEN * len(token), token.encode()))
