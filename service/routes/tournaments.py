"""Tournaments: announced, joined, driven by their organisers, and read by everybody."""

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import Struct

from schema.operation import Operation
from schema.operations_tournaments import (
    CANCEL_TOURNAMENT,
    CREATE_TOURNAMENT,
    JOIN_TOURNAMENT,
    LEAVE_TOURNAMENT,
    LIST_ENTRIES,
    LIST_TOURNAMENT_MATCHES,
    LIST_TOURNAMENTS,
    PAUSE_TOURNAMENT,
    RESUME_TOURNAMENT,
    SHOW_CROSSTABLE,
    SHOW_MANIFEST,
    SHOW_RECORD,
    SHOW_STANDINGS,
    SHOW_TOURNAMENT,
    START_TOURNAMENT,
)
from schema.wire import Nothing, Scope
from schema.wire_tournaments import (
    CreateTournament,
    EntriesQuery,
    TournamentMatchesQuery,
    TournamentPage,
    TournamentsQuery,
)
from service.accounts.caller import Caller
from service.desk import Desk
from service.errors import InvalidHeader, InvalidQuery
from service.http import (
    VARY,
    Body,
    Change,
    Incoming,
    Query,
    Reply,
    change,
    next_page,
    respond,
    shown,
    wanted,
)
from service.matches import SEED_BYTES
from service.routes.common import NO_QUERY, desk, player_of, route
from service.routes.me import caller_with
from service.routes.streams import OFFERED, STREAMED, hub_of
from service.shell import IS_HEAD
from service.store.record import Answer
from service.tournaments import deeds, keys
from service.tournaments.document import Document
from service.tournaments.office import Deed, Office, tournaments_of
from service.tournaments.pairings import match_page
from service.tournaments.reading import reading_of
from service.tournaments.reports import crosstable_view, standings_view
from service.tournaments.store import Standing, checked_id
from service.tournaments.story import TournamentStory, TournamentStream, entry_page, polled_entries
from service.tournaments.views import shown_record, tournament_summary, tournament_view

ANNOUNCEMENT: Final = Body(CreateTournament)
NOTHING: Final = Body(Nothing)
LISTING: Final = Query(TournamentsQuery)
MATCHES: Final = Query(TournamentMatchesQuery)
ENTRIES: Final = Query(EntriesQuery)
DEEDS: Final[Mapping[Operation, tuple[Scope, Deed]]] = {
    JOIN_TOURNAMENT: ("play", deeds.join),
    LEAVE_TOURNAMENT: ("play", deeds.leave),
    START_TOURNAMENT: ("create", deeds.start),
    PAUSE_TOURNAMENT: ("create", deeds.pause),
    RESUME_TOURNAMENT: ("create", deeds.resume),
    CANCEL_TOURNAMENT: ("create", deeds.cancel),
}
"""What players do to a tournament that there is, and the scope that it takes."""
_NUMBER: Final = re.compile(r"\d{1,8}")


def tournament_id(request: Incoming) -> str:
    """The id in the address. Raises NoSuchTournament if no tournament can have it."""
    return checked_id(request.path_params["tournament_id"])


async def _standing(request: Incoming) -> Standing:
    return await tournaments_of(desk(request)).load(tournament_id(request))


async def _asking(request: Incoming) -> str:
    """The id of the player who asks, empty for a guest."""
    caller = await player_of(request, "read")
    return "" if caller is None else caller.player.id


@route(CREATE_TOURNAMENT)
async def create_tournament(request: Incoming) -> Reply:
    """A new tournament."""
    NO_QUERY.read(request)
    asked, body = await ANNOUNCEMENT.read(request)
    caller = await caller_with(request, "create")
    return respond(await announced(desk(request), change(request, body, caller.token), asked, caller))


async def announced(at_desk: Desk, asking: Change, asked: CreateTournament, caller: Caller) -> Answer:
    """The answer to a request for a new tournament."""

    def make(new_id: str, at: int) -> Document:
        game = at_desk.catalogue.game(asked.game, asked.edition)
        return deeds.announce(asked, game, new_id, secrets.token_bytes(SEED_BYTES), caller.player.id, at)

    return await Office(at_desk).create(asking, caller, make)


@route(LIST_TOURNAMENTS)
async def list_tournaments(request: Incoming) -> Reply:
    """A page of tournaments."""
    query = LISTING.read(request)
    found, following = await tournaments_of(desk(request)).page(query)
    page = TournamentPage(tuple(map(tournament_summary, found)), following)
    return shown(request, page, headers=next_page(request, query, cursor=following))


def _deed(operation: Operation, scope: Scope, deed: Deed) -> HTTPRouteHandler:
    """The handler of something that a player does to a tournament."""

    async def handle(request: Incoming) -> Reply:
        NO_QUERY.read(request)
        _, body = await NOTHING.read(request)
        caller = await caller_with(request, scope)
        asking = change(request, body, caller.token)
        return respond(await Office(desk(request)).carry_out(tournament_id(request), asking, caller, deed))

    return route(operation)(handle)


def _view(operation: Operation, view: Callable[[Standing], Awaitable[Struct]]) -> HTTPRouteHandler:
    """The handler of something that is told of a tournament, to everybody alike."""

    async def handle(request: Incoming) -> Reply:
        NO_QUERY.read(request)
        await _asking(request)
        reading = reading_of(desk(request), tournament_id(request))  # which all who wait for a table share
        standing, _ = await reading.now()
        return shown(request, await view(standing))

    return route(operation)(handle)


async def _manifest(standing: Standing) -> Struct:
    return standing.document.manifest


async def _record(standing: Standing) -> Struct:
    return shown_record(standing)


@route(SHOW_TOURNAMENT)
async def show_tournament(request: Incoming) -> Reply:
    """A tournament, and whether the player who asks takes part."""
    NO_QUERY.read(request)
    player = await _asking(request)
    return shown(request, tournament_view(await _standing(request), player))


@route(LIST_TOURNAMENT_MATCHES)
async def list_tournament_matches(request: Incoming) -> Reply:
    """A page of its matches, those of the player who asks with their ids."""
    query = MATCHES.read(request)
    player, at_desk = await _asking(request), desk(request)
    page = await match_page(at_desk.store, at_desk.tokens, await _standing(request), player, query)
    return shown(request, page, headers=next_page(request, query, after=page.next))


@route(LIST_ENTRIES)
async def list_entries(request: Incoming) -> ASGIApp:
    """Entries of its record, at once or when there are some, or as a stream."""
    query, last = ENTRIES.read(request), _last_number(request)
    media_type = wanted(request, OFFERED)
    found = tournament_id(request)
    reading, channel = reading_of(desk(request), found), keys.tournament(found)
    if media_type in STREAMED:
        if query.wait:
            raise InvalidQuery("$.wait: A stream waits without being asked to.", where="$.wait")
        standing, _ = await reading.now()
        if last is not None and standing.document.is_over and last >= len(standing.entries):
            return Reply(204, (VARY, ("cache-control", "no-store")))  # tells browsers not to come again
        story = TournamentStory(reading, query.after if last is None else last)
        return TournamentStream(hub_of(request), story, channel, STREAMED[media_type])
    if query.wait and IS_HEAD not in request.scope:
        asked, asgi = (query.after, query.wait), (request.scope, request.receive)
        return shown(request, await polled_entries(hub_of(request), reading, channel, asked, asgi))
    return shown(request, await entry_page(reading, query.after))


def _last_number(request: Incoming) -> int | None:
    """The entry that a stream comes back after, None for a new one. Raises InvalidHeader."""
    text = request.header(b"last-event-id") or ""
    if text and not _NUMBER.fullmatch(text):
        raise InvalidHeader("Last-Event-ID: It is the number of the last entry received.")
    return int(text) if text else None


ROUTES: Final = (
    create_tournament,
    list_tournaments,
    show_tournament,
    *(_deed(operation, *business) for operation, business in DEEDS.items()),
    _view(SHOW_MANIFEST, _manifest),
    _view(SHOW_STANDINGS, standings_view),
    _view(SHOW_CROSSTABLE, crosstable_view),
    _view(SHOW_RECORD, _record),
    list_tournament_matches,
    list_entries,
)
