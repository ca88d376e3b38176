"""What is stored: the document of a match, its events, and answers to requests with an idempotency key.

All are msgpack arrays that grow only at the end, so that a release reads what an older one wrote. The
document begins with a format number, for the day when that is not enough.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from engine.game import Change
from engine.match import Event, Kind, Step
from service.clocks.arithmetic import Clock, Timing, stop
from service.store.errors import BadRecord

FORMAT: Final = 1
SNAPSHOT_EVERY: Final = 256
"""The encoded state is kept at version 0 and at every multiple of this."""

Status = Literal["open", "running", "finished", "cancelled", "aborted"]
STATUSES: Final[tuple[Status, ...]] = ("open", "running", "finished", "cancelled", "aborted")
ENDED: Final[frozenset[Status]] = frozenset(("finished", "cancelled", "aborted"))
Visibility = Literal["public", "unlisted"]
Joining = Literal["open", "invited"]


class SeatRecord(Struct, frozen=True, array_like=True, gc=False):
    """A place at the table. It is taken iff it has a token hash; `joined_at` is in ms since 1970.

    `player` is the account of who has it, `bot` the built-in player; both are empty for guests. As long as it
    is free, `held_for` is whose it is to be: empty for anybody's.
    """

    name: str | None = None
    token_hash: bytes | None = None
    nonce: str = ""
    joined_at: int = 0
    player: str = ""
    bot: str = ""
    held_for: str = ""

    @property
    def is_taken(self) -> bool:
        return self.token_hash is not None


class MatchRecord(Struct, frozen=True, array_like=True, gc=False):
    """The document of a match. It holds the seed and is never served as it is.

    `options` and `deal` are JSON; `deal` is the one given, until the start, when it is put beside the
    document for good (`Store.deal`). `state` is msgpack of the state at `version`, empty until the start;
    times are in ms since 1970, 0 for not yet; `ranks` follow the rows of the standing, empty until the end;
    `given` holds `seed` and `deal` where the creator chose them; `clock` is None in matches of releases
    without clocks. `creator` is the account of who made it, empty for a guest; `joining` says who may take a
    seat, `invited` are ids of players; `rematch_of` is the match before.
    `tournament` is the one it is played for, empty for none; `chance` is what its chance is keyed by instead
    of its id, if that is not empty; the seed of one that is withheld is not published at its end.
    """

    format: int
    id: str
    game: str
    rules: int
    edition_name: str
    edition_digest: str
    status: Status
    visibility: Visibility
    seats: tuple[SeatRecord, ...]
    options: bytes
    deal: bytes
    state: bytes
    version: int
    seed: bytes
    commitment: str
    given: tuple[str, ...]
    host_hash: bytes
    created_at: int
    started_at: int = 0
    updated_at: int = 0
    ended_at: int = 0
    ranks: tuple[int, ...] = ()
    clock: Clock | None = None
    creator: str = ""
    joining: Joining = "open"
    invited: tuple[str, ...] = ()
    rematch_of: str = ""
    tournament: str = ""
    chance: str = ""
    is_withheld: bool = False

    def __repr__(self) -> str:
        """What may stand in a log: the seed may not."""
        return f"MatchRecord({self.id} {self.game} {self.status} version {self.version})"

    @property
    def is_over(self) -> bool:
        """Whether it was finished, cancelled or aborted: nothing can be done to it any more."""
        return self.status in ENDED


class StoredEvent(Struct, frozen=True, array_like=True, gc=False):
    """An event of the log: what was done, its changes, and when.

    In ms since 1970: `offered`, when the seat was asked, `received`, when the request came, and `at`, when it
    was applied; the first two are 0 in events of releases without clocks. `spent` and `left` are in ms.
    """

    version: int
    kind: Kind
    seat: int | None
    move: str
    cause: str | None
    at: int
    changes: tuple[Change, ...] = ()
    offered: int = 0
    received: int = 0
    spent: int = 0
    left: int | None = None

    @property
    def event(self) -> Event:
        """The event as the engine knows it."""
        return Event(self.version, self.kind, self.seat, self.move, self.cause)


class Answer(Struct, frozen=True, array_like=True, gc=False):
    """What a request was answered. `request` is the SHA-256 of its body, to know a repeat from another one.

    A token in `body` is replaced by a placeholder of the caller's: tokens are never stored.
    """

    request: bytes
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Idem(Struct, frozen=True, gc=False):
    """An answer to be recorded under `key`, the digest that `service.tokens.request_key` makes."""

    key: bytes
    answer: Answer


class Loaded(NamedTuple):
    """A document, the revision to name when it is written again, and the answer recorded for the request."""

    rev: int
    record: MatchRecord
    repeated: Answer | None = None


def stored_events(steps: Sequence[Step], at: int, timings: Sequence[Timing]) -> tuple[StoredEvent, ...]:
    """The steps of a play as the log keeps them, all applied at one time."""
    return tuple(
        StoredEvent(event.version, event.kind, event.seat, event.move, event.cause, at, changes, *timing)
        for (event, changes, _), timing in zip(steps, timings, strict=True)
    )


def snapshots(steps: Sequence[Step]) -> tuple[tuple[int, bytes], ...]:
    """Version and encoded state of every step whose state is kept."""
    return tuple(
        (step.event.version, encode(step.state)) for step in steps if step.event.version % SNAPSHOT_EVERY == 0
    )


def ended(record: MatchRecord, status: Status, at: int, ranks: tuple[int, ...] = ()) -> MatchRecord:
    """The record of the same match, over since `at`."""
    clock = record.clock and stop(record.clock)
    return msgspec.structs.replace(
        record, status=status, ended_at=at, updated_at=at, ranks=ranks, clock=clock
    )


def belated(record: MatchRecord, late: int) -> MatchRecord:
    """The record of the same match, whose running clock began so many ms later: when it was stored."""
    if not late or record.clock is None:
        return record
    clock = msgspec.structs.replace(record.clock, since=record.clock.since + late)
    return msgspec.structs.replace(record, clock=clock)


encode: Final = msgspec.msgpack.Encoder().encode
_decode_record: Final = msgspec.msgpack.Decoder(MatchRecord).decode
_decode_event: Final = msgspec.msgpack.Decoder(StoredEvent).decode
_decode_answer: Final = msgspec.msgpack.Decoder(Answer).decode


class _Head(Struct, array_like=True):
    format: int


def read_record(blob: bytes) -> MatchRecord:
    """The document in a blob. Raises BadRecord if it is damaged or of another format."""
    try:
        record = _decode_record(blob)
    except msgspec.DecodeError as error:
        _check_format(blob)
        raise BadRecord(f"A stored match cannot be read: {error}") from None
    if record.format != FORMAT:
        _check_format(blob)
    return record


def read_event(blob: bytes) -> StoredEvent:
    """The event in a blob. Raises BadRecord."""
    try:
        return _decode_event(blob)
    except msgspec.DecodeError as error:
        raise BadRecord(f"A stored event cannot be read: {error}") from None


def read_answer(blob: bytes) -> Answer:
    """The answer in a blob. Raises BadRecord."""
    try:
        return _decode_answer(blob)
    except msgspec.DecodeError as error:
        raise BadRecord(f"A recorded answer cannot be read: {error}") from None


def _check_format(blob: bytes) -> None:
    """Raise BadRecord if the blob is of another format, or of none."""
    try:
        number = msgspec.msgpack.decode(blob, type=_Head).format
    except msgspec.DecodeError as error:
        raise BadRecord(f"A stored match cannot be read: {error}") from None
    if number != FORMAT:
        raise BadRecord(
            f"A stored match has format {number}; this release reads format {FORMAT}."
            " Use the release that wrote it, or a newer one."
        )
