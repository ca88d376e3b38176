"""What is stored of a tournament beside its entries: msgpack arrays that grow only at the end."""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from service.store.errors import BadRecord
from service.tournaments.manifest import Entrant, Manifest, digest
from service.tournaments.record import Entry, Record

FORMAT: Final = 1
Status = Literal["open", "running", "paused", "finished", "cancelled"]
STATUSES: Final[tuple[Status, ...]] = ("open", "running", "paused", "finished", "cancelled")


class Document(Struct, frozen=True, array_like=True, gc=False):
    """A tournament as it stands. It holds the secret seed and is never served as it is.

    `organiser` is the account of who made it. Before the start `entrants` may still change, and `manifest`
    has none; from then on they stand in the manifest. Times are in ms since 1970, 0 for not yet.
    """

    format: int
    id: str
    status: Status
    organiser: str
    manifest: Manifest
    seed: bytes
    created_at: int
    entrants: tuple[Entrant, ...] = ()
    started_at: int = 0
    ended_at: int = 0

    def __repr__(self) -> str:
        """What may stand in a log: the seed may not."""
        return f"Document({self.id} {self.manifest.game} {self.status})"

    @property
    def is_over(self) -> bool:
        """Whether nothing happens any more."""
        return self.status in ("finished", "cancelled")

    @property
    def has_begun(self) -> bool:
        """Whether the manifest is fixed."""
        return self.started_at > 0

    def record(self, entries: tuple[Entry, ...]) -> Record:
        """The record as it may be shown: with the seed when all is over."""
        seed = self.seed.hex() if self.is_over else None
        return Record(manifest=self.manifest, hash=digest(self.manifest), entries=entries, seed=seed)


encode: Final = msgspec.msgpack.Encoder().encode
encode_entry: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Document).decode
_decode_entry: Final = msgspec.json.Decoder(Entry).decode


def read_document(blob: bytes) -> Document:
    """The document in a blob. Raises BadRecord if it is damaged or of another format."""
    try:
        document = _decode(blob)
    except msgspec.DecodeError as error:
        raise BadRecord(f"A stored tournament cannot be read: {error}") from None
    if document.format != FORMAT:
        raise BadRecord(f"A stored tournament has format {document.format}; this release reads {FORMAT}.")
    return document


def read_entry(blob: bytes) -> Entry:
    """The entry of a record in a blob. Raises BadRecord."""
    try:
        return _decode_entry(blob)
    except msgspec.DecodeError as error:
        raise BadRecord(f"A stored entry of a tournament cannot be read: {error}") from None
