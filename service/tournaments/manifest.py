"""The manifest of a tournament, and its hash."""

import hashlib

import msgspec

from schema.manifest import (
    DOCUMENT,
    MOST_ENTRANTS,
    MOST_MATCHES,
    Arena,
    Consequence,
    Design,
    Duplicate,
    Entrant,
    EntrantId,
    FaultClass,
    FaultPolicy,
    FaultRule,
    Fixed,
    Format,
    Gauntlet,
    Kind,
    Knockout,
    Limits,
    Luck,
    Manifest,
    Many,
    Milliseconds,
    Placings,
    Probability,
    Rotation,
    RoundRobin,
    Seatings,
    Sprt,
    Stopping,
    Swiss,
    TieBreak,
)

__all__ = [
    "DOCUMENT",
    "MOST_ENTRANTS",
    "MOST_MATCHES",
    "Arena",
    "Consequence",
    "Design",
    "Duplicate",
    "Entrant",
    "EntrantId",
    "FaultClass",
    "FaultPolicy",
    "FaultRule",
    "Fixed",
    "Format",
    "Gauntlet",
    "Kind",
    "Knockout",
    "Limits",
    "Luck",
    "Manifest",
    "Many",
    "Milliseconds",
    "Placings",
    "Probability",
    "Rotation",
    "RoundRobin",
    "Seatings",
    "Sprt",
    "Stopping",
    "Swiss",
    "TieBreak",
    "canonical",
    "digest",
]


def canonical(manifest: Manifest) -> bytes:
    """The manifest as bytes that everybody finds alike: JSON in UTF-8, names sorted, no blanks."""
    return msgspec.json.encode(manifest, order="sorted")


def digest(manifest: Manifest) -> str:
    """SHA-256 (hex) of the canonical bytes: what is published before the start."""
    return hashlib.sha256(canonical(manifest)).hexdigest()
