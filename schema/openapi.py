"""The OpenAPI 3.1 document of the REST API, made from the table of operations and the Structs they name."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Any, Final

import msgspec

from engine.registry import GAMES
from schema.games import shapes
from schema.operations import API, JSON, MSGPACK, NDJSON, OPERATIONS, PNG, SSE, Operation
from schema.problems import KINDS
from schema.wire_players import OwnMessage
from schema.wire_streams import STREAMS as MATCH_STREAMS
from schema.wire_streams import Subscribe
from schema.wire_tournaments import TournamentMessages
from schema.wire_views import Problem

PROBLEM: Final = "application/problem+json"
_REFERENCE: Final = "#/components/schemas/{name}"
_PARAMETER: Final = re.compile(r"\{(\w+):(\w+)\}")
_PATH_TYPES: Final = {"str": {"type": "string"}, "int": {"type": "integer"}}
_TAG: Final = {"ETag": {"description": "Of this representation.", "schema": {"type": "string"}}}
_LATER: Final = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
_LATER_STATUSES: Final = frozenset((429, 503))
STREAMS: Final = {**MATCH_STREAMS, "OwnMessage": OwnMessage, "TournamentMessages": TournamentMessages}
_UNIONS: Final = ("Options", "Move", "State", "Thing")
_TOKENS: Final = {
    "seat": "The token that the answer to a join holds; it plays one seat.",
    "host": "The token that the answer to the creation of a match holds.",
    "player": "An API token of a player.",
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A repeat of the request with the same key gets the first answer again, byte for byte,"
    " for a day, if not set otherwise. Without a token it needs at least 22 random characters of"
    " A-Z, a-z, 0-9, _ and -.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
}
_ANONYMOUS_KEY: Final = _KEY | {"schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22,255}$"}}
"""Where a token is not needed."""
_KNOWN: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of what the client has.",
    "schema": {"type": "string"},
}
_POSITION: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "For SSE: the id of the last event received. It outweighs `after`.",
}
_POSITIONS: Final = {
    "StreamMessage": r"^(\d{1,8})?$",
    "OwnMessage": r"^(\d{1,19}-\d{1,19})?$",
    "TournamentMessages": r"^(\d{1,8})?$",
}
"""The form of the ids of messages; an empty header says nothing."""
_ENDLESS: Final = frozenset(("OwnMessage",))
"""What streams carry that never come to an end of their own."""


@cache
def document() -> dict[str, Any]:
    """The document, as JSON knows it."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        path = API + _PARAMETER.sub(lambda found: f"{{{_camel(found[1])}}}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation)
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": "Cantiere",
            "version": "1",
            "description": "A game service for building games: matches, legal moves, events, transcripts. GET"
            " operations answer HEAD too; every answer bears X-Request-Id; problems are RFC 9457.",
        },
        "paths": paths,
        "components": {
            "schemas": _components(),
            "securitySchemes": {
                name: {"type": "http", "scheme": "bearer", "description": text}
                for name, text in _TOKENS.items()
            },
        },
    }
    known: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made))
    return known


def printed() -> str:
    """The document as it is committed."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1).decode() + "\n"


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": {str(operation.status): _success(operation), **_problems(operation)},
    }
    if operation.has_etag:
        described["parameters"].append(_KNOWN)
        described["responses"]["304"] = {"description": "The client has it as it stands"}
    if operation.streams is not None:
        pattern = {"type": "string", "pattern": _POSITIONS[operation.streams]}
        described["parameters"].append(_POSITION | {"schema": pattern})
        if operation.streams not in _ENDLESS:
            described["responses"]["204"] = {"description": "SSE resumed after the end: do not come again"}
    if operation.is_change:
        described["parameters"].append(_ANONYMOUS_KEY if operation.bearer is None else _KEY)
    if operation.body is not None:
        described["requestBody"] = {
            "required": bool(_schema(operation.body).get("required")),
            "content": _content((JSON, MSGPACK), _reference(operation.body)),
        }
    if tokens := _security(operation):
        described["security"] = tokens
    return described


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    """The kinds of tokens of which one is needed; none, where that is empty or `{}` is among them."""
    kinds = [operation.bearer, "player" if operation.scope else None]
    tokens: list[dict[str, list[str]]] = [{kind: []} for kind in dict.fromkeys(kinds) if kind is not None]
    return [{}, *tokens] if operation.scope and operation.bearer is None else tokens


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": _camel(name), "in": "path", "required": True, "schema": _PATH_TYPES[kind]}
        for name, kind in _PARAMETER.findall(operation.path)
    ]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    known = _schema(operation.query)
    needed = known.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": schema}
        for name, schema in known["properties"].items()
    ]


def _success(operation: Operation) -> dict[str, Any]:
    schema = {"type": "string"} if operation.answer is None else _reference(operation.answer)
    if operation.answer is None and JSON in operation.media_types:
        schema = {}
    content = _content(operation.media_types, schema)
    if PNG in content:
        content[PNG] = {"schema": {}}
    if operation.streams is not None:
        text = f"Each message is a {operation.streams}."
        content |= _content((SSE, NDJSON), {"type": "string", "description": text})
    described: dict[str, Any] = {"description": operation.summary, "content": content}
    return described | {"headers": _TAG} if operation.has_etag and operation.streams is None else described


def _problems(operation: Operation) -> dict[str, Any]:
    by_status = groupby(operation.codes, key=lambda code: KINDS[code].status)
    return {
        str(status): {
            "description": "\n".join(f"- `{code}`: {KINDS[code].title}" for code in codes),
            "content": _content((PROBLEM,), _reference(Problem)),
            **({"headers": _LATER} if status in _LATER_STATUSES else {}),
        }
        for status, codes in by_status
    }


def _components() -> dict[str, Any]:
    answers = [operation.answer for operation in OPERATIONS if operation.answer is not None]
    bodies = [operation.body for operation in OPERATIONS if operation.body is not None]
    games = [shapes(slug) for slug in GAMES]
    kinds = [kind for shape in games for kind in (shape.options, shape.move, shape.state, shape.thing)]
    schemas, components = msgspec.json.schema_components(
        [*answers, *bodies, Problem, Subscribe, *STREAMS.values(), *kinds], ref_template=_REFERENCE
    )
    ours = schemas[len(schemas) - len(kinds) :]
    components |= dict(zip(STREAMS, schemas[-len(STREAMS) - len(kinds) :], strict=False))
    for place, name in enumerate(_UNIONS):
        components[name] = {"title": name, "anyOf": [*ours[place :: len(_UNIONS)], *_absent(name)]}
    for schema in components.values():
        for described in schema.get("properties", {}).values():
            _leave_out_absence(described)
    return dict(sorted(components.items()))


def _leave_out_absence(described: dict[str, Any]) -> None:
    """Say nothing of a default that is null where else a tag decides: validators ask null for its tag."""
    if described.get("default", ...) is None and any("discriminator" in kind for kind in described["anyOf"]):
        del described["default"]


def _absent(name: str) -> list[dict[str, Any]]:
    """A match that has not started has no state."""
    return [{"type": "null"}] if name == "State" else []


def _schema(kind: Any) -> dict[str, Any]:
    (_,), components = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    schema: dict[str, Any] = components[kind.__name__]
    return schema


def _reference(kind: Any) -> dict[str, Any]:
    return {"$ref": _REFERENCE.format(name=kind.__name__)}


def _content(media_types: Iterable[str], schema: Any) -> dict[str, Any]:
    return {media_type: {"schema": schema} for media_type in media_types}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
