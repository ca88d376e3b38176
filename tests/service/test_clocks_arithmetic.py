"""The arithmetic of clocks, held against counting millisecond by millisecond."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from service.clocks.arithmetic import (
    NEVER_STALLED,
    SLACK,
    Clock,
    Control,
    Stalls,
    begin_turn,
    deadline,
    end_turn,
    fall,
    go_on,
    is_flag_down,
    leave,
    left_at,
    merged,
    next_call,
    put_off,
    spend,
    stalled,
    stop,
    wound,
)

SMALL = st.integers(0, 60)
STALLS = st.lists(st.tuples(SMALL, SMALL), max_size=6).map(merged)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    grace = draw(st.integers(0, 20))
    if draw(st.booleans()):
        return Control(per_turn=draw(st.integers(1, 40)), grace=grace)
    plus, delay = draw(
        st.sampled_from([(0, 0), (draw(st.integers(1, 20)), 0), (0, draw(st.integers(1, 20)))])
    )
    return Control(draw(st.integers(1, 40)), plus, delay, 0, grace)


@st.composite
def running_clocks(draw: st.DrawFn) -> Clock:
    clock = wound(draw(controls()), draw(st.integers(1, 4)))
    return begin_turn(clock, draw(st.integers(0, len(clock.left) - 1)), draw(SMALL))


def away(stalls: Stalls, at: int) -> bool:
    """Whether the service was away in the ms that begins at `at`."""
    return any(start <= at < end for start, end in stalls)


def thought(stalls: Stalls, start: int, end: int) -> int:
    """Ms between two moments that count, one by one."""
    return sum(not away(stalls, at) for at in range(start, end))


@given(STALLS, SMALL, SMALL)
def test_how_long_the_service_was_away(stalls: Stalls, start: int, end: int) -> None:
    assert stalled(stalls, start, end) == sum(away(stalls, at) for at in range(start, end))


@given(st.lists(st.tuples(SMALL, SMALL), max_size=6))
def test_merging_keeps_each_moment_once_and_in_order(stalls: list[tuple[int, int]]) -> None:
    whole = merged(stalls)
    assert [away(whole, at) for at in range(61)] == [away(tuple(stalls), at) for at in range(61)]
    ends = [moment for stall in whole for moment in stall]
    assert ends == sorted(set(ends))
    assert merged(whole) == whole


@given(running_clocks(), STALLS, st.integers(0, 200))
def test_the_flag_is_down_as_soon_as_more_was_thought_than_there_was(
    clock: Clock, stalls: Stalls, more: int
) -> None:
    assert clock.running is not None
    at = clock.since + more
    budget = clock.free + clock.left[clock.running]
    assert is_flag_down(clock, at, stalls) == (thought(stalls, clock.since, at) > budget)


@given(running_clocks(), STALLS, st.integers(0, 200))
def test_what_is_spent_is_what_was_thought_beyond_what_is_free(
    clock: Clock, stalls: Stalls, more: int
) -> None:
    assert clock.running is not None
    before, received = clock.left[clock.running], clock.since + more
    after, spent = spend(clock, received, stalls)
    assert spent == max(0, thought(stalls, clock.since, received) - clock.free)
    assert after.left[clock.running] == max(0, before - spent)
    assert is_flag_down(clock, received, stalls) == (spent > before)
    others = [seat for seat in range(len(clock.left)) if seat != clock.running]
    assert all(after.left[seat] == clock.left[seat] for seat in others)
    assert left_at(clock, received, stalls) == after.left


@given(running_clocks(), STALLS, st.lists(st.integers(0, 40), min_size=1, max_size=5))
def test_nobody_gains_or_loses_by_many_requests_in_a_turn(
    clock: Clock, stalls: Stalls, pauses: Sequence[int]
) -> None:
    bit_by_bit, total, at = clock, 0, clock.since
    for pause in pauses:
        at += pause
        bit_by_bit, spent = spend(bit_by_bit, at, stalls)
        bit_by_bit = go_on(bit_by_bit, at)
        total += spent
    assert (bit_by_bit, total) == spend(clock, at, stalls)


@given(running_clocks(), STALLS, st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_the_time_between_a_request_and_the_next_decision_is_free(
    clock: Clock, stalls: Stalls, first: int, served: int, second: int
) -> None:
    received = clock.since + first
    once, spent = spend(clock, received, NEVER_STALLED)
    twice, more = spend(go_on(once, received + served), received + served + second, NEVER_STALLED)
    at_a_stretch, all_spent = spend(clock, received + second, NEVER_STALLED)
    assert spent + more == all_spent
    assert twice.left == at_a_stretch.left


@given(running_clocks(), STALLS)
def test_a_stall_puts_the_deadline_off_by_what_of_it_falls_before(clock: Clock, stalls: Stalls) -> None:
    due, plain = deadline(clock, stalls), deadline(clock, NEVER_STALLED)
    assert due is not None
    assert plain is not None
    assert due - plain == stalled(stalls, clock.since, due) == put_off(clock, stalls)


@given(running_clocks(), st.integers(0, 60))
def test_a_clock_set_back_takes_nothing(clock: Clock, back: int) -> None:
    after, spent = spend(clock, clock.since - back, NEVER_STALLED)
    assert (spent, after.left) == (0, clock.left)


@given(running_clocks(), st.data())
def test_no_flag_is_called_before_the_next_call(clock: Clock, data: st.DataObject) -> None:
    """Whatever is played: the index need not follow a move."""
    at = clock.since + data.draw(st.integers(0, (deadline(clock, NEVER_STALLED) or 0) - clock.since))
    calls = []
    seats = len(clock.left)
    for _ in range(data.draw(st.integers(1, 12))):
        call, due = next_call(clock, at, NEVER_STALLED), deadline(clock, NEVER_STALLED)
        assert call is not None
        assert due is not None
        calls.append(call)
        assert call <= due + SLACK
        at = data.draw(st.integers(at, max(at, due)))
        assert clock.running is not None
        clock, _ = spend(clock, at, NEVER_STALLED)
        clock = end_turn(clock)
        clock = begin_turn(clock, data.draw(st.integers(0, seats - 1)), at)
    due = deadline(clock, NEVER_STALLED)
    assert due is not None
    assert all(call <= due + SLACK for call in calls)


def test_the_end_of_a_turn_brings_the_increment() -> None:
    clock = begin_turn(wound(Control(base=1_000, increment=50), 2), 1, 5_000)
    clock, spent = spend(clock, 5_300, NEVER_STALLED)
    assert (spent, clock.left) == (300, (1_000, 700))
    assert go_on(clock, 5_310).left == (1_000, 700)
    assert end_turn(clock).left == (1_000, 750)
    assert end_turn(leave(clock, 1)).left == (1_000, 700)


def test_a_delay_is_of_each_turn_and_lapses() -> None:
    clock = begin_turn(wound(Control(base=1_000, delay=100), 2), 0, 0)
    assert deadline(clock, NEVER_STALLED) == 1_100
    clock, spent = spend(clock, 60, NEVER_STALLED)
    assert (spent, clock.free) == (0, 40)
    clock, spent = spend(go_on(clock, 60), 200, NEVER_STALLED)
    assert (spent, clock.left[0]) == (100, 900)
    clock = end_turn(clock)
    assert (clock.left[0], begin_turn(clock, 0, 300).free) == (900, 100)


def test_the_time_for_a_turn_is_there_anew() -> None:
    clock = begin_turn(wound(Control(per_turn=500), 2), 0, 0)
    clock, spent = spend(clock, 499, NEVER_STALLED)
    assert (spent, clock.left) == (499, (1, 500))
    assert end_turn(clock).left == (500, 500)


def test_the_grace_is_of_the_first_turn() -> None:
    clock = begin_turn(wound(Control(base=100, delay=10, grace=1_000), 2), 0, 0)
    assert deadline(clock, NEVER_STALLED) == 1_110
    clock = end_turn(spend(clock, 900, NEVER_STALLED)[0])
    assert clock.left == (100, 100)
    assert deadline(begin_turn(clock, 0, 1_000), NEVER_STALLED) == 1_110
    assert deadline(begin_turn(clock, 1, 1_000), NEVER_STALLED) == 2_110


def test_without_a_control_time_is_taken_down_and_never_runs_out() -> None:
    clock = begin_turn(wound(None, 2), 1, 1_000)
    assert not clock.runs_out
    clock, spent = spend(clock, 9_000, ((2_000, 3_000),))
    assert (spent, clock.left) == (7_000, ())
    assert deadline(clock, NEVER_STALLED) is next_call(clock, 0, NEVER_STALLED) is None
    assert not is_flag_down(clock, 10**15, NEVER_STALLED)
    assert end_turn(clock).left == ()


def test_clocks_that_do_not_run() -> None:
    clock = wound(Control(base=1_000), 2)
    for idle in (clock, stop(begin_turn(clock, 0, 5))):
        assert not idle.runs_out
        assert deadline(idle, NEVER_STALLED) is next_call(idle, 0, NEVER_STALLED) is None
        assert put_off(idle, ((0, 9),)) == 0
        assert left_at(idle, 10**15, NEVER_STALLED) == (1_000, 1_000)
    assert put_off(None, ((0, 9),)) == 0


def test_who_has_left_is_not_waited_for() -> None:
    clock = wound(Control(base=1_000), 3)
    clock, _ = spend(begin_turn(clock, 0, 0), 990, NEVER_STALLED)
    clock = begin_turn(end_turn(clock), 1, 1_000)
    assert next_call(clock, 1_000, NEVER_STALLED) == 1_010 + SLACK
    assert next_call(leave(clock, 0), 1_000, NEVER_STALLED) == 2_000 + SLACK


def test_the_flag_is_the_running_seat_s() -> None:
    assert fall(begin_turn(wound(Control(base=1), 2), 1, 0)).flagged == 1
