"""The worker of the bots: takes turns from the queue and plays them over HTTP, several at once."""

import logging
import secrets
import time
from collections import OrderedDict
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Final, NamedTuple

from redis.exceptions import RedisError

from schema.wire_views import MatchView, SeatView
from service.bots.queue import LEASE_MS, Queue, Turn
from service.client import Client, ClientError, Refused, Replica, Seat, Unreachable, engine_bot
from service.client.seat import play_turn
from service.tokens import Tokens

AT_ONCE: Final = 4
"""Turns that one worker plays at once."""
WAIT_MS: Final = 1_000
LONGEST_PAUSE: Final = 2.0
MOST_TRIES: Final = 5
"""How often a turn is tried before the bot gives its seat up."""
MOST_REPLICAS: Final = 64
_LACKING: Final = frozenset(("edition_missing", "unknown_edition"))
"""What a match is refused with for as long as its box is not loaded."""
_GONE: Final = frozenset(("no_such_match", "match_expired", "match_over", "other_rules"))
_log: Final = logging.getLogger(__name__)


class Mind(NamedTuple):
    """What the bots choose with: the secret of their tokens, their chance, and seconds for one choice."""

    tokens: Tokens
    seed: bytes
    think: float


class Worker:
    """Plays until it is told to stop. Turns that it leaves are taken over by others."""

    def __init__(self, queue: Queue, client: Client, tokens: Tokens, think: float) -> None:
        self._queue = queue
        self._client = client
        self._mind = Mind(tokens, secrets.token_bytes(32), think)
        self._replicas: OrderedDict[str, Replica] = OrderedDict()
        self._playing: dict[Future[None], Turn] = {}
        self._left: set[str] = set()
        self._renewed = 0.0

    def run(self, stop: Event) -> None:
        """Play, and wait for the store where it is away."""
        pause = 0.1
        with ThreadPoolExecutor(AT_ONCE, "bot") as pool:
            while not stop.is_set():
                try:
                    self._queue.open()
                    while not stop.is_set():
                        self._step(pool)
                        pause = 0.1
                except RedisError as error:
                    _log.warning("The store does not answer, again in %.1f s: %s", pause, error)
                    stop.wait(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)

    def _step(self, pool: ThreadPoolExecutor) -> None:
        """Begin to play what there is to play, as far as there is room."""
        self._look_after()
        room = AT_ONCE - len(self._playing)
        if room == 0:
            wait(self._playing, WAIT_MS / 1_000, FIRST_COMPLETED)
            return
        for turn in self._queue.take_over(room) or self._queue.take(
            room, WAIT_MS if not self._playing else 100
        ):
            self._playing[pool.submit(self._play, turn)] = turn

    def _look_after(self) -> None:
        """Forget what is done; keep the leases of what is not."""
        for future in [future for future in self._playing if future.done()]:
            turn = self._playing.pop(future)
            if (error := future.exception()) is not None:
                _log.error("A turn in the match %s is left", turn.match, exc_info=error)
        now = time.monotonic()
        if now - self._renewed > LEASE_MS / 3_000:
            self._queue.say_alive()
            self._queue.renew(tuple(self._playing.values()))
            self._renewed = now

    def _play(self, turn: Turn) -> None:
        """Play on in a match as long as it is a bot's turn. What fails is tried again after its lease.

        To find the server away, or the box of the match, is not counted as a try.
        """
        try:
            match = self._client.match(turn.match)
            mover = bot_to_move(match)
            if mover is not None and turn.tries >= MOST_TRIES:
                _log.error("The bot of seat %d in the match %s gives up.", mover.seat, match.id)
                self._client.resign(match.id, self._token(match.id, mover))
            elif mover is not None:
                self._play_on(match)
        except Unreachable as error:
            self._leave(turn, error)
            return
        except Refused as error:
            if error.code in _LACKING:
                self._leave(turn, error)
                return
            if error.code not in _GONE:
                raise
            self._queue.forget(turn.match)
        self._queue.done(turn)
        self._left.discard(turn.match)

    def _leave(self, turn: Turn, why: ClientError) -> None:
        """Leave a turn for later; that is told once."""
        if turn.match not in self._left:
            _log.warning("A turn in the match %s is left for later: %s", turn.match, why)
            self._left.add(turn.match)
        self._queue.leave(turn)

    def _play_on(self, match: MatchView) -> None:
        replica = self._replicas.pop(match.id, None) or Replica(self._client, match.id)
        replica.update()
        while replica.status == "running":
            number = replica.game.to_move(replica.state)
            seat = None if number is None or number < 0 else match.seats[number]
            if seat is None or seat.bot is None:
                break
            bot = engine_bot(seat.bot, self._mind.seed, self._mind.think)
            play_turn(self._client, replica, Seat(match.id, seat.seat, self._token(match.id, seat)), bot)
        if replica.status == "running":
            self._replicas[match.id] = replica
            while len(self._replicas) > MOST_REPLICAS:
                self._replicas.popitem(last=False)

    def _token(self, match: str, seat: SeatView) -> str:
        assert seat.joined_at is not None
        return self._mind.tokens.bot_token(match, seat.seat, round(seat.joined_at.timestamp() * 1_000))


def bot_to_move(match: MatchView) -> SeatView | None:
    """The seat that has to choose, if a bot has it."""
    if match.status != "running" or not isinstance(match.to_move, int):
        return None
    seat = match.seats[match.to_move]
    return seat if seat.bot is not None else None
