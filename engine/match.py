"""Playing a match: events are recorded, states follow from them.

Functions here know no rules; they ask the game. A *version* is the number of events so far.
"""

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from engine.chance import Draw
from engine.errors import (
    BadNotation,
    BadTranscript,
    BatchCrossesChance,
    IllegalMove,
    MatchOver,
    MoveRefused,
    NotYourTurn,
)
from engine.game import CHANCE, Change, Game, Reason

AnyGame = Game[Any, Any, Any]
Kind = Literal["action", "outcome", "forced", "retire"]
RETIRE = "retire:"


class Event(Struct, frozen=True, omit_defaults=True):
    """One recorded step: an action, an outcome, a forced move or a retirement.

    `version` is the version it leads to; `seat` is None for an outcome; `move` is the notation
    (`retire:<seat>` for a retirement, with `cause` resigned, flagged or forfeited).
    """

    version: int
    kind: Kind
    seat: int | None
    move: str
    cause: str | None = None


class Step(NamedTuple):
    """An event with what it did: the changes, and the state after it."""

    event: Event
    changes: tuple[Change, ...]
    state: Any


class Played(NamedTuple):
    """What a batch came to: the steps to store, how many moves of it were played, and why no more."""

    steps: tuple[Step, ...]
    moves: int
    stopped_by: MoveRefused | None


def digest(state: Any) -> str:
    """SHA-256 (hex) of the state's JSON: equal iff the states are equal."""
    return hashlib.sha256(msgspec.json.encode(state)).hexdigest()


def parse_batch(game: AnyGame, texts: Sequence[str]) -> tuple[Any, ...]:
    """The moves that the texts spell. Raises BadNotation with the index of the first that is none."""
    moves: list[Any] = []
    for index, text in enumerate(texts):
        try:
            moves.append(_parsed(game, text))
        except BadNotation as error:
            raise BadNotation(error.text, error.why, index) from None
    return tuple(moves)


def play(game: AnyGame, state: Any, version: int, seat: int, moves: Sequence[Any], draw: Draw) -> Played:
    """The whole batch, then every outcome and forced move that is due.

    Nothing is derived from `draw` before every move is known to be legal. Raises a MoveRefused.
    """
    steps: list[Step] = []
    for index, move in enumerate(moves):
        if index and is_due(game, state):
            raise BatchCrossesChance(index)
        steps.append(_act(game, state, version + len(steps), seat, move, index))
        state = steps[-1].state
    steps += advance(game, state, version + len(steps), draw)
    return Played(tuple(steps), len(moves), None)


def play_through_chance(
    game: AnyGame, state: Any, version: int, seat: int, moves: Sequence[Any], draw: Draw
) -> Played:
    """The longest legal prefix of the batch, with outcomes and forced moves between its moves.

    Raises a MoveRefused if not even the first move is legal.
    """
    steps: list[Step] = []
    for index, move in enumerate(moves):
        try:
            steps.append(_act(game, state, version + len(steps), seat, move, index))
        except MoveRefused as refusal:
            if not index:
                raise
            return Played(tuple(steps), index, refusal)
        steps += advance(game, steps[-1].state, version + len(steps), draw)
        state = steps[-1].state
    return Played(tuple(steps), len(moves), None)


def advance(game: AnyGame, state: Any, version: int, draw: Draw) -> list[Step]:
    """The outcomes and forced moves that are due, until a seat has a choice or the match is over."""
    steps: list[Step] = []
    while is_due(game, state):
        holder = game.to_move(state)
        if holder == CHANCE:
            move = game.outcome(state, draw)
            step = _step(game, state, version + len(steps), "outcome", None, move)
        else:
            step = _step(game, state, version + len(steps), "forced", holder, game.forced(state))
        steps.append(step)
        state = step.state
    return steps


def is_due(game: AnyGame, state: Any) -> bool:
    """Whether the driver, and no client, makes the next move."""
    return game.to_move(state) == CHANCE or game.forced(state) is not None


def retire(game: AnyGame, state: Any, version: int, seat: int, cause: str, draw: Draw) -> tuple[Step, ...]:
    """The retirement of `seat`, which is active, then everything that is due. Raises MatchOver."""
    if game.to_move(state) is None:
        raise MatchOver
    after, changes = game.retire(state, seat)
    first = Step(Event(version + 1, "retire", seat, f"{RETIRE}{seat}", cause), changes, after)
    return (first, *advance(game, after, version + 1, draw))


def is_turn_over(game: AnyGame, state: Any, steps: Iterable[Step]) -> bool:
    """Whether the turn that it is in `state` ends with one of the steps from there."""
    turn = game.turn(state)
    return any(game.turn(step.state) != turn for step in steps)


def fold(game: AnyGame, state: Any, events: Iterable[Event]) -> Iterator[Step]:
    """A step for each event of a record that is trusted."""
    for event in events:
        if event.kind == "retire":
            assert event.seat is not None
            state, changes = game.retire(state, event.seat)
        else:
            state, changes = game.apply(state, _parsed(game, event.move))
        yield Step(event, changes, state)


def check(game: AnyGame, state: Any, event: Event) -> None:
    """Nothing, if the rules allow `event` in `state` just as it is recorded. Raises BadTranscript."""
    holder = game.to_move(state)
    if holder is None:
        raise BadTranscript(f"version {event.version}: the match was over before '{event.move}'")
    if event.kind == "retire":
        if event.seat not in game.active(state) or event.move != f"{RETIRE}{event.seat}":
            raise BadTranscript(f"version {event.version}: '{event.move}' is no retirement of an active seat")
        return
    try:
        move = game.parse(event.move)
    except BadNotation as error:
        raise BadTranscript(f"version {event.version}: {error}") from None
    if game.normal(state, move) != move:
        raise BadTranscript(f"version {event.version}: '{event.move}' is not legal there")
    due = "outcome" if holder == CHANCE else "forced" if game.forced(state) is not None else "action"
    seat = None if holder == CHANCE else holder
    if (event.kind, event.seat) != (due, seat):
        raise BadTranscript(f"version {event.version}: '{event.move}' is recorded for the wrong seat or kind")


def refusal(game: AnyGame, state: Any, move: Any, index: int = 0) -> IllegalMove:
    """Why `move` is not legal in `state`, with the legal moves nearest to it."""
    reasons: tuple[Reason, ...] = game.why_not(state, move)
    text = game.write(move)
    told = " ".join(game.sentence(reason) for reason in reasons)
    return IllegalMove(
        text, f"'{text}' is not legal now. {told}".strip(), reasons, closest(game, state, text), index
    )


def closest(game: AnyGame, state: Any, text: str, most: int = 5) -> tuple[str, ...]:
    """The legal moves spelled most like `text`: most leading fields shared first, then by likeness."""
    fields = text.split(":")

    def unlike(other: str) -> tuple[int, float]:
        shared = 0
        for mine, theirs in zip(fields, other.split(":"), strict=False):
            if mine != theirs:
                break
            shared += 1
        return -shared, -difflib.SequenceMatcher(None, text, other).ratio()

    return tuple(sorted((game.write(move) for move in game.legal(state)), key=unlike)[:most])


@lru_cache(maxsize=16_384)
def _parsed(game: AnyGame, text: str) -> Any:
    """The move that `text` spells; the same ones are played again and again. Raises BadNotation."""
    return game.parse(text)


def _act(game: AnyGame, state: Any, version: int, seat: int, move: Any, index: int) -> Step:
    holder = game.to_move(state)
    if holder is None:
        raise MatchOver(index)
    if holder != seat:
        raise NotYourTurn(seat, holder, index)
    recorded = game.normal(state, move)
    if recorded is None:
        raise refusal(game, state, move, index)
    return _step(game, state, version, "action", seat, recorded)


def _step(game: AnyGame, state: Any, version: int, kind: Kind, seat: int | None, move: Any) -> Step:
    after, changes = game.apply(state, move)
    return Step(Event(version + 1, kind, seat, game.write(move)), changes, after)
