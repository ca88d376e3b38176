"""What the store can answer instead of a result."""

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pathlib import Path

    from service.store.record import Answer, Loaded


class StoreError(Exception):
    """Base of everything below. `code` is stable."""

    code: ClassVar[str] = "store_error"


class StoreGone(StoreError):
    """The server does not answer now: gone, restarting, loading or timed out.

    The call is worth repeating after `retry_after` seconds. After a write it is not known whether it was
    stored: repeat it with the same idempotency key.
    """

    code = "store_unavailable"
    retry_after = 1

    def __init__(self, why: str = "") -> None:
        super().__init__(f"The store does not answer: {why}" if why else "The store does not answer.")
        self.why = why


class NoMatch(StoreError):
    """There is no match with this id."""

    code = "no_such_match"

    def __init__(self, match_id: str) -> None:
        super().__init__(f"There is no match '{match_id[:60]}'.")
        self.match_id = match_id


class MatchExpired(NoMatch):
    """There was a match with this id; it ended and its time of keeping is over."""

    code = "match_expired"

    def __init__(self, match_id: str) -> None:
        super().__init__(match_id)
        self.args = (f"The match '{match_id[:60]}' ended and is not kept any longer.",)


class BadRecord(StoreError):
    """A stored document that this release cannot read."""

    code = "bad_record"


class BadCursor(StoreError):
    """A cursor that no page of this listing has given."""

    code = "bad_cursor"


class Stale(StoreError):
    """Somebody else wrote first: nothing was written, and `loaded` is what stands now."""

    code = "stale"

    def __init__(self, loaded: "Loaded") -> None:
        super().__init__(f"The match is at revision {loaded.rev}.")
        self.loaded = loaded


class Repeated(StoreError):
    """The request was answered before: nothing was written, and `answer` is what was said then."""

    code = "repeated"

    def __init__(self, answer: "Answer") -> None:
        super().__init__(f"The request was answered before, with {answer.status}.")
        self.answer = answer


class OldServer(StoreError):
    """The server lacks commands that the store needs."""

    code = "old_server"

    def __init__(self, version: str, oldest: int) -> None:
        super().__init__(f"The store's server speaks Redis {version}; it must be Redis {oldest} or Valkey.")


class EmbeddedError(StoreError):
    """The embedded server cannot be started. The message says why, and what to do."""

    code = "store_failed"


class DirectoryInUse(EmbeddedError):
    """Another service uses the data directory."""

    code = "directory_in_use"

    def __init__(self, path: "Path", holder: str) -> None:
        who = f"process {holder}" if holder else "another process"
        super().__init__(
            f"The data directory {path} is in use by {who}."
            " Stop that service first, or set CANTIERE_DATA_DIR to another directory."
        )
        self.path = path
        self.holder = holder
