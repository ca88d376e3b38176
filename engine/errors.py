"""Everything the engine can refuse, one class a cause.

Each class has a stable snake_case `code`; the message is for people. The engine knows no HTTP status:
the service maps the classes in one table.
"""

from typing import ClassVar, NamedTuple

from engine.game import Reason


class EngineError(Exception):
    """Base of all refusals of the engine."""

    code: ClassVar[str] = "engine_error"


class BadNotation(EngineError):
    """A text that is no move of the game, whatever the position. `index` is its place in a batch."""

    code = "unparsable_move"

    def __init__(self, text: str, why: str, index: int = 0) -> None:
        super().__init__(f"'{text[:80]}' is not a move: {why}")
        self.text = text
        self.why = why
        self.index = index


class MoveRefused(EngineError):
    """Base of the refusals of a well-formed move. `index` is its place in a batch."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


class IllegalMove(MoveRefused):
    """A well-formed move that the rules do not allow now.

    `reasons` are the failed conditions, `closest` the notations of the legal moves nearest to it.
    """

    code = "illegal_move"

    def __init__(
        self, move: str, sentence: str, reasons: tuple[Reason, ...], closest: tuple[str, ...], index: int = 0
    ) -> None:
        super().__init__(sentence, index)
        self.move = move
        self.reasons = reasons
        self.closest = closest


class NotYourTurn(MoveRefused):
    """The move of a seat while `to_move` is another."""

    code = "not_your_turn"

    def __init__(self, seat: int, to_move: int, index: int = 0) -> None:
        super().__init__(f"It is the turn of seat {to_move}, not of seat {seat}.", index)
        self.seat = seat
        self.to_move = to_move


class MatchOver(MoveRefused):
    """A move in a match that has ended."""

    code = "match_over"

    def __init__(self, index: int = 0) -> None:
        super().__init__("The match is over.", index)


class BatchCrossesChance(MoveRefused):
    """A batch goes on after a move that chance or a forced move must follow."""

    code = "batch_crosses_chance"

    def __init__(self, index: int) -> None:
        super().__init__(
            f"Move {index + 1} of the batch would come after a roll or a forced move that is not known yet.",
            index,
        )


class BadSetup(EngineError):
    """Options, seats or a deal that no match can start from. `where` names the entry at fault."""

    code = "bad_setup"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where


class Fault(NamedTuple):
    """An entry of component data that cannot be used, by its name in the file, and why."""

    where: str
    why: str


class BadBox(EngineError):
    """Component data that is incomplete or contradicts itself.

    `faults` are all that were found, `where` is the entry of the first: a file that cannot be read as a box
    has one, and one that can has all there are.
    """

    code = "bad_box"

    def __init__(self, *faults: Fault) -> None:
        first, more = faults[0], len(faults) - 1
        super().__init__(f"{first.where}: {first.why}" + (f" (and {more} more)" if more else ""))
        self.faults = faults
        self.where = first.where


class BadTranscript(EngineError):
    """A transcript that cannot be read or does not follow the rules. `line` counts from 1, 0 if unknown."""

    code = "bad_transcript"

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class UnknownGame(EngineError):
    """A slug that no registered game has."""

    code = "unknown_game"

    def __init__(self, slug: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no game '{slug[:60]}'; there are: {', '.join(known)}.")
        self.slug = slug
