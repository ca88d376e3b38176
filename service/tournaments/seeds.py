"""How every deal and every match of a tournament gets its chance from the one secret seed.

The manifest holds the commitment to the seed, the seed is published with the final record, and everything
here can then be computed again. Derived seeds say nothing about each other or about what they come from:
each is HMAC-SHA-256(seed, JSON array of the purpose and the numbers), as in RFC 2104.

A match of a tournament has no seed or deal "given": nobody chose them. Its record holds the deal that
`deal_draw` gives, and the seed of `match_seed`; its chance is `match_draw` of that seed and of
`chance_name` in the place of the match's id.
"""

import hmac

import msgspec

from engine.chance import Draw
from service.tournaments.manifest import Manifest
from service.tournaments.record import MatchOrder


def deal_draw(seed: bytes, deal: int) -> Draw:
    """The chance that lays out deal number `deal`: for `game.deal(options, seats, ...)`."""
    return Draw(_derived(seed, "deal", deal))


def match_seed(manifest: Manifest, seed: bytes, order: MatchOrder, attempt: int = 0) -> bytes:
    """The seed of the match of an order: its own, or with shared luck that of all matches of its deal.

    `attempt` counts the matches of the order that were voided before. With luck of its own the next one has
    another seed, since what was seen may be remembered; where luck is shared nobody remembers anything.
    """
    if manifest.luck == "shared":
        return _derived(seed, "luck", order.deal)
    return _derived(seed, "match", order.number, attempt)


def chance_name(manifest: Manifest, order: MatchOrder, match: str) -> str:
    """What stands for the match's id in the key of its chance: with shared luck a name of the deal."""
    return f"deal {order.deal}" if manifest.luck == "shared" else match


def player_draw(seed: bytes, order: MatchOrder, seat: int) -> Draw:
    """The chance of whoever has a seat in a local run: that of the deal and the seat, alike for everybody."""
    return Draw(_derived(seed, "player", order.deal, seat))


def _derived(seed: bytes, *address: str | int) -> bytes:
    return hmac.digest(seed, msgspec.json.encode(address), "sha256")
