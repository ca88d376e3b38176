"""What an operation of the REST API is, and what operations share."""

from typing import Any, Final, Literal, NamedTuple

from schema import wire
from schema.problems import KINDS

API: Final = "/api/v1"
JSON: Final = "application/json"
MSGPACK: Final = "application/vnd.msgpack"
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
TEXT: Final = "text/plain"
SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
BOTH: Final = (JSON, MSGPACK)

MATCH = "/matches/{match_id:str}"
OF_MATCH = ("no_such_match", "match_expired", "other_rules")
OF_BOX = ("edition_missing",)
OF_VERSION = (*OF_MATCH, *OF_BOX, "match_not_started", "unknown_version")
OF_BODY = (
    "malformed_body",
    "invalid_body",
    "body_timeout",
    "body_too_large",
    "unsupported_media_type",
    "bad_request",
)
OF_LIMITS = ("too_many_requests",)
OF_CHANGE = ("invalid_header", "key_reused", "busy")
OF_TOKEN = ("token_required", "unknown_token", "wrong_token")
OF_PLAYER = ("token_required", "unknown_token", "token_expired", "missing_scope")
OF_STORE = ("store_unavailable",)
OF_STREAM = ("unknown_version", "too_many_streams", "busy")


Bucket = Literal["create", "move", "read", "stream"]
Bearer = Literal["seat", "host", "player"]


class Operation(NamedTuple):
    """An address with a method.

    `answer` is the body of success, None where it is no JSON of ours; `streams` names in
    `wire_streams.STREAMS` what is sent one after the other where the client asks for SSE or NDJSON. `bearer`
    is the kind of token that it needs, None if it needs none; an API token with `scope` does as well, or,
    where none is needed, says who asks. What is `is_fleeting` is out of date as soon as it is told. A
    POST that `is_question` changes nothing.
    """

    name: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    tag: str
    summary: str
    answer: Any
    media_types: tuple[str, ...] = BOTH
    status: int = 200
    query: type[wire.Asked] = wire.NoQuery
    body: type[wire.Asked] | None = None
    bearer: Bearer | None = None
    scope: wire.Scope | None = None
    streams: str | None = None
    own_codes: tuple[str, ...] = ()
    own_bucket: Bucket | None = None
    is_fleeting: bool = False
    is_question: bool = False

    @property
    def has_etag(self) -> bool:
        """Whether what it answers can be asked for again by its ETag."""
        return self.method == "GET" and self.status == 200 and not self.is_fleeting

    @property
    def is_change(self) -> bool:
        """Whether it is a request whose answer can be recorded under an idempotency key."""
        return self.method == "DELETE" or (self.body is not None and not self.is_question)

    @property
    def bucket(self) -> Bucket | None:
        """What it counts as where requests are limited."""
        if self.tag == "service":
            return None
        return self.own_bucket or ("read" if self.method == "GET" else "move")

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all problems that it may answer, by status."""
        codes = {*self.own_codes, "invalid_query", "internal_error"}
        if self.media_types:
            codes.add("not_acceptable")
        if self.bucket is not None:
            codes.update(OF_LIMITS)
        if self.body is not None:
            codes.update(OF_BODY)
        if self.is_change:
            codes.update(OF_CHANGE)
        if self.bearer is not None:
            codes.update(OF_TOKEN)
        if self.scope is not None:
            codes.update(OF_PLAYER)
        return tuple(sorted(codes, key=lambda code: (KINDS[code].status, code)))
