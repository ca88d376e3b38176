"""Choosing among representations by what the client accepts. Source: RFC 9110, 12.4.2, 12.5.1 and 12.5.3."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

CODINGS: Final = ("br", "gzip")
"""Content codings that are offered, the best one first."""
_MEDIA_RANGE: Final = re.compile(r"[^\s/]+/[^\s/]+")
_QUALITY: Final = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", re.IGNORECASE)


class Range(NamedTuple):
    """What an entry of a header names, and how much the client likes it, from 0 (not at all) to 1."""

    name: str
    quality: float


@lru_cache(maxsize=256)
def preferred(accept: str, offered: tuple[str, ...]) -> str | None:
    """The media type offered that an Accept header likes best, the first of equals; None if it takes none.

    A header that names no media type takes everything. Parameters of media types are not looked at.
    """
    liked = tuple(found for found in ranges(accept) if _MEDIA_RANGE.fullmatch(found.name))
    if not liked:
        return offered[0]
    best = max(offered, key=lambda media_type: _liking(liked, media_type))  # of equals the first
    return best if _liking(liked, best) else None


@lru_cache(maxsize=256)
def coding(accept_encoding: str) -> str | None:
    """The content coding that is best for an Accept-Encoding header, None to send as it is.

    Which one of those that it likes is ours to choose: the one that makes the smaller bodies.
    """
    said = dict(reversed(tuple(ranges(accept_encoding))))
    if "x-gzip" in said:
        said.setdefault("gzip", said["x-gzip"])
    other = said.get("*", 0.0)
    return next((name for name in CODINGS if said.get(name, other) > 0), None)


def ranges(header: str) -> Iterator[Range]:
    """What a header names, in its order."""
    for entry in header.split(","):
        name, *parameters = entry.split(";")
        if name.strip():
            found = [match for text in parameters if (match := _QUALITY.fullmatch(text))]
            yield Range(name.strip().lower(), float(found[0][1]) if found else 1.0)


def _liking(liked: tuple[Range, ...], media_type: str) -> float:
    """The quality that the narrowest range gives to a media type, 0 if none has it."""
    for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        given = [quality for found, quality in liked if found == name]
        if given:
            return max(given)
    return 0.0
