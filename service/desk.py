"""What every changing request goes through: the recorded answer, the decision, the compare-and-set.

A decision that others forestalled is made again on what stands now, a bounded number of times. So a join
finds the next free seat, and a move is refused as stale: its version is part of the decision.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct

from engine.errors import EngineError
from service import tokens
from service.catalogue import Catalogue
from service.clocks.arithmetic import SLACK, deadline
from service.clocks.referee import Moment
from service.clocks.sweeper import call_flag
from service.details import detail
from service.errors import Busy, Failure, KeyReused, Refused, StaleVersion, failure
from service.http import Change, Headers, encoded, problem_answer, said_in
from service.languages import Language, languages
from service.matches import Decision
from service.settings import Settings
from service.store.errors import NoMatch, Repeated, Stale
from service.store.record import Answer, Idem, Loaded, MatchRecord
from service.store.store import Store
from service.tokens import Tokens

TRIES: Final = 40
"""Compare-and-sets of one request at most: more than seats, so that all who join at once get a seat."""

HIDDEN: Final = b"\xc1" * 47
"""Stands for a token in a recorded answer, with one more byte: no UTF-8 and no MessagePack has such a run."""
BRIEF: Final = b"\xc1stale "
"""Begins a recorded answer of which two versions tell the rest: those of a StaleVersion, which follow."""
HOST: Final = 255


class Issued(NamedTuple):
    """A token in an answer, and whom it is for: a seat, or HOST."""

    token: str
    whom: int


Created = tuple[Decision, Struct, Issued]


class Deed(ABC):
    """What a request does to a match; an object serves one request."""

    has_sentences: ClassVar[bool] = False
    """Whether what it tells is worded in the language of the request."""

    def follows(self, record: MatchRecord) -> bool:
        """Whether it was chosen in view of the match as `record` shows it."""
        return False

    @abstractmethod
    def admit(self, record: MatchRecord) -> None:
        """Nothing, or what is refused whatever the position is: a move that cannot be parsed, a wrong token.

        Such refusals are not recorded.
        """

    @abstractmethod
    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        """What is to be written at a moment. What it refuses is final for this request, and recorded."""

    @abstractmethod
    def tell(self, decision: Decision) -> tuple[Struct, Issued | None]:
        """What the client is answered, and the token in it."""

    async def explain(self, record: MatchRecord, error: Exception, language: Language) -> Failure | None:
        """What a refusal is answered with, None if it is none."""
        return failure(error, language=language)

    async def explain_again(
        self, record: MatchRecord, error: StaleVersion, language: Language
    ) -> Failure | None:
        """What `explain` said of the error at its version; `record` may be later."""
        return await self.explain(record, error, language)


class Desk:
    """Where changing requests are carried out."""

    __slots__ = ("catalogue", "settings", "store", "tokens")

    def __init__(self, store: Store, tokens: Tokens, settings: Settings, catalogue: Catalogue) -> None:
        self.store = store
        self.tokens = tokens
        self.settings = settings
        self.catalogue = catalogue

    async def carry_out(self, match_id: str, change: Change, deed: Deed) -> Answer:
        """The answer to a request about an existing match. What it raises is not recorded."""
        key = request_key(change)
        recalled = self.store.recalled(match_id)
        if recalled is not None and deed.follows(recalled.record):
            answer = await self._at_once(recalled, change, key, deed)
            if answer is not None:
                return answer
        rev, record, repeated = await self.store.load(match_id, key)
        for _ in range(TRIES):
            deed.admit(record)
            if repeated is not None:
                return await self._whole(self.again(repeated, match_id, change), record, deed)
            moment = await self._moment(record, change)
            if moment.is_late_for(record.clock):
                rev, record, _ = await self._flagged(rev, record, moment)
                continue
            try:
                decision = await deed.decide(record, moment)
            except (Refused, EngineError) as error:
                told = await deed.explain(record, error, change.language)
                answer = await self._refuse(match_id, change, key, told, error)
                return await self._whole(answer, record, deed)
            if decision.record is record:
                return await self._as_it_is(decision, change, key, deed)
            try:
                return await self._whole(await self._done(rev, decision, change, key, deed), record, deed)
            except Stale as stale:
                rev, record, _ = stale.loaded
        raise Busy(detail("match_busy"))

    async def _at_once(
        self, recalled: Loaded, change: Change, key: bytes | None, deed: Deed
    ) -> Answer | None:
        """The answer, if the match still stands as this worker left it and nothing is to be refused.

        Else None, and nothing was written. The compare-and-set decides, which also knows what was recorded
        under the key: so this is one round trip to the store, and as good as two.
        """
        try:
            deed.admit(recalled.record)
            moment = await self._moment(recalled.record, change)
            if moment.is_late_for(recalled.record.clock):
                return None
            decision = await deed.decide(recalled.record, moment)
            answer = await self._done(recalled.rev, decision, change, key, deed)
        except (Refused, EngineError, Stale, NoMatch):
            return None
        return None if is_brief(answer) else answer

    async def _done(
        self, rev: int, decision: Decision, change: Change, key: bytes | None, deed: Deed
    ) -> Answer:
        """The answer to what was decided, when it is stored, or the one that was recorded. Raises Stale."""
        answer, stored = _answers(decision, change, deed)
        try:
            await self._commit(rev, decision, key, stored)
        except Repeated as before:
            return self.again(before.answer, decision.record.id, change)
        return answer

    async def _as_it_is(self, decision: Decision, change: Change, key: bytes | None, deed: Deed) -> Answer:
        """The answer to what leaves the match as it is: nothing is written but the answer, under its key."""
        answer, stored = _answers(decision, change, deed)
        if key is None:
            return answer
        match_id = decision.record.id
        return self.again(await self.store.record_answer(match_id, Idem(key, stored)), match_id, change)

    async def _whole(self, answer: Answer, record: MatchRecord, deed: Deed) -> Answer:
        """The answer as it was given, of one that may be brief."""
        if not is_brief(answer):
            return answer
        error = StaleVersion(*map(int, answer.body.removeprefix(BRIEF).split()))
        if error.version > record.version:  # a repeat at the same time has seen more
            record = (await self.store.load(record.id)).record
        language = languages()[dict(answer.headers)["content-language"]]
        told = await deed.explain_again(record, error, language)
        assert told is not None
        return problem_answer(told, answer.request)

    async def _moment(self, record: MatchRecord, change: Change) -> Moment:
        """Now, and when the request came."""
        stalls = await self.store.lease.stalls_for(record.clock)
        return Moment(change.received, self.store.clock(), stalls)

    async def _flagged(self, rev: int, record: MatchRecord, moment: Moment) -> Loaded:
        """The match as it stands when the flag that fell before a request was received has been called.

        It is not called at once: another request, received in time, may be under way.
        """
        assert record.clock is not None
        due = deadline(record.clock, moment.stalls)
        assert due is not None
        await asyncio.sleep(max(0, due + SLACK - self.store.clock()) / 1_000)
        try:
            return await call_flag(self.store, self.catalogue, rev, record, moment.stalls)
        except Stale as stale:
            return stale.loaded

    async def create(self, change: Change, make: Callable[[str, str], Awaitable[Created]]) -> Answer:
        """The answer to a request for a new match, which `make` makes of its id and the key of its token."""
        key = request_key(change)
        chosen = source_of(change) or tokens.nonce()
        match_id = self.tokens.match_id(chosen)
        if key is not None and (before := await self.store.answer(match_id, key)) is not None:
            return self.again(before, match_id, change)
        try:
            decision, view, issued = await make(match_id, chosen)
        except (Refused, EngineError) as error:
            told = failure(error, language=change.language)
            return await self._refuse(match_id, change, key, told, error)
        answer = _answer(change, view, 201)
        try:
            await self._commit(0, decision, key, hidden(answer, issued))
        except Stale:
            raise KeyReused("A match was made with this key long ago; take a new key.") from None
        except Repeated as again:
            return self.again(again.answer, match_id, change)
        return answer

    async def refuse(self, match_id: str, change: Change, error: Exception) -> Answer:
        """The answer to a request that is refused for good, or the one given before."""
        told = failure(error, language=change.language)
        return await self._refuse(match_id, change, request_key(change), told, error)

    async def _commit(self, rev: int, decision: Decision, key: bytes | None, answer: Answer) -> None:
        idem = None if key is None else Idem(key, answer)
        await self.store.commit(rev, decision.record, decision.events, decision.snapshots, idem)

    async def _refuse(
        self, match_id: str, change: Change, key: bytes | None, told: Failure | None, error: Exception
    ) -> Answer:
        if told is None:
            raise error
        answer = problem_answer(told, change.digest)
        if key is None:
            return answer
        stored = brief(answer, error) if isinstance(error, StaleVersion) else answer
        recorded = await self.store.record_answer(match_id, Idem(key, stored))
        return answer if recorded is stored else self.again(recorded, match_id, change)

    def again(self, answer: Answer, match_id: str, change: Change) -> Answer:
        """The recorded answer with its token, if it was given to the same request. Raises KeyReused."""
        if answer.request != change.digest:
            raise KeyReused(
                "This Idempotency-Key came before with another request; take a new key for a new request."
            )
        start, source = answer.body.find(HIDDEN), source_of(change)
        if start < 0 or source is None:
            return answer
        end = start + len(HIDDEN)
        whom = answer.body[end]
        if whom == HOST:
            token = self.tokens.host_token(match_id, source)
        else:
            token = self.tokens.seat_token(match_id, whom, source)
        body = answer.body[:start] + token.encode() + answer.body[end + 1 :]
        return Answer(answer.request, answer.status, answer.headers, body)


def request_key(change: Change) -> bytes | None:
    """What the answer to the request is recorded under: its credential, method, path and key."""
    if change.key is None:
        return None
    credential = b"" if change.token is None else tokens.token_hash(change.token)
    return tokens.request_key(credential, change.method, change.path, change.key)


def source_of(change: Change) -> str | None:
    """What the tokens and ids that a request makes are derived from: its key, and whose key it is.

    None if it has no key.
    """
    if change.source is not None:
        return change.source
    if change.key is None or change.token is None:
        return change.key
    return f"{tokens.token_hash(change.token).hex()}.{change.key}"


def brief(answer: Answer, error: StaleVersion) -> Answer:
    """The answer to what is stale as it may be stored: what it tells, up to 90 kB, can be told again."""
    return Answer(
        answer.request, answer.status, answer.headers, b"%b%d %d" % (BRIEF, error.chosen_at, error.version)
    )


def is_brief(answer: Answer) -> bool:
    """Whether it is stored without what it told."""
    return answer.body.startswith(BRIEF)


def _answers(decision: Decision, change: Change, deed: Deed) -> tuple[Answer, Answer]:
    """The answer to what was decided, and the same as it may be stored."""
    view, issued = deed.tell(decision)
    answer = _answer(change, view, 200, said_in(change.language) if deed.has_sentences else ())
    return answer, hidden(answer, issued)


def _answer(change: Change, view: Struct, status: int, headers: Headers = ()) -> Answer:
    named = (("content-type", change.media_type), *headers)
    return Answer(change.digest, status, named, encoded(view, change.media_type))


def hidden(answer: Answer, issued: Issued | None) -> Answer:
    """The answer as it may be stored: without the token, which has as many bytes as what takes its place."""
    if issued is None:
        return answer
    body = answer.body.replace(issued.token.encode(), HIDDEN + bytes((issued.whom,)))
    return Answer(answer.request, answer.status, answer.headers, body)
