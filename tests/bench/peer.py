"""Moves over HTTP beside boardgame.io, on the same machine and in turns.

Each is under the same load from the same client: so many matches at once, each on a connection of its own
on which a move is sent when the one before is acknowledged. Ours are of a whole game, with every move on disk
before it is acknowledged. Theirs are of a game that only counts, in memory, on a WebSocket that plays both
seats: the least a move can cost there.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from shutil import which
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from service.client import Client
from tests.bench.http import GAME, PATIENCE, RUNS, SEATS, scripted_moves, served
from tests.bench.load import Load
from tests.bench.runs import COLUMNS, WIDTH, Run, Server, middle, run
from tests.bench.socketio import NAMESPACE, emitted

HERE = Path(__file__).parent
SIZES = ((1, 500), (20, 150), (100, 60))
"""Live matches at once, and the moves each of them gets."""
WARM_UP = (20, 150)
"""What is played before anything is measured: compilers that learn as they go have learnt by then."""
LOBBY = f"/games{NAMESPACE}"
FSYNC = "always"
WORKERS = 2
RATE_AIM, DELAY_AIM = 3, 0.4
Course = Callable[[int, int], Load]
"""A load of so many new matches with so many moves each."""


def figures() -> Iterator[str]:
    """Moves a second of ours, with one worker and with two, and of theirs, which is one process."""
    if which("node") is None or not (HERE / "node_modules").is_dir():
        yield "Left out: `make bench` installs boardgame.io with npm, which is not here."
        return
    yield f"{'':<8}{'one worker':<{WIDTH}}{f'{WORKERS} workers':<{WIDTH}}{'boardgame.io':<{WIDTH}}"
    yield f"{'matches':<8}{COLUMNS * 3}"
    with TemporaryDirectory() as folder:
        yield from _compared(Path(folder))
    yield f"\nOurs: {GAME}, {SEATS} seats, fsync {FSYNC}. Medians of {RUNS} runs in turn."
    yield f"Aims: {RATE_AIM} times the rate at 100 matches, {DELAY_AIM} of p99 at 20, with one worker."


def _compared(folder: Path) -> Iterator[str]:
    with ExitStack() as stack:
        courses = [
            *(stack.enter_context(_ours(folder / str(workers), workers)) for workers in (1, WORKERS)),
            stack.enter_context(_theirs()),
        ]
        for course in courses:
            run(course(*WARM_UP), folder)
        for size in SIZES:
            runs = [[run(course(*size), folder) for course in courses] for _ in range(RUNS)]
            one, several, peer = (middle(found) for found in zip(*runs, strict=True))
            yield f"{size[0]:<8}{one}{several}{peer}"
            yield f"{'':<8}{_ratios(one, peer)}{_ratios(several, peer)}"


def _ratios(ours: Run, theirs: Run) -> str:
    """Ours to theirs, under the columns: the rate, the delays, and all processor time."""
    rate, p50, p99 = (mine / other for mine, other in zip(ours[:3], theirs, strict=False))
    time = (ours.cpu + ours.store) / theirs.cpu
    return f"{rate:>8.2f}x{p50:>7.2f}x{p99:>7.2f}x{time:>7.2f}x{'':>7}"


@contextmanager
def _ours(folder: Path, workers: int) -> Iterator[Course]:
    """Makes loads for a service of ours."""
    folder.mkdir()
    with (
        served(folder, FSYNC, workers) as server,
        Client(f"http://127.0.0.1:{server.port}", PATIENCE) as client,
    ):
        numbers = count(1)
        yield lambda matches, moves: Load(
            *server, tuple(scripted_moves(client, numbers, moves) for _ in range(matches))
        )


@contextmanager
def _theirs() -> Iterator[Course]:
    """Makes loads for a server of theirs."""
    with (
        _boardgame_io() as server,
        httpx.Client(base_url=f"http://127.0.0.1:{server.port}{LOBBY}", timeout=PATIENCE) as lobby,
    ):
        yield lambda matches, moves: Load(
            *server, tuple(_additions(lobby, moves) for _ in range(matches)), "socket.io"
        )


def _additions(lobby: httpx.Client, moves: int) -> tuple[bytes, ...]:
    """Joining a new match and so many moves of its two seats in turn, as clients of theirs send them."""

    def answer(path: str, body: dict[str, Any]) -> Any:
        return lobby.post(path, json=body).raise_for_status().json()

    match = answer("/create", {"numPlayers": 2})["matchID"]
    tokens = [
        answer(f"/{match}/join", {"playerID": str(seat), "playerName": "bench"})["playerCredentials"]
        for seat in range(2)
    ]
    requests = [emitted("sync", match, "0", tokens[0], 2)]
    for number in range(moves):
        seat = number % 2
        payload = {"type": "add", "args": [1], "playerID": str(seat), "credentials": tokens[seat]}
        requests.append(
            emitted("update", {"type": "MAKE_MOVE", "payload": payload}, number, match, str(seat))
        )
    return tuple(requests)


@contextmanager
def _boardgame_io() -> Iterator[Server]:
    command = ["node", "boardgameio.cjs"]
    with Popen(command, cwd=HERE, stdout=PIPE, env=os.environ | {"NODE_ENV": "production"}) as process:
        try:
            assert process.stdout is not None
            yield Server(process.pid, int(process.stdout.readline()))
        finally:
            process.terminate()
