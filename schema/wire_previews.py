"""Questions about moves that nobody has made: what would come of them, and why one is not legal."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from schema.wire import LARGEST_BATCH, LARGEST_LIST, LARGEST_PAGE, Asked, Notation, Version
from schema.wire_views import ChangeView, LegalMove, ReasonView, StandingRow, StateView, ToMove, View

CHILDREN: Final = 60
"""Moves that are tried one by one, if nothing else is said."""
StepKind = Literal["action", "outcome", "forced"]


class PreviewMoves(Asked, frozen=True):
    """Moves to be tried in order from the position at `version`, without it from the current one.

    At chance the next move names an outcome. Forced moves may be named or left out.
    """

    moves: Annotated[tuple[Notation, ...], Meta(max_length=LARGEST_BATCH)] = ()
    version: Version | None = None


class PreviewChildren(PreviewMoves, frozen=True):
    """Which moves to try one by one after those named: the legal ones there, at chance the outcomes."""

    kind: Annotated[str, Meta(max_length=40, description="Only moves of this kind.")] | None = None
    touching: Annotated[
        Annotated[str, Meta(max_length=40)] | None, Meta(description="Only moves about this thing.")
    ] = None
    after: Annotated[
        int, Meta(ge=0, le=LARGEST_LIST, description="So many of these moves are passed over.")
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=LARGEST_PAGE, description="So many are tried at most.")] = CHILDREN


class PreviewQuery(Asked, frozen=True):
    """What to add to the answer."""

    include: Annotated[
        Literal["board"] | None, Meta(description="Adds the table after the moves as an SVG document.")
    ] = None


class WhyNotQuery(Asked, frozen=True):
    """Which move, and at which version; without it at the current one."""

    move: Notation
    version: Version | None = None


class Odds(View, frozen=True):
    """How likely an outcome is: `weight` in `total`, exactly."""

    weight: int
    total: int


class PreviewedEvent(View, frozen=True):
    """What would be recorded. `odds` are those of an outcome."""

    version: int
    kind: StepKind
    seat: int | None
    move: str
    text: str
    changes: tuple[ChangeView, ...]
    odds: Odds | UnsetType = UNSET


class PreviewView(View, frozen=True):
    """What moves would come to from `version` on: up to the next choice, or to the next roll.

    `odds` are there at chance: an integer weight for each of `legalMoves`, which are outcomes then. `digest`
    is equal for equal states, on whatever way they are reached.
    """

    version: int
    events: tuple[PreviewedEvent, ...]
    to_move: ToMove
    state: StateView
    legal_moves: tuple[LegalMove, ...]
    standing: tuple[StandingRow, ...]
    digest: Annotated[str, Meta(description="SHA-256 (hex) of the state after the moves.")]
    odds: tuple[int, ...] | UnsetType = UNSET
    board: Annotated[str | UnsetType, Meta(description="The table as an SVG document.")] = UNSET


class ChildrenView(View, frozen=True):
    """What each of several moves would come to, made at `version`; `next` is the `after` of the next ones.

    Who decides there is `toMove`. The first event of each child with its move is the move, with its odds if
    it is an outcome.
    """

    version: int
    to_move: ToMove
    count: Annotated[int, Meta(description="How many moves there are to try, these among them.")]
    children: tuple[PreviewView, ...]
    next: Annotated[int | None, Meta(description="Null if none are left.")]


class WhyNotView(View, frozen=True):
    """Whether a move is legal at `version`: if not, every condition that it fails, and what is near."""

    version: int
    to_move: ToMove
    move: str
    text: str
    legal: bool
    reasons: tuple[ReasonView, ...]
    closest: Annotated[tuple[str, ...], Meta(description="Legal moves nearest to it, if it is not legal.")]
