"""The client that blocks: a method for each thing a program does with matches."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, ParamSpec, Self, TypeVar

import httpx

from service.client import calls, dialogues, effects, news, tournament_calls
from service.client.calls import Call
from service.client.effects import Dialogue, Effect, Hear, Pause, Think
from service.client.errors import ClientError
from service.client.news import BrokenOff, News, NoStream, Polls, Story
from service.client.transport import Transport
from service.client.tries import Later

P = ParamSpec("P")
T = TypeVar("T")


class _Asks(Generic[P, T]):
    """A method that asks what a function of `calls` describes, and has the answer when it returns."""

    def __init__(self, describe: Callable[P, Call[T]]) -> None:
        self._describe = describe

    def __get__(self, client: "Client", owner: object = None) -> Callable[P, T]:
        def asked(*args: P.args, **named: P.kwargs) -> T:
            return client.ask(self._describe(*args, **named))

        return asked


class Client:
    """The matches of one server, as typed values.

    Each method asks what the function of the same name in `calls` or `tournament_calls` describes, and may
    raise Refused, Unreachable or BadAnswer. A request is repeated until the server answers, for `patience`
    seconds at most, and never carried out twice. Usable as a context manager, by several threads.
    """

    def __init__(self, url: str, patience: float = 30.0, timeout: float = 10.0) -> None:
        self._transport = Transport(url, patience, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of the server, without a slash at its end."""
        return self._transport.url

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def ask(self, call: Call[T]) -> T:
        """What the call is answered."""
        return self._transport.perform(call)

    ready = _Asks(calls.ready)
    games = _Asks(calls.games)
    create = _Asks(calls.create)
    open_match = _Asks(calls.open_match)
    add_bot = _Asks(calls.add_bot)
    join = _Asks(calls.join)
    register = _Asks(calls.register)
    me = _Asks(calls.me)
    tokens = _Asks(calls.tokens)
    create_token = _Asks(calls.create_token)
    revoke_token = _Asks(calls.revoke_token)
    own_events = _Asks(calls.own_events)
    cancel = _Asks(calls.cancel)
    match = _Asks(calls.match)
    clock = _Asks(calls.clock)
    matches = _Asks(calls.matches)
    lobby = _Asks(calls.lobby)
    play = _Asks(calls.play)
    leave = _Asks(calls.leave)
    resign = _Asks(calls.resign)
    legal_moves = _Asks(calls.legal_moves)
    events = _Asks(calls.events)
    standing = _Asks(calls.standing)
    picture = _Asks(calls.picture)
    box = _Asks(calls.box)
    transcript = _Asks(calls.transcript)
    create_tournament = _Asks(tournament_calls.create_tournament)
    tournaments = _Asks(tournament_calls.tournaments)
    tournament = _Asks(tournament_calls.tournament)
    join_tournament = _Asks(tournament_calls.join_tournament)
    leave_tournament = _Asks(tournament_calls.leave_tournament)
    start_tournament = _Asks(tournament_calls.start_tournament)
    pause_tournament = _Asks(tournament_calls.pause_tournament)
    resume_tournament = _Asks(tournament_calls.resume_tournament)
    cancel_tournament = _Asks(tournament_calls.cancel_tournament)
    tournament_standings = _Asks(tournament_calls.tournament_standings)
    tournament_crosstable = _Asks(tournament_calls.tournament_crosstable)
    tournament_matches = _Asks(tournament_calls.tournament_matches)
    tournament_record = _Asks(tournament_calls.tournament_record)
    tournament_entries = _Asks(tournament_calls.tournament_entries)

    def follow(self, match: str, after: int = 0) -> Generator[News, None, None]:
        """What happens after a version, as it happens, up to the end of the match.

        The status is told first of all, and now and then when nothing has happened. Close the iterator to
        stop earlier. A server that goes away is waited for; nothing is told twice.
        """
        story = Story(match, after, self._transport.tries())
        try:
            while not story.is_over:
                try:
                    yield from self._connection(story)
                    why: Exception = BrokenOff("the stream broke off")
                except (Later, httpx.RequestError) as error:
                    why = error
                if not story.is_over:
                    time.sleep(story.pause(why))
        except NoStream:
            yield from self._polled(Polls(match, story.after))

    def run(self, dialogue: Dialogue[T]) -> T:
        """What a dialogue comes to."""
        heard: dict[str, Generator[News, None, None]] = {}
        answer: Any = None
        trouble: ClientError | None = None
        try:
            while True:
                effect = dialogue.send(answer) if trouble is None else dialogue.throw(trouble)
                answer = trouble = None
                try:
                    answer = self._carry_out(effect, heard)
                except ClientError as error:
                    trouble = error
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            for told in heard.values():
                told.close()

    def _carry_out(self, effect: Effect, heard: dict[str, Generator[News, None, None]]) -> Any:
        match effect:
            case Think():
                position = effect.position()
                with self._beside(effect.meanwhile):
                    return effect.bot(position._replace(time_left=lambda: self._left(effect)))
            case Hear(match, after):
                if match not in heard:
                    heard[match] = self.follow(match, after)
                return next(heard[match])
            case Pause(seconds):
                return time.sleep(seconds)
            case _:
                return self.ask(effect)

    @contextmanager
    def _beside(self, meanwhile: Callable[[], Dialogue[None]] | None) -> Iterator[None]:
        """A dialogue is conducted now and then as long as the block lasts."""
        is_over = threading.Event()

        def converse(meanwhile: Callable[[], Dialogue[None]]) -> None:
            while not is_over.wait(effects.LOOK_EVERY):
                with suppress(ClientError, RuntimeError):  # what matters is told to who reads the answers
                    self.run(meanwhile())

        if meanwhile is not None:
            threading.Thread(target=converse, args=(meanwhile,), daemon=True).start()
        try:
            yield
        finally:
            is_over.set()

    def _left(self, choice: Think) -> float | None:
        """How many seconds the seat has now: the server is asked."""
        return self.run(dialogues.time_left(choice.mirror, choice.seat))

    def _connection(self, story: Story) -> Iterator[News]:
        """What one connection tells, until it is lost."""
        with self._transport.stream(story.call(), news.SILENCE) as response:
            story.begin(response)
            for data in response.iter_bytes():
                yield from story.hear(data)
                if story.is_over:
                    return

    def _polled(self, polls: Polls) -> Iterator[News]:
        while not polls.is_over:
            yield polls.take(self.ask(polls.call()))
