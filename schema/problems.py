"""The kinds of problems that answers may describe: a stable code with its status and title (RFC 9457)."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """The status and the title of a kind of problem."""

    status: int
    title: str


KINDS: Final[Mapping[str, Kind]] = {
    "bad_request": Kind(400, "The request is malformed"),
    "malformed_body": Kind(400, "The body is not what its content type says"),
    "invalid_body": Kind(400, "The body does not fit its schema"),
    "invalid_query": Kind(400, "A parameter of the query is not allowed"),
    "invalid_header": Kind(400, "A header is not allowed"),
    "bad_cursor": Kind(400, "The cursor is of no page"),
    "malformed_document": Kind(400, "The document is no GraphQL"),
    "invalid_document": Kind(400, "The document does not fit the schema"),
    "invalid_variables": Kind(400, "The variables do not fit the operation"),
    "unknown_operation": Kind(400, "The document has no such operation"),
    "batch_refused": Kind(400, "One operation a request"),
    "too_costly": Kind(400, "The operation asks for too much at once"),
    "unparsable_move": Kind(400, "That is no move of this game"),
    "token_required": Kind(401, "A token is needed"),
    "unknown_token": Kind(401, "The token is not known"),
    "token_expired": Kind(401, "The token has expired"),
    "wrong_token": Kind(403, "The token is for something else"),
    "missing_scope": Kind(403, "The token may not do this"),
    "not_invited": Kind(403, "The match is for players who are invited"),
    "document_not_registered": Kind(403, "The document is not registered here"),
    "registration_closed": Kind(403, "Nobody can register here"),
    "invite_refused": Kind(403, "The invite is missing, unknown or used"),
    "not_found": Kind(404, "There is nothing here"),
    "unknown_game": Kind(404, "There is no such game"),
    "unknown_edition": Kind(404, "There is no such edition of the game"),
    "no_such_match": Kind(404, "There is no such match"),
    "no_such_player": Kind(404, "There is no such player"),
    "no_such_token": Kind(404, "There is no such token"),
    "unknown_version": Kind(404, "The match has no such version"),
    "unknown_seat": Kind(404, "The match has no such seat"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "not_acceptable": Kind(406, "No media type that you accept"),
    "body_timeout": Kind(408, "The body did not come in time"),
    "subscribe_timeout": Kind(408, "Nothing was subscribed to in time"),
    "stale_version": Kind(409, "The match has moved on"),
    "not_your_turn": Kind(409, "It is not your turn"),
    "match_over": Kind(409, "The match is over"),
    "match_not_started": Kind(409, "The match has not started"),
    "match_started": Kind(409, "The match has started"),
    "seat_taken": Kind(409, "The seat is taken"),
    "seat_free": Kind(409, "Nobody has the seat"),
    "seat_retired": Kind(409, "The seat has left the match"),
    "already_seated": Kind(409, "The player has a seat already"),
    "match_not_over": Kind(409, "The match is not over"),
    "name_taken": Kind(409, "The name is taken"),
    "too_many_tokens": Kind(409, "The player has too many tokens"),
    "other_rules": Kind(409, "The match was begun with other rules"),
    "edition_missing": Kind(409, "The edition of the match is not loaded here"),
    "match_expired": Kind(410, "The match is not kept any longer"),
    "body_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The content type is not supported"),
    "illegal_move": Kind(422, "The move is not legal"),
    "batch_crosses_chance": Kind(422, "The batch goes on after chance"),
    "bad_setup": Kind(422, "No match can start from this"),
    "key_reused": Kind(422, "The idempotency key was used before"),
    "upgrade_required": Kind(426, "This is a WebSocket"),
    "too_many_requests": Kind(429, "Too many requests"),
    "too_many_streams": Kind(429, "Too many streams at once"),
    "too_many_bots": Kind(429, "The bots play in as many matches as they may"),
    "internal_error": Kind(500, "Something went wrong here"),
    "store_unavailable": Kind(503, "The store does not answer"),
    "no_bots": Kind(503, "No bots play here now"),
    "busy": Kind(503, "Too many at once"),
    "too_slow": Kind(503, "The answer took too long"),
}

ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "invalid_body": ("where",),
    "invalid_query": ("where",),
    "unparsable_move": ("index", "move"),
    "unknown_version": ("version",),
    "stale_version": ("version", "events", "next", "to_move", "legal_moves"),
    "not_your_turn": ("index", "to_move"),
    "match_over": ("index",),
    "edition_missing": ("edition",),
    "illegal_move": ("index", "move", "reasons", "closest"),
    "batch_crosses_chance": ("index",),
    "bad_setup": ("where",),
    "too_many_requests": ("bucket", "limit", "remaining", "retry_after"),
}
"""What a problem may tell beside what all tell, by its code: fields of `wire_views.Problem`."""
