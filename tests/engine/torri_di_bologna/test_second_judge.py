"""The engine against the slow judge: the same moves in the same order by the same routes."""

from collections.abc import Iterable
from itertools import islice

import pytest

from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import State, Turn
from engine.torri_di_bologna.routes import routes
from tests.engine.torri_di_bologna import randoms, slow
from tests.engine.torri_di_bologna.positions import legal


def agreed(states: Iterable[State]) -> int:
    """How many of the states were compared; those with too many routes to walk are left out."""
    compared = 0
    for state in states:
        try:
            moves, best = slow.legal(state, most=30_000)
        except slow.TooManyRoutes:
            continue
        assert legal(state) == moves
        assert isinstance(state.decision, Turn)
        seat = state.decision.seat
        names = lattice(state.wall).names
        found = {
            names[cell]: (fee, [names[other] for other in route[1:]])
            for cell, (fee, route) in routes(state, seat, state.gold[seat]).items()
        }
        assert found == {name: (route.fee, slow.names(state, route.cells)) for name, route in best.items()}
        assert (GAME.forced(state) is not None) == (moves == ["pass"])
        compared += 1
    return compared


def reached(matches: range) -> Iterable[State]:
    """Every seventh position of these matches."""
    return (state for number in matches for state in islice(randoms.reached(number), number % 7, None, 7))


def test_positions_of_random_matches() -> None:
    assert agreed(reached(range(24))) >= 200


def test_crowded_positions() -> None:
    assert agreed(map(randoms.thrown, range(300))) >= 285


@pytest.mark.soak
def test_thousands_of_positions() -> None:
    assert agreed(reached(range(1_000, 1_240))) >= 2_000
    assert agreed(map(randoms.thrown, range(1_000, 4_000))) >= 2_850
