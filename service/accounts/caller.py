"""Who asks: the player whose API token a request presents."""

import re
from typing import Final, NamedTuple

from schema.wire import Scope
from service.accounts.errors import MissingScope, NoSuchPlayer, TokenExpired
from service.accounts.record import Grant, PlayerRecord
from service.errors import TokenRequired, UnknownToken, WrongToken
from service.store.store import Store
from service.tokens import HOST, PAT, SEAT, is_token

EXACT_WITHIN: Final = 3_600_000
"""How exactly the last use of a token is known, in ms."""
OF_A_MATCH: Final = (f"{SEAT}_", f"{HOST}_")
_TOKEN: Final = re.compile(rf"{PAT}_([a-z2-7]{{16}})_[A-Za-z0-9_-]{{43}}")


class Caller(NamedTuple):
    """A player, and the API token by which it is known."""

    player: PlayerRecord
    grant: Grant
    token: str
    rev: int


def is_api_token(token: str | None) -> bool:
    """Whether a token looks like one of a player."""
    return token is not None and token.startswith(f"{PAT}_")


def owner_of(token: str | None) -> str | None:
    """The id of the player whose API token it is, or was; None for what is none."""
    found = _TOKEN.fullmatch(token or "")
    return found and found[1]


async def caller_of(store: Store, token: str | None, scope: Scope) -> Caller:
    """The player whose token it is. Raises TokenRequired, WrongToken and what `known_caller` raises."""
    if token is None:
        raise TokenRequired("Send `Authorization: Bearer` and an API token.")
    if not is_api_token(token):
        raise WrongToken("This needs an API token of a player.")
    return await known_caller(store, token, scope)


async def player_or_guest(store: Store, token: str | None, scope: Scope) -> Caller | None:
    """The player whose API token it is; None for a guest, who has none, or one of a match.

    Raises what `known_caller` raises.
    """
    if token is None or token.startswith(OF_A_MATCH):
        return None
    return await known_caller(store, token, scope)


async def known_caller(store: Store, token: str, scope: Scope) -> Caller:
    """The player whose API token it is. Raises UnknownToken, TokenExpired, MissingScope."""
    owner = owner_of(token)
    if owner is None:
        raise UnknownToken("That is no API token.")
    try:
        rev, player, used = await store.players.load(owner)
    except NoSuchPlayer:
        raise UnknownToken("No player has that token.") from None
    grant = granted(player, token)
    if grant is None:
        raise UnknownToken("No player has that token, or not any longer.")
    now = store.clock()
    if is_expired(grant, now):
        raise TokenExpired("The token has expired.")
    if scope not in grant.scopes:
        raise MissingScope(f"This needs a token with the scope `{scope}`.")
    if now - used.get(grant.id, 0) >= EXACT_WITHIN:
        await store.players.note_use(player.id, grant.id, now)
    return Caller(player, grant, token, rev)


def granted(player: PlayerRecord, token: str) -> Grant | None:
    """What the token grants, None if it is not, or no longer, the player's. Every one is compared."""
    found = [grant for grant in player.grants if is_token(token, grant.hash)]
    return found[0] if found else None


def is_expired(grant: Grant, at: int) -> bool:
    """Whether the time of a token is over."""
    return 0 < grant.expires_at <= at
