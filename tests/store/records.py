"""Matches as tests need them, and a way to see everything that is stored."""

from typing import Any

import msgspec

from service.store.link import Link
from service.store.record import FORMAT, Answer, Idem, MatchRecord, SeatRecord, StoredEvent

CREATED = 1_700_000_000_000


def match_id(number: int) -> str:
    """The id of the number'th match of a test."""
    digits = f"{number:024d}"
    return digits.translate(str.maketrans("0123456789", "abcdefghij"))


def a_record(number: int = 1, **fields: Any) -> MatchRecord:
    """An open public match with one of two seats taken, unless `fields` say otherwise."""
    record = MatchRecord(
        format=FORMAT,
        id=match_id(number),
        game="some-game",
        rules=1,
        edition_name="standard",
        edition_digest="d" * 64,
        status="open",
        visibility="public",
        seats=(SeatRecord("Ada", b"h" * 32, "nonce", CREATED + 1), SeatRecord()),
        options=b"{}",
        deal=b"",
        state=b"",
        version=0,
        seed=b"s" * 32,
        commitment="c" * 64,
        given=(),
        host_hash=b"t" * 32,
        created_at=CREATED + number,
        updated_at=CREATED + number,
    )
    return msgspec.structs.replace(record, **fields)


def running(record: MatchRecord) -> MatchRecord:
    """The same match, started, at version 0."""
    at = record.created_at + 1_000
    return msgspec.structs.replace(record, status="running", state=b"state 0", started_at=at, updated_at=at)


def at_version(record: MatchRecord, version: int, state: bytes = b"") -> MatchRecord:
    """The same match at a later version."""
    return msgspec.structs.replace(record, version=version, state=state or b"state %d" % version)


def an_event(version: int) -> StoredEvent:
    """The event that leads to a version."""
    return StoredEvent(version, "action", version % 2, f"move:{version}", None, CREATED + version)


def an_idem(key: bytes = b"k" * 32, body: bytes = b"answer") -> Idem:
    """An answer to be recorded."""
    return Idem(key, Answer(b"r" * 32, 200, (("etag", '"7"'),), body))


async def everything(link: Link) -> dict[bytes, bytes]:
    """Every key with its value, as the server dumps it."""
    names = sorted([name async for name in link.scan("*")])
    return dict(zip(names, await link.calls([("DUMP", name) for name in names]), strict=True))
