"""Random positions: reached by play, and thrown on the table to be crowded and rich."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.chance import Draw
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import BATTLEMENT, NOWHERE, State, Turn
from tests.engine.torri_di_bologna.positions import PRESETS, on_wall


def options(draw: Draw) -> dict[str, object]:
    """Options of a match, all equally likely but short supplies."""
    return {
        "plain": 8 + draw.below(13, "plain"),
        "battlements": draw.below(9, "battlements"),
        "battlement_mode": ("cap", "level")[draw.below(2, "mode")],
        "battlement_income": bool(draw.below(2, "income")),
    }


def reached(number: int) -> Iterator[State]:
    """The states of random match `number` in which a seat has a turn; now and then a seat leaves."""
    draw = Draw(f"reached {number}".encode())
    state = on_wall(PRESETS[number % len(PRESETS)], **options(draw))
    step = 0
    while (seat := GAME.to_move(state)) is not None:
        step += 1
        if isinstance(state.decision, Turn):
            yield state
        if draw.below(150, "leaves", step) == 0:
            active = GAME.active(state)
            state = GAME.retire(state, active[draw.below(len(active), "who", step)])[0]
            continue
        moves = GAME.legal(state)
        assert seat in GAME.active(state)
        state = GAME.apply(state, moves[draw.below(len(moves), "move", step)])[0]


def thrown(number: int) -> State:
    """Position `number`: mostly the mover's towers, builders in each other's way, gold to pay them."""
    draw = Draw(f"thrown {number}".encode())
    start = on_wall(PRESETS[number % len(PRESETS)], **options(draw))
    ground = lattice(start.wall)
    seats = len(start.gold)
    seat = draw.below(seats, "seat")
    stacks = tuple(
        _stack(draw.branch("tower", cell), seats, seat, cell in ground.centrals)
        for cell in range(len(ground.names))
    )
    places = [cell for cell, stack in enumerate(stacks) if stack or cell in ground.centrals]
    crowd = places[: 1 + draw.below(len(places), "crowd")]
    return replace(
        start,
        decision=Turn(seat),
        builders=tuple(crowd[draw.below(len(crowd), "builder", who)] for who in range(seats)),
        gold=tuple(draw.below(7, "gold", who) for who in range(seats)),
        plain=tuple(draw.below(4, "in hand", who) for who in range(seats)),
        battlements=tuple(draw.below(3, "caps", who) for who in range(seats)),
        towers=stacks,
        turns_left=None if draw.below(4, "late") else 1 + draw.below(4, "left"),
    )


def _stack(draw: Draw, seats: int, seat: int, central: bool) -> tuple[int, ...]:
    height = (0, 0, 0, 1, 1, 2, 3)[draw.below(7, "height")]
    pieces = tuple(
        seat if draw.below(3, "own", level) == 0 else draw.below(seats, "of", level)
        for level in range(height)
    )
    if pieces and not central and draw.below(5, "finished") == 0:
        return (*pieces, BATTLEMENT + draw.below(seats, "by"))
    return pieces


assert NOWHERE < 0
