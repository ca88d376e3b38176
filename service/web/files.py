"""Files as they are served: read once, named by what is in them, compressed once."""

import asyncio
import gzip
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

import brotli

from service.compression import is_compressible

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
"""By the end of a name; files with another end are not served."""


class File:
    """A body with its media type, and its language if people read it. `tag` is the strong ETag of the body
    as it is, without a coding."""

    def __init__(self, media_type: str, body: bytes, language: str | None = None) -> None:
        self.media_type: Final = media_type
        self.language: Final = language
        self.body: Final = body
        self.digest: Final = blake2b(body, digest_size=12).hexdigest()
        self.tag: Final = f'"{self.digest}"'
        self.is_compressible: Final = is_compressible(media_type.encode())
        self._coded: Final[dict[str, bytes]] = {}

    async def coded(self, coding: str) -> bytes:
        """The body in a coding of `service.negotiation.CODINGS`: made once, while other requests go on."""
        if coding not in self._coded:
            self._coded[coding] = await asyncio.to_thread(_CODERS[coding], self.body)
        return self._coded[coding]


_CODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": lambda body: bytes(brotli.compress(body, quality=9)),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}


def read_folder(folder: Path) -> dict[str, File]:
    """Every file in a folder and below that has a media type, by its path with slashes, in order."""
    return {
        path.relative_to(folder).as_posix(): File(media_type, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if (media_type := MEDIA_TYPES.get(path.suffix)) is not None
    }


def digest_of(files: Mapping[str, File]) -> str:
    """What names a set of files: another one for any other name or content."""
    whole = blake2b(digest_size=9)
    for name, file in sorted(files.items()):
        whole.update(f"{name}\n{file.digest}\n".encode())
    return whole.hexdigest()
