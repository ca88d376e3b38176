"""What if: moves tried from any position, and why a move is not legal. Nothing is stored.

There is no seed here, and so no outcome but those that the client names: at chance a preview stops.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from engine.errors import MatchOver
from engine.game import CHANCE
from engine.match import AnyGame, Event, Kind, Step, closest, digest, refusal
from schema.games import shapes
from schema.wire_previews import ChildrenView, Odds, PreviewedEvent, PreviewView, WhyNotView
from schema.wire_views import ReasonView
from service.languages import ENGLISH, Language
from service.store.record import SeatRecord
from service.views import Chosen, change_view, holder, legal_moves, sentence_of, standing_view


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


class Node(NamedTuple):
    """A position that is looked at: of a match with these seats, for somebody who reads this language."""

    game: AnyGame
    state: Any
    version: int
    seats: tuple[SeatRecord, ...]
    language: Language = ENGLISH

    def after(self, steps: Sequence[Step]) -> "Node":
        """The position that the steps lead to."""
        return self._replace(state=steps[-1].state, version=self.version + len(steps)) if steps else self


def preview_view(node: Node, steps: Sequence[Step]) -> PreviewView:
    """What the steps from a position come to."""
    game, state, version, seats, language = node.after(steps)
    legal = legal_moves(game, state, version, language=language)
    return PreviewView(
        version=node.version,
        events=previewed_events(game, node.state, steps, language),
        to_move=legal.to_move,
        state=shapes(game.slug).state_view(state),
        legal_moves=legal.moves,
        odds=legal.odds,
        standing=standing_view(game.standing(state), seats, version).rows,
        digest=digest(state),
    )


async def children_view(node: Node, chosen: Chosen, after: int, most: int) -> ChildrenView:
    """What each of the chosen moves would come to, but for the first `after`, at most so many.

    Others are served between one and the next.
    """
    game, state, version, _, _ = node
    legal = game.legal(state)
    places = chosen.among(game, state, legal)
    children = []
    for place in places[after : after + most]:
        children.append(preview_view(node, previewed(game, state, version, (legal[place],))))
        await asyncio.sleep(0)
    following = after + most if after + most < len(places) else None
    return ChildrenView(version, holder(game, state), len(places), tuple(children), following)


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
