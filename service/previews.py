"""What if: moves tried from any position, and why a move is not legal. Nothing is stored.

There is no seed here, and so no outcome but those that the client names: at chance a preview stops.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from engine.errors import MatchOver
from engine.game import CHANCE
from engine.match import AnyGame, Event, Kind, Step, closest, digest, refusal
from schema.games import shapes
from schema.wire_previews import Odds, PreviewedEvent, PreviewView, WhyNotView
from schema.wire_views import ReasonView
from service.languages import ENGLISH, Language
from service.store.record import SeatRecord
from service.views import change_view, holder, legal_moves, sentence_of, standing_view


def previewed(game: AnyGame, state: Any, version: int, moves: Sequence[Any]) -> tuple[Step, ...]:
    """The moves, made by whoever is to move, and the forced moves that they leave out or that follow them.

    At chance the next of the moves has to be an outcome. Raises IllegalMove and MatchOver, with the index.
    """
    steps: list[Step] = []
    for index, move in enumerate(moves):
        steps += _forced(game, state, version + len(steps), move)
        state = steps[-1].state if steps else state
        if game.to_move(state) is None:
            raise MatchOver(index)
        recorded = game.normal(state, move)
        if recorded is None:
            raise refusal(game, state, move, index)
        steps.append(_step(game, state, version + len(steps), recorded))
        state = steps[-1].state
    return (*steps, *_forced(game, state, version + len(steps), None))


def preview_view(
    game: AnyGame,
    start: Any,
    version: int,
    steps: Sequence[Step],
    seats: tuple[SeatRecord, ...],
    language: Language = ENGLISH,
) -> PreviewView:
    """What the steps from the state `start` come to."""
    state = steps[-1].state if steps else start
    legal = legal_moves(game, state, version + len(steps), language=language)
    return PreviewView(
        version=version,
        events=previewed_events(game, start, steps, language),
        to_move=legal.to_move,
        state=shapes(game.slug).state_view(state),
        legal_moves=legal.moves,
        odds=legal.odds,
        standing=standing_view(game.standing(state), seats, version + len(steps)).rows,
        digest=digest(state),
    )


def previewed_events(
    game: AnyGame, start: Any, steps: Sequence[Step], language: Language = ENGLISH
) -> tuple[PreviewedEvent, ...]:
    """What would be recorded of the steps from the state `start`."""
    befores = (start, *(step.state for step in steps))
    return tuple(_event(game, before, step, language) for before, step in zip(befores, steps, strict=False))


def why_not_view(
    game: AnyGame, state: Any, version: int, move: Any, language: Language = ENGLISH
) -> WhyNotView:
    """Whether a move is legal in a state, and if not, why, and which are near."""
    text, speech = game.write(move), language.of(game)
    reasons = game.why_not(state, move)
    return WhyNotView(
        version=version,
        to_move=holder(game, state),
        move=text,
        text=game.sentence(move, speech),
        legal=not reasons,
        reasons=tuple(
            ReasonView(reason.rule, reason.code, reason.values, game.sentence(reason, speech))
            for reason in reasons
        ),
        closest=closest(game, state, text) if reasons else (),
    )


def _forced(game: AnyGame, state: Any, version: int, named: Any) -> list[Step]:
    """The forced moves that are due before the move named: the one that it is itself is not among them."""
    steps: list[Step] = []
    while (forced := game.forced(state)) is not None and forced != named:
        steps.append(_step(game, state, version + len(steps), forced))
        state = steps[-1].state
    return steps


def _step(game: AnyGame, state: Any, version: int, move: Any) -> Step:
    mover = game.to_move(state)
    after, changes = game.apply(state, move)
    notation = game.write(move)
    if mover == CHANCE:
        return Step(Event(version + 1, "outcome", None, notation), changes, after)
    kind: Kind = "action" if game.forced(state) is None else "forced"
    return Step(Event(version + 1, kind, mover, notation), changes, after)


def _event(game: AnyGame, before: Any, step: Step, language: Language) -> PreviewedEvent:
    event = step.event
    assert event.kind != "retire"
    return PreviewedEvent(
        event.version,
        event.kind,
        event.seat,
        event.move,
        sentence_of(game, event.move, language),
        tuple(change_view(game, change, language) for change in step.changes),
        _odds(game, before, event.move) if event.kind == "outcome" else UNSET,
    )


def _odds(game: AnyGame, state: Any, notation: str) -> Odds:
    """How likely the outcome with this notation is in a state at chance."""
    odds = tuple(game.odds(state))
    place = [game.write(outcome) for outcome in game.legal(state)].index(notation)
    return Odds(odds[place], sum(odds))
