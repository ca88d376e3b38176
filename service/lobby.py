"""Finding matches: those of a listing that fit what somebody looks for."""

from typing import Final

from schema.wire import MatchesQuery, TimeKind
from service.accounts.shelf import seat_of_player, shelved
from service.store.keys import match_of_member
from service.store.record import MatchRecord
from service.store.store import Store

MOST_LOOKS: Final = 10
"""Pages of the listing that are looked through for one page at most."""

Page = tuple[tuple[MatchRecord, ...], str | None]


async def lobby(store: Store, query: MatchesQuery) -> Page:
    """Public matches, the newest first, and the cursor of the next page, None at the end.

    A page may be short, or even empty, and have a next one. Raises BadCursor.
    """
    found: list[MatchRecord] = []
    cursor = query.cursor
    for _ in range(MOST_LOOKS):
        ids, cursor = await _listed(store, query, cursor, query.limit - len(found))
        found += [record for record in await store.load_many(ids) if fits(record, query)]
        if cursor is None or len(found) == query.limit:
            break
    return tuple(found), cursor


async def _listed(
    store: Store, query: MatchesQuery, cursor: str | None, most: int
) -> tuple[tuple[str, ...], str | None]:
    """Ids of matches that may fit, and the cursor of those that follow, None at the end. Raises BadCursor."""
    if query.player is None:
        return await store.page(query.game, query.status, cursor, most)
    members, following = await shelved(store, query.player, cursor, most)
    return tuple(map(match_of_member, members)), following


def fits(record: MatchRecord, query: MatchesQuery) -> bool:
    """Whether it is what somebody looks for. The listing follows the matches, and may be behind."""
    return (
        query.status in (None, record.status)
        and query.seats in (None, len(record.seats))
        and query.join in (None, record.joining)
        and query.clock in (None, time_kind(record))
        and (query.free is None or free_seats(record) >= query.free)
        and (query.player is None or _is_seen_playing(record, query))
    )


def _is_seen_playing(record: MatchRecord, query: MatchesQuery) -> bool:
    """Whether the player has a seat in it, for everybody to see. On a player's shelf are others too."""
    return (
        record.visibility == "public"
        and query.game in (None, record.game)
        and seat_of_player(record, query.player or "") is not None
    )


def time_kind(record: MatchRecord) -> TimeKind:
    """For what each seat has time."""
    control = record.clock and record.clock.control
    if not control:
        return "none"
    return "base" if control.base else "perTurn"


def free_seats(record: MatchRecord) -> int:
    """How many seats anybody may take who may join."""
    if record.status != "open":
        return 0
    return sum(not seat.is_taken and not seat.held_for for seat in record.seats)
