"""Le Torri di Bologna. The rules, with the ids that the code cites, are in RULES.md."""

from typing import Final, Self

from engine.chance import Draw
from engine.game import Game
from engine.torri_di_bologna.apply import apply as apply_move
from engine.torri_di_bologna.apply import retire as retire_seat
from engine.torri_di_bologna.board import board as drawn_board
from engine.torri_di_bologna.captions import MESSAGES as CAPTIONS
from engine.torri_di_bologna.components import SEATS, Box, built_in_box, read_box
from engine.torri_di_bologna.legal import forced as forced_move
from engine.torri_di_bologna.legal import legal as legal_moves
from engine.torri_di_bologna.legal import normal as normal_move
from engine.torri_di_bologna.model import Deal, Options, State, active_seats, turn_of
from engine.torri_di_bologna.model import to_move as seat_to_move
from engine.torri_di_bologna.moves import Move
from engine.torri_di_bologna.notation import parse as parsed_move
from engine.torri_di_bologna.notation import write as written_move
from engine.torri_di_bologna.outlook import outlook as expected_points
from engine.torri_di_bologna.picture import PAINTS
from engine.torri_di_bologna.picture import picture as text_picture
from engine.torri_di_bologna.reasons import why_not as failed_conditions
from engine.torri_di_bologna.scoring import standing as score_sheets
from engine.torri_di_bologna.sentences import LABELS, MESSAGES
from engine.torri_di_bologna.sentences import sentence as told
from engine.torri_di_bologna.setup import check_deal, first_state, opening_deal
from engine.torri_di_bologna.things import Cell
from engine.torri_di_bologna.things import things as all_things
from engine.torri_di_bologna.touched import touched as touched_things


class TorriDiBologna:
    """The game bound to a box. Nothing is left to chance after seating (TB-1.1)."""

    to_move = staticmethod(seat_to_move)
    turn = staticmethod(turn_of)
    active = staticmethod(active_seats)
    legal = staticmethod(legal_moves)
    normal = staticmethod(normal_move)
    forced = staticmethod(forced_move)
    apply = staticmethod(apply_move)
    why_not = staticmethod(failed_conditions)
    retire = staticmethod(retire_seat)
    standing = staticmethod(score_sheets)
    outlook = staticmethod(expected_points)
    parse = staticmethod(parsed_move)
    write = staticmethod(written_move)
    sentence = staticmethod(told)
    things = staticmethod(all_things)
    touched = staticmethod(touched_things)
    picture = staticmethod(text_picture)
    board = staticmethod(drawn_board)

    def __init__(self, box: Box) -> None:
        self._box = box
        self.slug = "torri-di-bologna"
        self.title = "Le Torri di Bologna"
        self.rules = 1
        self.seats = SEATS
        self.edition = box.edition
        self.box = box.data
        self.options_type = Options
        self.deal_type = Deal
        self.state_type = State
        self.move_type = Move
        self.thing_type = Cell
        self.messages = tuple(dict.fromkeys((*MESSAGES, *CAPTIONS)))
        self.labels = LABELS
        self.paints = PAINTS

    def with_box(self, data: bytes) -> Self:
        """The same game bound to the box that `data` describes, in TOML. Raises BadBox."""
        return type(self)(read_box(data))

    def deal(self, options: Options, seats: int, draw: Draw) -> Deal:
        """The only deal that these options give. Raises BadSetup."""
        return opening_deal(self._box, options, seats)

    def check_deal(self, deal: Deal) -> None:
        """Nothing, if a match can start from `deal`. Raises BadSetup."""
        check_deal(self._box, deal)

    def setup(self, deal: Deal) -> State:
        """The state at version 0. Trusts `deal`."""
        return first_state(self._box, deal)

    def odds(self, state: State) -> tuple[int, ...]:
        """Nothing: no state is at chance."""
        return ()

    def outcome(self, state: State, draw: Draw) -> Move:
        """Raises ValueError: no state is at chance."""
        raise ValueError("Le Torri di Bologna has no chance: no outcome is ever due")


GAME: Final[Game[State, Move, Deal]] = TorriDiBologna(built_in_box())
"""The game bound to the box that comes with the engine."""
