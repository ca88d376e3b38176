"""What a move does, and whose turn comes next."""

from typing import Final, TypeVar

from msgspec.structs import replace

from engine.game import Change
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import (
    BATTLEMENT,
    BATTLEMENT_PRICE,
    IDLE_ROUNDS,
    NOWHERE,
    Over,
    Placement,
    State,
    Turn,
)
from engine.torri_di_bologna.moves import Build, Move, Place, Step, Walk
from engine.torri_di_bologna.routes import Route, named_route, routes

_TURNS: Final = tuple(map(Turn, range(BATTLEMENT)))

T = TypeVar("T")


def apply(state: State, move: Move) -> tuple[State, tuple[Change, ...]]:
    """The next state and what changed. Trusts that `move` is legal and spelled as recorded."""
    assert not isinstance(state.decision, Over)
    seat = state.decision.seat
    changes: list[Change] = []
    if isinstance(move, Step):
        after = _step(state, seat, move, changes)
    elif isinstance(move, Place):
        after = _place(state, seat, move, changes)
    else:
        after = _pass(state, seat, changes)
    if isinstance(after.decision, Over):
        changes.append(Change(f"over_{after.decision.ending}", None, {}))
    return after, tuple(changes)


def retire(state: State, seat: int) -> tuple[State, tuple[Change, ...]]:
    """The next state when `seat` leaves: it loses the turn it is at, and later ones are skipped.

    Passes and idle turns are compared with the active seats when a turn ends, not here. Source: TB-8.1.
    """
    assert not isinstance(state.decision, Over)
    changes = [Change("retired", seat, {})]
    after = replace(state, retired=(*state.retired, seat))
    if len(after.retired) == len(after.gold) - 1:
        after = replace(after, decision=Over("one_seat_left"))
    elif state.decision.seat == seat:
        after = _next_decision(_counted(after), seat)
    if isinstance(after.decision, Over):
        changes.append(Change(f"over_{after.decision.ending}", None, {}))
    return after, tuple(changes)


def _place(state: State, seat: int, move: Place, changes: list[Change]) -> State:
    """A builder on a central tower. Source: TB-1.5."""
    ground = lattice(state.wall)
    cell = ground.asinelli if move.base == "a" else ground.garisenda
    changes.append(Change("placed", seat, {"cell": ground.names[cell]}))
    return _next_decision(replace(state, builders=_put(state.builders, seat, cell)), seat)


def _pass(state: State, seat: int, changes: list[Change]) -> State:
    """A turn without a legal move. Source: TB-2.12."""
    changes.append(Change("passed", seat, {}))
    return _after_turn(_counted(replace(state, idle=state.idle + 1, passes=state.passes + 1)), seat)


def _step(state: State, seat: int, move: Step, changes: list[Change]) -> State:
    """A walk, and what is put down at its end. Source: TB-2.1."""
    route = _route(state, seat, move)
    names = lattice(state.wall).names
    via = ", ".join(names[cell] for cell in route[1:-1])
    if via:
        changes.append(Change("walked_over", seat, {"start": names[route[0]], "via": via, "to": move.to}))
    else:
        changes.append(Change("walked", seat, {"start": names[route[0]], "to": move.to}))
    builders = _put(state.builders, seat, route[-1])
    walked = replace(state, builders=builders, gold=_fees_paid(state, seat, route, changes), passes=0)
    if isinstance(move, Walk):
        return _after_turn(_counted(replace(walked, idle=state.idle + 1)), seat)
    if isinstance(move, Build):
        return _after_turn(_built(walked, seat, route[-1], changes), seat)
    return _after_turn(_counted(_capped(walked, seat, route[-1], changes)), seat)


def _route(state: State, seat: int, move: Step) -> Route:
    ground = lattice(state.wall)
    if not move.via:
        return routes(state, seat, state.gold[seat])[ground.cells[move.to]][1]
    route = named_route(ground, state.builders[seat], move.via, move.to)
    assert route is not None
    return route


def _fees_paid(state: State, seat: int, route: Route, changes: list[Change]) -> tuple[int, ...]:
    """Everybody's gold after 1 for each builder on each cell entered. Source: TB-2.5."""
    entered = route[1:]
    builders = state.builders
    met = [
        (entered.index(cell), other)
        for other, cell in enumerate(builders)
        if other != seat and cell in entered
    ]
    if not met:
        return state.gold
    gold = list(state.gold)
    names = lattice(state.wall).names
    for place, other in sorted(met):
        gold[seat] -= 1
        gold[other] += 1
        changes.append(Change("fee", seat, {"payee": other, "cell": names[entered[place]], "gold": 1}))
    return tuple(gold)


def _built(state: State, seat: int, cell: int, changes: list[Change]) -> State:
    """A plain piece under the builder; the last one of the match's first player to run out ends it.

    Source: TB-2.7, TB-2.8, TB-3.1, TB-3.2.
    """
    tower = state.towers[cell]
    changes.append(Change("built", seat, {"cell": lattice(state.wall).names[cell], "pieces": len(tower) + 1}))
    plain = _put(state.plain, seat, state.plain[seat] - 1)
    after = replace(
        state,
        gold=_income(state, seat, cell, changes),
        plain=plain,
        towers=_put(state.towers, cell, (*tower, seat)),
        idle=0,
    )
    if plain[seat] or state.is_closed:
        return _counted(after)
    seats = len(state.gold)
    turns = (seats - 1 - seat) + seats
    changes.append(Change("closed", None, {}))
    changes.append(Change("last_turns", None, {"turns": turns}))
    return replace(after, turns_left=turns)


def _capped(state: State, seat: int, cell: int, changes: list[Change]) -> State:
    """A battlement under the builder, paid before it earns anything. Source: TB-2.10."""
    changes.append(Change("bought", seat, {"gold": BATTLEMENT_PRICE}))
    changes.append(Change("capped", seat, {"cell": lattice(state.wall).names[cell]}))
    paid = replace(state, gold=_put(state.gold, seat, state.gold[seat] - BATTLEMENT_PRICE))
    return replace(
        paid,
        gold=_income(paid, seat, cell, changes) if state.battlement_income else paid.gold,
        battlements=_put(state.battlements, seat, state.battlements[seat] - 1),
        towers=_put(state.towers, cell, (*state.towers[cell], BATTLEMENT + seat)),
        idle=0,
    )


def _income(state: State, seat: int, cell: int, changes: list[Change]) -> tuple[int, ...]:
    """Everybody's gold after `seat` put a piece on top of `cell`. Source: TB-2.8."""
    tower = state.towers[cell]
    gold = list(state.gold)
    if not tower:
        earned = 0 if cell in lattice(state.wall).centrals else 2
    elif tower[-1] == seat:
        earned = 1
    else:
        payer = tower[-1]
        earned = min(1, gold[payer])
        gold[payer] -= earned
        gold[seat] += earned
        changes.append(
            Change("collected" if earned else "collected_nothing", seat, {"payer": payer, "gold": earned})
        )
        return tuple(gold)
    if earned:
        gold[seat] += earned
        changes.append(Change("earned", seat, {"gold": earned}))
    return tuple(gold)


def _counted(state: State) -> State:
    """The state with one turn less to come, if the end has been triggered. Source: TB-3.2."""
    return state if state.turns_left is None else replace(state, turns_left=state.turns_left - 1)


def _after_turn(state: State, seat: int) -> State:
    """The state with the decision that follows a turn of `seat`. Source: TB-2.12, TB-3.2."""
    active = len(state.gold) - len(state.retired)
    if state.turns_left != 0:
        if state.passes >= active:
            return replace(state, decision=Over("all_passed"))
        if state.idle >= IDLE_ROUNDS * active:
            return replace(state, decision=Over("idle"))
    return _next_decision(state, seat)


def _next_decision(state: State, seat: int) -> State:
    """The state with the decision of the first active seat after `seat`; a skipped one uses up its turn.

    Source: TB-1.5, TB-3.2, TB-8.1.
    """
    seats = len(state.gold)
    while state.turns_left != 0:
        seat = (seat + 1) % seats
        if seat not in state.retired:
            due = state.builders[seat] == NOWHERE
            return replace(state, decision=Placement(seat) if due else _TURNS[seat])
        state = _counted(state)
    return replace(state, decision=Over("extra_round"))


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
