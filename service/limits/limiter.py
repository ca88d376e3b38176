"""Who asks how often: shares of all clients of this worker in their buckets, and the decision."""

import asyncio
import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from schema.operation import Bucket
from service.addresses import is_within, networks, subscriber
from service.details import detail
from service.errors import TooManyRequests
from service.limits.bucket import Share
from service.limits.policy import rate
from service.settings import Settings
from service.store.errors import StoreGone
from service.store.link import Link

_ABSENCE: Final = 1.0
"""Seconds for which a store that was away is not asked again."""
_MOST: Final = 10_000
"""Shares of tokens kept at most, and of addresses. One that was forgotten starts anew: the store knows."""

RawHeaders = tuple[tuple[bytes, bytes], ...]


class Client(NamedTuple):
    """Whom a request is of: what its token and its address are known by; None for a token that is none."""

    token: bytes | None
    address: str


class Limiter:
    """Lets requests in, or not. It lets in what it cannot decide because the store is away."""

    def __init__(self, link: Link, settings: Settings) -> None:
        self._link = link
        self._is_on = settings.limits == "on"
        self._exempt = networks(settings.limits_exempt)
        rates: Mapping[Bucket, str] = {
            "create": settings.limit_create,
            "move": settings.limit_move,
            "read": settings.limit_read,
            "stream": settings.limit_stream,
        }
        self._by_token = {bucket: rate(text) for bucket, text in rates.items()}
        self._by_address = {
            bucket: each.times(settings.limit_address) for bucket, each in self._by_token.items()
        }
        self._away_until = 0.0
        self._subscriber = lru_cache(maxsize=4_096)(self._found_subscriber)
        self._of_address = lru_cache(maxsize=_MOST)(self._new_of_address)
        self._of_token = lru_cache(maxsize=_MOST)(self._new_of_token)

    async def admit(self, bucket: Bucket, client: Client) -> RawHeaders:
        """The headers that tell the client how it stands. Raises TooManyRequests."""
        if not self._is_on or (who := self._subscriber(client.address)) is None:
            return ()
        lower = share = self._of_address(bucket, who)
        if client.token is not None:
            lower = self._of_token(bucket, client.token)
        if (share.left < 1 or lower.left < 1) and not await self._fill(share, lower):
            return ()
        share.use(self._link)
        if lower is not share:
            lower.use(self._link)
            if share.fullness < lower.fullness:
                lower = share
        return _headers(lower, lower.seconds_to_full)

    async def _fill(self, share: Share, other: Share) -> bool:
        """Whether there is something left of both; not, if the store is away. Raises TooManyRequests."""
        while lacking := {each for each in (share, other) if each.left < 1}:
            now = time.monotonic()
            if now < self._away_until:
                return False
            for each in lacking:
                if now < each.open_at:
                    raise _refusal(each, now)
            if not await self._are_filled(lacking):
                self._away_until = time.monotonic() + _ABSENCE
                return False
        return True

    async def _are_filled(self, shares: set[Share]) -> bool:
        for share in shares:
            share.waiting += 1
        try:
            for taking in [share.take(self._link) for share in shares]:  # on their way together
                await asyncio.shield(taking)
        except (StoreGone, TimeoutError):
            return False
        finally:
            for share in shares:
                share.waiting -= 1
        return True

    def _new_of_address(self, bucket: Bucket, who: str) -> Share:
        return Share(bucket, self._by_address[bucket], f"limit:{bucket}:address:{who}")

    def _new_of_token(self, bucket: Bucket, token: bytes) -> Share:
        name = blake2b(token, digest_size=16).hexdigest()
        return Share(bucket, self._by_token[bucket], f"limit:{bucket}:token:{name}")

    def _found_subscriber(self, address: str) -> str | None:
        """What the client at an address is known by, None if it is exempt."""
        return None if is_within(address, self._exempt) else subscriber(address)


def _headers(share: Share, seconds: int) -> RawHeaders:
    """Source: the IETF's draft on RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-10)."""
    told = b'"%b";r=%d;t=%d' % (share.label, share.remaining, seconds)
    return (b"ratelimit-policy", share.policy), (b"ratelimit", told)


def _refusal(share: Share, now: float) -> TooManyRequests:
    quota, window = share.rate
    seconds = max(1, -int(-(share.open_at - now) // 1))
    key = "address_limit" if ":address:" in share.name else "token_limit"
    return TooManyRequests(
        detail(key, bucket=share.bucket, quota=quota, window=window),
        retry_after=seconds,
        bucket=share.bucket,
        limit=quota,
        remaining=0,
        told=_headers(share, seconds),
    )
