"""Reading matches: one, a page of them, and their transcripts."""

from collections.abc import AsyncIterator
from typing import Final

from engine.registry import find_game
from engine.transcript import Transcript, write_json, write_text
from schema.operations import (
    EXPORT_TRANSCRIPTS,
    JSON,
    LIST_MATCHES,
    NDJSON,
    SHOW_MATCH,
    SHOW_TRANSCRIPT,
    TEXT,
)
from schema.wire import MatchesQuery, TranscriptsQuery
from schema.wire_views import MatchPage
from service.clocks.arithmetic import put_off
from service.errors import MatchNotStarted, OtherRules
from service.http import (
    Incoming,
    Query,
    Reply,
    encoded,
    etag,
    next_page,
    shown,
    told,
    unchanged,
    wanted,
)
from service.lobby import lobby
from service.routes.common import NO_QUERY, desk, match_id, route
from service.store.errors import NoMatch
from service.store.record import MatchRecord, StoredEvent
from service.store.store import Store
from service.views import match_summary, match_view, transcript_of

MATCHES_QUERY: Final = Query(MatchesQuery)
TRANSCRIPTS_QUERY: Final = Query(TranscriptsQuery)
EVENTS_AT_ONCE: Final = 1_000


@route(LIST_MATCHES)
async def list_matches(request: Incoming) -> Reply:
    """A page of public matches."""
    query = MATCHES_QUERY.read(request)
    if query.game is not None:
        find_game(query.game)
    store = desk(request).store
    records, following = await lobby(store, query)
    stalls = await store.lease.stalls_for(*(record.clock for record in records))
    links = next_page(request, query, cursor=following)
    summaries = tuple(match_summary(record, stalls) for record in records)
    return shown(request, MatchPage(summaries, following), headers=links)


@route(SHOW_MATCH)
async def show_match(request: Incoming) -> Reply:
    """A match, or 304 if the client has it as it stands."""
    NO_QUERY.read(request)
    media_type = wanted(request)
    rev, record, _ = await desk(request).store.load(match_id(request))
    stalls = await desk(request).store.lease.stalls_for(record.clock)
    tag = etag(media_type, rev, put_off(record.clock, stalls))
    if (known := unchanged(request, tag)) is not None:
        return known
    return told(request, encoded(match_view(record, stalls), media_type), media_type, tag)


@route(SHOW_TRANSCRIPT)
async def show_transcript(request: Incoming) -> Reply:
    """The transcript of a match, as JSON or text."""
    NO_QUERY.read(request)
    media_type = wanted(request, (JSON, TEXT))
    store = desk(request).store
    rev, record, _ = await store.load(match_id(request))
    if not record.state:
        raise MatchNotStarted("The match has not been dealt.")
    tag = etag(media_type, rev)
    if (known := unchanged(request, tag)) is not None:
        return known
    document = await transcript(store, record)
    body = write_text(document).encode() if media_type == TEXT else write_json(document)
    return told(request, body, media_type, tag)


@route(EXPORT_TRANSCRIPTS)
async def export_transcripts(request: Incoming) -> Reply:
    """A page of transcripts, one a line. Matches of other rules are left out: nothing here replays them."""
    query = TRANSCRIPTS_QUERY.read(request)
    wanted(request, (NDJSON,))
    if query.game is not None:
        find_game(query.game)
    store = desk(request).store
    ids, following = await store.page(query.game, "finished", query.cursor, query.limit)
    lines = [line async for line in _lines(store, await store.load_many(ids))]
    links = next_page(request, query, cursor=following)
    return told(request, b"".join(lines), NDJSON, headers=links)


async def _lines(store: Store, records: tuple[MatchRecord, ...]) -> AsyncIterator[bytes]:
    for record in records:
        try:
            yield write_json(await transcript(store, record)) + b"\n"
        except (OtherRules, NoMatch):
            continue


async def transcript(store: Store, record: MatchRecord) -> Transcript:
    """The transcript of a match as it was when `record` was read. Raises NoMatch if it is forgotten."""
    events: list[StoredEvent] = []
    while len(events) < record.version:
        most = min(EVENTS_AT_ONCE, record.version - len(events))
        page = await store.events(record.id, len(events), most)
        if not page:
            raise NoMatch(record.id)
        events += page
    return transcript_of(record, await store.deal(record), events)


ROUTES: Final = (list_matches, show_match, show_transcript, export_transcripts)
