"""The names of keys. All keys of a tournament share one hash tag, and so do the listings."""

from typing import Final

ACTIVE: Final = "{tournaments}:active"
"""Set: ids of tournaments that have something to be done; it may hold some that have not."""
LISTED: Final = "{tournaments}:listed"
"""Sorted set, all scores 0: every tournament, as `<created in ms, 13 digits>:<id>`."""
WAKE: Final = "{tournaments}:wake"
"""The channel on which it is told that something is to be done in a tournament that was idle."""


def tournament(tournament_id: str) -> str:
    """Hash of `rev` and `blob`; also the channel on which its changes are told."""
    return f"{{tournament:{tournament_id}}}"


def matches(tournament_id: str) -> str:
    """The channel on which it is told what happens in its matches: the id and the status of one."""
    return f"{{tournament:{tournament_id}}}:matches"


def tournament_of(channel: str) -> str:
    """The id of the tournament whose channel it is."""
    return channel.removeprefix("{tournament:").partition("}")[0]


def entries(tournament_id: str) -> str:
    """List: the entries of the record, encoded, in order."""
    return f"{{tournament:{tournament_id}}}:entries"


def answer(tournament_id: str, key: bytes) -> str:
    """The answer recorded for a request."""
    return f"{{tournament:{tournament_id}}}:idem:{key.hex()}"


def driver(tournament_id: str) -> str:
    """Held by the worker that drives the tournament."""
    return f"{{tournament:{tournament_id}}}:driver"


def refused(match_id: str) -> str:
    """Hash: seat -> how many moves of it were refused. It lies with its match."""
    return f"{{match:{match_id}}}:refused"
