"""One client of the service with two ways in: what can be done by REST can be done by GraphQL.

Both answer in the shapes of REST, as far as a test looks at them, and raise `Refused` for what is refused.
"""

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, NamedTuple

import httpx

from tests.contract.documents import DOCUMENTS
from tests.graphql.asking import rest_shape
from tests.service.table import bearer


class Refused(Exception):
    """What was asked for was refused. `entries` are all that was told."""

    def __init__(self, code: str, status: int | None, entries: dict[str, Any]) -> None:
        super().__init__(f"{code}: {entries}")
        self.code = code
        self.status = status
        self.entries = entries


class Legal(NamedTuple):
    """The legal moves in a position, with their probabilities at chance."""

    to_move: Any
    moves: list[tuple[str, str]]
    odds: list[Fraction]

    @property
    def notations(self) -> list[str]:
        return [notation for notation, _ in self.moves]


class Door(ABC):
    """A way into the service."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    @abstractmethod
    async def do(self, name: str, /, token: str | None = None, key: str | None = None, **asked: Any) -> Any:
        """What an operation that changes something, by its name in REST, comes to."""

    @abstractmethod
    async def match(self, match_id: str) -> Any: ...

    @abstractmethod
    async def legal(self, match_id: str, version: int | None = None, kind: str | None = None) -> Legal: ...

    @abstractmethod
    async def events(self, match_id: str, after: int = 0, limit: int = 200) -> Any: ...

    @abstractmethod
    async def position(self, match_id: str, version: int) -> Any:
        """`toMove`, `standing`, `picture` and `board` at a version."""

    @abstractmethod
    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any: ...

    @abstractmethod
    async def why_not(self, match_id: str, move: str, version: int | None = None) -> Any: ...

    @abstractmethod
    async def lobby(self, **filters: Any) -> list[str]:
        """The ids of all public matches that fit, newest first, page by page of one entry."""

    @abstractmethod
    async def transcript(self, match_id: str) -> str: ...

    @abstractmethod
    async def games(self) -> Any: ...

    @abstractmethod
    async def player(self, player_id: str) -> Any: ...

    @abstractmethod
    async def me(self, token: str | None) -> Any:
        """Who asks, the ids of the own matches, and the own tokens."""


class Rest(Door):
    """REST."""

    async def do(self, name: str, /, token: str | None = None, key: str | None = None, **asked: Any) -> Any:
        method, path = PATHS[name]
        for parameter in ("matchId", "tokenId"):
            if f"{{{parameter}}}" in path:
                path = path.replace(f"{{{parameter}}}", asked.pop(parameter))
        headers = (bearer(token) if token else {}) | ({"Idempotency-Key": key} if key else {})
        body = None if method == "DELETE" else asked
        return _told(await self.client.request(method, path, json=body, headers=headers))

    async def match(self, match_id: str) -> Any:
        return await self._get(f"/matches/{match_id}")

    async def legal(self, match_id: str, version: int | None = None, kind: str | None = None) -> Legal:
        told = await self._get(f"/matches/{match_id}/legal-moves", version=version, kind=kind)
        moves = [(move["notation"], move["text"]) for move in told["moves"]]
        return Legal(told["toMove"], moves, _odds(told.get("odds", ())))

    async def events(self, match_id: str, after: int = 0, limit: int = 200) -> Any:
        return await self._get(f"/matches/{match_id}/events", after=after, limit=limit)

    async def position(self, match_id: str, version: int) -> Any:
        path = f"/matches/{match_id}"
        told = await self._get(f"{path}/versions/{version}")
        drawn = {
            name: (await self.client.get(f"{path}/{name}", params={"version": version})).text
            for name in ("picture", "board")
        }
        standing = (await self._get(f"{path}/standing", version=version))["rows"]
        drawn["picture"] = drawn["picture"].removesuffix("\n")
        return {"toMove": told["toMove"], "standing": standing} | drawn

    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any:
        asked = {"moves": moves} | ({} if version is None else {"version": version})
        told = _told(await self.client.post(f"/matches/{match_id}/preview", json=asked))
        likelihood = Fraction(1)
        for event in told["events"]:
            odds = event.pop("odds", {"weight": 1, "total": 1})
            likelihood *= Fraction(odds["weight"], odds["total"])
        legal = [move["notation"] for move in told["legalMoves"]]
        return {name: told[name] for name in ("events", "toMove", "digest", "standing")} | {
            "legal": legal,
            "odds": _odds(told.get("odds", ())),
            "likelihood": likelihood,
        }

    async def why_not(self, match_id: str, move: str, version: int | None = None) -> Any:
        told = await self._get(f"/matches/{match_id}/why-not", move=move, version=version)
        return {name: told[name] for name in ("version", "move", "text", "legal", "reasons", "closest")}

    async def lobby(self, **filters: Any) -> list[str]:
        found: list[str] = []
        cursor = None
        while True:
            page = await self._get("/matches", limit=1, cursor=cursor, **filters)
            found += [match["id"] for match in page["matches"]]
            if (cursor := page["next"]) is None:
                return found

    async def transcript(self, match_id: str) -> str:
        answer = await self.client.get(f"/matches/{match_id}/transcript", headers={"Accept": "text/plain"})
        if answer.is_error:
            _told(answer)
        return answer.text

    async def games(self) -> Any:
        listed = (await self._get("/games"))["games"]
        return [await self._get(f"/games/{game['slug']}") for game in listed]

    async def player(self, player_id: str) -> Any:
        return await self._get(f"/players/{player_id}")

    async def me(self, token: str | None) -> Any:
        headers = bearer(token) if token else {}
        me = _told(await self.client.get("/me", headers=headers))
        matches = _told(await self.client.get("/me/matches", headers=headers))["matches"]
        tokens = _told(await self.client.get("/me/tokens", headers=headers))["tokens"]
        return me | {"matches": [match["id"] for match in matches], "tokens": tokens}

    async def _get(self, path: str, **query: Any) -> Any:
        asked = {name: value for name, value in query.items() if value is not None}
        return _told(await self.client.get(path, params=asked))


PATHS = {
    "createMatch": ("POST", "/matches"),
    "joinMatch": ("POST", "/matches/{matchId}/join"),
    "kickSeat": ("POST", "/matches/{matchId}/kick"),
    "cancelMatch": ("POST", "/matches/{matchId}/cancel"),
    "playMoves": ("POST", "/matches/{matchId}/moves"),
    "resign": ("POST", "/matches/{matchId}/resign"),
    "addBot": ("POST", "/matches/{matchId}/bots"),
    "rematch": ("POST", "/matches/{matchId}/rematch"),
    "registerPlayer": ("POST", "/players"),
    "createToken": ("POST", "/me/tokens"),
    "revokeToken": ("DELETE", "/me/tokens/{tokenId}"),
}
"""The operations that change something."""


def _told(answer: httpx.Response) -> Any:
    told = answer.json()
    if answer.is_error:
        raise Refused(told["code"], answer.status_code, told)
    return told


def _odds(weights: Any) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]


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

    async def legal(self, match_id: str, version: int | None = None, kind: str | None = None) -> Legal:
        kinds = None if kind is None else [kind]
        told = await self._at("legal", match_id, version, kinds=kinds)
        moves = [(move["notation"], move["text"]) for move in told["legalMoves"]]
        return Legal(_holder(told), moves, _fractions(told["odds"]))

    async def events(self, match_id: str, after: int = 0, limit: int = 200) -> Any:
        return (await self._ask("events", id=match_id, after=after, first=limit))["match"]["events"]

    async def position(self, match_id: str, version: int) -> Any:
        told = await self._at("position", match_id, version)
        return {name: told[name] for name in ("standing", "picture", "board")} | {"toMove": _holder(told)}

    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any:
        told = (await self._at("preview", match_id, version, moves=moves))["preview"]
        if told is None:  # as everything else of a position that is not there yet
            raise Refused("match_not_started", None, {})
        legal = [move["notation"] for move in told["legalMoves"]]
        return {name: told[name] for name in ("events", "digest", "standing")} | {
            "toMove": _holder(told),
            "legal": legal,
            "odds": _fractions(told["odds"]),
            "likelihood": _fractions([told["likelihood"]])[0],
        }

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
        told = answer.json()
        if told.get("errors"):
            (error, *_) = told["errors"]
            code = error["extensions"]["code"]
            raise Refused(code, None, error["extensions"] | {"detail": error["message"]})
        return rest_shape(told["data"])


def _holder(told: Any) -> Any:
    return "chance" if told["isChance"] else told["toMove"]


def _fractions(odds: Any) -> list[Fraction]:
    return [Fraction(each["numerator"], each["denominator"]) for each in odds]
