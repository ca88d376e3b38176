"""The service by a clock that tests set."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from litestar import Litestar

from service.app import create_app
from service.clocks.lease import BEAT
from service.clocks.sweeper import ClockSweeper
from service.settings import Settings
from service.shell import Shell
from service.store.store import Store
from tests.service.checked import API, BASE, CheckedTransport
from tests.service.table import SLUGS, Table

START = 1_700_000_000_000
PATIENCE = 60.0
GAME = SLUGS[-1]


class Hands:
    """A clock that shows what a test says, in ms since 1970."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at


class Timed:
    """An application, a client of it, and the time it believes in."""

    def __init__(self, app: Litestar, api: httpx.AsyncClient, hands: Hands) -> None:
        self.api = api
        self.hands = hands
        self.store: Store = app.state.desk.store
        self.sweeper = ClockSweeper(self.store, app.state.desk.catalogue)

    async def passes(self, ms: int) -> None:
        """So much time passes while the service lives; who is out of time by then has been flagged."""
        while ms > 0:
            step = min(ms, BEAT)
            self.hands.at += step
            ms -= step
            await self.sweeper._beat()
            await asyncio.gather(*self.sweeper._looks)

    def is_away(self, ms: int) -> None:
        """So much time passes while no worker lives."""
        self.hands.at += ms

    def forgets(self, patch: pytest.MonkeyPatch) -> None:
        """The worker reads every match from the store, as if another one had written it."""
        patch.setattr(self.store, "recalled", lambda _: None)

    async def until(self, path: str, **expected: Any) -> dict[str, Any]:
        """What is at a path as soon as it says this."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found: dict[str, Any] = (await self.api.get(path)).json()
                if found | expected == found:
                    return found
                await asyncio.sleep(0.02)


@asynccontextmanager
async def timed_service(settings: Settings) -> AsyncIterator[Timed]:
    """The service by a clock of the test's own."""
    hands = Hands()
    app = create_app(settings, hands)
    served: Any = Shell(app, clock=hands)
    transport = CheckedTransport(httpx.ASGITransport(served))
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url=BASE + API) as api:
        yield Timed(app, api, hands)


async def started(timed: Timed, seats: int = 2, **clock: Any) -> Table:
    """A running match with a minute for each seat, or as `clock` says."""
    asked = clock if "perTurn" in clock else {"base": 60_000} | clock
    return await Table.started(timed.api, GAME, seats, clock=asked)


def code(answer: httpx.Response) -> tuple[int, str]:
    """How a request was refused."""
    return answer.status_code, answer.json()["code"]
