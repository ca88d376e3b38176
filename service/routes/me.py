"""What a player asks about itself: who it is, its API tokens."""

from typing import Final

from schema.operations_players import CREATE_TOKEN, LIST_OWN_MATCHES, LIST_TOKENS, REVOKE_TOKEN, SHOW_ME
from schema.wire import Scope
from schema.wire_players import CreateToken, OwnMatchesQuery
from service.accounts.caller import Caller, caller_of
from service.accounts.office import Office
from service.accounts.shelf import own_matches
from service.accounts.views import me_view, token_list
from service.http import Body, Incoming, Query, Reply, bearer, change, next_page, respond, shown
from service.routes.common import NO_QUERY, desk, route

TOKEN: Final = Body(CreateToken)
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
    caller = await caller_with(request, "account")
    player = await Office(desk(request)).revoke(caller, request.path_params["token_id"])
    _, _, used = await desk(request).store.players.load(player.id)
    return shown(request, token_list(player, used))


@route(LIST_OWN_MATCHES)
async def list_own_matches(request: Incoming) -> Reply:
    """A page of the player's matches."""
    query = OWN_MATCHES.read(request)
    caller = await caller_with(request, "read")
    store = desk(request).store
    page = await own_matches(store, caller.player.id, query.status, query.cursor, query.limit)
    return shown(request, page, headers=next_page(request, query, cursor=page.next))


async def caller_with(request: Incoming, scope: Scope) -> Caller:
    """The player whose API token the request presents. Raises what `caller_of` raises."""
    return await caller_of(desk(request).store, bearer(request), scope)


ROUTES: Final = (show_me, list_tokens, create_token, revoke_token, list_own_matches)
