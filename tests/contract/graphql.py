"""The client by GraphQL."""

import json
from fractions import Fraction
from typing import Any

from schema.operation import SSE
from tests.contract.documents import DOCUMENTS
from tests.contract.doors import Door, Legal, Refused
from tests.graphql.asking import rest_shape
from tests.service.table import bearer


class Graphql(Door):
    """GraphQL over HTTP."""

    async def do(self, name: str, /, token: str | None = None, key: str | None = None, **asked: Any) -> Any:
        (told,) = (await self._ask(name, token, idempotencyKey=key, **asked)).values()
        if "httpStatus" in told:
            status = told.pop("httpStatus")
            raise Refused(told["code"], status, told)
        return told

    async def match(self, match_id: str) -> Any:
        return (await self._ask("match", id=match_id))["match"]

    async def legal(self, match_id: str, version: int | None = None, **chosen: Any) -> Legal:
        told = await self._at("legal", match_id, version, **_chosen(**chosen))
        moves = [(move["notation"], move["text"]) for move in told["legalMoves"]]
        return Legal(_holder(told), moves, _fractions(told["odds"]))

    async def events(self, match_id: str, after: int = 0, limit: int = 200) -> Any:
        return (await self._ask("events", id=match_id, after=after, first=limit))["match"]["events"]

    async def position(self, match_id: str, version: int) -> Any:
        told = await self._at("position", match_id, version)
        return {name: told[name] for name in ("standing", "picture", "board")} | {"toMove": _holder(told)}

    async def things(self, match_id: str, version: int | None = None, kind: str | None = None) -> Any:
        return (await self._at("things", match_id, version, **_chosen(kind)))["things"]

    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any:
        told = (await self._at("preview", match_id, version, moves=moves))["preview"]
        if told is None:  # as everything else of a position that is not there yet
            raise Refused("match_not_started", None, {})
        return _previewed(told)

    async def children(
        self, match_id: str, moves: list[str], version: int | None = None, **chosen: Any
    ) -> list[Any]:
        told = await self._at("children", match_id, version, moves=moves, **_chosen(**chosen))
        return [_previewed(child) for child in told["preview"]["children"]]

    async def why_not(self, match_id: str, move: str, version: int | None = None) -> Any:
        return (await self._at("whyNot", match_id, version, move=move))["whyNot"]

    async def lobby(self, **filters: Any) -> list[str]:
        found: list[str] = []
        cursor = None
        while True:
            page = (await self._ask("lobby", after=cursor, **filters))["matches"]
            found += [match["id"] for match in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return found
            cursor = page["pageInfo"]["endCursor"]

    async def transcript(self, match_id: str) -> str:
        told: str = (await self._ask("transcript", id=match_id))["match"]["transcript"]
        return told

    async def games(self) -> Any:
        return (await self._ask("games"))["games"]

    async def player(self, player_id: str) -> Any:
        return (await self._ask("player", id=player_id))["player"]

    async def me(self, token: str | None) -> Any:
        told = (await self._ask("me", token))["me"]
        return told | {"matches": [match["id"] for match in told["matches"]["nodes"]]}

    async def tournament(self, tournament_id: str, token: str | None = None) -> Any:
        return (await self._ask("tournament", token, id=tournament_id))["tournament"]

    async def tournaments(self, **filters: Any) -> list[Any]:
        found: list[Any] = []
        cursor = None
        while True:
            page = (await self._ask("tournaments", after=cursor, **filters))["tournaments"]
            found += page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return found
            cursor = page["pageInfo"]["endCursor"]

    async def tables(self, tournament_id: str) -> Any:
        return (await self._ask("tables", id=tournament_id))["tournament"]

    async def tournament_matches(self, tournament_id: str, token: str | None = None) -> list[Any]:
        found: list[Any] = []
        after = 0
        while True:
            told = await self._ask("tournamentMatches", token, id=tournament_id, after=after, first=1)
            found += told["tournament"]["matches"]["matches"]
            if (after := told["tournament"]["matches"]["next"]) is None:
                return found

    async def entries(self, tournament_id: str, after: int = 0) -> Any:
        told = await self._ask("entries", id=tournament_id, after=after, first=200)
        return told["tournament"]["events"]

    async def followed(self, tournament_id: str, after: int = 0) -> list[Any]:
        body = {"query": DOCUMENTS["followed"], "variables": {"id": tournament_id, "after": after}}
        answer = await self.client.post("/graphql", json=body, headers={"Accept": SSE})
        *events, end = answer.text.removesuffix("\n\n").split("\n\n")
        assert end.startswith("event: complete")
        told = [_answered(json.loads(each.partition("data: ")[2])) for each in events if "data: " in each]
        return [each["tournamentEvents"] for each in told]

    async def _at(self, name: str, match_id: str, version: int | None, **values: Any) -> Any:
        """What a document tells of a match as it stands, or at a version."""
        if version is None:
            return (await self._ask(name, id=match_id, **values))["match"]
        return (await self._ask(f"{name}At", id=match_id, version=version, **values))["match"]["at"]

    async def _ask(self, name: str, /, token: str | None = None, **values: Any) -> Any:
        given = {each: value for each, value in values.items() if value is not None}
        answer = await self.client.post(
            "/graphql",
            json={"query": DOCUMENTS[name], "variables": given},
            headers=bearer(token) if token else {},
        )
        return rest_shape(_answered(answer.json()))


def _answered(told: Any) -> Any:
    if told.get("errors"):
        (error, *_) = told["errors"]
        code = error["extensions"]["code"]
        raise Refused(code, None, error["extensions"] | {"detail": error["message"]})
    return told["data"]


def _chosen(kind: str | None = None, touching: str | None = None, limit: int | None = None) -> dict[str, Any]:
    """How moves and things are chosen here."""
    return {"kinds": None if kind is None else [kind], "touching": touching, "first": limit}


def _previewed(told: Any) -> Any:
    legal = [move["notation"] for move in told["legalMoves"]]
    return {name: told[name] for name in ("events", "digest", "standing")} | {
        "toMove": _holder(told),
        "legal": legal,
        "odds": _fractions(told["odds"]),
        "likelihood": _fractions([told["likelihood"]])[0],
    }


def _holder(told: Any) -> Any:
    return "chance" if told["isChance"] else told["toMove"]


def _fractions(odds: Any) -> list[Fraction]:
    return [Fraction(each["numerator"], each["denominator"]) for each in odds]
