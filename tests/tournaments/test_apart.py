"""Players in processes of their own: nothing of one reaches another, and none outlives its match."""

import os
from typing import Any

import pytest

from service.tournaments.apart import apart

asked: list[Any] = []


def remembering(state: Any, version: int) -> tuple[Any, ...]:
    """Everything that this process was asked so far, and which process it is."""
    asked.append((state, version))
    return (tuple(asked), os.getpid())


def failing(state: Any, version: int) -> tuple[Any, ...]:
    os._exit(3)


def test_each_knows_only_what_it_was_asked() -> None:
    with apart([remembering] * 3) as players:
        told = [players[seat](f"state {version}", version) for version, seat in enumerate((0, 1, 0, 2))]
    assert [memory for memory, _ in told] == [
        (("state 0", 0),),
        (("state 1", 1),),
        (("state 0", 0), ("state 2", 2)),
        (("state 3", 3),),
    ]
    assert len({process for _, process in told} | {os.getpid()}) == 4
    assert asked == []


def test_all_have_ended_afterwards() -> None:
    with apart([remembering] * 2) as players:
        processes = [player(None, 0)[1] for player in players]
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_one_that_fails_is_noticed_and_the_others_end() -> None:
    with apart([failing, remembering]) as (first, second):
        with pytest.raises(EOFError):
            first(None, 0)
        assert second(None, 0)[0] == ((None, 0),)
