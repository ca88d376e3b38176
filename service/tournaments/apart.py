"""Players that share nothing: each is in a process of its own for as long as it plays."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

Player = Callable[[Any, int], tuple[Any, ...]]
"""The moves that are played in a state, at a version."""


@contextmanager
def apart(players: Sequence[Player]) -> Iterator[tuple[Player, ...]]:
    """The same players, forked here one by one: what one of them comes to know stays with it.

    Asking one whose process has ended raises EOFError.
    """
    context, ends, processes = get_context("fork"), list[Connection](), []
    for player in players:
        own, end = context.Pipe()
        ends.append(own)
        processes.append(context.Process(target=_answer, args=(player, end, tuple(ends)), daemon=True))
        processes[-1].start()
        end.close()
    try:
        yield tuple(partial(_ask, end) for end in ends)
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.join()


def _ask(end: Connection, state: Any, version: int) -> tuple[Any, ...]:
    end.send((state, version))
    moves: tuple[Any, ...] = end.recv()
    return moves


def _answer(player: Player, end: Connection, inherited: Sequence[Connection]) -> None:
    """Play until nobody asks any more. This would not be noticed if the ends that ask stayed open here."""
    for other in inherited:
        other.close()
    while True:
        try:
            state, version = end.recv()
        except EOFError:
            return
        end.send(player(state, version))
