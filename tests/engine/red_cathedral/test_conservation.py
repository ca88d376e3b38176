"""Nothing is lost and nothing appears: what holds after every step of every match."""

import itertools
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import digest
from engine.opening import read_options
from engine.red_cathedral import GAME
from engine.red_cathedral.model import State
from engine.transcript import Transcript, replay
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.table import BOX, box_total

OTHER_READINGS = {
    "market_gain": "pips",
    "market_roll": "before",
    "tower_places": "one",
    "tower_ties": "split",
    "two_seat_towers": "standard",
    "trade_moments": "any",
    "jewel_pairs": "different",
}
DIFFICULTIES = ("easy", "normal", "hard")
VARIANTS: list[dict[str, Any]] = [
    {},
    {"workshop": "advanced"},
    {"influence": "beginner", "house_rules": OTHER_READINGS},
]


def check(state: State) -> None:
    """Everything of the box is on the table, and everything on the table is possible."""
    assert box_total(state) == BOX
    assert min(state.reserve) >= 0
    for seat, player in enumerate(state.players):
        assert player.position >= 0
        assert player.rubles >= 0
        assert min(player.inventory) >= 0
        assert sum(player.inventory) + max(0, player.banners - 2) <= 10
        claimed = [number for number, section in enumerate(state.sections) if section.owner == seat]
        assert player.banners + len(claimed) == 6
        if state.ivan is None or seat == 0:
            assert sorted(tile.section for tile in player.workshop if tile is not None) == claimed
    for kind, owned in enumerate((1, 2, 1)):
        fitting = [state.sections[number] for number in of_kind(state.table.cards, kind)]
        for seat, player in enumerate(state.players):
            assert player.ornaments[kind] + sum(section.ornament == seat for section in fitting) == owned
    for section in state.sections:
        assert not (section.finished and any(section.delivered))
        assert section.owner is not None or not any(section.delivered)
        assert section.finished or section.ornament is None
    assert set(state.spaces) <= set(range(1, 9))
    assert set(state.pips) <= set(range(1, 7))
    assert max(map(state.spaces.count, state.spaces)) <= 3


@cache
def of_kind(cards: tuple[tuple[str, ...], ...], kind: int) -> tuple[int, ...]:
    """The numbers of all bases, middle sections or domes."""
    letters = [card[0] for tower in cards for card in tower]
    return tuple(number for number, letter in enumerate(letters) if letter == "fmd"[kind])


@pytest.mark.parametrize("options", VARIANTS, ids=["basic", "advanced", "house"])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_step_conserves_everything(seats: int, options: dict[str, Any]) -> None:
    walk = random_match(GAME, seats, 21, turn_limit=40, **options)
    for state in itertools.chain([walk.start], (step.state for step in walk.steps)):
        check(state)


@given(
    data=st.data(),
    seats=st.integers(1, 4),
    variant=st.integers(0, len(VARIANTS) - 1),
    key=st.binary(max_size=8),
)
def test_whatever_is_chosen_conserves_everything(
    data: DataObject, seats: int, variant: int, key: bytes
) -> None:
    state = GAME.setup(GAME.deal(read_options(GAME, VARIANTS[variant]), seats, Draw(key)))
    for _ in range(60):
        moves = GAME.legal(state)
        if not moves:
            break
        if len(active := GAME.active(state)) > 1 and data.draw(st.integers(0, 40), label="retire") == 40:
            state, _ = GAME.retire(state, active[0])
        else:
            state, _ = GAME.apply(state, data.draw(st.sampled_from(moves), label="move"))
        check(state)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_match_ends_by_itself_in_each_way(seats: int) -> None:
    """Random play reaches the sixth section or, with few turns, the limit."""
    short = list(random_match(GAME, seats, 4, turn_limit=5).steps)[-1].state
    assert (short.trigger, short.round) == (None, 5)
    ends = [list(random_match(GAME, seats, number, turn_limit=0).steps)[-1].state for number in range(2)]
    assert all(GAME.to_move(state) is None for state in ends)
    assert all(state.trigger is not None for state in ends)


THOUSANDS = [
    *(pytest.param(1, [{"difficulty": level}], 1_000, id=f"solo-{level}") for level in DIFFICULTIES),
    *(pytest.param(seats, [{"workshop": "advanced"}], 1_000, id=f"advanced-{seats}") for seats in GAME.seats),
    *(pytest.param(seats, VARIANTS[::2], 500, id=f"others-{seats}") for seats in GAME.seats),
]


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "variants", "matches"), THOUSANDS)
def test_very_many_matches_end_conserve_and_replay(
    seats: int, variants: list[dict[str, Any]], matches: int
) -> None:
    for number in range(matches):
        walk = random_match(GAME, seats, number, **variants[number % len(variants)])
        steps = []
        for step in walk.steps:
            check(step.state)
            steps.append(step)
        assert GAME.to_move(steps[-1].state) is None
        transcript = Transcript(
            game=GAME.slug,
            rules=GAME.rules,
            edition=GAME.edition,
            deal=msgspec.to_builtins(walk.deal),
            events=tuple(step.event for step in steps),
            digest=digest(steps[-1].state),
        )
        assert sum(1 for _ in replay(transcript)) == len(steps)


def test_chance_is_never_asked_of_a_seat() -> None:
    walk = random_match(GAME, 3, 2, turn_limit=20)
    for step in walk.steps:
        outcome = step.event.kind == "outcome"
        assert step.event.seat is None if outcome else step.event.seat in (0, 1, 2)
        assert outcome == step.event.move.startswith("*")
        if GAME.to_move(step.state) == CHANCE:
            assert all(GAME.write(move).startswith("*") for move in GAME.legal(step.state))
