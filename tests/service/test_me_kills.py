"""Nothing that a player is to know is lost, whoever is killed; the stream is all that a bot needs."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from service.store.store import Store
from tests.cli.running import serving
from tests.project.sources import ROOT
from tests.service.accounts import Account, registered
from tests.service.checked import API, BASE, in_process
from tests.service.table import SLUGS

pytestmark = pytest.mark.anyio
NDJSON = "application/x-ndjson"


@asynccontextmanager
async def worker(settings: Settings) -> AsyncIterator[tuple[httpx.AsyncClient, Store]]:
    """A client of a worker of its own, and its store."""
    app = create_app(settings)
    async with app.lifespan(), httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as api:
        yield api, app.state.desk.store


def killed_between(settings: Settings, path: str, who: Account, body: Any) -> None:
    """Another worker carries out a request and is killed before it tells the players."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.service.dying", path, who.token, json.dumps(body)],
        cwd=ROOT,
        env=os.environ | settings.to_env(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr


async def told(
    api: httpx.AsyncClient, who: Account, wait: int = 0, after: str = "0-0"
) -> list[dict[str, Any]]:
    """Everything in the player's stream, or what follows a message."""
    query: dict[str, str | int] = {"after": after, "wait": wait}
    answer = await api.get("/me/events", params=query, headers=who.headers)
    assert answer.status_code == 200, answer.text
    messages: list[dict[str, Any]] = answer.json()["messages"]
    return messages


async def test_a_worker_killed_before_it_tells_loses_nothing(fresh_settings: Settings) -> None:
    async with worker(fresh_settings) as (api, store):
        ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
        body = {"game": SLUGS[0], "seats": 2, "invited": [bea.id]}
        made = await api.post("/matches", json=body, headers=ada.headers)
        path = f"/matches/{made.json()['match']['id']}"
        await api.post(f"{path}/join", json={}, headers=ada.headers)
        await store.settle()  # else the sweep of the one to be killed has something to tell at once
        killed_between(fresh_settings, f"{path}/join", bea, {})
        match = (await api.get(path)).json()
        assert match["status"] == "running"
        assert await told(api, ada) == []
    mover, other = (ada, bea) if match["toMove"] == 0 else (bea, ada)
    async with worker(fresh_settings) as (api, store):  # its first sweep repairs
        kinds = [message["type"] for message in await told(api, mover, wait=20)]
        assert kinds[-2:] == ["match_started", "your_turn"]
        legal = (await told(api, mover))[-1]["legalMoves"]
        killed_between(
            fresh_settings, f"{path}/moves", mover, {"version": match["version"], "moves": legal[:1]}
        )
        after = (await api.get(path)).json()
        assert after["version"] > match["version"]
        before = (await told(api, other))[-1]
        assert before["type"] == "match_started"
    async with worker(fresh_settings) as (api, _):
        last = await told(api, other, wait=20, after=before["id"])
        moved = next(message for message in last if message["type"] == "moved")
        events = (await api.get(f"{path}/events")).json()["events"]
        assert moved["events"] == events[match["version"] :]


class Progress:
    """How many moves were made, and a way to wait for more."""

    def __init__(self) -> None:
        self.moves = 0
        self._enough = asyncio.Event()
        self._wanted = 0

    def count(self) -> None:
        self.moves += 1
        if self.moves >= self._wanted:
            self._enough.set()

    async def more(self, moves: int) -> None:
        self._wanted = self.moves + moves
        self._enough.clear()
        await self._enough.wait()


class StreamBot:
    """Knows its token, its stream and how to post moves; nothing else."""

    def __init__(self, url: str, who: Account, progress: Progress) -> None:
        self.url = url + API
        self.who = who
        self.position: str | None = None
        self.heard: dict[str, dict[int, Any]] = {}
        self.over: set[str] = set()
        self._progress = progress

    async def play(self, matches: int) -> None:
        """Play until so many matches are over, whatever breaks."""
        while len(self.over) < matches:
            try:
                async with httpx.AsyncClient(base_url=self.url, timeout=30) as api:
                    await self._follow(api, matches)
            except httpx.TransportError:
                await asyncio.sleep(0.05)

    async def _follow(self, api: httpx.AsyncClient, matches: int) -> None:
        query = {} if self.position is None else {"after": self.position}
        headers = self.who.headers | {"Accept": NDJSON}
        async with api.stream("GET", "/me/events", params=query, headers=headers) as answer:
            if answer.status_code != 200:
                await asyncio.sleep(0.05)
                return
            async for line in answer.aiter_lines():
                message = json.loads(line)
                await self._take(api, message)
                self.position = message["id"] or self.position
                if len(self.over) == matches:
                    return

    async def _take(self, api: httpx.AsyncClient, message: dict[str, Any]) -> None:
        match message["type"]:
            case "invited":
                await self._post(api, message["match"], "join", {}, "join")
            case "your_turn":
                version, legal = message["version"], message["legalMoves"]
                body = {"version": version, "moves": [legal[(version * 7) % len(legal)]]}
                await self._post(api, message["match"], "moves", body, f"move-{version}")
            case "moved":
                heard = self.heard.setdefault(message["match"], {})
                heard |= {event["version"]: event for event in message["events"]}
            case "match_over":
                self.over.add(message["match"])

    async def _post(self, api: httpx.AsyncClient, match: str, part: str, body: Any, key: str) -> None:
        """Ask until there is an answer; what is answered is told in the stream too."""
        while True:
            headers = self.who.headers | {"Idempotency-Key": key}
            answer = await api.post(f"/matches/{match}/{part}", json=body, headers=headers)
            if answer.status_code not in (429, 503):
                assert answer.status_code in (200, 409), answer.text
                self._progress.count()
                return
            await asyncio.sleep(0.05)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


async def invite_all(url: str, ada: Account, bea: Account) -> None:
    """A match of each game, in which Ada has a seat and the other is for Bea."""
    async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
        for slug in SLUGS:
            body = {"game": slug, "seats": 2, "invited": [bea.id]}
            made = await api.post("/matches", json=body, headers=ada.headers)
            path = f"/matches/{made.json()['match']['id']}"
            await api.post(f"{path}/join", json={}, headers=ada.headers)


async def test_bots_that_know_only_their_stream_play_on_through_kills(tmp_path: Path) -> None:
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    bots: list[StreamBot] = []
    playing: list[asyncio.Task[None]] = []
    progress = Progress()
    for kills in range(3):
        with serving(tmp_path / f"out{kills}", tmp_path / "data", "--port", port) as (server, _):
            if not playing:
                async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
                    players = [await registered(api, name) for name in ("Ada", "Bea")]
                await invite_all(url, *players)
                bots = [StreamBot(url, who, progress) for who in players]
                playing = [asyncio.create_task(bot.play(len(SLUGS))) for bot in bots]
            async with asyncio.timeout(60):
                await progress.more(10)
            assert not any(task.done() for task in playing)
            server.process.kill()
            server.process.wait()
    with serving(tmp_path / "out", tmp_path / "data", "--port", port):
        async with asyncio.timeout(240):
            await asyncio.gather(*playing)
        async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
            for match in bots[0].over:
                await check_heard(api, match, bots)


async def check_heard(api: httpx.AsyncClient, match: str, bots: list[StreamBot]) -> None:
    """Both bots were told every event, once or more, and always the same."""
    record: dict[int, Any] = {}
    after: int | None = 0
    while after is not None:
        page = (await api.get(f"/matches/{match}/events", params={"after": after})).json()
        record |= {event["version"]: event for event in page["events"]}
        after = page["next"]
    assert len(record) > 20
    for bot in bots:
        assert bot.heard[match] == {version: record[version] for version in bot.heard[match]}
        first = min(bot.heard[match])
        assert sorted(bot.heard[match]) == list(range(first, len(record) + 1))
