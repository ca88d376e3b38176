"""Who asks how often: shares of all clients of this worker in their buckets, and the decision."""

import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from schema.operation import Bucket
from service.addresses import is_within, networks, subscriber
from service.errors import TooManyRequests
from service.limits.bucket import Share
from service.limits.policy import Rate, rate
from service.settings import Settings
from service.store.errors import StoreGone
from service.store.link import Link

_ABSENCE: Final = 1.0
"""Seconds for which a store that was away is not asked again."""
_MOST: Final = 50_000
"""Shares kept at most, besides those that are in use."""

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
        self._shares: dict[tuple[Bucket, bytes | str], Share] = {}
        self._away_until = 0.0
        self._subscriber = lru_cache(maxsize=4_096)(self._found_subscriber)

    async def admit(self, bucket: Bucket, client: Client) -> RawHeaders:
        """The headers that tell the client how it stands. Raises TooManyRequests."""
        if not self._is_on or (who := self._subscriber(client.address)) is None:
            return ()
        shares = [self._share(bucket, self._by_address[bucket], who)]
        if client.token is not None:
            shares.append(self._share(bucket, self._by_token[bucket], _name(client.token)))
        if any(share.left < 1 for share in shares) and not await self._fill(shares):
            return ()
        for share in shares:
            share.use(self._link)
        lowest = min(shares, key=_fullness)
        return _headers(lowest, lowest.seconds_to_full)

    async def _fill(self, shares: list[Share]) -> bool:
        """Whether there is something left of all of them; not, if the store is away."""
        while lacking := [share for share in shares if share.left < 1]:
            now = time.monotonic()
            if now < self._away_until:
                return False
            for share in lacking:
                if now < share.open_at:
                    raise _refusal(share, now)
                share.take(self._link)  # both calls are on their way together
            for share in lacking:
                if not await self._is_filled(share):
                    self._away_until = time.monotonic() + _ABSENCE
                    return False
        return True

    async def _is_filled(self, share: Share) -> bool:
        try:
            await share.fill(self._link)
        except (StoreGone, TimeoutError):
            return False
        return True

    def _share(self, bucket: Bucket, full: Rate, who: str) -> Share:
        key = (bucket, who)
        share = self._shares.get(key)
        if share is None:
            if len(self._shares) >= _MOST:
                self._forget()
            share = self._shares[key] = Share(bucket, full, f"limit:{bucket}:{who}")
        return share

    def _forget(self) -> None:
        """Forget the shares that say nothing; if too many say something, all of them: the store knows."""
        now = time.monotonic()
        kept = {key: share for key, share in self._shares.items() if not share.is_idle(now)}
        self._shares = kept if len(kept) < _MOST // 2 else {}

    def _found_subscriber(self, address: str) -> str | None:
        """What the client at an address is known by, None if it is exempt."""
        return None if is_within(address, self._exempt) else f"address:{subscriber(address)}"


@lru_cache(maxsize=4_096)
def _name(token: bytes) -> str:
    return f"token:{blake2b(token, digest_size=16).hexdigest()}"


def _fullness(share: Share) -> float:
    return share.remaining / share.rate.quota


def _headers(share: Share, seconds: int) -> RawHeaders:
    """Source: the IETF's draft on RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-10)."""
    (quota, window), name = share.rate, share.bucket.encode()
    return (
        (b"ratelimit-policy", b'"%b";q=%d;w=%d' % (name, quota, window)),
        (b"ratelimit", b'"%b";r=%d;t=%d' % (name, share.remaining, seconds)),
    )


def _refusal(share: Share, now: float) -> TooManyRequests:
    quota, window = share.rate
    seconds = max(1, -int(-(share.open_at - now) // 1))
    whose = "address" if ":address:" in share.name else "token"
    return TooManyRequests(
        f"Your {whose} has used up '{share.bucket}': {quota} at once, and {quota} more in {window} s.",
        retry_after=seconds,
        bucket=share.bucket,
        limit=quota,
        remaining=0,
        told=_headers(share, seconds),
    )
