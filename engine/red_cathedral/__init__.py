"""The Red Cathedral, after the rules in RULES.md."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.chance import Draw
from engine.game import CHANCE, Change, Edition, Reason, Standing
from engine.red_cathedral import (
    apply,
    board,
    captions,
    legal,
    notation,
    outlook,
    picture,
    reasons,
    scoring,
    sentences,
    setup,
    things,
    touched,
)
from engine.red_cathedral.components import Box, built_in
from engine.red_cathedral.layout import layouts, outcomes
from engine.red_cathedral.model import DICE, HUMAN, Deal, IvanClaim, Over, Roll, State
from engine.red_cathedral.moves import Move
from engine.red_cathedral.options import Options
from engine.speech import ENGLISH, Message, Speech


class RedCathedral:
    """The rules bound to one box. Satisfies `engine.game.Game`."""

    __slots__ = ("_box", "_layout")

    slug: Final = "red-cathedral"
    title: Final = "The Red Cathedral"
    rules: Final = 1
    seats: Final[tuple[int, ...]] = setup.SEATS
    options_type: Final = Options
    deal_type: Final = Deal
    state_type: Final = State
    move_type: Final[Any] = Move
    thing_type: Final[Any] = things.Thing
    messages: Final[tuple[Message, ...]] = tuple(dict.fromkeys((*sentences.MESSAGES, *captions.MESSAGES)))
    labels: Final[Mapping[str, str]] = sentences.LABELS
    paints: Final = picture.PAINTS

    def __init__(self, box: Box) -> None:
        self._box: Final = box
        self._layout: Final = layouts(box)

    @property
    def edition(self) -> Edition:
        """The name and digest of the box."""
        return self._box.edition

    @property
    def box(self) -> bytes:
        """The component data of the box."""
        return self._box.data

    def with_box(self, data: bytes) -> "RedCathedral":
        """The same rules with another box. Raises BadBox."""
        return RedCathedral(Box(data))

    def deal(self, options: Options, seats: int, draw: Draw) -> Deal:
        """The opening deal that `draw` gives. Raises BadSetup."""
        return setup.draw_deal(self._box, options, seats, draw)

    def check_deal(self, deal: Deal) -> None:
        """Nothing, if a match with this box can start from `deal`. Raises BadSetup."""
        setup.check_deal(self._box, deal)

    def setup(self, deal: Deal) -> State:
        """The state at version 0."""
        return setup.first_state(self._box, deal)

    def to_move(self, state: State) -> int | None:
        """The seat that decides, CHANCE, or None when the match is over."""
        decision = type(state.decision)
        if decision is Roll:
            return CHANCE
        if decision is Over:
            return None
        return HUMAN if decision is IvanClaim else state.seat

    def turn(self, state: State) -> int:
        """Turns are counted through the rounds; in solitaire Ivan's turn belongs to the one before it."""
        sides = len(state.players)
        return state.round * sides + (0 if state.table.seats == 1 else state.seat)

    def active(self, state: State) -> tuple[int, ...]:
        """The seats that have not retired, ascending."""
        return tuple(seat for seat in range(state.table.seats) if seat not in state.retired)

    def legal(self, state: State) -> Sequence[Move]:
        """Every legal move, or every outcome, in the order of `legal.py`."""
        return legal.legal(self._layout(state.table), state)

    def normal(self, state: State, move: Move) -> Move | None:
        """The move itself, or None if it is not legal."""
        return move if legal.is_legal(self._layout(state.table), state, move) else None

    def forced(self, _state: State) -> Move | None:
        """None: no move is made for anybody. Source: RC-3.5."""
        return None

    def odds(self, state: State) -> Sequence[int]:
        """At chance: all outcomes are equally likely. Source: RC-8.1."""
        return (1,) * len(self.legal(state))

    def outcome(self, state: State, draw: Draw) -> Move:
        """At chance: each die by its own stream, keyed by how often it was rolled."""
        pending = state.decision
        assert isinstance(pending, Roll)
        number = 0
        for die in pending.dice:
            number = 6 * number + draw.below(6, "die", DICE[die], state.rolls[die])
        return outcomes(pending.dice)[number]

    def apply(self, state: State, move: Move) -> tuple[State, tuple[Change, ...]]:
        """The next state and what changed."""
        return apply.apply(self._layout(state.table), state, move)

    def why_not(self, state: State, move: Move) -> tuple[Reason, ...]:
        """The conditions that `move` fails; empty iff it is legal."""
        return reasons.why_not(self._layout(state.table), state, move)

    def retire(self, state: State, seat: int) -> tuple[State, tuple[Change, ...]]:
        """The next state when `seat` leaves. Source: RC-3.6."""
        return apply.retire(self._layout(state.table), state, seat)

    def standing(self, state: State) -> Standing:
        """Score sheets and ranks, at any time."""
        return scoring.standing(self._layout(state.table), state)

    def outlook(self, state: State) -> tuple[float, ...]:
        """For each row of the standing, the points it may expect."""
        return outlook.outlook(self._layout(state.table), state)

    def parse(self, text: str) -> Move:
        """The move that `text` spells. Raises BadNotation."""
        return notation.parse(text)

    def write(self, move: Move) -> str:
        """The one spelling of `move`."""
        return notation.write(move)

    def sentence(self, thing: Move | Change | Reason, speech: Speech = ENGLISH) -> str:
        """A move, change or reason in words for people."""
        return sentences.sentence(thing, speech)

    def things(self, state: State, speech: Speech = ENGLISH) -> tuple[things.Thing, ...]:
        """Everything on the table that has a name."""
        return things.things(self._layout(state.table), state, speech)

    def touched(self, state: State, move: Move) -> tuple[str, ...]:
        """The names of the things that a legal move is about."""
        return touched.touched_by(self._layout(state.table), state, move)

    def picture(self, state: State, speech: Speech = ENGLISH) -> str:
        """The table as text, at most 80 columns wide."""
        return picture.picture(self._layout(state.table), state, speech)

    def board(self, state: State, speech: Speech = ENGLISH) -> str:
        """The table as an SVG document; legal moves stand in `data-move`."""
        return board.board(self._layout(state.table), state, speech)


GAME: Final = RedCathedral(Box(built_in()))
"""The game with its built-in box."""
