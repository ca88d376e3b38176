"""What entrants are told of a tournament in their own streams: that it has begun, a new round, its end."""

from typing import Final

from service.accounts import keys as players
from service.accounts.notices import KEPT, KEPT_FOR
from service.store.link import Link, Script
from service.tournaments.ledger import Ledger

_TELL: Final = Script("tell.lua", __package__)


async def tell_entrants(link: Link, tournament_id: str, ledger: Ledger, is_over: bool) -> None:
    """Tell everybody who takes part how far the tournament is; nobody is told anything twice.

    Raises StoreGone.
    """
    stage = "over" if is_over else str(ledger.round_played)
    for entrant in ledger.entrants:
        await link.run(
            _TELL,
            (players.told(entrant, tournament_id), players.events(entrant)),
            players.player(entrant),
            tournament_id,
            ledger.round_played,
            stage,
            KEPT,
            KEPT_FOR,
        )
