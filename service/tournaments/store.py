"""Where tournaments are kept. What is written decides; listings may hold too much, never too little."""

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from schema.wire_tournaments import TournamentsQuery
from service.store.errors import BadRecord, Repeated
from service.store.index import read_cursor, write_cursor
from service.store.keys import match_of_member, member
from service.store.link import Link, Script
from service.store.record import Answer, Idem, encode, read_answer
from service.tournaments import keys
from service.tournaments.document import Document, encode_entry, read_document, read_entry
from service.tournaments.document import encode as encode_document
from service.tournaments.errors import NoSuchTournament
from service.tournaments.record import Entry, Record

_COMMIT: Final = Script("tournament.lua", __package__)
_LEASE: Final = Script("lease.lua", __package__)
LEASE_MS: Final = 10_000
"""For how long a worker drives a tournament without renewing that."""
_ID: Final = re.compile(r"[a-z2-7]{1,64}")
_log: Final = logging.getLogger(__name__)


class Standing(NamedTuple):
    """A tournament, and the revision to name when it is written again."""

    rev: int
    document: Document
    entries: tuple[Entry, ...]

    @property
    def record(self) -> Record:
        """The record as it may be shown."""
        return self.document.record(self.entries)


def checked_id(text: str) -> str:
    """The id of a tournament. Raises NoSuchTournament if no tournament can have it."""
    if not _ID.fullmatch(text):
        raise NoSuchTournament(f"There is no tournament '{text[:60]}'.")
    return text


def cursor_of(document: Document) -> str:
    """The cursor of the tournaments that follow this one in the list."""
    return write_cursor(member(document.created_at, document.id))


class Tournaments:
    """The tournaments of one store. Every method raises StoreGone while the server does not answer."""

    def __init__(self, link: Link, answer_ttl: int) -> None:
        self._link = link
        self._answer_ttl = answer_ttl

    async def load(self, tournament_id: str, known: tuple[Entry, ...] = ()) -> Standing:
        """The tournament as it stands; the entries that are known, its first ones, are not read again.

        Raises NoSuchTournament, BadRecord.
        """
        (rev, blob), found = await self._link.calls(
            [
                ("HMGET", keys.tournament(tournament_id), "rev", "blob"),
                ("LRANGE", keys.entries(tournament_id), len(known), -1),
            ]
        )
        if rev is None:
            raise NoSuchTournament(f"There is no tournament '{tournament_id[:60]}'.")
        return Standing(int(rev), read_document(blob), (*known, *map(read_entry, found)))

    async def commit(
        self, rev: int, document: Document, entries: Sequence[Entry] = (), idem: Idem | None = None
    ) -> int | None:
        """The new revision, when all is written; None if somebody else wrote since. Raises Repeated.

        Who drives a tournament by an old lease has an old revision, and writes nothing.
        """
        if rev == 0:
            await self._link.call("ZADD", keys.LISTED, 0, member(document.created_at, document.id))
        if document.status == "running":
            await self._link.call("SADD", keys.ACTIVE, document.id)
        answer_key = keys.answer(document.id, idem.key if idem else b"")
        what, *values = await self._link.run(
            _COMMIT,
            (keys.tournament(document.id), keys.entries(document.id), answer_key),
            rev,
            encode_document(document),
            encode(idem.answer) if idem else "",
            self._answer_ttl,
            *map(encode_entry, entries),
        )
        if what == b"repeated":
            raise Repeated(read_answer(values[0]))
        return int(values[0]) if what == b"committed" else None

    async def answer(self, tournament_id: str, key: bytes) -> Answer | None:
        """The answer recorded under a request's key, also where there is no tournament."""
        blob = await self._link.call("GET", keys.answer(tournament_id, key))
        return None if blob is None else read_answer(blob)

    async def record_answer(self, tournament_id: str, idem: Idem) -> Answer:
        """The answer that stands for a request: an earlier one, or `idem`'s, recorded now."""
        name = keys.answer(tournament_id, idem.key)
        blob = await self._link.call("SET", name, encode(idem.answer), "NX", "GET", "PX", self._answer_ttl)
        return idem.answer if blob is None else read_answer(blob)

    async def page(self, query: TournamentsQuery) -> tuple[tuple[Document, ...], str | None]:
        """Tournaments, the newest first, and the cursor of the next page, None at the end. A page may be
        short, or empty, and have a next one; what cannot be read is left out.

        Raises BadCursor.
        """
        limit = query.limit
        top = "+" if query.cursor is None else f"({read_cursor(query.cursor)}"
        found = await self._link.call("ZREVRANGEBYLEX", keys.LISTED, top, "-", "LIMIT", 0, limit + 1)
        names = [name.decode() for name in found[:limit]]
        ids = [match_of_member(name) for name in names]
        blobs = await self._link.calls([("HGET", keys.tournament(each), "blob") for each in ids])
        documents = _readable(ids, blobs)
        chosen = tuple(document for document in documents if query.status in (None, document.status))
        return chosen, write_cursor(names[-1]) if len(found) > limit else None

    async def active(self) -> tuple[str, ...]:
        """Ids of tournaments that have something to be done; some may have not."""
        return tuple(sorted(name.decode() for name in await self._link.call("SMEMBERS", keys.ACTIVE)))

    async def rest(self, tournament_id: str) -> None:
        """Nothing is to be done in a tournament, until it is written as running again."""
        await self._link.call("SREM", keys.ACTIVE, tournament_id)

    async def wake(self) -> None:
        """Have the workers look for what is to be done."""
        await self._link.call("PUBLISH", keys.WAKE, "")

    async def lease(self, tournament_id: str, worker: str) -> bool:
        """Whether the worker drives the tournament from now on, or still."""
        got = await self._link.run(_LEASE, (keys.driver(tournament_id),), worker, LEASE_MS)
        return bool(got == 1)

    async def release(self, tournament_id: str, worker: str) -> None:
        """The worker drives the tournament no more."""
        await self._link.run(_LEASE, (keys.driver(tournament_id),), worker, 0)


def _readable(ids: Sequence[str], blobs: Sequence[bytes | None]) -> Iterator[Document]:
    for tournament_id, blob in zip(ids, blobs, strict=True):
        try:
            if blob is not None:
                yield read_document(blob)
        except BadRecord as error:
            _log.error("The tournament %s is left out: %s", tournament_id, error)
