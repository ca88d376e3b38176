"""Reasons are given exactly for what is not legal, and each can be said in words."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from engine.chance import Draw
from engine.game import CHANCE
from engine.opening import read_options
from engine.red_cathedral import GAME
from engine.red_cathedral.layout import JEWELS, outcomes
from engine.red_cathedral.model import DICE, MATERIALS, WORKSHOP, State
from engine.red_cathedral.moves import (
    Activate,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    Delivery,
    Done,
    End,
    Influence,
    Kinds,
    Move,
    MoveDie,
    Reroll,
    Spot,
    Take,
    Trade,
)

SECTIONS = ("a1", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2", "d1", "d2", "e1", "f3", "z9")
OTHER_READINGS = {
    "market_gain": "pips",
    "market_roll": "before",
    "trade_moments": "any",
    "jewel_pairs": "different",
}
TABLES: tuple[tuple[int, dict[str, Any]], ...] = (
    (1, {}),
    (2, {"workshop": "advanced"}),
    (3, {"house_rules": OTHER_READINGS}),
    (4, {"influence": "beginner"}),
)


def universe() -> Iterator[Move]:
    """Well-formed moves of every kind, most of them senseless in any one position."""
    yield from (Claim(*parts) for parts in product(SECTIONS, WORKSHOP, (True, False)))
    yield from (Deliver(*parts) for parts in product(SECTIONS, MATERIALS))
    yield from (Decorate(*parts) for parts in product(SECTIONS, JEWELS))
    yield from (MoveDie(*parts) for parts in product(DICE, (0, 1, 2, 3, 7, 8, 99)))
    yield from (Take(amount) for amount in (*range(10), 99))
    yield from (Influence(effect, choices) for effect in (1, 2) for choices in choice_tuples())
    yield from (Activate(space) for space in WORKSHOP)
    yield from (Reroll(space) for space in range(1, 9))
    yield from (ClaimForIvan(section) for section in SECTIONS)
    yield from (Trade(), Done(), End())
    yield from (outcomes(dice)[0] for dice in ((0,), (1, 4), (0, 1, 2)))


def choice_tuples() -> Iterator[tuple[Any, ...]]:
    kinds = [Kinds((material,)) for material in MATERIALS]
    singles = [Delivery(material, section) for material, section in product(MATERIALS, SECTIONS[:8])]
    spots = [Spot(space) for space in range(1, 9)]
    yield ()
    yield from ((kind,) for kind in kinds)
    yield from product(kinds, kinds)
    yield from ((spot,) for spot in spots)
    yield from ((Deliveries((single,)),) for single in singles)
    yield from ((Deliveries(pair),) for pair in product(singles[::3], singles[::5]))
    yield from ((kinds[0], spots[3]), (spots[3], kinds[0]), (kinds[1], Deliveries((singles[0],))))


UNIVERSE = tuple(universe())


def positions(seats: int, options: dict[str, Any], number: int) -> Iterator[State]:
    """The states of a match that builds whenever it can, so that there is something to refuse."""
    draw = Draw(f"reasons {seats} {number}".encode())
    state = GAME.setup(GAME.deal(read_options(GAME, options), seats, draw))
    for version in range(4000):
        holder = GAME.to_move(state)
        yield state
        if holder is None:
            return
        if holder == CHANCE:
            move = GAME.outcome(state, draw)
        else:
            moves = GAME.legal(state)
            eager = [move for move in moves if isinstance(move, Deliver | Decorate | Influence | Take)]
            pick = eager if eager and draw.below(3, "eager", version) else moves
            move = pick[draw.below(len(pick), "pick", version)]
        state, _ = GAME.apply(state, move)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_reasons_are_given_exactly_for_what_is_not_legal(seats: int, options: dict[str, Any]) -> None:
    for state in islice(positions(seats, options, 1), 3, None, 37):
        legal = set(GAME.legal(state))
        for move in {*UNIVERSE, *legal}:
            reasons = GAME.why_not(state, move)
            assert (not reasons) == (move in legal), (GAME.write(move), reasons)
            assert (GAME.normal(state, move) is not None) == (move in legal)
            for reason in reasons:
                assert reason.rule.startswith("RC-")
                assert GAME.sentence(reason)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_changes_and_moves_can_be_said(seats: int, options: dict[str, Any]) -> None:
    for state in islice(positions(seats, options, 2), 400):
        for move in GAME.legal(state)[:40]:
            assert GAME.sentence(move).endswith(".")
            after, changes = GAME.apply(state, move)
            assert after != state
            assert all(GAME.sentence(change).endswith(".") for change in changes)
