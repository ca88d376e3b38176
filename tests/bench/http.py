"""Moves over HTTP: one worker of `cantiere serve`, beside a bare route with one compare-and-set."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from schema.wire import PlayMoves
from service.client import Client
from tests.bench.load import ROOT, Load
from tests.bench.runs import COLUMNS, WIDTH, Server, middle, run
from tests.bench.scripted import API, Scripted, get, post
from tests.cli.running import background

GAME, SEATS = "red-cathedral", 2
SIZES = ((1, 1_000), (20, 300), (100, 120))
"""Live matches at once, each with a connection, and the moves each of them gets."""
RUNS = 3
DOCUMENT = 1_200
"""Bytes of a document, as the section `snapshot` finds them."""
AIM = 0.8
PATIENCE = 120.0
"""Seconds in which workers have started, on a machine that has other things to do."""


def figures() -> Iterator[str]:
    """Moves a second with every move on disk before it is answered, then with a write a second."""
    for fsync in ("always", "everysec"):
        yield f"fsync {fsync}"
        yield f"{'':<8}{'moves':<{WIDTH}}{'bare':<{WIDTH}}{'ratio of':>13}"
        yield f"{'matches':<8}{COLUMNS}{COLUMNS}{'rate':>7}{'cpu':>6}"
        with TemporaryDirectory() as folder:
            yield from _compared(Path(folder), fsync)
        yield ""
    yield f"{GAME}, {SEATS} seats, a move a request, with idempotency keys; medians of {RUNS} runs in turn."
    yield f"Aim: {AIM} of the bare route at 100 matches. Cpu and store are processor time a request."


def _compared(folder: Path, fsync: str) -> Iterator[str]:
    with (
        served(folder, fsync) as service,
        _bare(folder, fsync) as bare,
        Client(f"http://127.0.0.1:{service.port}") as client,
    ):
        numbers = iter(range(1, 1_000_000))
        for matches, moves in SIZES:
            runs, bare_runs = [], []
            for _ in range(RUNS):
                played = tuple(scripted_moves(client, numbers, moves) for _ in range(matches))
                runs.append(run(Load(*service, played), folder))
                written = tuple(_writes(next(numbers), moves) for _ in range(matches))
                bare_runs.append(run(Load(*bare, written), folder))
            ours, theirs = middle(runs), middle(bare_runs)
            yield (f"{matches:<8}{ours}{theirs}{ours.rate / theirs.rate:>7.2f}{theirs.cpu / ours.cpu:>6.2f}")
        lists = Load(*service, tuple(_lists(client, next(numbers)) for _ in range(20)))
        yield f"{'lists':<8}{middle([run(lists, folder) for _ in range(RUNS)])}"


def scripted_moves(client: Client, numbers: Iterator[int], count: int) -> tuple[bytes, ...]:
    """So many moves, in as many matches as it takes, one after the other."""
    requests: list[bytes] = []
    while len(requests) < count:
        course = Scripted(client, GAME, SEATS, next(numbers)).requests()
        requests += [request for request, _ in zip(course, range(count - len(requests)), strict=False)]
    return tuple(requests)


def _lists(client: Client, number: int) -> tuple[bytes, ...]:
    """The legal moves of a match, asked for again and again, as by all who watch."""
    return (get(f"{API}/matches/{Scripted(client, GAME, SEATS, number).id}/legal-moves"),) * 200


def _writes(number: int, count: int) -> tuple[bytes, ...]:
    """As many compare-and-sets, asked for in the same words."""
    token, key = "seat_" + "a" * 43, "a" * 24
    return tuple(
        post(f"/{number}", PlayMoves(version, ("move:white+1",)), token, f"{key}-{version}")
        for version in range(count)
    )


@contextmanager
def served(folder: Path, fsync: str, workers: int = 1, **environment: str) -> Iterator[Server]:
    """A service with a store of its own in the folder."""
    serve = ("serve", "--port", "0", "--data-dir", folder / "own", "--workers", str(workers))
    with background(
        folder / "log", *serve, CANTIERE_GRAPHQL="on", CANTIERE_FSYNC=fsync, **environment
    ) as server:
        address = server.says(r"listens on (http://\S+)")
        with Client(address, PATIENCE) as client:
            client.ready()
        port = urlsplit(address).port
        assert port is not None
        yield Server(server.process.pid, port)


@contextmanager
def _bare(folder: Path, fsync: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "tests.bench.bare", str(folder / "bare"), fsync, str(DOCUMENT)]
    with Popen(command, cwd=ROOT, stdout=PIPE) as process:
        try:
            assert process.stdout is not None
            yield Server(process.pid, int(process.stdout.readline()))
        finally:
            process.terminate()
