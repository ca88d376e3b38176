"""Matches whose moves are chosen beforehand, so that whoever plays them needs no rules.

Chance follows from seed, match id and nonces; with a seed of one's own it is known as soon as the match is.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.chance import match_draw
from engine.match import advance, play
from engine.opening import read_options
from engine.registry import GAMES
from schema.wire import PlayMoves
from service.client import Client

API = "/api/v1"


class Scripted:
    """A match at the server, started, and the random play that will be its course."""

    def __init__(self, client: Client, slug: str, seats: int, number: int) -> None:
        seed = number.to_bytes(32, "big")
        self.id = client.create(slug, seats, seed=seed.hex()).match.id
        self.tokens = [client.join(self.id).token for _ in range(seats)]
        self.draw = match_draw(seed, self.id, [""] * seats)
        self.game = GAMES[slug]
        self.start = self.game.setup(self.game.deal(read_options(self.game, {}), seats, self.draw))

    def requests(self) -> Iterator[bytes]:
        """Every move of a seat as a request, up to the end of the match."""
        state, version = _last(self.start, 0, advance(self.game, self.start, 0, self.draw))
        dice = 1 + int.from_bytes(self.id.encode(), "big") % 2_147_483_646
        while (seat := self.game.to_move(state)) is not None:
            dice = dice * 48271 % 2_147_483_647
            moves = self.game.legal(state)
            move = moves[dice % len(moves)]
            body = PlayMoves(version, (self.game.write(move),))
            yield post(f"{API}/matches/{self.id}/moves", body, self.tokens[seat], f"{self.id}-{version}")
            played = play(self.game, state, version, seat, (move,), self.draw)
            state, version = _last(state, version, played.steps)


def _last(state: Any, version: int, steps: Any) -> tuple[Any, int]:
    return (steps[-1].state, steps[-1].event.version) if steps else (state, version)


def post(path: str, body: msgspec.Struct, token: str, key: str) -> bytes:
    """A request as a client of ours sends it."""
    data = msgspec.json.encode(body)
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nUser-Agent: bench\r\n"
        f"Authorization: Bearer {token}\r\nIdempotency-Key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    ).encode() + data


def get(path: str) -> bytes:
    """A request that only reads."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n".encode()
