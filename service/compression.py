"""Bodies in a content coding: smaller on the way. Source: RFC 9110, 8.4; RFC 1952 (gzip); RFC 7932 (br)."""

import asyncio
import gzip
from typing import Final

import brotli

SMALLEST: Final = 4_096
"""Bytes of a body that is worth it: smaller ones go out in as many round trips as they are."""
_LARGE: Final = 131_072
"""Bytes of a body during whose compression other requests go on: it lasts a ms or more."""
_BROTLI_QUALITY: Final = 4
_GZIP_LEVEL: Final = 5
_TYPES: Final = (b"text/", b"application/", b"image/svg+xml")


def is_compressible(media_type: bytes) -> bool:
    """Whether bodies of this type become smaller: text, and what is made of it."""
    return media_type.startswith(_TYPES)


async def coded(body: bytes, coding: str) -> bytes:
    """The body in a coding of `service.negotiation.CODINGS`; the same bytes for the same body."""
    if len(body) >= _LARGE:
        return await asyncio.to_thread(_coded, body, coding)
    return _coded(body, coding)


def _coded(body: bytes, coding: str) -> bytes:
    if coding == "br":
        compressed: bytes = brotli.compress(body, quality=_BROTLI_QUALITY)
        return compressed
    return gzip.compress(body, _GZIP_LEVEL, mtime=0)
