"""What schemathesis has to know of this API: MessagePack, and matches, players and tournaments that exist.

It runs in an environment of its own (deploy/requirements-contract.lock), named in schemathesis.toml.
"""

import os
from typing import Any

import msgspec
import schemathesis
from schemathesis.transport.requests import REQUESTS_TRANSPORT

LONGEST_WAIT = 60
MSGPACK = "application/vnd.msgpack"
KNOWN = {
    name.removeprefix("CONTRACT_").lower(): value.split(",")
    for name, value in os.environ.items()
    if name.startswith("CONTRACT_")
}
"""By the name of a parameter of a path, values of which there is something to read."""


@REQUESTS_TRANSPORT.serializer(MSGPACK)
def serialize(ctx: Any, value: Any) -> Any:
    """A body in MessagePack."""
    return {"data": msgspec.msgpack.encode(_fitted(value))}


def _fitted(value: Any) -> Any:
    """The value with whole numbers of 64 bits at most: MessagePack has no others."""
    match value:
        case bool():
            return value
        case int():
            return max(-(2**63), min(value, 2**64 - 1))
        case list():
            return [_fitted(entry) for entry in value]
        case dict():
            return {name: _fitted(entry) for name, entry in value.items()}
    return value


@schemathesis.deserializer(MSGPACK)
def deserialize(ctx: Any, response: Any) -> Any:
    """What an answer in MessagePack says."""
    return msgspec.msgpack.decode(response.content)


@schemathesis.hook
def map_path_parameters(ctx: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Half of the addresses lead somewhere: chosen by what was there, so that runs can be repeated."""
    for name, value in (path_parameters or {}).items():
        known = KNOWN.get(name.lower())
        if known and isinstance(value, str) and len(value) % 2:
            path_parameters[name] = known[len(value) // 2 % len(known)]  # type: ignore[index]  # it has entries
    return path_parameters


@schemathesis.hook
def map_query(ctx: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Long polls are short ones here."""
    wait = (query or {}).get("wait")
    if isinstance(wait, int) and 1 < wait <= LONGEST_WAIT:
        return (query or {}) | {"wait": wait % 2}
    return query


@schemathesis.hook
def map_body(ctx: Any, body: Any) -> Any:
    """A game that there is, wherever some game is named."""
    if isinstance(body, dict) and isinstance(body.get("game"), str):
        return body | {"game": KNOWN["slug"][len(body["game"]) % len(KNOWN["slug"])]}
    return body
