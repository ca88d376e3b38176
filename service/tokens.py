"""Secrets that clients hold: tokens and match ids, derived and never stored.

A token is HMAC-SHA-256 (RFC 2104) under the server's secret of what it is for. So the answer to a repeated
request can be made again, and a stolen store gives away only hashes. Where a request has no idempotency
key, a nonce of its own takes the key's place.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Final

import msgspec

HOST: Final = "host"
SEAT: Final = "seat"
PAT: Final = "pat"


class Tokens:
    """Tokens and ids under one secret. The same arguments always give the same answer."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def host_token(self, match_id: str, key: str) -> str:
        """The token of the creator: `host_` and 43 characters of base64url (256 bits)."""
        return f"{HOST}_{_text(self._derive(HOST, match_id, key))}"

    def seat_token(self, match_id: str, seat: int, key: str) -> str:
        """The token of whoever took the seat by the request with this key: `seat_` and 43 characters."""
        return f"{SEAT}_{_text(self._derive(SEAT, match_id, seat, key))}"

    def bot_token(self, match_id: str, seat: int, joined_at: int) -> str:
        """The token of a built-in bot that took the seat then: whoever has the secret knows it."""
        return self.seat_token(match_id, seat, f"bot {joined_at}")

    def api_token(self, player_id: str, key: str) -> str:
        """The API token that the request with this key makes: `pat_`, the id, `_` and 43 characters."""
        return f"{PAT}_{player_id}_{_text(self._derive(PAT, player_id, key))}"

    def grant_id(self, player_id: str, key: str) -> str:
        """What an API token made by the request with this key is called: 8 characters."""
        return _id(self._derive("grant", player_id, key), 5)

    def player_id(self, key: str) -> str:
        """The id of the player that the request with this key registers: 16 characters, 80 bits."""
        return _id(self._derive("player", key), 10)

    def match_id(self, key: str) -> str:
        """The id of the match that the request with this key creates: 24 characters, 120 bits."""
        return _id(self._derive("match", key), 15)

    def tournament_id(self, key: str) -> str:
        """The id of the tournament that the request with this key makes: 16 characters, 80 bits."""
        return _id(self._derive("tournament", key), 10)

    def _derive(self, *address: str | int) -> bytes:
        return hmac.digest(self._secret, msgspec.json.encode(address), "sha256")


def nonce() -> str:
    """128 random bits for a request without an idempotency key: 22 characters of base64url."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> bytes:
    """SHA-256 of a token: what is stored of it. Tokens have 256 bits, so no salt and no slow hash is due."""
    return hashlib.sha256(token.encode()).digest()


def is_token(token: str, stored: bytes | None) -> bool:
    """Whether `token` is the one with the stored hash, compared in constant time."""
    return stored is not None and hmac.compare_digest(token_hash(token), stored)


def request_key(credential: bytes, method: str, path: str, key: str) -> bytes:
    """The digest under which the answer to a request is recorded.

    `credential` is the hash of its token, empty for an anonymous one. No two different requests share it.
    """
    return hashlib.sha256(msgspec.json.encode((credential, method, path, key))).digest()


def body_digest(body: bytes) -> bytes:
    """What is kept of a request's body, to know a repeat from a new request under an old key."""
    return hashlib.sha256(body).digest()


def _id(data: bytes, length: int) -> str:
    """An id of so many of the bytes, a multiple of five: characters a-z and 2-7."""
    return base64.b32encode(data[:length]).decode().lower()


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
