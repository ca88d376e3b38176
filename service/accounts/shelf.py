"""A player's own matches: those it plays, has played or is invited to."""

from schema.wire_players import OwnMatch, OwnMatchPage
from service.accounts import keys
from service.clocks.arithmetic import Stalls
from service.store.index import read_cursor, write_cursor
from service.store.keys import match_of_member
from service.store.record import MatchRecord
from service.store.store import Store
from service.views import match_summary


async def own_matches(
    store: Store, player: str, status: str | None, cursor: str | None, limit: int
) -> OwnMatchPage:
    """A page of them, as their player lists them. Raises BadCursor."""
    records, following = await own_records(store, player, status, cursor, limit)
    stalls = await store.lease.stalls_for(*(record.clock for record in records))
    return OwnMatchPage(tuple(own_match(record, player, stalls) for record in records), following)


async def own_records(
    store: Store, player: str, status: str | None, cursor: str | None, limit: int
) -> tuple[tuple[MatchRecord, ...], str | None]:
    """A page of them, the newest first, and the cursor of the next one, None at the end.

    What is not kept any longer, or not theirs, is left out. Raises BadCursor.
    """
    members, following = await shelved(store, player, cursor, limit)
    records = {
        record.id: record for record in await store.load_many([match_of_member(name) for name in members])
    }
    gone = [name for name in members if not concerns(records.get(match_of_member(name)), player)]
    if gone:
        await store.link.call("ZREM", keys.matches(player), *gone)
    theirs = (records[match_of_member(name)] for name in members if name not in gone)
    return tuple(record for record in theirs if status in (None, record.status)), following


async def shelved(store: Store, player: str, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
    """The entries of a player's list of matches, the newest first, and the cursor of the next page.

    Raises BadCursor.
    """
    top = "+" if cursor is None else f"({read_cursor(cursor)}"
    found = await store.link.call("ZREVRANGEBYLEX", keys.matches(player), top, "-", "LIMIT", 0, limit + 1)
    members = [member.decode() for member in found[:limit]]
    return members, write_cursor(members[-1]) if len(found) > limit and members else None


def concerns(record: MatchRecord | None, player: str) -> bool:
    """Whether a player has a seat, or may still take one."""
    if record is None:
        return False
    return seat_of_player(record, player) is not None or (
        record.status == "open" and player in record.invited
    )


def seat_of_player(record: MatchRecord, player: str) -> int | None:
    """The seat that a player has."""
    return next((number for number, seat in enumerate(record.seats) if seat.player == player), None)


def own_match(record: MatchRecord, player: str, stalls: Stalls) -> OwnMatch:
    """A match as its player lists it. `stalls` put off the deadline of its clock."""
    summary = match_summary(record, stalls)
    fields = {name: getattr(summary, name) for name in summary.__struct_fields__}
    return OwnMatch(**fields, seat=seat_of_player(record, player))
