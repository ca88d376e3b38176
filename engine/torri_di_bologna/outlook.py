"""What each seat may expect: an estimate for players, no rule."""

from engine.torri_di_bologna.model import State
from engine.torri_di_bologna.scoring import score_sheets


def outlook(state: State) -> tuple[float, ...]:
    """By seat, the points it would have now."""
    return tuple(float(sum(sheet.values())) for sheet in score_sheets(state))
