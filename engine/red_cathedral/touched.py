"""What on the board each legal move touches."""

from collections.abc import Iterator

from engine.red_cathedral.facts import landing
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.legal import legal
from engine.red_cathedral.model import DICE, WORKSHOP, Market, Roll, State
from engine.red_cathedral.moves import (
    Activate,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    Influence,
    Move,
    MoveDie,
    Reroll,
    Spot,
    Take,
)
from engine.red_cathedral.notation import write

Touched = tuple[str, int]
"""A `section`, `workshop` space, market `space`, `die` or `effect` by its number; `""` if nothing."""


def touched(layout: Layout, state: State) -> Iterator[tuple[Touched, str]]:
    """Each thing that a legal move touches, with the move's notation. Outcomes touch nothing."""
    if isinstance(state.decision, Roll):
        return
    for move in legal(layout, state):
        things = list(_things(layout, state, move))
        for thing in things or [("", 0)]:
            yield thing, write(move)


def _things(layout: Layout, state: State, move: Move) -> Iterator[Touched]:
    if isinstance(move, Claim | Deliver | Decorate | ClaimForIvan):
        yield "section", layout.index[move.section]
    if isinstance(move, Claim | Activate):
        yield "workshop", WORKSHOP.index(move.workshop_space)
    if isinstance(move, MoveDie):
        die = DICE.index(move.die)
        yield "die", die
        yield "space", landing(state.spaces[die], state.pips[die] + move.extra)
    if isinstance(move, Reroll):
        yield "space", move.space
    if isinstance(move, Take | Influence) and isinstance(state.decision, Market):
        space = state.spaces[state.decision.die]
        if isinstance(move, Take):
            yield "space", space
        else:
            yield "effect", (space - 1) // 2 * 2 + move.effect - 1
            yield from _chosen(layout, move)


def _chosen(layout: Layout, move: Influence) -> Iterator[Touched]:
    for choice in move.choices:
        if isinstance(choice, Spot):
            yield "space", choice.space
        elif isinstance(choice, Deliveries):
            for section in {delivery.section for delivery in choice.deliveries}:
                yield "section", layout.index[section]
