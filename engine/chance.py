"""Keyed chance: the only source of randomness.

Nothing is drawn from a generator with a position. Every random number is *derived* from a key and the
address of what is drawn (which card pile, which die, how often rolled), so it depends on neither the order
of requests nor the process that asks, and anybody who knows the key can compute it again.

Source: HMAC is RFC 2104 with SHA-256 (FIPS 180-4).
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

import msgspec

T = TypeVar("T")

_WORD = 1 << 64


class Draw:
    """Chance under one key. The same key and address always give the same number."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def below(self, n: int, *address: str | int) -> int:
        """A whole number in 0..n-1, every one equally likely; n is at most 2**64.

        The first 8 bytes, big-endian, of HMAC-SHA-256(key, JSON array of the address and the attempt) are
        taken modulo n; a value in the incomplete last stretch of n is rejected and the next attempt made.
        """
        limit = _WORD - _WORD % n
        attempt = 0
        while True:
            word = int.from_bytes(self._hash(*address, attempt)[:8], "big")
            if word < limit:
                return word % n
            attempt += 1

    def shuffled(self, items: Sequence[T], *address: str | int) -> tuple[T, ...]:
        """The items in a random order, every order equally likely (Fisher and Yates, from the end)."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            pick = self.below(last + 1, *address, last)
            pile[last], pile[pick] = pile[pick], pile[last]
        return tuple(pile)

    def branch(self, *address: str | int) -> "Draw":
        """Independent chance for everything below an address."""
        return Draw(self._hash("branch", *address))

    def _hash(self, *address: str | int) -> bytes:
        return hmac.digest(self._key, msgspec.json.encode(address), "sha256")


def commitment(seed: bytes) -> str:
    """What a match publishes of its seed at creation: SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def match_draw(seed: bytes, match_id: str, nonces: Sequence[str]) -> Draw:
    """The chance of one match: keyed by HMAC-SHA-256(seed, SHA-256(JSON array of match id and nonces)).

    `nonces` are in seat order, empty for a seat that gave none. With a nonce of its own a seat knows that
    the seed, committed to before, was not picked to suit anybody.
    """
    public = hashlib.sha256(msgspec.json.encode([match_id, *nonces])).digest()
    return Draw(hmac.digest(seed, public, "sha256"))
