"""Whose token it is: that of a seat, of a host, or of a player who has the seat or made the match."""

from typing import NamedTuple

from schema.wire import Scope
from service.accounts.caller import is_api_token, known_caller
from service.accounts.record import PlayerRecord
from service.details import detail
from service.errors import UnknownToken, WrongToken
from service.store.record import MatchRecord
from service.store.store import Store
from service.tokens import is_token


class Credential(NamedTuple):
    """The token that a request presents, and the player whose it is, None if it is of a match."""

    token: str
    player: PlayerRecord | None

    @property
    def player_id(self) -> str:
        """The id of the player, empty if there is none."""
        return "" if self.player is None else self.player.id


async def credential_of(store: Store, token: str, scope: Scope) -> Credential:
    """What a token is worth. A player's one needs the scope.

    Raises UnknownToken, TokenExpired, MissingScope.
    """
    if not is_api_token(token):
        return Credential(token, None)
    return Credential(token, (await known_caller(store, token, scope)).player)


def check_host(record: MatchRecord, shown: Credential) -> None:
    """Nothing, if it is of the creator. Raises WrongToken, UnknownToken."""
    if shown.player is not None:
        if shown.player.id != record.creator:
            raise WrongToken(detail("creator_only"))
    elif not is_token(shown.token, record.host_hash):
        if any(is_token(shown.token, seat.token_hash) for seat in record.seats):
            raise WrongToken(detail("host_only"))
        raise UnknownToken(detail("no_token_of_match"))


def seat_of(record: MatchRecord, shown: Credential) -> int:
    """The seat that it plays. Raises WrongToken, UnknownToken."""
    for number, seat in enumerate(record.seats):
        if is_token(shown.token, seat.token_hash) or (seat.player and seat.player == shown.player_id):
            return number
    if shown.player is not None:
        raise WrongToken(detail("no_seat"))
    if is_token(shown.token, record.host_hash):
        raise WrongToken(detail("seat_only"))
    raise UnknownToken(detail("no_token_of_seat"))
