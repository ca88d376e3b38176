"""The schema on a real store, asked without HTTP."""

from typing import Any, NamedTuple

import httpx
import msgspec
from graphql import GraphQLError
from litestar import Litestar

from schema.graphql.build import make_schema
from schema.graphql.context import Budget, Context
from service.graphql.door import ServiceDoor
from service.graphql.telling import errors_told
from service.languages import ENGLISH

PLENTY = 1_000_000
MAPS = frozenset(("labels", "values", "scores", "ties"))
"""Fields that are maps over REST."""
DOCUMENTS = frozenset(("manifest", "record", "entry"))
"""Fields that are the same on both doors, at any depth."""


def rest_shape(told: Any) -> Any:
    """What is told over GraphQL as REST tells it: lists of names and values are maps."""
    if isinstance(told, list):
        return [rest_shape(part) for part in told]
    if not isinstance(told, dict):
        return told
    maps = MAPS | {"faults"} if "strikes" in told else MAPS  # elsewhere it is a list of those who made some
    return {name: _shaped(name, part, maps) for name, part in told.items()}


def _shaped(name: str, part: Any, maps: frozenset[str]) -> Any:
    if name in DOCUMENTS:
        return part
    return _map(part) if name in maps and _is_map(part) else rest_shape(part)


def _is_map(told: Any) -> bool:
    return isinstance(told, list) and all(isinstance(entry, dict) for entry in told)


def _map(entries: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        entry["name"]: entry["value"] if entry.get("number") is None else entry["number"] for entry in entries
    }


class Asked(NamedTuple):
    """What an operation was answered."""

    data: Any
    errors: list[GraphQLError]


class Asking:
    """Asks the schema, and reaches the same service over REST."""

    def __init__(self, app: Litestar, api: httpx.AsyncClient) -> None:
        self.api = api
        self.door = ServiceDoor(app.state.desk)

    async def ask(
        self, document: str, *, budget: int = PLENTY, token: str | None = None, **values: Any
    ) -> Asked:
        """What the document is answered with these variables, errors included."""
        context = Context(self.door, token, Budget(budget), ENGLISH)
        found: Any = await make_schema().execute(document, values, context)
        data = msgspec.json.decode(msgspec.json.encode(found.data))  # as a client has it
        return Asked(data, found.errors or [])

    async def data(self, document: str, **values: Any) -> Any:
        """What it is answered, which must be without errors."""
        asked = await self.ask(document, **values)
        assert asked.errors == [], [error.original_error for error in asked.errors]
        return asked.data

    async def refusals(self, document: str, **values: Any) -> list[dict[str, Any]]:
        """What it is refused for, as clients are told."""
        told = errors_told((await self.ask(document, **values)).errors, ENGLISH, "test")
        return list(msgspec.json.decode(msgspec.json.encode(told)))

    async def refused(self, document: str, **values: Any) -> dict[str, Any]:
        """The one thing that it is refused for."""
        (told,) = await self.refusals(document, **values)
        return told

    async def codes(self, document: str, **values: Any) -> list[str]:
        """The codes of what it is refused for."""
        return [told["extensions"]["code"] for told in await self.refusals(document, **values)]

    async def state(self, match_id: str, version: int | None = None) -> Any:
        """The state of a match as it stands, or at a version."""
        stored = await self.door.match(match_id)
        data = stored.data if version is None else await stored.state_at(version)
        return self.door.state(stored.game, data)
