"""Listings of matches. They follow from the matches' outboxes and never decide anything."""

import base64
import re
from typing import Final

from service.accounts.notices import Notices
from service.clocks.arithmetic import NEVER_STALLED, deadline, next_call
from service.settings import Settings
from service.store import keys
from service.store.channel import Command
from service.store.errors import BadCursor
from service.store.link import Link, Script
from service.store.record import STATUSES, MatchRecord, read_record

_INDEX: Final = Script("index.lua")
_SHOWN: Final = Script("shown.lua")
_MEMBER: Final = re.compile(r"\d{13}:[a-z2-7]{1,64}")


class Index:
    """The listings of one server. Every method raises StoreGone while it does not answer."""

    def __init__(self, link: Link, settings: Settings) -> None:
        self._link = link
        self._notices = Notices(link)
        self._open_ttl = settings.open_ttl * 1_000
        self._idle_ttl = settings.idle_ttl * 1_000
        self._kept_after = settings.kept_after

    async def page(
        self, game: str | None, status: str | None, cursor: str | None, limit: int
    ) -> tuple[tuple[str, ...], str | None]:
        """See `Store.page`."""
        name = keys.listing(game or keys.ANY, status or keys.ANY)
        top = "+" if cursor is None else f"({read_cursor(cursor)}"
        found = await self._link.call("ZREVRANGEBYLEX", name, top, "-", "LIMIT", 0, limit + 1)
        members = [member.decode() for member in found[:limit]]
        ids = tuple(keys.match_of_member(member) for member in members)
        return ids, write_cursor(members[-1]) if len(found) > limit and members else None

    def due_at(self, record: MatchRecord) -> int | None:
        """When the match's time is over unless it goes on, in ms since 1970: the sweep looks at it then."""
        if record.status == "open":
            return record.created_at + self._open_ttl
        if record.status == "running":
            # With a clock, its flag is called long before: unless this release lacks the rules.
            flag = None if record.clock is None else deadline(record.clock, NEVER_STALLED)
            return (flag or record.updated_at) + self._idle_ttl
        kept = self._kept_after(record.status)
        return None if kept is None else record.ended_at + kept

    async def show(self, rev: int, record: MatchRecord) -> None:
        """Bring the listings up to date with a document as it was at `rev`; older news is left aside."""
        due = self.due_at(record)
        call = next_call(record.clock, 0, NEVER_STALLED)
        await self._link.run(
            _INDEX,
            (keys.KNOWN, keys.DUE, keys.DEADLINES, *keys.listings(record.game)),
            record.id,
            record.game,
            rev,
            keys.member(record.created_at, record.id),
            int(record.visibility == "public"),
            STATUSES.index(record.status) + 1,
            "" if due is None else due,
            "" if call is None else call,
        )
        await self.tell(rev, record)

    async def tell(self, rev: int, record: MatchRecord) -> None:
        """Tell those whom it concerns of a match as it was at `rev`; what the listings show of it stays."""
        due = None if record.is_over else self.due_at(record)
        pause = 0 if due is None else max(0, due - record.updated_at)
        await self._notices.tell(rev, record, pause)
        await self._link.run(_SHOWN, (keys.outbox(record.id),), rev)

    async def follow(self, match_id: str) -> None:
        """Bring the listings up to date with a match as it stands now. Raises BadRecord."""
        rev, blob = await self._link.call("HMGET", keys.match(match_id), "rev", "blob")
        if rev is None:
            await self.forget(match_id)
        else:
            await self.show(int(rev), read_record(blob))

    async def forget(self, match_id: str) -> None:
        """Take a match that is not kept any longer out of the listings."""
        commands: list[Command] = [("DEL", keys.outbox(match_id))]
        known = await self._link.call("HGET", keys.KNOWN, match_id)
        if known is not None:
            _, game, member = known.decode().split(" ")
            commands += [("ZREM", name, member) for name in keys.listings(game)]
            commands += [("ZREM", name, match_id) for name in (keys.DUE, keys.DEADLINES)]
            commands.append(("HDEL", keys.KNOWN, match_id))
        await self._link.calls(commands)

    async def due(self, at: int, limit: int) -> tuple[str, ...]:
        """Ids of matches to look at, by the time `at`, the earliest first."""
        found = await self._link.call("ZRANGEBYSCORE", keys.DUE, "-inf", at, "LIMIT", 0, limit)
        return tuple(match_id.decode() for match_id in found)

    async def postpone(self, match_id: str, at: int) -> None:
        """Have the sweep look at a match again, not before `at`."""
        await self._link.call("ZADD", keys.DUE, "XX", "GT", at, match_id)


def write_cursor(member: str) -> str:
    """What a page that ends with this member of a listing is continued by."""
    return base64.urlsafe_b64encode(member.encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> str:
    """The member that a cursor stands for. Raises BadCursor."""
    try:
        member = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode()
    except ValueError:
        member = ""
    if not _MEMBER.fullmatch(member):
        raise BadCursor("The cursor is not one that this listing gave.")
    return member
