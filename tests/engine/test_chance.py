"""Keyed chance: what it gives, that it is fair, and that its description is enough to compute it."""

import hashlib
import hmac
import itertools
import json
from collections import Counter

import pytest

from engine.chance import Draw, commitment, match_draw

SEED = bytes(range(32))


def described(key: bytes, n: int, *address: str | int) -> int:
    """`Draw.below`, written again from its docstring with other tools."""
    for attempt in itertools.count():
        message = json.dumps([*address, attempt], separators=(",", ":"), ensure_ascii=False).encode()
        word = int(hmac.new(key, message, hashlib.sha256).hexdigest()[:16], 16)
        if word < 2**64 - 2**64 % n:
            return word % n
    raise AssertionError


@pytest.mark.parametrize("n", [1, 2, 6, 10, 52, 2**63 + 1, 2**64 - 1, 2**64])
def test_a_number_follows_from_key_and_address(n: int) -> None:
    draw = Draw(SEED)
    for roll in range(20):
        address = ("die", "é/white", roll)
        assert draw.below(n, *address) == described(SEED, n, *address)


def test_rejection_happens_and_stays_in_range() -> None:
    n = 2**63 + 1
    first_words = [
        int.from_bytes(
            hmac.digest(SEED, json.dumps(["x", k, 0], separators=(",", ":")).encode(), "sha256")[:8], "big"
        )
        for k in range(50)
    ]
    assert any(word >= n for word in first_words)
    assert all(Draw(SEED).below(n, "x", k) < n for k in range(50))


def test_six_faces_are_equally_likely() -> None:
    rolls = 60_000
    counts = Counter(Draw(SEED).below(6, "die", "red", k) for k in range(rolls))
    chi_square = sum((counts[face] - rolls / 6) ** 2 / (rolls / 6) for face in range(6))
    assert chi_square < 20.5  # 5 degrees of freedom: exceeded once in a thousand by fair dice


def test_addresses_do_not_run_into_each_other() -> None:
    draw = Draw(SEED)
    addresses = [("a", "b"), ("ab",), ("a,b",), ('a","b',), ("a", 1), ("a1",), ("a", "1"), ("a", 1, 0), ()]
    assert len({draw.below(2**64, *address) for address in addresses}) == len(addresses)
    assert draw.branch("a").below(2**64, "b") != draw.below(2**64, "a", "b")


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    counts = Counter(Draw(SEED).shuffled("abcd", "pile", k) for k in range(24_000))
    assert len(counts) == 24
    assert (
        sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7
    )  # 23 degrees of freedom, 1 in 1000


def test_match_chance_depends_on_seed_match_and_every_nonce() -> None:
    def first(seed: bytes, match_id: str, *nonces: str) -> int:
        return match_draw(seed, match_id, nonces).below(2**64, "x")

    key = hmac.digest(SEED, hashlib.sha256(b'["m1","n0",""]').digest(), "sha256")
    assert first(SEED, "m1", "n0", "") == described(key, 2**64, "x")
    others = {
        first(SEED[::-1], "m1", "n0", ""),
        first(SEED, "m2", "n0", ""),
        first(SEED, "m1", "", "n0"),
        first(SEED, "m1", "n0"),
    }
    assert len(others | {first(SEED, "m1", "n0", "")}) == 5


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
