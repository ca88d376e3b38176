"""From what is stored of a player to what clients read."""

from collections.abc import Mapping

from schema.wire_players import MeView, PlayerView, TokenList, TokenView
from service.accounts.record import Grant, PlayerRecord
from service.views import when, when_or_never


def player_view(player: PlayerRecord) -> PlayerView:
    """A player as everybody sees it."""
    return PlayerView(player.id, player.name, player.kind, when(player.created_at))


def token_view(grant: Grant, used: int) -> TokenView:
    """An API token, last used at about `used`, 0 for never."""
    return TokenView(
        grant.id,
        grant.label,
        grant.scopes,
        when(grant.created_at),
        when_or_never(grant.expires_at),
        when_or_never(used),
    )


def token_list(player: PlayerRecord, used: Mapping[str, int]) -> TokenList:
    """All API tokens of a player."""
    return TokenList(tuple(token_view(grant, used.get(grant.id, 0)) for grant in player.grants))


def me_view(player: PlayerRecord, grant: Grant, used: int) -> MeView:
    """Who asks."""
    return MeView(player_view(player), token_view(grant, used))
