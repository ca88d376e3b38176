"""The cell that each legal move is about."""

from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import State
from engine.torri_di_bologna.moves import Move, Pass, Place


def touched(state: State, move: Move) -> tuple[str, ...]:
    """The cell that a legal move leads to, as in `b3`; nothing for a pass."""
    if isinstance(move, Pass):
        return ()
    if isinstance(move, Place):
        ground = lattice(state.wall)
        return (ground.names[ground.asinelli if move.base == "a" else ground.garisenda],)
    return (move.to,)
