"""The legal moves, and the only judge of what is legal."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import BATTLEMENT, BATTLEMENT_PRICE, Placement, State, Turn
from engine.torri_di_bologna.moves import Build, Cap, Move, Pass, Place, Step, Walk
from engine.torri_di_bologna.routes import fee, fees, is_walkable, named_route, routes

PASS: Final = Pass()
PLACES: Final[tuple[Move, ...]] = (Place("a"), Place("g"))


def legal(state: State) -> tuple[Move, ...]:
    """Every legal move; explicit routes are left out.

    By destination in lattice order, and for one destination walk, build, cap. Without any: `pass` alone.
    Source: section 6, TB-2.6, TB-2.12.
    """
    if isinstance(state.decision, Turn):
        return _turn_moves(state, state.decision.seat)
    return PLACES if isinstance(state.decision, Placement) else ()


def forced(state: State) -> Pass | None:
    """`pass`, if the seat to move has no other move. Source: TB-2.12.

    Every other move begins with a step to a tower or base that can be paid, which is a walk by itself, or is
    a build on a free cell beside the builder.
    """
    if not isinstance(state.decision, Turn):
        return None
    seat = state.decision.seat
    ground = lattice(state.wall)
    due = fees(state, seat)
    purse = state.gold[seat]
    for cell in ground.steps[state.builders[seat]]:
        if state.towers[cell] or cell in ground.centrals:
            if due.get(cell, 0) <= purse:
                return None
        elif state.plain[seat]:
            return None
    return PASS


def normal(state: State, move: Move) -> Move | None:
    """`move`, without its route if that is the canonical one; None if it is not legal. Source: TB-2.6."""
    if not isinstance(move, Step) or not move.via:
        return move if move in legal(state) else None
    if not isinstance(state.decision, Turn):
        return None
    seat = state.decision.seat
    route = named_route(lattice(state.wall), state.builders[seat], move.via, move.to)
    if route is None or not is_walkable(state, seat, route):
        return None
    rest = state.gold[seat] - fee(route, fees(state, seat))
    if rest < 0 or not _is_allowed(state, seat, move, route[-1], rest):
        return None
    canonical = routes(state, seat, state.gold[seat])[route[-1]][1]
    return type(move)(move.to) if route == canonical else move


def level_limit(state: State) -> int:
    """L: how high an ordinary tower may grow, the height of the lower central tower. Source: TB-2.9."""
    asinelli, garisenda = lattice(state.wall).centrals
    return 1 + min(len(state.towers[asinelli]), len(state.towers[garisenda]))


def can_walk_onto(state: State, cell: int) -> bool:
    """Whether a walk may end on `cell`: on a tower or base. Source: TB-2.1, TB-2.2."""
    return bool(state.towers[cell]) or cell in lattice(state.wall).centrals


def can_build(state: State, seat: int, cell: int) -> bool:
    """Whether `seat`, coming to `cell`, may put a plain piece there.

    Source: TB-2.7, TB-2.9, TB-2.13, TB-3.1.
    """
    if not state.plain[seat] or cell in state.builders:
        return False
    if cell in lattice(state.wall).centrals:
        return not state.is_closed
    tower = state.towers[cell]
    return not tower or (tower[-1] < BATTLEMENT and len(tower) < level_limit(state))


def can_cap(state: State, seat: int, cell: int, rest: int) -> bool:
    """Whether `seat`, coming to `cell` with `rest` gold, may put a battlement there.

    Source: TB-2.10, TB-2.11.
    """
    if rest < BATTLEMENT_PRICE or not state.battlements[seat] or cell in state.builders:
        return False
    tower = state.towers[cell]
    if not tower or tower[-1] >= BATTLEMENT or cell in lattice(state.wall).centrals:
        return False
    return state.battlement_mode == "cap" or len(tower) < level_limit(state)


class _Shared(Struct, frozen=True):
    """The moves without a route to each cell, made once a wall."""

    walks: tuple[Walk, ...]
    builds: tuple[Build, ...]
    caps: tuple[Cap, ...]


@lru_cache(maxsize=1024)
def _shared(wall: str) -> _Shared:
    names = lattice(wall).names
    return _Shared(tuple(map(Walk, names)), tuple(map(Build, names)), tuple(map(Cap, names)))


def _turn_moves(state: State, seat: int) -> tuple[Move, ...]:
    shared = _shared(state.wall)
    moves: list[Move] = []
    gold = state.gold[seat]
    found = routes(state, seat, gold)
    for cell in sorted(found):
        if can_walk_onto(state, cell):
            moves.append(shared.walks[cell])
        if can_build(state, seat, cell):
            moves.append(shared.builds[cell])
        if can_cap(state, seat, cell, gold - found[cell][0]):
            moves.append(shared.caps[cell])
    return tuple(moves) or (PASS,)


def _is_allowed(state: State, seat: int, move: Step, cell: int, rest: int) -> bool:
    """Whether the walk of `move` may end as it says, on `cell` with `rest` gold."""
    if isinstance(move, Walk):
        return can_walk_onto(state, cell)
    if isinstance(move, Build):
        return can_build(state, seat, cell)
    return can_cap(state, seat, cell, rest)
