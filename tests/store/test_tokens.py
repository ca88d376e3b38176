"""Tokens are derived, cannot be derived by others, and are stored as a hash only."""

import itertools
import re

from service.tokens import Tokens, body_digest, is_token, nonce, request_key, token_hash

TOKENS = Tokens(b"s" * 32)


def test_a_token_can_be_made_again() -> None:
    assert TOKENS.seat_token("m", 1, "key") == Tokens(b"s" * 32).seat_token("m", 1, "key")


def test_a_token_is_an_hmac() -> None:
    """The expected text is what `openssl dgst -sha256 -hmac` says of ["host","m","key"] in base64url."""
    assert TOKENS.host_token("m", "key") == "host_30cdWapiS4nxmh30PyT0arTzvlpqQYrW8RPHl4-zbLo"


def test_no_two_purposes_share_a_token() -> None:
    others = Tokens(b"t" * 32)
    tokens = [
        TOKENS.seat_token("m", 1, "key"),
        TOKENS.seat_token("m", 0, "key"),
        TOKENS.seat_token("n", 1, "key"),
        TOKENS.seat_token("m", 1, "other"),
        TOKENS.host_token("m", "key"),
        others.seat_token("m", 1, "key"),
        others.host_token("m", "key"),
    ]
    assert len({token.partition("_")[2] for token in tokens}) == len(tokens)
    assert all(re.fullmatch(r"(host|seat)_[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_only_the_token_itself_has_its_hash() -> None:
    token = TOKENS.seat_token("m", 1, "key")
    assert is_token(token, token_hash(token))
    for wrong in ("", token[:-1], token + "A", TOKENS.seat_token("m", 0, "key"), "é"):
        assert not is_token(wrong, token_hash(token))
    assert not is_token(token, None)
    assert token.encode() not in token_hash(token)


def test_an_id_is_short_and_plain() -> None:
    ids = {TOKENS.match_id(nonce()) for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(re.fullmatch(r"[a-z2-7]{24}", match_id) for match_id in ids)
    assert TOKENS.match_id("key") == TOKENS.match_id("key") != Tokens(b"t" * 32).match_id("key")


def test_a_nonce_is_as_strong_as_a_key_must_be() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", nonce()) for _ in range(100))


def test_no_two_requests_share_a_key() -> None:
    requests = itertools.product((b"", b"a", b"ab"), ("", "b", "POST"), ("", "/a", "b/a"), ("", "k", "/ak"))
    digests = [request_key(*request) for request in requests]
    assert len(set(digests)) == len(digests) == 81
    assert {len(digest) for digest in digests} == {32}


def test_a_body_has_one_digest() -> None:
    assert body_digest(b"a") == body_digest(b"a") != body_digest(b"b")
