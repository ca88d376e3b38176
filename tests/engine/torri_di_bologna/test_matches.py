"""Whole matches: how they end, and how strong the estimate for players is."""

from collections import Counter
from typing import Any

import pytest

from engine.chance import Draw
from engine.players.greedy import choose as greedy
from engine.players.random import choose as chance_player
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.model import Over, State
from engine.torri_di_bologna.scoring import score_sheets
from tests.engine.torri_di_bologna.positions import PRESETS, on_wall, opening


def ending(preset: str, number: int) -> str:
    """How match `number` of random play ends."""
    draw = Draw(f"ending {preset} {number}".encode())
    state = on_wall(preset)
    step = 0
    while not isinstance(state.decision, Over):
        step += 1
        moves = GAME.legal(state)
        state = GAME.apply(state, moves[draw.below(len(moves), step)])[0]
    return state.decision.ending


@pytest.mark.parametrize("preset", PRESETS)
def test_random_matches_end_by_the_trigger(preset: str) -> None:
    endings = Counter(ending(preset, number) for number in range(10))
    assert endings["extra_round"] >= 9


@pytest.mark.soak
@pytest.mark.parametrize("preset", PRESETS)
def test_a_hundred_random_matches_end_by_the_trigger(preset: str) -> None:
    endings = Counter(ending(preset, number) for number in range(100))
    assert endings["extra_round"] >= 95


def is_won(seats: int, number: int) -> bool:
    """Whether the greedy player alone wins a match against random ones."""
    draw = Draw(f"duel {seats} {number}".encode())
    hero = number % seats
    state: State = opening(seats)
    step = 0
    while (seat := GAME.to_move(state)) is not None:
        step += 1
        move: Any = GAME.forced(state)
        if move is None:
            choose = greedy if seat == hero else chance_player
            (move,) = choose(GAME, state, draw.branch(step), lambda: True)
        state = GAME.apply(state, move)[0]
    return [row.seat for row in GAME.standing(state).rows if row.rank == 1] == [hero]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    assert sum(is_won(seats, number) for number in range(12)) >= 11


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random_a_hundred_times(seats: int) -> None:
    assert sum(is_won(seats, number) for number in range(100)) >= 98


def test_the_outlook_is_what_lies_on_the_table() -> None:
    state = opening(3)
    for step in range(40):
        assert GAME.outlook(state) == tuple(float(sum(sheet.values())) for sheet in score_sheets(state))
        assert list(GAME.outlook(state)) == [row.total for row in GAME.standing(state).rows]
        state = GAME.apply(state, GAME.legal(state)[step % len(GAME.legal(state))])[0]
