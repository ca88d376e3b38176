"""Why a well-formed move is not legal: every condition that it fails, with rule and numbers."""

from collections import Counter
from itertools import pairwise
from typing import Final

from engine.game import Reason
from engine.torri_di_bologna.lattice import Lattice, lattice
from engine.torri_di_bologna.legal import can_walk_onto, forced, level_limit
from engine.torri_di_bologna.model import BATTLEMENT_PRICE, Ending, Over, Placement, State, is_finished
from engine.torri_di_bologna.moves import Build, Move, Pass, Place, Step, Walk
from engine.torri_di_bologna.routes import Route, fee, fees, is_own, routes

_OVER: Final[dict[Ending, str]] = {
    "extra_round": "TB-3.2",
    "all_passed": "TB-2.12",
    "idle": "TB-2.12",
    "one_seat_left": "TB-8.1",
}


def why_not(state: State, move: Move) -> tuple[Reason, ...]:
    """The conditions that `move` fails, those of the walk first; empty iff it is legal."""
    if isinstance(state.decision, Over):
        return (Reason(_OVER[state.decision.ending], "match_over", {}),)
    if isinstance(state.decision, Placement):
        return () if isinstance(move, Place) else (Reason("TB-1.5", "builder_due", {}),)
    if isinstance(move, Place):
        return (Reason("TB-1.5", "builder_placed", {}),)
    if isinstance(move, Pass):
        return () if forced(state) else (Reason("TB-2.12", "can_move", {}),)
    return tuple(_step_faults(state, state.decision.seat, move))


def _step_faults(state: State, seat: int, move: Step) -> list[Reason]:
    ground = lattice(state.wall)
    strange = dict.fromkeys(name for name in (*move.via, move.to) if name not in ground.cells)
    if strange:
        return [Reason("TB-1.3", "outside_wall", {"cell": name}) for name in strange]
    cell = ground.cells[move.to]
    gold = state.gold[seat]
    due = 0
    found: list[Reason] = []
    if cell == state.builders[seat]:
        found.append(Reason("TB-2.1", "standing_still", {"cell": move.to}))
    if move.via:
        route = (state.builders[seat], *(ground.cells[name] for name in move.via), cell)
        found += _route_faults(state, seat, route)
        due = fee(route, fees(state, seat))
    elif cell != state.builders[seat]:
        # No way costs more than one gold for every other builder.
        best = routes(state, seat, len(state.builders)).get(cell)
        if best is None:
            found.append(
                Reason("TB-2.3", "no_route", {"start": ground.names[state.builders[seat]], "to": move.to})
            )
        else:
            due = best[0]
    if due > gold:
        found.append(Reason("TB-2.5", "too_dear", {"fee": due, "gold": gold}))
    if isinstance(move, Walk):
        found += [] if can_walk_onto(state, cell) else [Reason("TB-2.2", "free_cell", {"cell": move.to})]
    elif isinstance(move, Build):
        found += _build_faults(state, seat, cell)
    else:
        found += _cap_faults(state, seat, cell, due)
    return found


def _route_faults(state: State, seat: int, route: Route) -> list[Reason]:
    """What is wrong with the way a client names, whatever it costs. Source: TB-2.2 to TB-2.4, TB-2.6."""
    ground = lattice(state.wall)
    names = ground.names
    start, *via, to = route
    found = [
        Reason("TB-2.6", "cell_twice", {"cell": names[cell]})
        for cell, times in Counter(via).items()
        if times > 1
    ]
    if start in via:
        found.append(Reason("TB-2.6", "start_on_route", {"cell": names[start]}))
    if to in via:
        found.append(Reason("TB-2.6", "destination_on_route", {"cell": names[to]}))
    for before, after in pairwise(route):
        if before != after and after not in ground.steps[before]:
            found.append(_misstep(ground, before, after))
    for cell in dict.fromkeys(via):
        if not can_walk_onto(state, cell):
            found.append(Reason("TB-2.2", "free_on_route", {"cell": names[cell]}))
        elif not is_own(state, seat, cell):
            rule = "TB-2.4" if cell in ground.centrals else "TB-2.3"
            found.append(Reason(rule, "not_own", {"cell": names[cell]}))
    return found


def _misstep(ground: Lattice, before: int, after: int) -> Reason:
    between = before in ground.centrals and after in ground.centrals
    rule, code = ("TB-2.4", "between_centrals") if between else ("TB-2.2", "not_adjacent")
    return Reason(rule, code, {"start": ground.names[before], "to": ground.names[after]})


def _build_faults(state: State, seat: int, cell: int) -> list[Reason]:
    """Why `seat` may not put a plain piece on `cell`. Source: TB-2.7, TB-2.9, TB-2.13, TB-3.1."""
    where: dict[str, int | str] = {"cell": lattice(state.wall).names[cell]}
    tower = state.towers[cell]
    found: list[Reason] = []
    if not state.plain[seat]:
        found.append(Reason("TB-2.13", "no_plain_piece", {}))
    if cell in _others(state, seat):
        found.append(Reason("TB-2.7", "builder_there", where))
    if cell in lattice(state.wall).centrals:
        if state.is_closed:
            found.append(Reason("TB-3.1", "closed", where))
    elif is_finished(tower):
        found.append(Reason("TB-2.7", "finished", where))
    elif len(tower) >= level_limit(state):
        found.append(Reason("TB-2.9", "too_high", _heights(state, cell)))
    return found


def _cap_faults(state: State, seat: int, cell: int, due: int) -> list[Reason]:
    """Why `seat`, after a fee of `due`, may not put a battlement on `cell`. Source: TB-2.10, TB-2.11."""
    where: dict[str, int | str] = {"cell": lattice(state.wall).names[cell]}
    tower = state.towers[cell]
    rest = state.gold[seat] - due
    found: list[Reason] = []
    if not state.battlements[seat]:
        found.append(Reason("TB-1.7", "no_battlement", {}))
    if rest < BATTLEMENT_PRICE:
        found.append(
            Reason("TB-2.10", "no_gold", {"price": BATTLEMENT_PRICE, "fee": due, "gold": max(rest, 0)})
        )
    if cell in _others(state, seat):
        found.append(Reason("TB-2.10", "builder_there", where))
    if cell in lattice(state.wall).centrals:
        found.append(Reason("TB-2.10", "central", where))
    elif not tower:
        found.append(Reason("TB-2.10", "no_tower", where))
    elif is_finished(tower):
        found.append(Reason("TB-2.10", "finished", where))
    elif state.battlement_mode == "level" and len(tower) >= level_limit(state):
        found.append(Reason("TB-2.11", "too_high", _heights(state, cell)))
    return found


def _others(state: State, seat: int) -> list[int]:
    return [cell for other, cell in enumerate(state.builders) if other != seat]


def _heights(state: State, cell: int) -> dict[str, int | str]:
    names = lattice(state.wall).names
    return {"cell": names[cell], "height": len(state.towers[cell]) + 1, "limit": level_limit(state)}
