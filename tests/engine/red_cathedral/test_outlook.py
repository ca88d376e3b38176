"""What players believe they may expect. No rule, but it must not depend on how a turn happens to end."""

from engine.red_cathedral import GAME
from engine.red_cathedral.model import HUMAN
from engine.red_cathedral.moves import End
from tests.conformance.walks import random_match


def test_alone_a_turn_is_worth_the_same_before_and_after_ivans_answer() -> None:
    """Ends with a roll leave his card for later, others have him answer at once."""
    answered = 0
    walk = random_match(GAME, 1, 6, turn_limit=40)
    for state in (step.state for step in walk.steps):
        if End() in GAME.legal(state):
            after = GAME.apply(state, End())[0]
            assert GAME.outlook(after) == GAME.outlook(state)
            answered += after.seat != HUMAN
    assert 0 < answered < 40


def test_who_has_left_expects_no_more_than_is_there() -> None:
    for step in random_match(GAME, 3, 7, turn_limit=12).steps:
        state = step.state
        if GAME.to_move(state) == 0 and state.round == 12:
            left = GAME.retire(state, 1)[0]
            assert GAME.outlook(left)[1] < GAME.outlook(state)[1]
            return
    raise AssertionError("the last round never came")
