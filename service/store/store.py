"""The store: documents, logs and listings of matches."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from service.accounts.notices import is_told
from service.accounts.players import Players
from service.clocks.lease import Lease
from service.observe.commits import count_commit
from service.settings import Settings
from service.store import keys
from service.store.channel import Command
from service.store.errors import BadRecord, MatchExpired, NoMatch, Repeated, Stale, StoreGone
from service.store.index import Index
from service.store.link import Link, Script
from service.store.news import Head, News, head
from service.store.recent import Recent
from service.store.record import (
    SNAPSHOT_EVERY,
    Answer,
    Idem,
    Loaded,
    MatchRecord,
    StoredEvent,
    belated,
    encode,
    read_answer,
    read_event,
    read_record,
)

INDEX_FOLLOWS: Final = 1
_COMMIT: Final = Script("commit.lua")
_log: Final = logging.getLogger(__name__)
Snapshot = tuple[int, bytes]


def now() -> int:
    """The time in ms since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """Matches behind one connection. Every method raises StoreGone while the server does not answer."""

    def __init__(self, link: Link, settings: Settings, clock: Callable[[], int] = now) -> None:
        self._link = link
        self._answer_ttl = settings.idempotency_ttl * 1_000
        self._kept_after = settings.kept_after
        self.clock = clock
        self.index = Index(link, settings)
        self.players = Players(link, self._answer_ttl, clock)
        self._recent = Recent()
        self._telling: set[asyncio.Task[None]] = set()
        self.lease = Lease(link, clock)

    @property
    def link(self) -> Link:
        """The connection, for what is not about matches."""
        return self._link

    async def ping(self) -> None:
        """Nothing, if the server answers."""
        await self._link.call("PING")

    def recalled(self, match_id: str) -> Loaded | None:
        """The document of a match that is not over as this worker wrote it last, if it did so lately.

        It may be out of date: it is good for nothing but the next `commit`, which notices.
        """
        return self._recent.get(match_id, self._link.losses)

    async def load(self, match_id: str, key: bytes | None = None) -> Loaded:
        """The document, and the answer recorded under the request's key, in one round trip.

        Raises NoMatch, MatchExpired, BadRecord.
        """
        commands: list[Command] = [("HMGET", keys.match(match_id), "rev", "blob", "late")]
        if key is not None:
            commands.append(("GET", keys.answer(match_id, key)))
        (rev, blob, late), *rest = await self._link.calls(commands)
        if rev is None:
            raise await self._absence(match_id)
        repeated = read_answer(rest[0]) if rest and rest[0] is not None else None
        return Loaded(int(rev), belated(read_record(blob), int(late or 0)), repeated)

    async def load_many(self, match_ids: Sequence[str]) -> tuple[MatchRecord, ...]:
        """The documents of those that exist and can be read, in the order given; others are logged."""
        if not match_ids:
            return ()
        found = await self._link.calls(
            [("HMGET", keys.match(match_id), "blob", "late") for match_id in match_ids]
        )
        records = []
        for match_id, (blob, late) in zip(match_ids, found, strict=True):
            try:
                records += [belated(read_record(blob), int(late or 0))] if blob is not None else []
            except BadRecord as error:
                _log.error("The match %s is left out: %s", match_id, error)
        return tuple(records)

    async def answer(self, match_id: str, key: bytes) -> Answer | None:
        """The answer recorded under a request's key, also where there is no match."""
        blob = await self._link.call("GET", keys.answer(match_id, key))
        return None if blob is None else read_answer(blob)

    async def commit(
        self,
        expected_rev: int,
        record: MatchRecord,
        events: Sequence[StoredEvent] = (),
        snapshots: Sequence[Snapshot] = (),
        idem: Idem | None = None,
    ) -> int:
        """The new revision, when everything is written in one step: document, events, states, answer.

        `expected_rev` is the revision read, 0 for a new match. `snapshots` must be those of
        `service.store.record.snapshots` for the same steps, and the state at version 0 at the start.
        Raises Stale, Repeated or NoMatch; then nothing is written.
        """
        _check_log(record, events, snapshots)
        is_start = bool(snapshots) and snapshots[0][0] == 0
        deal = record.deal if is_start else b""
        if is_start:
            record = replace(record, deal=b"")
        names, arguments = self._commit_call(expected_rev, record, deal, events, snapshots, idem)
        losses = self._link.losses
        what, *values = await self._link.run(_COMMIT, names, *arguments)
        if what == b"repeated":
            raise Repeated(read_answer(values[0]))
        if what == b"stale":
            raise Stale(Loaded(values[0], belated(read_record(values[1]), values[2])))
        if what == b"gone":
            raise await self._absence(record.id)
        rev, follows, late = values
        self._recent.put(Loaded(rev, belated(record, late)), losses)
        count_commit(expected_rev == 0, is_start, record, events)
        if follows == INDEX_FOLLOWS:
            await self._afterwards(self.index.show(rev, record))
        elif follows:
            telling = asyncio.create_task(self._afterwards(self.index.tell(rev, record)))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)
        return int(rev)

    async def settle(self) -> None:
        """Nothing, when all are told of what was committed."""
        await asyncio.gather(*self._telling)

    async def record_answer(self, match_id: str, idem: Idem) -> Answer:
        """The answer that stands for a request: an earlier one, or `idem`'s, recorded now."""
        name = keys.answer(match_id, idem.key)
        blob = await self._link.call("SET", name, encode(idem.answer), "NX", "GET", "PX", self._answer_ttl)
        return idem.answer if blob is None else read_answer(blob)

    async def deal(self, record: MatchRecord) -> bytes:
        """The deal of a match that has started, as JSON. Raises NoMatch if it is forgotten.

        A release that kept it in the document has it there.
        """
        deal = record.deal or await self._link.call("HGET", keys.match(record.id), "deal")
        if deal is None:
            raise await self._absence(record.id)
        return bytes(deal)

    async def events(self, match_id: str, after: int, limit: int) -> tuple[StoredEvent, ...]:
        """The events that follow version `after`, at most `limit`; none where there is no such match."""
        entries = await self._link.call("XRANGE", keys.events(match_id), f"({after}-0", "+", "COUNT", limit)
        return tuple(read_event(fields[1]) for _, fields in entries)

    async def heads(self, match_ids: Sequence[str]) -> tuple[Head | None, ...]:
        """How far each match is, None where there is no such match, in one round trip."""
        found = await self._link.calls(
            [("HMGET", keys.match(match_id), "rev", "version", "status") for match_id in match_ids]
        )
        return tuple(None if rev is None else head(rev, version, status) for rev, version, status in found)

    def news(self, hear: Callable[[str, bytes], None], renewed: Callable[[], None]) -> News:
        """News of commits, to be run; the channel of a match is `keys.match` of its id."""
        return News(self._link, hear, renewed)

    async def state_before(self, match_id: str, version: int) -> Snapshot:
        """The last version up to `version` whose state is kept, and its state, encoded.

        The match must have reached `version`. Raises NoMatch, and ValueError if it has not.
        """
        kept = version - version % SNAPSHOT_EVERY
        state, exists = await self._link.calls(
            [("GET", keys.state_at(match_id, kept)), ("EXISTS", keys.match(match_id))]
        )
        if not exists:
            raise await self._absence(match_id)
        if state is None:
            raise ValueError(f"the match {match_id} has no state at version {kept}")
        return kept, state

    async def page(
        self, game: str | None, status: str | None, cursor: str | None, limit: int
    ) -> tuple[tuple[str, ...], str | None]:
        """Ids of public matches, the newest first, and the cursor of the next page, None at the end.

        Raises BadCursor.
        """
        return await self.index.page(game, status, cursor, limit)

    async def _afterwards(self, following: Awaitable[None]) -> None:
        try:
            await following
        except StoreGone:
            return  # The match is stored, and the sweep will do it.

    async def _absence(self, match_id: str) -> NoMatch:
        ended = await self._link.call("EXISTS", keys.ended(match_id))
        return MatchExpired(match_id) if ended else NoMatch(match_id)

    def _commit_call(
        self,
        expected_rev: int,
        record: MatchRecord,
        deal: bytes,
        events: Sequence[StoredEvent],
        snapshots: Sequence[Snapshot],
        idem: Idem | None,
    ) -> tuple[list[str], list[Any]]:
        keep = self._kept_after(record.status) if record.is_over else None
        match_id = record.id
        names = [
            keys.match(match_id),
            keys.events(match_id),
            keys.outbox(match_id),
            keys.ended(match_id),
            keys.answer(match_id, idem.key if idem else b""),
            *(keys.state_at(match_id, version) for version, _ in snapshots),
        ]
        if keep is not None:
            names += [keys.state_at(match_id, at) for at in range(0, record.version + 1, SNAPSHOT_EVERY)]
        arguments: list[Any] = [
            expected_rev,
            record.version,
            record.status,
            encode(record),
            "" if keep is None else keep,
            encode(idem.answer) if idem else "",
            self._answer_ttl,
            int(is_told(record)),
            _clock_began(record, is_new=bool(events or snapshots)),
            deal,
            len(events),
            *(part for event in events for part in (event.version, encode(event))),
            len(snapshots),
            *(state for _, state in snapshots),
        ]
        return names, arguments


def _clock_began(record: MatchRecord, is_new: bool) -> int | str:
    """When the clock began to run, 0 if that is not new, and nothing if nobody can run out of time."""
    clock = record.clock
    if clock is None or clock.control is None:
        return ""
    return clock.since if is_new and clock.runs_out and clock.since == record.updated_at else 0


def _check_log(record: MatchRecord, events: Sequence[StoredEvent], snapshots: Sequence[Snapshot]) -> None:
    """Raise ValueError unless the events end at the record's version and just the states due are there."""
    versions = [event.version for event in events]
    if versions != list(range(record.version - len(versions) + 1, record.version + 1)):
        raise ValueError(f"events {versions} do not lead to version {record.version}")
    kept = [version for version, _ in snapshots]
    due = [version for version in versions if version % SNAPSHOT_EVERY == 0]
    if kept not in (due, [0, *due]):
        raise ValueError(f"the states at {due} are due, not those at {kept}")
