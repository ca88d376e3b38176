"""Batches, what the driver adds, retirement and refusals, told with a real game and real dice."""

from typing import Any

import pytest

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
from engine.game import CHANCE
from engine.match import (
    Event,
    advance,
    check,
    closest,
    digest,
    fold,
    parse_batch,
    play,
    play_through_chance,
    retire,
)
from engine.opening import read_options
from engine.registry import find_game

GAME = find_game("red-cathedral")
DRAW = Draw(b"match tests")


@pytest.fixture
def start() -> Any:
    return GAME.setup(GAME.deal(read_options(GAME, {}), 2, DRAW))


def die_move(state: Any) -> str:
    """Some move that leads to a roll once the turn ends."""
    return next(text for text in map(GAME.write, GAME.legal(state)) if text.startswith("move:"))


def claim(state: Any) -> str:
    return next(text for text in map(GAME.write, GAME.legal(state)) if text.startswith("claim:"))


def texts(steps: Any) -> list[str]:
    return [step.event.move for step in steps]


def test_a_batch_is_recorded_move_by_move(start: Any) -> None:
    played = play(GAME, start, 0, 0, parse_batch(GAME, [claim(start), "end"]), DRAW)
    assert [step.event for step in played.steps] == [
        Event(1, "action", 0, claim(start)),
        Event(2, "action", 0, "end"),
    ]
    assert played.moves == 2
    assert played.stopped_by is None
    assert GAME.to_move(played.steps[-1].state) == 1


def test_the_driver_adds_the_roll_so_that_a_seat_is_to_move(start: Any) -> None:
    played = play(GAME, start, 0, 0, parse_batch(GAME, [die_move(start), "end"]), DRAW)
    kinds = [step.event.kind for step in played.steps]
    assert kinds == ["action", "action", "outcome"]
    assert played.steps[-1].event.seat is None
    assert GAME.to_move(played.steps[-1].state) == 1
    again = play(GAME, start, 0, 0, parse_batch(GAME, [die_move(start), "end"]), DRAW)
    assert texts(again.steps) == texts(played.steps), "a repeated request gets the same dice"


def test_a_batch_with_one_illegal_move_is_refused_whole(start: Any) -> None:
    before = digest(start)
    with pytest.raises(IllegalMove) as caught:
        play(GAME, start, 0, 0, parse_batch(GAME, [claim(start), claim(start)]), DRAW)
    assert caught.value.index == 1
    assert caught.value.closest == ("end",)
    assert caught.value.reasons
    assert digest(start) == before


def test_a_batch_does_not_go_on_past_a_roll_unless_asked(start: Any) -> None:
    moves = parse_batch(GAME, [die_move(start), "end", "end"])
    with pytest.raises(BatchCrossesChance) as caught:
        play(GAME, start, 0, 0, moves, DRAW)
    assert caught.value.index == 2
    played = play_through_chance(GAME, start, 0, 0, moves, DRAW)
    assert played.moves == 2
    assert [step.event.kind for step in played.steps] == ["action", "action", "outcome"]
    assert isinstance(played.stopped_by, NotYourTurn)
    assert [step.event.version for step in played.steps] == [1, 2, 3]


def test_through_chance_needs_one_legal_move(start: Any) -> None:
    with pytest.raises(IllegalMove):
        play_through_chance(GAME, start, 0, 0, parse_batch(GAME, ["end"]), DRAW)


def test_the_wrong_seat_is_refused(start: Any) -> None:
    with pytest.raises(NotYourTurn) as caught:
        play(GAME, start, 0, 1, parse_batch(GAME, [claim(start)]), DRAW)
    assert (caught.value.seat, caught.value.to_move) == (1, 0)


def test_bad_notation_tells_its_place_in_the_batch() -> None:
    with pytest.raises(BadNotation) as caught:
        parse_batch(GAME, ["end", "fly:me"])
    assert caught.value.index == 1
    assert "fly:me" in str(caught.value)


def test_closest_begins_with_what_shares_most_fields(start: Any) -> None:
    wanted = claim(start)
    section = wanted.split(":")[1]
    near = closest(GAME, start, f"claim:{section}:violet:up")
    assert all(text.startswith(f"claim:{section}:") for text in near)
    assert len(near) == 5


def test_advance_stops_at_a_choice(start: Any) -> None:
    assert advance(GAME, start, 0, DRAW) == []
    state = start
    for text in (die_move(start), "end"):
        state = GAME.apply(state, GAME.parse(text))[0]
    assert GAME.to_move(state) == CHANCE
    (step,) = advance(GAME, state, 2, DRAW)
    assert step.event.version == 3
    assert GAME.to_move(step.state) == 1


def test_retiring_in_a_match_of_two_ends_it(start: Any) -> None:
    (step,) = retire(GAME, start, 0, 0, "resigned", DRAW)
    assert step.event == Event(1, "retire", 0, "retire:0", "resigned")
    assert GAME.to_move(step.state) is None
    with pytest.raises(MatchOver):
        play(GAME, step.state, 1, 1, parse_batch(GAME, ["end"]), DRAW)


def test_a_record_folds_to_the_same_states(start: Any) -> None:
    played = play(GAME, start, 0, 0, parse_batch(GAME, [die_move(start), "end"]), DRAW)
    left = retire(GAME, played.steps[-1].state, 3, 1, "flagged", DRAW)
    steps = (*played.steps, *left)
    folded = list(fold(GAME, start, (step.event for step in steps)))
    assert [digest(step.state) for step in folded] == [digest(step.state) for step in steps]
    assert folded == list(steps)


@pytest.mark.parametrize(
    "event",
    [
        Event(1, "action", 0, "end"),
        Event(1, "action", 0, "fly:me"),
        Event(1, "action", 1, "CLAIM"),
        Event(1, "forced", 0, "CLAIM"),
        Event(1, "outcome", None, "CLAIM"),
        Event(1, "outcome", None, "*red3"),
        Event(1, "retire", 0, "retire:1", "resigned"),
        Event(1, "retire", 7, "retire:7", "resigned"),
    ],
)
def test_a_record_that_breaks_the_rules_is_found(start: Any, event: Event) -> None:
    wrong = Event(
        event.version, event.kind, event.seat, event.move.replace("CLAIM", claim(start)), event.cause
    )
    with pytest.raises(BadTranscript):
        check(GAME, start, wrong)


def test_every_refusal_of_a_move_is_one_family() -> None:
    assert {IllegalMove, NotYourTurn, MatchOver, BatchCrossesChance} <= set(MoveRefused.__subclasses__())
