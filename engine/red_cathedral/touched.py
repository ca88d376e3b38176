"""What on the board each legal move touches, and what is meant by choosing something else."""

from collections.abc import Iterator

from engine.red_cathedral.facts import landing
from engine.red_cathedral.layout import Layout, Place
from engine.red_cathedral.legal import legal
from engine.red_cathedral.model import DICE, MATERIALS, WORKSHOP, Market, Over, Roll, State
from engine.red_cathedral.moves import (
    Activate,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    End,
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


def touched_by(layout: Layout, state: State, move: Move) -> tuple[str, ...]:
    """The names of the things that a legal move touches.

    A section is named as in `a1`, other things by what they are: `die:blue`, `space:3`, `workshop:white1`,
    and `effect:2:1` for the first effect of the card between spaces 3 and 4, the second quadrant.
    """
    return tuple(_name(layout, kind, number) for kind, number in _things(layout, state, move))


def _name(layout: Layout, kind: str, number: int) -> str:
    match kind:
        case "section":
            return layout.sections[number].name
        case "workshop":
            return f"workshop:{WORKSHOP[number]}"
        case "die":
            return f"die:{DICE[number]}"
        case "effect":
            return f"effect:{number // 2 + 1}:{number % 2 + 1}"
        case _:
            return f"{kind}:{number}"


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


def meant(layout: Layout, state: State) -> Iterator[tuple[Touched, Move]]:
    """Each thing with the move that somebody most likely means who chooses it, legal or not."""
    if isinstance(state.decision, Roll | Over):
        return
    yield ("", 0), End()
    yield from ((("die", number), MoveDie(die)) for number, die in enumerate(DICE))
    at = state.spaces[state.decision.die] if isinstance(state.decision, Market) else None
    for space in range(1, 9):
        yield ("space", space), Take(1) if space == at else Reroll(space)
    yield from ((("effect", number), Influence(number % 2 + 1)) for number in range(8))
    yield from ((("workshop", number), Activate(space)) for number, space in enumerate(WORKSHOP))
    for place in layout.sections:
        yield ("section", place.index), _meant_section(state, place)


def _meant_section(state: State, place: Place) -> Move:
    """To claim a section that is free, to build on one that is not finished, to decorate one that is."""
    section = state.sections[place.index]
    if section.owner is None:
        return Claim(place.name, WORKSHOP[0], False)
    if section.finished:
        return Decorate(place.name)
    missing = (due - there for due, there in zip(place.cost, section.delivered, strict=True))
    kind = next((kind for kind, count in enumerate(missing) if count > 0), 0)
    return Deliver(place.name, MATERIALS[kind])
