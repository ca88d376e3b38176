"""Bots and their clocks: a bot may ask what it has left, and those that come along do."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from engine.chance import Draw
from engine.match import AnyGame
from engine.players import roster
from engine.players.roster import GoOn
from engine.registry import GAMES
from schema.wire import AskedClock
from service.client import Position, Seat, engine_bot, play_match
from service.client.bots import SHARE
from service.client.calls import Call
from tests.cli.running import Service
from tests.cli.test_play_match import played_against

*_, GAME = GAMES
SEED = b"\x07" * 32


def timed_match(service: Service, clock: AskedClock | None) -> list[Seat]:
    match = service.client.create(GAME, 2, clock=clock).match.id
    joined = [service.client.join(match, f"player {seat}", seat) for seat in range(2)]
    return [Seat(match, one.seat, one.token) for one in joined]


def test_a_bot_may_ask_what_it_has_left(service: Service) -> None:
    ours, other = timed_match(service, AskedClock(base=600_000, delay=5_000))
    asked: list[float | None] = []

    def bot(position: Position) -> Sequence[Any]:
        asked.append(position.time_left())
        return position.legal[:1]

    opponent = played_against(service, other, engine_bot("random", SEED))
    assert play_match(service.client, ours, bot).status == "finished"
    opponent.join()
    assert all(left is not None and 500 < left <= 605 for left in asked)


def test_a_bot_without_a_clock_asks_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other = timed_match(service, None)
    ask, asked = service.client.ask, []

    def counted(call: Call[Any]) -> Any:
        asked.append(call.path)
        return ask(call)

    monkeypatch.setattr(service.client, "ask", counted)
    lefts = []

    def bot(position: Position) -> Sequence[Any]:
        lefts.append(position.time_left())
        return position.legal[:1]

    opponent = played_against(service, other, engine_bot("random", SEED))
    play_match(service.client, ours, bot)
    opponent.join()
    assert set(lefts) == {None}
    assert len(lefts) > 5
    assert sum(path.endswith("/clock") for path in asked) == 1


def test_a_bot_that_sleeps_runs_out_of_time(service: Service) -> None:
    ours, other = timed_match(service, AskedClock(base=300))

    def sleeper(position: Position) -> Sequence[Any]:
        time.sleep(0.9)
        return position.legal[:1]

    opponent = played_against(service, other, engine_bot("random", SEED))
    end = play_match(service.client, ours, sleeper)
    opponent.join()
    assert (end.status, end.clock and end.clock.flagged) == ("finished", ours.seat)
    assert end.ranks == tuple(2 if seat == ours.seat else 1 for seat in range(2))


@pytest.mark.parametrize(("left", "allowed"), [(None, 0.3), (60.0, 0.3), (2.0, 2.0 / SHARE), (0.0, 0.0)])
def test_bots_think_no_longer_than_they_can_afford(
    monkeypatch: pytest.MonkeyPatch, left: float | None, allowed: float
) -> None:
    def thinker(game: AnyGame, state: Any, _: Draw, go_on: GoOn) -> tuple[Any, ...]:
        while go_on():
            pass
        return (game.legal(state)[0],)

    monkeypatch.setitem(roster.PLAYERS, "thinker", thinker)
    game = GAMES[GAME]
    state = game.setup(game.deal(game.options_type(), 2, Draw(SEED)))
    began = time.monotonic()
    engine_bot("thinker", SEED, 0.3)(Position(game, state, 0, 0, lambda: left))
    assert allowed <= time.monotonic() - began < allowed + 0.2
