"""The turns that bots have to play, as the workers of the bots share them: one stream, one group.

A turn is leased to the worker that takes it. The lease is renewed as long as the worker lives; when it has
run out, another worker takes the turn. So a turn may be played by two at once: the version lets one win.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from service.bots import keys

LEASE_MS: Final = 10_000
ALIVE_SECONDS: Final = 15


class Turn(NamedTuple):
    """A turn of a bot: its place in the queue, the match, and how often it was taken before."""

    place: bytes
    match: str
    tries: int


class Queue:
    """The queue as the worker with this name sees it. Methods raise redis.exceptions.RedisError."""

    def __init__(self, redis: "Redis", worker: str) -> None:
        self._redis = redis
        self._worker = worker

    def open(self) -> None:
        """Make the queue, if there is none."""
        try:
            self._redis.xgroup_create(keys.TURNS, keys.GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise

    def say_alive(self) -> None:
        """Let it be known that somebody plays for the bots."""
        self._redis.set(keys.ALIVE, self._worker, ex=ALIVE_SECONDS)

    def take(self, most: int, wait_ms: int) -> Sequence[Turn]:
        """New turns, as soon as there is one, or none when time is over."""
        told: Any = self._redis.xreadgroup(
            keys.GROUP, self._worker, {keys.TURNS: ">"}, count=most, block=wait_ms
        )
        return [_turn(entry, 0) for _, entries in told or () for entry in entries]

    def take_over(self, most: int) -> Sequence[Turn]:
        """Turns of workers that have not renewed their lease."""
        told: Any = self._redis.xautoclaim(
            keys.TURNS, keys.GROUP, self._worker, min_idle_time=LEASE_MS, count=most
        )
        entries = [entry for entry in told[1] if entry[1]]
        return [_turn(entry, self._tries(entry[0])) for entry in entries]

    def renew(self, turns: Sequence[Turn]) -> None:
        """Keep the leases of turns that are being played."""
        if turns:
            places: Any = [turn.place for turn in turns]
            self._redis.xclaim(
                keys.TURNS, keys.GROUP, self._worker, min_idle_time=0, message_ids=places, justid=True
            )

    def leave(self, turn: Turn) -> None:
        """Keep a turn until its lease has run out; that it was taken now does not count."""
        self._redis.xclaim(
            keys.TURNS,
            keys.GROUP,
            self._worker,
            min_idle_time=0,
            message_ids=[turn.place],
            retrycount=turn.tries,
            justid=True,
        )

    def done(self, turn: Turn) -> None:
        """Take a turn out of the queue."""
        with self._redis.pipeline() as pipeline:
            pipeline.xack(keys.TURNS, keys.GROUP, turn.place)
            pipeline.xdel(keys.TURNS, turn.place)
            pipeline.execute()

    def forget(self, match: str) -> None:
        """A match is over: the bots have room for another one."""
        with self._redis.pipeline() as pipeline:
            pipeline.hdel(keys.KNOWN, match)
            pipeline.zrem(keys.CHANGED, match)
            pipeline.execute()

    def _tries(self, place: bytes) -> int:
        told: Any = self._redis.xpending_range(keys.TURNS, keys.GROUP, min=place, max=place, count=1)
        return int(told[0]["times_delivered"]) - 1 if told else 0


def _turn(entry: Any, tries: int) -> Turn:
    place, fields = entry
    return Turn(place, fields[b"m"].decode(), tries)
