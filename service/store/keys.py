"""The names of keys. All keys of a match share one hash tag, and so do all keys of the index."""

from typing import Final

from service.store.record import STATUSES, Status

OUTBOX_PATTERN: Final = "{match:*}:outbox"
ANY: Final = "*"
"""Stands for every game, or every status, in the name of a listing."""

KNOWN: Final = "{index}:known"
"""Hash: match id -> the revision that is indexed, the game and the member, with blanks between."""
DUE: Final = "{index}:due"
"""Sorted set: match id by the ms since 1970 at which the sweep has to look at it."""
DEADLINES: Final = "{index}:deadlines"
"""Sorted set: match id by the ms since 1970 before which no flag of it can fall."""
LEASE: Final = "{index}:lease"
"""When a worker looked after the clocks last, in ms since 1970."""
STALLS: Final = "{index}:stalls"
"""Sorted set: `<beginning> <end>` of each time in which no worker did, by its end; in ms since 1970."""
SWEEPING: Final = "{index}:sweeping"
"""Held by the worker that sweeps."""


def match(match_id: str) -> str:
    """Hash of `rev`, `version`, `status`, `blob`, `late`, `deal`; also the channel that tells its commits."""
    return f"{{match:{match_id}}}"


def events(match_id: str) -> str:
    """Stream of events; the id of an entry is `<version>-0`, its field is `e`."""
    return f"{{match:{match_id}}}:events"


def state_at(match_id: str, version: int) -> str:
    """The encoded state at a version."""
    return f"{{match:{match_id}}}:at:{version}"


def answer(match_id: str, key: bytes) -> str:
    """The answer recorded for a request."""
    return f"{{match:{match_id}}}:idem:{key.hex()}"


def outbox(match_id: str) -> str:
    """The revision that the index has to show; absent when it does."""
    return f"{{match:{match_id}}}:outbox"


def ended(match_id: str) -> str:
    """There if the match ended; it outlives the match, so that its id is known as expired."""
    return f"{{match:{match_id}}}:ended"


def listing(game: str, status: Status | str) -> str:
    """Sorted set of the public matches of a game and a status, or ANY; members are made by `member`."""
    return f"{{index}}:{game}:{status}"


def listings(game: str) -> tuple[str, ...]:
    """Every listing a match of the game can be in: of any status and of each, for the game and for any."""
    return tuple(listing(which, status) for which in (game, ANY) for status in (ANY, *STATUSES))


def member(created_at: int, match_id: str) -> str:
    """A match in a listing: ordered by the time of creation."""
    return f"{created_at:013d}:{match_id}"


def match_of(key: str) -> str:
    """The id of the match whose document, or channel, this is."""
    return key.removeprefix("{match:").removesuffix("}")


def match_of_outbox(key: str) -> str:
    """The id of the match whose outbox this is."""
    return key.removeprefix("{match:").removesuffix("}:outbox")


def match_of_member(member: str) -> str:
    """The id of the match that a member of a listing stands for."""
    return member.partition(":")[2]
