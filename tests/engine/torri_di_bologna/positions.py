"""Positions and matches written as in section 7 of RULES.md."""

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.chance import Draw
from engine.opening import read_options
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import BATTLEMENT, Placement, State, Tower, Turn

PRESETS = (
    "2p-quadrato",
    "2p-ottagono",
    "2p-gomito",
    "3p-quadrato",
    "3p-ottagono",
    "3p-gomito",
    "4p-quadrato",
    "4p-ottagono",
    "4p-porta",
    "2p-discosta",
    "3p-lontane",
    "4p-gomito",
)
HARD = PRESETS[9:]

DRAW = Draw(b"no chance")


def opening(seats: int, **options: Any) -> State:
    """The state at version 0."""
    return GAME.setup(GAME.deal(read_options(GAME, options), seats, DRAW))


def on_wall(preset: str, **options: Any) -> State:
    """The state at version 0 on a preset."""
    bases = "hard" if preset in HARD else "standard"
    return opening(int(preset[0]), wall=preset, bases=bases, **options)


def played(state: State, *texts: str) -> State:
    """The state after these moves, each of them legal and in its recorded spelling."""
    for text in texts:
        move = GAME.parse(text)
        assert GAME.normal(state, move) == move, text
        state = GAME.apply(state, move)[0]
    return state


def told(state: State, text: str) -> list[str]:
    """The codes of what a legal move changes."""
    move = GAME.normal(state, GAME.parse(text))
    assert move is not None, text
    return [change.code for change in GAME.apply(state, move)[1]]


def position(
    preset: str,
    towers: str = "",
    *,
    builders: str,
    gold: tuple[int, ...] | None = None,
    seat: int = 0,
    plain: dict[int, int] | None = None,
    battlements: dict[int, int] | None = None,
    **fields: Any,
) -> State:
    """A position on a preset: towers like `b3[0,1] a1[0,2!]`, builders by seat.

    What is not on the table is in hand; `plain` and `battlements` give seats another supply in hand.
    """
    start = on_wall(preset)
    ground = lattice(start.wall)
    stacks: list[Tower] = [()] * len(ground.names)
    for name, pieces in re.findall(r"(\w+)\[(.*?)\]", towers):
        stacks[ground.cells[name]] = tuple(map(_piece, pieces.split(",")))
    pieces_out = [piece for stack in stacks for piece in stack]
    seats = range(len(start.gold))
    in_hand = {who: start.plain[who] - pieces_out.count(who) for who in seats} | (plain or {})
    caps = {who: start.battlements[who] - pieces_out.count(BATTLEMENT + who) for who in seats} | (
        battlements or {}
    )
    state = replace(
        start,
        decision=Turn(seat),
        builders=tuple(ground.cells[name] for name in builders.split()),
        gold=gold or (0,) * len(seats),
        plain=tuple(in_hand[who] for who in seats),
        battlements=tuple(caps[who] for who in seats),
        towers=tuple(stacks),
        **fields,
    )
    assert len(state.builders) == len(seats) == len(state.gold)
    return msgspec.convert(msgspec.to_builtins(state), State)


def legal(state: State) -> list[str]:
    """The legal moves as text, in their order."""
    return [GAME.write(move) for move in GAME.legal(state)]


def is_legal(state: State, text: str) -> bool:
    """Whether a move, spelled anyhow, is legal; the refusal tells why exactly when it is not."""
    move = GAME.parse(text)
    verdict = GAME.normal(state, move) is not None
    assert verdict == (GAME.why_not(state, move) == ())
    return verdict


def reasons(state: State, text: str) -> set[tuple[str, str]]:
    """Rule and code of every condition that a move fails."""
    return {(reason.rule, reason.code) for reason in GAME.why_not(state, GAME.parse(text))}


def tower(state: State, name: str) -> Tower:
    """The pieces on a cell."""
    return state.towers[lattice(state.wall).cells[name]]


def builder(state: State, seat: int) -> str:
    """The cell of a builder."""
    return lattice(state.wall).names[state.builders[seat]]


def is_placing(state: State) -> bool:
    """Whether a builder is to be placed."""
    return isinstance(state.decision, Placement)


def _piece(text: str) -> int:
    return BATTLEMENT + int(text[:-1]) if text.endswith("!") else int(text)
