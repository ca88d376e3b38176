"""Matches that are opened and played through one door."""

from typing import Any

from tests.contract.doors import Door


class Game:
    """A match with all its tokens, opened and played through one door."""

    def __init__(self, door: Door, match_id: str, host: str) -> None:
        self.door = door
        self.id = match_id
        self.host = host
        self.tokens: dict[int, str] = {}

    @property
    async def state(self) -> Any:
        return await self.door.match(self.id)

    async def mover(self) -> str:
        return self.tokens[(await self.state)["toMove"]]

    async def play(self, *moves: str, token: str | None = None, **more: Any) -> Any:
        """What moves of the seat to move come to."""
        state = await self.state
        asked = {"version": state["version"], "moves": list(moves)} | more
        return await self.door.do(
            "playMoves", token or self.tokens[state["toMove"]], matchId=self.id, **asked
        )

    async def play_any(self, moves: int) -> None:
        for _ in range(moves):
            await self.play((await self.door.legal(self.id)).notations[0])


async def opened(door: Door, slug: str, **more: Any) -> Game:
    made = await door.do("createMatch", game=slug, seats=2, **more)
    return Game(door, made["match"]["id"], made["hostToken"])


async def started(door: Door, slug: str, **more: Any) -> Game:
    game = await opened(door, slug, **more)
    for _ in range(2):
        joined = await door.do("joinMatch", matchId=game.id)
        game.tokens[joined["seat"]] = joined["token"]
    return game


def alike(one: Any, other: Any, *names: str) -> bool:
    """Whether two answers say the same, in these entries or in all that both have."""
    chosen = names or tuple(set(one) & set(other))
    return all(one[name] == other[name] for name in chosen)
