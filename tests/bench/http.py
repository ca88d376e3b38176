"""Moves over HTTP: one worker of `cantiere serve`, beside a bare route with one compare-and-set."""

import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from schema.wire import PlayMoves
from service.client import Client
from tests.bench.load import ROOT, Load, Result, measured
from tests.bench.scripted import API, Scripted, get, post
from tests.cli.running import background

GAME, SEATS = "red-cathedral", 2
SIZES = ((1, 1_000), (20, 300), (100, 120))
"""Live matches at once, each with a connection, and the moves each of them gets."""
RUNS = 3
DOCUMENT = 1_200
"""Bytes of a document, as the section `snapshot` finds them."""
AIM = 0.8


class Server(NamedTuple):
    """A server under load."""

    pid: int
    port: int


class Run(NamedTuple):
    """What one run came to: requests a second, latencies in ms, the server's time per request in us."""

    rate: float
    p50: float
    p99: float
    cpu: float


def figures() -> Iterator[str]:
    """Moves a second with every move on disk before it is answered, then with a write a second."""
    for fsync in ("always", "everysec"):
        yield f"fsync {fsync}"
        yield f"{'':<8}{'moves':<33}{'bare':<33}{'ratio of':>13}"
        columns = f"{'/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'cpu us':>8}"
        yield f"{'matches':<8}{columns}{columns}{'rate':>7}{'cpu':>6}"
        with TemporaryDirectory() as folder:
            yield from _compared(Path(folder), fsync)
        yield ""
    yield f"{GAME}, {SEATS} seats, a move a request, with idempotency keys; medians of {RUNS} runs in turn."
    yield f"Aim: {AIM} of the bare route at 100 matches. Cpu is the server's time a request."


def _compared(folder: Path, fsync: str) -> Iterator[str]:
    with (
        _service(folder, fsync) as service,
        _bare(folder, fsync) as bare,
        Client(f"http://127.0.0.1:{service.port}") as client,
    ):
        numbers = iter(range(1, 1_000_000))
        for matches, moves in SIZES:
            runs, bare_runs = [], []
            for _ in range(RUNS):
                played = [_moves(client, numbers, moves) for _ in range(matches)]
                runs.append(_run(service, played, folder))
                bare_runs.append(_run(bare, [_writes(next(numbers), moves) for _ in range(matches)], folder))
            ours, theirs = _middle(runs), _middle(bare_runs)
            yield (
                f"{matches:<8}{_shown(ours)}{_shown(theirs)}{ours.rate / theirs.rate:>7.2f}"
                f"{theirs.cpu / ours.cpu:>6.2f}"
            )
        lists = [_lists(client, next(numbers)) for _ in range(20)]
        yield f"{'lists':<8}{_shown(_middle([_run(service, lists, folder) for _ in range(RUNS)]))}"


def _moves(client: Client, numbers: Iterator[int], count: int) -> tuple[bytes, ...]:
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


def _run(server: Server, requests: list[tuple[bytes, ...]], folder: Path) -> Run:
    before = cpu_seconds(server.pid)
    result = measured(Load(server.port, tuple(requests)), folder / "load.json")
    spent = cpu_seconds(server.pid) - before
    return _summary(result, spent)


def _summary(result: Result, cpu: float) -> Run:
    count = len(result.latencies)
    cuts = statistics.quantiles(result.latencies, n=100)
    return Run(count / result.seconds, cuts[49] * 1e3, cuts[98] * 1e3, cpu / count * 1e6)


def _middle(runs: list[Run]) -> Run:
    return Run(*(statistics.median(values) for values in zip(*runs, strict=True)))


def _shown(run: Run) -> str:
    return f"{run.rate:>9,.0f}{run.p50:>8.2f}{run.p99:>8.2f}{run.cpu:>8.1f}"


def cpu_seconds(pid: int) -> float:
    """The processor time that the threads of a process have used; from Linux's account in ns."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


@contextmanager
def _service(folder: Path, fsync: str) -> Iterator[Server]:
    serve = ("serve", "--port", "0", "--data-dir", folder / "own")
    with background(folder / "log", *serve, CANTIERE_FSYNC=fsync) as server:
        address = server.says(r"listens on (http://\S+)")
        with Client(address) as client:
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
