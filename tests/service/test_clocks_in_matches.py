"""What happens to the clocks when a match is played: decisions alone, without a store and without waiting."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import BadSetup
from engine.match import AnyGame
from engine.registry import GAMES
from schema.wire import AskedClock, CreateMatch, PlayMoves
from service.clocks.arithmetic import Clock, deadline
from service.clocks.referee import Moment
from service.matches import Born, Decision, abort_flagged, create, flag, join, play_moves, resign, state_of
from service.store.record import MatchRecord, SeatRecord, StoredEvent

T0 = 1_700_000_000_000
SERVED = 7
"""Ms from the receipt of a request to the store."""
FISCHER = AskedClock(base=600_000, increment=2_000)
TABLES = [
    pytest.param(game, seats, id=f"{slug}-{seats}") for slug, game in GAMES.items() for seats in game.seats
]
each_table = pytest.mark.parametrize(("game", "seats"), TABLES)
GAME = next(iter(GAMES.values()))


def taken(at: int) -> SeatRecord:
    """A seat that somebody took."""
    return SeatRecord("Ada", b"t" * 32, "", at)


class Board:
    """A match that is played in one's head."""

    def __init__(self, game: AnyGame, seats: int, clock: AskedClock | None, **options: Any) -> None:
        asked = CreateMatch(game.slug, seats, clock=clock, **options)
        self.game = game
        self.at = T0
        self.record = create(asked, game, Born("a" * 24, b"s" * 32, b"h" * 32, T0)).record
        self.events: list[StoredEvent] = []
        for seat in range(seats):
            self._note(join(self.record, game, seat, taken(self.at)))

    @property
    def state(self) -> Any:
        return state_of(self.game, self.record.state)

    @property
    def is_running(self) -> bool:
        return self.record.status == "running"

    @property
    def clock(self) -> Clock:
        assert self.record.clock is not None
        return self.record.clock

    @property
    def legal(self) -> list[str]:
        return [self.game.write(move) for move in self.game.legal(self.state)]

    def moment(self, think: int) -> Moment:
        """That of a request after so many ms."""
        self.at += think + SERVED
        return Moment(self.at - SERVED, self.at)

    def play(self, *moves: str, think: int = 0, through: bool = False) -> Decision:
        seat = self.game.to_move(self.state)
        assert seat is not None
        asked = PlayMoves(self.record.version, moves, through)
        parsed = tuple(map(self.game.parse, moves))
        return self._note(play_moves(self.record, self.game, seat, asked, parsed, self.moment(think)))

    def resign(self, seat: int, think: int = 0) -> Decision:
        return self._note(resign(self.record, self.game, seat, self.moment(think)))

    def end_turn(self, think: int = 0) -> None:
        """Moves of this turn until it is over, `think` ms in all."""
        turn = self.game.turn(self.state)
        while self.game.to_move(self.state) is not None and self.game.turn(self.state) == turn:
            self.play(self.legal[-1], think=think)
            think = 0

    def _note(self, decision: Decision) -> Decision:
        self.record = decision.record
        self.events += decision.events
        return decision


@each_table
def test_every_ms_is_accounted_for(game: AnyGame, seats: int) -> None:
    board = Board(game, seats, FISCHER)
    turns: Counter[int] = Counter()
    number = 0
    while board.is_running and number < 400:
        number += 1
        seat, turn, since = board.clock.running, game.turn(board.state), board.clock.since
        assert seat == game.to_move(board.state)
        assert since == board.at
        think = number * 37 % 200
        steps = board.play(board.legal[number * 7 % len(board.legal)], think=think).events
        assert seat is not None
        first, *more = steps
        assert (first.offered, first.received, first.at) == (since, since + think, since + think + SERVED)
        assert (first.seat, first.spent, first.left) == (seat, think, board.clock.left[seat])
        assert all(event.kind in ("outcome", "forced") for event in more)
        assert all((event.offered, event.received, event.spent) == (event.at, event.at, 0) for event in more)
        if board.is_running:
            turns[seat] += game.turn(board.state) != turn
        spent = Counter[int]()
        for event in board.events:
            spent[-1 if event.seat is None else event.seat] += event.spent
        if board.is_running:
            assert board.clock.left == tuple(600_000 + 2_000 * turns[s] - spent[s] for s in range(seats))
    assert min(turns.values()) > 3
    assert len(turns) == seats


@each_table
def test_the_time_for_a_turn_is_there_anew_in_every_turn(game: AnyGame, seats: int) -> None:
    board = Board(game, seats, AskedClock(per_turn=1_000, grace=500))
    for number in range(4 * seats):
        if not board.is_running:
            break
        free = 500 if number < seats else 0
        assert (board.clock.left, board.clock.free) == ((1_000,) * seats, free)
        board.end_turn(think=900)


@each_table
def test_a_delay_is_of_a_turn_not_of_a_move(game: AnyGame, seats: int) -> None:
    board = Board(game, seats, AskedClock(base=10_000, delay=1_000))
    for _ in range(3 * seats):
        if not board.is_running:
            break
        seat, turn = board.clock.running, game.turn(board.state)
        assert seat is not None
        before, thought = board.clock.left[seat], 0
        while game.to_move(board.state) is not None and game.turn(board.state) == turn:
            board.play(board.legal[-1], think=400)
            thought += 400
        assert board.clock.left[seat] == before - max(0, thought - 1_000)


@each_table
def test_a_batch_is_paid_for_once(game: AnyGame, seats: int) -> None:
    rehearsal = Board(game, seats, FISCHER)
    moves: list[str] = []
    turn, seat = rehearsal.game.turn(rehearsal.state), rehearsal.clock.running
    while rehearsal.game.turn(rehearsal.state) == turn:
        moves.append(rehearsal.legal[-1])
        rehearsal.play(moves[-1])
    board = Board(game, seats, FISCHER)
    events = board.play(*moves, think=250, through=True).events
    mine = [event for event in events if event.kind == "action"]
    assert [event.spent for event in mine] == [250, *[0] * (len(moves) - 1)]
    assert {event.received for event in mine} == {T0 + 250}
    assert seat is not None
    assert mine[-1].left == board.clock.left[seat] == 600_000 - 250 + 2_000
    assert all(event.left == 600_000 - 250 for event in mine[:-1])


@pytest.mark.parametrize("game", [game for game in GAMES.values() if 1 in game.seats])
def test_alone_a_batch_of_several_turns_ends_each_of_them(game: AnyGame) -> None:
    rehearsal = Board(game, 1, FISCHER)
    turns = {rehearsal.game.turn(rehearsal.state)}
    moves: list[str] = []
    while len(turns) < 4:
        moves.append(rehearsal.legal[-1])
        rehearsal.play(moves[-1])
        turns.add(rehearsal.game.turn(rehearsal.state))
    board = Board(game, 1, FISCHER)
    board.play(*moves, think=100, through=True)
    assert board.record.version == rehearsal.record.version
    assert board.clock.left == (600_000 - 100 + 3 * 2_000,)
    assert board.clock.since == board.at


def test_the_clock_runs_on_when_another_seat_leaves() -> None:
    board = Board(GAME, 3, FISCHER)
    before, first = board.clock, board.clock.running
    assert first is not None
    (event,) = board.resign((first + 1) % 3, think=300).events
    assert board.clock == replace(before, out=1 << (first + 1) % 3)
    assert (event.offered, event.received, event.spent, event.left) == (T0 + 300, T0 + 300, 0, 600_000)
    board.play(board.legal[0], think=200)
    assert board.clock.left[first] in (600_000 - 507, 602_000 - 507)


def test_who_leaves_in_his_turn_pays_for_it_and_the_next_one_s_clock_runs() -> None:
    board = Board(GAME, 3, FISCHER)
    first = board.clock.running
    assert first is not None
    event = board.resign(first, think=300).events[0]
    assert (event.offered, event.received, event.spent, event.left) == (T0, T0 + 300, 300, 599_700)
    assert board.clock.running != first
    assert (board.clock.since, board.clock.left[first]) == (T0 + 307, 599_700)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_flagged_seat_is_retired(seats: int) -> None:
    board = Board(GAME, seats, AskedClock(base=1_000))
    seat = board.clock.running
    decision = flag(board.record, GAME, Moment(T0 + 1_300, T0 + 1_300))
    event = decision.events[0]
    assert (event.kind, event.move, event.cause) == ("retire", f"retire:{seat}", "flagged")
    assert (event.offered, event.received, event.at) == (T0, T0 + 1_000, T0 + 1_300)
    assert (event.spent, event.left) == (1_000, 0)
    clock = decision.record.clock
    assert clock is not None
    assert clock.flagged == decision.seat == seat
    assert clock.left == tuple(0 if number == seat else 1_000 for number in range(seats))
    if seats == 2:
        assert (decision.record.status, decision.record.ranks[seat or 0], clock.running) == (
            "finished",
            2,
            None,
        )
    else:
        assert (decision.record.status, clock.since) == ("running", T0 + 1_300)
        assert clock.running not in (None, seat)


def test_a_match_may_be_aborted_instead() -> None:
    board = Board(GAME, 2, AskedClock(base=1_000, on_flag="abort"))
    seat = board.clock.running
    decision = abort_flagged(board.record, Moment(T0 + 1_300, T0 + 1_300))
    assert (decision.record.status, decision.record.ranks, decision.events) == ("aborted", (), ())
    clock = decision.record.clock
    assert clock is not None
    assert (clock.flagged, clock.running, clock.left[seat or 0]) == (seat, None, 0)


def test_a_stall_is_credited_to_the_seat_that_runs() -> None:
    board = Board(GAME, 2, AskedClock(base=1_000))
    seat = board.clock.running
    assert seat is not None
    stalls = ((T0 - 50, T0 + 100), (T0 + 200, T0 + 700))
    asked = PlayMoves(0, tuple(board.legal[:1]))
    moves = tuple(map(GAME.parse, asked.moves))
    played = play_moves(board.record, GAME, seat, asked, moves, Moment(T0 + 900, T0 + 901, stalls))
    assert (played.events[0].spent, played.events[0].left) == (300, 700)
    assert deadline(board.clock, stalls) == T0 + 1_600


def test_without_a_clock_times_are_taken_down_all_the_same() -> None:
    board = Board(GAME, 2, None)
    board.play(board.legal[0], think=300)
    event = board.events[-1] if board.events[-1].kind == "action" else board.events[0]
    assert (event.offered, event.received, event.at) == (T0, T0 + 300, T0 + 307)
    assert (event.spent, event.left) == (300, None)
    assert (board.clock.control, board.clock.left, board.clock.since) == (None, (), T0 + 307)


def test_a_match_of_a_release_without_clocks_goes_on() -> None:
    board = Board(GAME, 2, None)
    board.record = replace(board.record, clock=None)
    first = board.play(board.legal[0], think=300).events[0]
    assert (first.offered, first.received, first.spent) == (T0, T0 + 300, 300)
    assert board.clock.running == GAME.to_move(board.state)
    board.record = replace(board.record, clock=None)
    assert board.resign(0).record.status == "finished"


@pytest.mark.parametrize(
    "asked",
    [
        AskedClock(),
        AskedClock(increment=5),
        AskedClock(base=1_000, per_turn=1_000),
        AskedClock(per_turn=1_000, increment=1),
        AskedClock(per_turn=1_000, delay=1),
        AskedClock(base=1_000, increment=1, delay=1),
    ],
)
def test_a_clock_that_cannot_be(asked: AskedClock) -> None:
    with pytest.raises(BadSetup) as refused:
        Board(GAME, 2, asked)
    assert refused.value.where == "clock"


def test_the_clock_waits_for_the_last_seat() -> None:
    asked = CreateMatch(GAME.slug, 2, clock=AskedClock(base=1_000))
    record: MatchRecord = create(asked, GAME, Born("a" * 24, b"s" * 32, b"h" * 32, T0)).record
    assert record.clock is not None
    assert not record.clock.runs_out
    record = join(record, GAME, 0, taken(T0 + 5_000)).record
    assert record.clock is not None
    assert not record.clock.runs_out
    record = join(record, GAME, 1, taken(T0 + 9_000)).record
    assert record.clock is not None
    assert (record.clock.runs_out, record.clock.since) == (True, T0 + 9_000)
