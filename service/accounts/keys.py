"""The names of keys. All keys of a player share one hash tag; each name and each invite has its own."""

import hashlib
import unicodedata


def player(player_id: str) -> str:
    """Hash of `rev` and `blob`; also the channel on which the player's stream is told to go on."""
    return f"{{player:{player_id}}}"


def used(player_id: str) -> str:
    """Hash: id of an API token -> when it was last used, about, in ms since 1970."""
    return f"{{player:{player_id}}}:used"


def answer(player_id: str, key: bytes) -> str:
    """The answer recorded for a request."""
    return f"{{player:{player_id}}}:idem:{key.hex()}"


def events(player_id: str) -> str:
    """Stream of what the player is told: fields `k` kind, `m` match, `v` version, `a` known before."""
    return f"{{player:{player_id}}}:events"


def present(player_id: str) -> str:
    """When the player listened to its own stream last, in ms since 1970; absent if that is long ago."""
    return f"{{player:{player_id}}}:present"


def matches(player_id: str) -> str:
    """Sorted set, all scores 0: the matches in which the player has, or had, a seat, as in a listing."""
    return f"{{player:{player_id}}}:matches"


def live(player_id: str) -> str:
    """Set: ids of the matches that are not over and concern the player."""
    return f"{{player:{player_id}}}:live"


def told(player_id: str, match_id: str) -> str:
    """Hash: what the player was told of a match last; it outlives the match: nothing is told again.

    It expires a day after the match is over, or would be if nothing more happened in it.
    """
    return f"{{player:{player_id}}}:told:{match_id}"


def name(text: str) -> str:
    """Who has a name; names that differ in case, in blanks or in their Unicode form only are the same."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return f"{{name:{_digest(folded)}}}"


def invite(code: str) -> str:
    """Who has used an invite."""
    return f"{{invite:{_digest(code)}}}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
