"""What lies on the table: options, deal and state.

Cells are small ints: their places in lattice order (row by row, from the top left) among the cells inside
the wall. Seats are 0..n-1; tuples "by seat" have one entry a seat.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.speech import choice

NOWHERE: Final = -1
"""The cell of a builder that is not placed."""

BATTLEMENT: Final = 4
"""A battlement of seat s is the piece `BATTLEMENT + s`, a plain piece is `s`."""

BATTLEMENT_PRICE: Final = 3
"""Gold for a battlement. Source: TB-2.10."""

IDLE_ROUNDS: Final = 8
"""Rounds without a piece placed that end the match. Source: TB-2.12."""

LEAST_PLAIN: Final = 8
MOST_PLAIN: Final = 30
MOST_BATTLEMENTS: Final = 8
LONGEST_SIDE: Final = 26

BattlementMode = Literal["cap", "level"]
BaseRule = Literal["standard", "hard"]
Ending = Literal["extra_round", "all_passed", "idle", "one_seat_left"]

Row = Annotated[str, Meta(max_length=LONGEST_SIDE)]
Rows = Annotated[tuple[Row, ...], Meta(min_length=1, max_length=LONGEST_SIDE)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be chosen for a match. Source: TB-1.7."""

    wall: Annotated[
        Annotated[str, Meta(max_length=40)] | Rows | None,
        Meta(
            title="Wall",
            description="The name of a preset, or rows of '.' (inside) and '#' (outside) with, both or "
            "neither, one 'A' and one 'G' where the central towers stand. Null: the usual wall.",
        ),
    ] = None
    bases: Annotated[
        BaseRule,
        choice(
            "Central towers",
            "The rule that the places of the two central towers must meet.",
            standard="Usual",
            hard="Hard",
        ),
    ] = "standard"
    plain: Annotated[
        int,
        Meta(ge=LEAST_PLAIN, le=MOST_PLAIN, title="Plain pieces", description="Plain pieces of each player."),
    ] = 20
    battlements: Annotated[
        int, Meta(ge=0, le=MOST_BATTLEMENTS, title="Battlements", description="Battlements of each player.")
    ] = 4
    battlement_mode: Annotated[
        BattlementMode,
        choice(
            "Battlement",
            "'cap': it is no level, ignores the height limit and scores 1. "
            "'level': it is the next level, under the height limit, and scores that level and 1.",
            cap="Cap",
            level="Level",
        ),
    ] = "cap"
    battlement_income: Annotated[
        bool,
        Meta(
            title="Battlement income", description="Whether a battlement brings income as a plain piece does."
        ),
    ] = True


class Deal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The opening: nothing is left to chance, the wall follows from the options. Source: TB-1.3, TB-1.4.

    `wall` has a row for each row of the drawing, all of one length, with one 'A' and one 'G'.
    """

    seats: int
    options: Options = Options()
    wall: Rows


class Placement(Struct, frozen=True, array_like=True, gc=False, tag="placement"):
    """`seat` puts its builder on a central tower. Source: TB-1.5."""

    seat: Annotated[int, Meta(description="Whose builder it is.")]


class Turn(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """`seat` walks, or walks and builds. Source: TB-2.1."""

    seat: Annotated[int, Meta(description="Whose turn it is.")]


class Over(Struct, frozen=True, array_like=True, gc=False, tag="over"):
    """The match is over; `ending` says why."""

    ending: Annotated[Ending, Meta(description="Why it is over.")]


Decision = Placement | Turn | Over

Tower = tuple[int, ...]
"""Pieces from the bottom; a battlement can only be the last."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """The table.

    `wall` is the deal's rows joined by '/'. By seat: `builders` (a cell or NOWHERE), `gold`, and in hand
    `plain` and `battlements`. By cell: `towers`. `turns_left` is None before the end trigger, then the turns
    to come, counted by places (TB-3.2); from then on both central towers are closed (TB-3.1). `idle` counts
    turns in a row without a piece placed, `passes` passes in a row (TB-2.12); `retired` are the seats that
    left, first one first.
    """

    wall: Annotated[
        str,
        Meta(
            description="The rows of the wall from the top, joined by '/': '#' is outside, 'A' and 'G' are"
            " the central towers."
        ),
    ]
    battlement_mode: Annotated[BattlementMode, Meta(description="How battlements count.")]
    battlement_income: Annotated[
        bool, Meta(description="Whether a battlement brings income as a plain piece does.")
    ]
    decision: Annotated[Decision, Meta(description="What is asked now.")]
    builders: Annotated[
        tuple[int, ...],
        Meta(
            description="The cell of each seat's builder: a number in lattice order, -1 before it is placed."
        ),
    ]
    gold: Annotated[tuple[int, ...], Meta(description="Gold of each seat.")]
    plain: Annotated[tuple[int, ...], Meta(description="Plain pieces in the hand of each seat.")]
    battlements: Annotated[tuple[int, ...], Meta(description="Battlements in the hand of each seat.")]
    towers: Annotated[
        tuple[Tower, ...],
        Meta(
            description="The pieces on each cell in lattice order, from the bottom: a seat, or 4 more for its"
            " battlement."
        ),
    ]
    turns_left: Annotated[
        int | None,
        Meta(
            description="Turns to come once the end has been triggered, null before; from then on the central"
            " towers are closed."
        ),
    ] = None
    idle: Annotated[int, Meta(description="Turns in a row in which no piece was placed.")] = 0
    passes: Annotated[int, Meta(description="Passes in a row.")] = 0
    retired: Annotated[tuple[int, ...], Meta(description="The seats that left, first one first.")] = ()

    @property
    def is_closed(self) -> bool:
        """Whether the central towers bear neutral battlements. Source: TB-3.1."""
        return self.turns_left is not None


def is_finished(tower: Tower) -> bool:
    """Whether an ordinary tower bears a battlement."""
    return bool(tower) and tower[-1] >= BATTLEMENT


def owner(tower: Tower) -> int | None:
    """The seat of the top piece; None without a piece. Source: TB-2.3."""
    return tower[-1] % BATTLEMENT if tower else None


def active_seats(state: State) -> tuple[int, ...]:
    """The seats that have not retired, ascending."""
    return tuple(seat for seat in range(len(state.gold)) if seat not in state.retired)


def to_move(state: State) -> int | None:
    """The seat that decides; None when the match is over."""
    return None if isinstance(state.decision, Over) else state.decision.seat


def turn_of(state: State) -> int:
    """Which turn it is. Seats take turns by one move each, so whose it is tells it from the one before."""
    if isinstance(state.decision, Over):
        return -1
    return 2 * state.decision.seat + isinstance(state.decision, Turn)
