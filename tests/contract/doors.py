"""One client of the service with two ways in: what can be done by REST can be done by GraphQL.

Both answer in the shapes of REST, as far as a test looks at them, and raise `Refused` for what is refused.
"""

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, NamedTuple

import httpx
import pytest


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
    async def legal(self, match_id: str, version: int | None = None, **chosen: Any) -> Legal:
        """The legal moves of a `kind`, `touching` a thing, so many as the `limit` is."""

    @abstractmethod
    async def things(self, match_id: str, version: int | None = None, kind: str | None = None) -> Any:
        """Name and kind of what lies on the table."""

    @abstractmethod
    async def events(self, match_id: str, after: int = 0, limit: int = 200) -> Any: ...

    @abstractmethod
    async def position(self, match_id: str, version: int) -> Any:
        """`toMove`, `standing`, `picture` and `board` at a version."""

    @abstractmethod
    async def preview(self, match_id: str, moves: list[str], version: int | None = None) -> Any: ...

    @abstractmethod
    async def children(
        self, match_id: str, moves: list[str], version: int | None = None, **chosen: Any
    ) -> list[Any]:
        """A preview of each legal move after these moves, chosen as in `legal`."""

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

    @abstractmethod
    async def tournament(self, tournament_id: str, token: str | None = None) -> Any: ...

    @abstractmethod
    async def tournaments(self, **filters: Any) -> list[Any]:
        """All tournaments that fit, newest first, page by page of one entry."""

    @abstractmethod
    async def tables(self, tournament_id: str) -> Any:
        """`standings`, `crosstable`, `manifest` and `record` of a tournament."""

    @abstractmethod
    async def tournament_matches(self, tournament_id: str, token: str | None = None) -> list[Any]:
        """All matches of a tournament, page by page of one entry."""

    @abstractmethod
    async def entries(self, tournament_id: str, after: int = 0) -> Any: ...

    @abstractmethod
    async def followed(self, tournament_id: str, after: int = 0) -> list[Any]:
        """All entries after a number of a tournament that is over, as a stream tells them."""


async def refused(asking: Any) -> Refused:
    """Why something was refused, which it must be."""
    with pytest.raises(Refused) as caught:
        await asking
    return caught.value
