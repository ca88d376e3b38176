"""A match on a server, watched while others play it."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.text import Text

from engine.match import Step
from service.cli.exits import Failure, NoResult
from service.cli.output import event_text, move_sentence, out, row_name, seat_name, standing_table
from service.cli.processes import Process
from service.client import Client, Replica
from service.client.pace import Pace

PAST: Final = 5
"""Events shown on the live display."""
LINE_SECONDS: Final = 1.0
"""Between two lines where there is no terminal."""

Show = Callable[[Replica, Sequence[Step]], None]


def follow(client: Client, match: str, processes: Sequence[Process]) -> None:
    """Show the match, which the processes play, to its end. Raises Failure if one of them fails."""
    pace = Pace(0.05, 0.5)
    while client.match(match).status == "open":
        _check(processes)
        pace.wait()
    with _live() if out.is_terminal else _lines() as show:
        replica = Replica(client, match)
        show(replica, replica.seen)
        while replica.status == "running":
            steps = replica.update(wait=1)
            show(replica, steps)
            if steps:
                pace.reset()
            _check(processes)
            pace.wait()
    if replica.status != "finished":
        raise NoResult(f"the match was {replica.status}")


def _check(processes: Sequence[Process]) -> None:
    for process in processes:
        if process.poll():
            raise Failure(f"a process of the demonstration ended with status {process.returncode}")


@contextmanager
def _live() -> Iterator[Show]:
    past: deque[Text] = deque(maxlen=PAST)
    with Live(console=out, refresh_per_second=10, transient=True) as live:

        def show(replica: Replica, steps: Sequence[Step]) -> None:
            past.extend(event_text(replica.game, step, replica.names) for step in steps[-PAST:])
            rows = replica.game.standing(replica.state).rows
            live.update(Group(Text(_headline(replica), "bold"), standing_table(rows, replica.names), *past))

        yield show


@contextmanager
def _lines() -> Iterator[Show]:
    due = 0.0

    def show(replica: Replica, steps: Sequence[Step]) -> None:
        nonlocal due
        over = replica.game.to_move(replica.state) is None
        if steps and (over or time.monotonic() >= due):
            due = time.monotonic() + LINE_SECONDS
            last = steps[-1].event
            who = "chance" if last.seat is None else seat_name(last.seat, replica.names)
            out.print(f"{_headline(replica)}; {who}: {move_sentence(replica.game, last)}")

    yield show


def _headline(replica: Replica) -> str:
    rows = replica.game.standing(replica.state).rows
    score = ", ".join(f"{row_name(row, replica.names)} {row.total}" for row in rows)
    holder = replica.game.to_move(replica.state)
    turn = "over" if holder is None else f"turn of {seat_name(holder, replica.names)}"
    return f"version {replica.version}, {turn}; {score}"
