"""A match as its players see it, over HTTP."""

import secrets
from typing import Any, Self

import httpx

from engine.registry import GAMES

SLUGS = tuple(GAMES)


def fresh_key() -> str:
    """An idempotency key that anonymous requests may use."""
    return secrets.token_urlsafe(16)


def bearer(token: str) -> dict[str, str]:
    """The header that presents a token."""
    return {"Authorization": f"Bearer {token}"}


class Table:
    """A match with its host token and the tokens of its seats."""

    def __init__(self, api: httpx.AsyncClient, match_id: str, host: str) -> None:
        self.api = api
        self.id = match_id
        self.host = host
        self.tokens: dict[int, str] = {}
        self.version = 0
        self.to_move: Any = None
        self.status = "open"

    @classmethod
    async def opened(cls, api: httpx.AsyncClient, game: str, seats: int, **more: Any) -> Self:
        answer = await api.post("/matches", json={"game": game, "seats": seats} | more)
        assert answer.status_code == 201, answer.text
        created = answer.json()
        return cls(api, created["match"]["id"], created["hostToken"])

    @classmethod
    async def started(cls, api: httpx.AsyncClient, game: str, seats: int, **more: Any) -> Self:
        table = await cls.opened(api, game, seats, **more)
        for _ in range(seats):
            await table.join()
        return table

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    async def join(self, **asked: Any) -> dict[str, Any]:
        answer = await self.api.post(f"{self.path}/join", json=asked)
        assert answer.status_code == 200, answer.text
        joined: dict[str, Any] = answer.json()
        self.tokens[joined["seat"]] = joined["token"]
        self.note(joined["match"])
        return joined

    async def get(self, part: str = "", **query: Any) -> Any:
        """What is answered to a GET below the match."""
        answer = await self.api.get(self.path + part, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def legal(self) -> list[str]:
        """The notations that are legal now."""
        return [move["notation"] for move in (await self.get("/legal-moves"))["moves"]]

    async def post(self, part: str, body: Any, token: str, **headers: str) -> httpx.Response:
        return await self.api.post(f"{self.path}/{part}", json=body, headers=bearer(token) | headers)

    async def move(self, *moves: str, **more: Any) -> httpx.Response:
        """The answer to moves of the seat to move, chosen at the version that the table knows."""
        body = {"version": self.version, "moves": moves} | more
        answer = await self.post("moves", body, self.tokens[self.to_move])
        if answer.is_success:
            self.note(answer.json())
        return answer

    async def play(self, *moves: str) -> dict[str, Any]:
        """What moves of the seat to move come to, one request for each."""
        played: dict[str, Any] = {}
        for move in moves:
            answer = await self.move(move)
            assert answer.status_code == 200, answer.text
            played = answer.json()
        return played

    async def play_any(self, moves: int = 1) -> None:
        """So many moves, each the first legal one."""
        for _ in range(moves):
            await self.play((await self.legal())[0])

    def note(self, answer: dict[str, Any]) -> None:
        self.version, self.to_move, self.status = answer["version"], answer["toMove"], answer["status"]
