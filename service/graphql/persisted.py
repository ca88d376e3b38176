"""Documents that are asked for by their SHA-256: registered ones, and those that clients have sent along.

The protocol is that of automatic persisted queries (Apollo): a client sends the hash alone, is told that it
is not known, and sends it again with the text. What was sent is known to one worker, not for ever; another
one says that it does not know it, and the client sends the text again.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from service.errors import InvalidBody
from service.graphql.refusals import NotRegistered, PersistedQueryNotFound
from service.settings import BadSettings, Settings, variable_of

EXTENSION: Final = "persistedQuery"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_VARIABLE: Final = variable_of("graphql_documents")


class Named(Struct):
    """What the extension says."""

    version: int
    sha256Hash: str  # noqa: N815 - the protocol's name


class Persisted:
    """The texts of documents by their hashes, as many of those sent along as the cache holds documents."""

    def __init__(self, settings: Settings) -> None:
        """Raises BadSettings if the file of registered documents cannot be used."""
        self._registered = registered(settings.graphql_documents)
        self._texts = frozenset(self._registered.values())
        self._is_open = settings.graphql_unregistered == "on"
        self._most = settings.graphql_cache
        self._sent: OrderedDict[str, str] = OrderedDict()

    def text(self, text: str | None, extensions: Mapping[str, Any] | None) -> str:
        """The document that a request means. Raises InvalidBody, PersistedQueryNotFound, NotRegistered."""
        named = _named(extensions)
        if text is None and named is None:
            raise InvalidBody("$.query: It is missing.", where="$.query")
        if named is not None:
            text = self._by_hash(named.sha256Hash, text)
        assert text is not None
        if not self._is_open and text not in self._texts:
            raise NotRegistered("Only registered documents are answered here.")
        return text

    def _by_hash(self, digest: str, text: str | None) -> str:
        if text is not None:
            if digest_of(text) != digest:
                raise InvalidBody(
                    f"$.extensions.{EXTENSION}: It is not the SHA-256 of the document.", where="$"
                )
            self._keep(digest, text)
            return text
        found = self._registered.get(digest) or self._sent.get(digest)
        if found is None:
            raise PersistedQueryNotFound
        return found

    def _keep(self, digest: str, text: str) -> None:
        if digest not in self._registered and self._is_open:
            self._sent[digest] = text
            if len(self._sent) > self._most:
                self._sent.popitem(last=False)


def registered(path: str) -> dict[str, str]:
    """The registered documents in a file, by hash; none without a file. Raises BadSettings."""
    if not path:
        return {}
    try:
        found = msgspec.json.decode(Path(path).expanduser().read_bytes(), type=dict[str, str])
    except OSError as error:
        raise BadSettings(f"{_VARIABLE}: {path} cannot be read: {error.strerror or error}.") from None
    except msgspec.MsgspecError as error:
        raise BadSettings(f"{_VARIABLE}: {path} is no JSON object of texts: {error}.") from None
    for digest, text in found.items():
        if digest_of(text) != digest:
            raise BadSettings(f"{_VARIABLE}: {digest[:70]} in {path} is not the SHA-256 of its document.")
    return found


def digest_of(text: str) -> str:
    """The SHA-256 of a document, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _named(extensions: Mapping[str, Any] | None) -> Named | None:
    if not extensions or EXTENSION not in extensions:
        return None
    try:
        named = msgspec.convert(extensions[EXTENSION], Named)
    except msgspec.ValidationError as error:
        raise InvalidBody(f"$.extensions.{EXTENSION}: {error}.", where=f"$.extensions.{EXTENSION}") from None
    if named.version != 1 or not _HASH.fullmatch(named.sha256Hash):
        raise InvalidBody(
            f"$.extensions.{EXTENSION}: It has version 1 and a SHA-256 in hex.",
            where=f"$.extensions.{EXTENSION}",
        )
    return named
