"""Playing one seat of a match on a server, from the first position to the result."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET

from engine.match import Step
from schema.wire_views import MatchView, Problem
from service.client.bots import Bot, Position
from service.client.client import Client
from service.client.errors import BadAnswer, BotFault, Refused
from service.client.pace import Pace
from service.client.replica import Replica

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0

_CATCH_UP: Final = frozenset(("stale_version", "not_your_turn", "match_over"))
_BOT_FAULTS: Final = frozenset(("illegal_move", "batch_crosses_chance", "unparsable_move"))

Watch = Callable[[Replica, tuple[Step, ...]], None]
"""Told of the steps that are new, after they were folded into the replica."""


class Seat(NamedTuple):
    """A seat that is ours: the match's id, the seat's number, and its token."""

    match: str
    seat: int
    token: str


def unwatched(replica: Replica, steps: tuple[Step, ...]) -> None:
    """Nobody looks on."""


def play_match(client: Client, seat: Seat, bot: Bot, watch: Watch = unwatched) -> MatchView:
    """The match at its end, the seat played by the bot whenever it was its turn.

    Waits for the start if the match is open. A server that goes away is waited for as long as the
    client's patience lasts; nothing is played twice. Raises BotFault, and what the client raises.
    """
    match = started(client, seat.match)
    if match.status == "cancelled":
        return match
    replica = Replica(client, seat.match)
    watch(replica, replica.seen)
    pace = Pace(FIRST_PAUSE, LONGEST_PAUSE)
    with closing(client.follow(seat.match, replica.version)) as news:
        while replica.status == "running":
            ours = replica.game.to_move(replica.state) == seat.seat
            steps = play_turn(client, replica, seat, bot) if ours else replica.take(next(news))
            if steps:
                watch(replica, steps)
                pace.reset()
            elif ours:
                pace.wait()
    return client.match(seat.match)


def started(client: Client, match: str) -> MatchView:
    """The match as soon as it is no longer open."""
    view = client.match(match)
    if view.status == "open":
        with closing(client.follow(match)) as news:
            while next(news).status == "open":
                pass
        view = client.match(match)
    return view


def play_turn(client: Client, replica: Replica, seat: Seat, bot: Bot) -> tuple[Step, ...]:
    """The steps that the bot's moves led to, or those that were missed if the match had gone on meanwhile."""
    position = Position(
        replica.game, replica.state, replica.version, seat.seat, partial(replica.time_left, seat.seat)
    )
    moves = tuple(map(replica.game.write, bot(position)))
    if not moves:
        raise BotFault(f"the bot of seat {seat.seat} has no move at version {replica.version}")
    try:
        played = client.play(seat.match, replica.version, moves, seat.token)
    except Refused as refusal:
        if refusal.code in _BOT_FAULTS or refusal.problem.index:  # a batch that goes on behind its turn
            raise BotFault(f"the bot of seat {seat.seat} plays {' '.join(moves)}: {refusal}") from refusal
        if refusal.code not in _CATCH_UP:
            raise
        steps = _caught_up(replica, refusal.problem)
        if not steps and refusal.code == "not_your_turn":
            raise  # the position is what the bot saw: the token must be that of another seat
        return steps
    replica.status = played.status
    return replica.fold_views(played.events)


def _caught_up(replica: Replica, problem: Problem) -> tuple[Step, ...]:
    """The missed steps: those that the refusal tells, and those that it had no room for."""
    if problem.version is not UNSET and problem.version < replica.version:
        raise BadAnswer(
            f"match {replica.match} went back from version {replica.version} to {problem.version}"
        )
    steps = replica.fold_views(problem.events) if problem.events is not UNSET else ()
    return steps + replica.update() if not steps or problem.next else steps
