"""Where tournaments are made and changed on request, each request carried out once."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from engine.errors import EngineError
from service.accounts.caller import Caller
from service.catalogue import Catalogue
from service.desk import TRIES, Desk, request_key, source_of
from service.errors import Busy, KeyReused, Refused, failure
from service.http import Change, encoded, problem_answer
from service.store.errors import Repeated
from service.store.record import Answer, Idem
from service.tokens import nonce
from service.tournaments.document import Document
from service.tournaments.record import Entry
from service.tournaments.store import Standing, Tournaments
from service.tournaments.views import tournament_view


class Written(NamedTuple):
    """What a request comes to: the document, and entries for the record."""

    document: Document
    entries: Sequence[Entry] = ()


class Occasion(NamedTuple):
    """A request about a tournament as it stands; `at` is in ms since 1970."""

    standing: Standing
    caller: Caller
    at: int
    catalogue: Catalogue


Deed = Callable[[Occasion], Written]
"""What a request does to a tournament. Raises Refused, EngineError."""


class Office:
    """Requests about tournaments."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tournaments = tournaments_of(desk)

    async def create(self, change: Change, caller: Caller, make: Callable[[str, int], Document]) -> Answer:
        """The answer to a request for a new tournament, which `make` makes of its id and the time."""
        tournament_id = self._desk.tokens.tournament_id(source_of(change) or nonce())
        key = request_key(change)
        if key is not None and (before := await self._tournaments.answer(tournament_id, key)) is not None:
            return _again(before, change)
        try:
            document = make(tournament_id, self._desk.store.clock())
        except (Refused, EngineError) as error:
            return await self._refused(tournament_id, change, error)
        standing = Standing(0, document, ())
        answer = await self._written(standing, Written(document), change, caller, 201)
        if answer is None:
            raise KeyReused("A tournament was made with this key long ago; take a new key.")
        return answer

    async def carry_out(self, tournament_id: str, change: Change, caller: Caller, deed: Deed) -> Answer:
        """The answer to a request about an existing tournament. What it raises is not recorded."""
        standing = await self._tournaments.load(tournament_id)
        key = request_key(change)
        if key is not None and (before := await self._tournaments.answer(tournament_id, key)) is not None:
            return _again(before, change)
        for _ in range(TRIES):
            try:
                at = self._desk.store.clock()
                written = deed(Occasion(standing, caller, at, self._desk.catalogue))
            except (Refused, EngineError) as error:
                return await self._refused(tournament_id, change, error)
            answer = await self._written(standing, written, change, caller, 200)
            if answer is not None:
                return answer
            standing = await self._tournaments.load(tournament_id)
        raise Busy("Others changed the tournament again and again at the same time; try again.")

    async def _written(
        self, standing: Standing, written: Written, change: Change, caller: Caller, status: int
    ) -> Answer | None:
        """The answer, when all is written; None if somebody else wrote since it was read."""
        after = Standing(standing.rev + 1, written.document, (*standing.entries, *written.entries))
        view = tournament_view(after, caller.player.id)
        answer = _answer(change, view, status)
        key = request_key(change)
        idem = None if key is None else Idem(key, answer)
        try:
            rev = await self._tournaments.commit(standing.rev, written.document, written.entries, idem)
        except Repeated as before:
            return _again(before.answer, change)
        if rev is None:
            return None
        await self._tournaments.wake()
        return answer

    async def _refused(self, tournament_id: str, change: Change, error: Exception) -> Answer:
        told = failure(error, language=change.language)
        if told is None:
            raise error
        answer = problem_answer(told, change.digest)
        key = request_key(change)
        if key is None:
            return answer
        return _again(await self._tournaments.record_answer(tournament_id, Idem(key, answer)), change)


def tournaments_of(desk: Desk) -> Tournaments:
    """The tournaments of the store of a desk."""
    return Tournaments(desk.store.link, desk.settings.idempotency_ttl * 1_000)


def _answer(change: Change, view: Struct, status: int) -> Answer:
    headers: Final = (("content-type", change.media_type),)
    return Answer(change.digest, status, headers, encoded(view, change.media_type))


def _again(answer: Answer, change: Change) -> Answer:
    """The recorded answer, if it was given to the same request. Raises KeyReused."""
    if answer.request != change.digest:
        raise KeyReused("This Idempotency-Key came before with another request; take a new key.")
    return answer
