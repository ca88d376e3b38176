"""Many matches at once, each with its bots and a subscriber, who write down what they are told."""

from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

import httpx
import msgspec

from engine.chance import Draw
from schema.wire_streams import EndMessage, EventMessage, StreamMessage
from service.client import Client, Position, Replica, Seat
from service.client.errors import Refused
from service.client.pace import Pace
from service.client.seat import play_turn

PATIENCE = 280.0
"""Seconds in which a worker of a busy machine has started again."""
read = msgspec.json.Decoder(StreamMessage).decode


class Table:
    """One match: what its bots were acknowledged, and what its subscriber saw."""

    def __init__(self, url: str, game: str, options: dict[str, Any]) -> None:
        self._url = url
        self.acknowledged: list[tuple[int, str]] = []
        self.seen: list[tuple[int, str]] = []
        self.connections = 0
        self.failure: BaseException | None = None
        self._pace = Pace(0.05, 1.0)
        self._given_up = Event()
        with Client(url, PATIENCE) as client:
            self.match = client.create(game, 2, options).match.id
            joined = [client.join(self.match, f"bot {seat}") for seat in range(2)]
        self._seats = [Seat(self.match, seat.seat, seat.token) for seat in joined]
        acts = (self._play, self._follow)
        self._threads = [Thread(target=self._guarded, args=(act,), daemon=True) for act in acts]

    def start(self) -> None:
        """Begin to play and to follow."""
        for thread in self._threads:
            thread.start()

    def is_busy(self) -> bool:
        """Whether it still plays or follows."""
        return any(thread.is_alive() for thread in self._threads)

    def check(self) -> None:
        """Raises what went wrong."""
        if self.failure is not None:
            raise self.failure

    def join(self) -> None:
        """Wait for its end. Raises what went wrong."""
        while self.is_busy():
            self.check()
            for thread in self._threads:
                thread.join(1)
        self.check()

    def give_up(self) -> None:
        """Let the subscriber end, though the match has not: the service is gone for good."""
        self._given_up.set()

    def _guarded(self, act: Any) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001  # told by `join`
            self.failure = error

    def _play(self) -> None:
        draw = Draw(self.match.encode())

        def bot(position: Position) -> Sequence[Any]:
            legal = position.legal
            return (legal[draw.below(len(legal), position.version)],)

        with Client(self._url, PATIENCE) as client:
            replica = Replica(client, self.match)
            while replica.status == "running":
                seat = replica.game.to_move(replica.state)
                assert seat is not None
                try:
                    steps = play_turn(client, replica, self._seats[seat], bot)
                except Refused as refusal:
                    raise AssertionError(f"{refusal.code} at version {replica.version}") from refusal
                self.acknowledged += [(step.event.version, step.event.move) for step in steps]

    def _follow(self) -> None:
        """Read the stream to its end, from where it broke off as often as it does."""
        ended = False
        while not ended and not self._given_up.is_set():
            self.connections += 1
            after = self.seen[-1][0] if self.seen else 0
            try:
                ended = self._read(after)
            except httpx.TransportError:
                self._pace.wait()

    def _read(self, after: int) -> bool:
        address = f"{self._url}/api/v1/matches/{self.match}/events"
        headers = {"accept": "application/x-ndjson"}
        with httpx.stream("GET", address, params={"after": after}, headers=headers, timeout=40) as answer:
            if answer.status_code != 200:
                self._pace.wait()
                return False
            for line in answer.iter_lines():
                told = read(line)
                if isinstance(told, EventMessage):
                    self.seen.append((told.version, told.move))
                elif isinstance(told, EndMessage):
                    return True
        return False
