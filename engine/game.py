"""The protocol every game satisfies, and the vocabulary it speaks.

A game is a value with pure functions, bound to one box of components. States and moves are frozen
Structs; the functions never change them and read nothing else.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, Self, TypeVar

from msgspec import Struct

from engine.chance import Draw
from engine.speech import ENGLISH, Message, Speech

CHANCE: Final = -1
"""What `to_move` answers when an outcome is due: nobody's choice."""


class Change(Struct, frozen=True):
    """One consequence of a move. `seat` is whom it befalls, None if nobody in particular.

    `code` names the sentence, `values` are its figures and names.
    """

    code: str
    seat: int | None
    values: dict[str, int | str]


class Reason(Struct, frozen=True):
    """One condition that a refused move fails: the rule's id, a stable code, and the numbers."""

    rule: str
    code: str
    values: dict[str, int | str]


class Row(Struct, frozen=True):
    """The score sheet of one side.

    `scores` are points by category and add up to `total`; `ties` are the figures that break a tie, first
    one first; `rank` counts from 1 and is shared by equals. `label` names a side that is no seat.
    """

    seat: int
    scores: dict[str, int]
    total: int
    ties: dict[str, int]
    rank: int
    retired: bool = False
    label: str | None = None


class Standing(Struct, frozen=True):
    """All score sheets, by seat, as if the match ended now."""

    rows: tuple[Row, ...]


class Edition(Struct, frozen=True):
    """Which box a match is played with: its name and the SHA-256 (hex) of the component data."""

    name: str
    digest: str

    def __str__(self) -> str:
        return f"edition {self.name} ({self.digest[:12]})"


class Deal(Protocol):
    """What every deal has: the number of seats and the options, beside the game's own components."""

    @property
    def seats(self) -> int: ...
    @property
    def options(self) -> Any: ...


S = TypeVar("S", bound=Struct)
M = TypeVar("M")
D = TypeVar("D", bound=Deal)


class Game(Protocol[S, M, D]):
    """A set of rules bound to a box. S is its state, M the union of its moves, D its deal.

    States and moves hold ids of components, never figures: types, `to_move`, `active`, `parse`, `write` and
    `sentence` are the same with every box. So a match can be read, if not played, without its box.
    """

    def __hash__(self) -> int:
        """By identity: a game with its box is made once."""
        ...

    @property
    def slug(self) -> str:
        """The name in addresses and transcripts."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def rules(self) -> int:
        """The version of the rules' behaviour; it grows when the same moves would lead elsewhere."""
        ...

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats a match may have."""
        ...

    @property
    def edition(self) -> Edition:
        """The box it is bound to."""
        ...

    @property
    def box(self) -> bytes:
        """The component data of that box, TOML in UTF-8, as given to `with_box`."""
        ...

    @property
    def options_type(self) -> type[Struct]:
        """The options of a match: a Struct in which every field has a default and a description."""
        ...

    @property
    def deal_type(self) -> type[D]:
        """The opening deal."""
        ...

    @property
    def state_type(self) -> type[S]:
        """What lies on the table."""
        ...

    @property
    def move_type(self) -> Any:
        """The tagged union of actions and outcomes (tag field `kind`)."""
        ...

    def with_box(self, data: bytes) -> Self:
        """The same game bound to the box that `data` describes. Raises BadBox."""
        ...

    def deal(self, options: Any, seats: int, draw: Draw) -> D:
        """The opening deal that `draw` gives. Raises BadSetup."""
        ...

    def check_deal(self, deal: D) -> None:
        """Nothing, if a match with this box can start from `deal`. Raises BadSetup."""
        ...

    def setup(self, deal: D) -> S:
        """The state at version 0. Trusts `deal`."""
        ...

    def to_move(self, state: S) -> int | None:
        """The seat that decides, CHANCE, or None when the match is over."""
        ...

    def turn(self, state: S) -> int:
        """Which turn it is: the same for all states of one turn, another one in the turn that follows it.

        What a seat decides for a side that is no seat belongs to the turn before it.
        """
        ...

    def active(self, state: S) -> tuple[int, ...]:
        """The seats of the match that have not retired, ascending."""
        ...

    def legal(self, state: S) -> Sequence[M]:
        """Every move open now, or at chance every outcome, in a documented order; empty iff over."""
        ...

    def normal(self, state: S, move: M) -> M | None:
        """The move as it is recorded, or None if it is not legal."""
        ...

    def forced(self, state: S) -> M | None:
        """The one legal move if the driver plays it itself, else None."""
        ...

    def odds(self, state: S) -> Sequence[int]:
        """At chance: an integer weight for each entry of `legal`."""
        ...

    def outcome(self, state: S, draw: Draw) -> M:
        """At chance: the outcome that `draw` gives, one of `legal`."""
        ...

    def apply(self, state: S, move: M) -> tuple[S, tuple[Change, ...]]:
        """The next state and what changed. Trusts that `move` is from `legal` or `normal`."""
        ...

    def why_not(self, state: S, move: M) -> tuple[Reason, ...]:
        """The conditions that `move` fails; empty iff it is legal."""
        ...

    def retire(self, state: S, seat: int) -> tuple[S, tuple[Change, ...]]:
        """The next state when `seat` leaves: its turns are skipped from now on and it ranks last."""
        ...

    def standing(self, state: S) -> Standing:
        """Score sheets and ranks, at any time."""
        ...

    def outlook(self, state: S) -> tuple[float, ...]:
        """For each row of the standing, the points it may expect: an estimate for players, no rule."""
        ...

    def parse(self, text: str) -> M:
        """The move that `text` spells, by syntax alone. Raises BadNotation."""
        ...

    def write(self, move: M) -> str:
        """The one spelling of `move`."""
        ...

    def sentence(self, thing: M | Change | Reason, speech: Speech = ENGLISH) -> str:
        """A move, change or reason in words for people, in the language of `speech`."""
        ...

    @property
    def messages(self) -> tuple[Message, ...]:
        """Every English text that sentences, pictures and boards are made of, and all `labels`."""
        ...

    @property
    def labels(self) -> Mapping[str, str]:
        """By key of a score sheet or of its ties, and by kind of move: what it is called in English."""
        ...

    @property
    def thing_type(self) -> Any:
        """What lies on the table as `things` tells it: a tagged union, or one Struct, each with a `name`."""
        ...

    def things(self, state: S, speech: Speech = ENGLISH) -> tuple[Any, ...]:
        """Everything on the table that has a name, with its figures, in a fixed order; what it does, if it
        is told in words, in the language of `speech`."""
        ...

    def touched(self, state: S, move: M) -> tuple[str, ...]:
        """The names of the things that a legal move is about, as `board` groups moves by them.

        Nothing for a move that is about nothing in particular.
        """
        ...

    def picture(self, state: S, speech: Speech = ENGLISH) -> str:
        """The table as text, at most 80 columns wide, in the language of `speech`."""
        ...

    @property
    def paints(self) -> Sequence[tuple[str, str]]:
        """Regular expressions of what has a colour in an English `picture`, each with its ANSI colour."""
        ...

    def board(self, state: S, speech: Speech = ENGLISH) -> str:
        """The table as an SVG document, its texts in the language of `speech`."""
        ...
