"""The client by REST."""

import json
from fractions import Fraction
from typing import Any

import httpx

from schema.operation import NDJSON
from tests.contract.documents import DEEDS
from tests.contract.doors import Door, Legal, Refused
from tests.service.table import bearer

PAGE = 7
"""Children that are asked for at once, so that there are several pages."""


class Rest(Door):
    """REST."""

    async def do(self, name: str, /, token: str | None = None, key: str | None = None, **asked: Any) -> Any:
        method, path = PATHS[name]
        for parameter in ("matchId", "tokenId", "tournamentId"):
            if f"{{{parameter}}}" in path:
                path = path.replace(f"{{{parameter}}}", asked.pop(parameter))
        headers = (bearer(token) if token else {}) | ({"Idempotency-Key": key} if key else {})
        body = None if method == "DELETE" else asked
        told = _told(await self.client.request(method, path, json=body, headers=headers))
        return {"tournament": told} if path.startswith("/tournaments") else told

    async def match(self, match_id: str) -> Any:
        return await self._get(f"/matches/{match_id}")

    async def legal(self, match_id: str, version: int | None = None, **chosen: Any) -> Legal:
        told = await self._get(f"/matches/{match_id}/legal-moves", version=version, **chosen)
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

    async def things(self, match_id: str, version: int | None = None, kind: str | None = None) -> Any:
        told = await self._get(f"/matches/{match_id}/things", version=version, kind=kind)
        return [{name: thing[name] for name in ("name", "kind")} for thing in told["things"]]

    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any:
        return _previewed(await self._tried(f"/matches/{match_id}/preview", moves, version))

    async def children(
        self, match_id: str, moves: list[str], version: int | None = None, **chosen: Any
    ) -> list[Any]:
        found: list[Any] = []
        size = chosen.pop("limit", None)
        after: int | None = 0
        while after is not None and (size is None or len(found) < size):
            page = chosen | {"after": after, "limit": min(PAGE, PAGE if size is None else size - len(found))}
            told = await self._tried(f"/matches/{match_id}/preview/children", moves, version, **page)
            found += told["children"]
            after = told["next"]
            assert told["count"] >= len(found)
        return [_previewed(child) for child in found]

    async def _tried(self, path: str, moves: list[str], version: int | None, **more: Any) -> Any:
        asked = {"moves": moves} | ({} if version is None else {"version": version}) | more
        return _told(await self.client.post(path, json=asked))

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

    async def tournament(self, tournament_id: str, token: str | None = None) -> Any:
        return await self._get(f"/tournaments/{tournament_id}", token)

    async def tournaments(self, **filters: Any) -> list[Any]:
        found: list[Any] = []
        cursor = None
        while True:
            page = await self._get("/tournaments", limit=1, cursor=cursor, **filters)
            found += page["tournaments"]
            if (cursor := page["next"]) is None:
                return found

    async def tables(self, tournament_id: str) -> Any:
        names = ("standings", "crosstable", "manifest", "record")
        return {name: await self._get(f"/tournaments/{tournament_id}/{name}") for name in names}

    async def tournament_matches(self, tournament_id: str, token: str | None = None) -> list[Any]:
        found: list[Any] = []
        after = 0
        while True:
            page = await self._get(f"/tournaments/{tournament_id}/matches", token, after=after, limit=1)
            found += page["matches"]
            if (after := page["next"]) is None:
                return found

    async def entries(self, tournament_id: str, after: int = 0) -> Any:
        return await self._get(f"/tournaments/{tournament_id}/events", after=after)

    async def followed(self, tournament_id: str, after: int = 0) -> list[Any]:
        address = f"/tournaments/{tournament_id}/events"
        answer = await self.client.get(address, params={"after": after}, headers={"Accept": NDJSON})
        if answer.is_error:
            _told(answer)
        *messages, end = [json.loads(line) for line in answer.text.splitlines()]
        assert end["type"] == "end"
        told = [message for message in messages if message["type"] == "entry"]
        return [{name: message[name] for name in ("number", "entry")} for message in told]

    async def news(self, token: str, after: str) -> Any:
        """What a player is told after a position, as soon as there is something."""
        return await self._get("/me/events", token, after=after, wait=30)

    async def _get(self, path: str, token: str | None = None, **query: Any) -> Any:
        asked = {name: value for name, value in query.items() if value is not None}
        headers = bearer(token) if token else {}
        return _told(await self.client.get(path, params=asked, headers=headers))


PATHS = {
    "createMatch": ("POST", "/matches"),
    "joinMatch": ("POST", "/matches/{matchId}/join"),
    "kickSeat": ("POST", "/matches/{matchId}/kick"),
    "leaveMatch": ("POST", "/matches/{matchId}/leave"),
    "cancelMatch": ("POST", "/matches/{matchId}/cancel"),
    "playMoves": ("POST", "/matches/{matchId}/moves"),
    "resign": ("POST", "/matches/{matchId}/resign"),
    "addBot": ("POST", "/matches/{matchId}/bots"),
    "rematch": ("POST", "/matches/{matchId}/rematch"),
    "registerPlayer": ("POST", "/players"),
    "createToken": ("POST", "/me/tokens"),
    "revokeToken": ("DELETE", "/me/tokens/{tokenId}"),
    "createTournament": ("POST", "/tournaments"),
} | {deed: ("POST", f"/tournaments/{{tournamentId}}/{deed.removesuffix('Tournament')}") for deed in DEEDS}
"""The operations that change something."""


def _told(answer: httpx.Response) -> Any:
    told = answer.json()
    if answer.is_error:
        raise Refused(told["code"], answer.status_code, told)
    return told


def _previewed(told: Any) -> Any:
    """A preview; the likelihood is that of its own events."""
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


def _odds(weights: Any) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]
