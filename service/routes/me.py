"""What a player asks about itself: who it is, its API tokens."""

import re
from typing import Final

from litestar.types import ASGIApp

from schema.operations_players import (
    CREATE_TOKEN,
    LIST_OWN_EVENTS,
    LIST_OWN_MATCHES,
    LIST_TOKENS,
    REVOKE_TOKEN,
    SHOW_ME,
)
from schema.wire import POSITION_PATTERN, Scope
from schema.wire_players import CreateToken, OwnEventsQuery, OwnMatchesQuery
from service.accounts import keys
from service.accounts.caller import Caller, caller_of
from service.accounts.inbox import Inbox
from service.accounts.office import Office
from service.accounts.shelf import own_matches
from service.accounts.stream import OwnStream, page_of, polled_inbox
from service.accounts.views import me_view, token_list
from service.errors import InvalidHeader, InvalidQuery
from service.http import (
    Body,
    Incoming,
    Query,
    Reply,
    bearer,
    change,
    language_of,
    next_page,
    respond,
    said_in,
    shown,
    wanted,
)
from service.routes.common import NO_QUERY, bearer_of, desk, route
from service.routes.streams import OFFERED, STREAMED, hub_of
from service.shell import IS_HEAD

TOKEN: Final = Body(CreateToken)
OWN_EVENTS: Final = Query(OwnEventsQuery)
_POSITION: Final = re.compile(POSITION_PATTERN)
OWN_MATCHES: Final = Query(OwnMatchesQuery)


@route(SHOW_ME)
async def show_me(request: Incoming) -> Reply:
    """The player, and the token that it sent."""
    NO_QUERY.read(request)
    caller = await caller_with(request, "read")
    _, _, used = await desk(request).store.players.load(caller.player.id)
    return shown(request, me_view(caller.player, caller.grant, used.get(caller.grant.id, 0)))


@route(LIST_TOKENS)
async def list_tokens(request: Incoming) -> Reply:
    """The tokens of the player."""
    NO_QUERY.read(request)
    caller = await caller_with(request, "account")
    _, player, used = await desk(request).store.players.load(caller.player.id)
    return shown(request, token_list(player, used))


@route(CREATE_TOKEN)
async def create_token(request: Incoming) -> Reply:
    """A further token."""
    NO_QUERY.read(request)
    asked, body = await TOKEN.read(request)
    caller = await caller_with(request, "account")
    asking = change(request, body, caller.token)
    return respond(await Office(desk(request)).add_token(asking, caller, asked))


@route(REVOKE_TOKEN)
async def revoke_token(request: Incoming) -> Reply:
    """The tokens that are left."""
    NO_QUERY.read(request)
    office, asking = Office(desk(request)), change(request, b"", bearer_of(request))
    if (before := await office.recorded(asking)) is not None:
        return respond(before)
    caller = await caller_with(request, "account")
    return respond(await office.revoke(asking, caller, request.path_params["token_id"]))


@route(LIST_OWN_MATCHES)
async def list_own_matches(request: Incoming) -> Reply:
    """A page of the player's matches."""
    query = OWN_MATCHES.read(request)
    caller = await caller_with(request, "read")
    store = desk(request).store
    page = await own_matches(store, caller.player.id, query.status, query.cursor, query.limit)
    return shown(request, page, headers=next_page(request, query, cursor=page.next))


@route(LIST_OWN_EVENTS)
async def list_own_events(request: Incoming) -> ASGIApp:
    """What concerns the player, as a page, at once or when there is something, or as a stream."""
    query, last = OWN_EVENTS.read(request), _last_id(request)
    media_type = wanted(request, OFFERED)
    caller = await caller_with(request, "read")
    at_desk, hub = desk(request), hub_of(request)
    if media_type in STREAMED:
        if query.wait:
            raise InvalidQuery("$.wait: A stream waits without being asked to.", where="$.wait")
        return OwnStream(hub, at_desk, caller, last or query.after, STREAMED[media_type])
    language = language_of(request.scope)
    inbox = Inbox(at_desk, caller, query.after, language)
    if query.wait and IS_HEAD not in request.scope:
        channel = keys.player(caller.player.id)
        page = await polled_inbox(hub, inbox, channel, query.wait, request.scope, request.receive)
    else:
        page = await page_of(inbox)
    return shown(request, page, headers=said_in(language))


def _last_id(request: Incoming) -> str | None:
    """The id that a stream comes back after, None for a new one. Raises InvalidHeader."""
    text = request.headers.get("last-event-id", "")
    if text and not _POSITION.search(text):
        raise InvalidHeader("Last-Event-ID: It is the id of the last message received.")
    return text or None


async def caller_with(request: Incoming, scope: Scope) -> Caller:
    """The player whose API token the request presents. Raises what `caller_of` raises."""
    return await caller_of(desk(request).store, bearer(request), scope)


ROUTES: Final = (show_me, list_tokens, create_token, revoke_token, list_own_matches, list_own_events)
