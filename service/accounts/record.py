"""What is stored of a player: msgpack arrays that grow only at the end, as those of matches."""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from schema.wire import Scope
from service.store.errors import BadRecord

FORMAT: Final = 1


class Grant(Struct, frozen=True, array_like=True, gc=False):
    """An API token: the hash of it, and what it may do. Times are in ms since 1970, 0 for never."""

    id: str
    label: str
    hash: bytes
    scopes: tuple[Scope, ...]
    created_at: int
    expires_at: int = 0

    def __repr__(self) -> str:
        return f"Grant({self.id} {' '.join(self.scopes)})"


class PlayerRecord(Struct, frozen=True, array_like=True, gc=False):
    """The document of a player. Its tokens are in the order in which they were made."""

    format: int
    id: str
    name: str
    kind: Literal["person", "bot"]
    created_at: int
    grants: tuple[Grant, ...] = ()


_decode: Final = msgspec.msgpack.Decoder(PlayerRecord).decode


def read_player(blob: bytes) -> PlayerRecord:
    """The document in a blob. Raises BadRecord if it is damaged or of another format."""
    try:
        record = _decode(blob)
    except msgspec.DecodeError as error:
        raise BadRecord(f"A stored player cannot be read: {error}") from None
    if record.format != FORMAT:
        raise BadRecord(f"A stored player has format {record.format}; this release reads {FORMAT}.")
    return record
