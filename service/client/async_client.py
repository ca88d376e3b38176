"""The client that does not block: what `Client` has, to be awaited."""

import asyncio
import inspect
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Generic, ParamSpec, Self, TypeVar

import httpx

from service.client import calls, dialogues, effects, news, tournament_calls
from service.client.calls import Call
from service.client.effects import Dialogue, Effect, Hear, Pause, Think
from service.client.errors import ClientError
from service.client.news import BrokenOff, News, NoStream, Polls, Story
from service.client.transport import AsyncTransport
from service.client.tries import Later

P = ParamSpec("P")
T = TypeVar("T")


class _Asks(Generic[P, T]):
    """A method that asks what a function of `calls` describes, and has to be awaited."""

    def __init__(self, describe: Callable[P, Call[T]]) -> None:
        self._describe = describe

    def __get__(self, client: "AsyncClient", owner: object = None) -> Callable[P, Awaitable[T]]:
        def asked(*args: P.args, **named: P.kwargs) -> Awaitable[T]:
            return client.ask(self._describe(*args, **named))

        return asked


class AsyncClient:
    """The matches of one server, as typed values: the methods of `Client`, each to be awaited.

    A bot may be a function, which thinks in a thread of its own, or a coroutine function.
    """

    def __init__(self, url: str, patience: float = 30.0, timeout: float = 10.0) -> None:
        self._transport = AsyncTransport(url, patience, timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def url(self) -> str:
        """The address of the server, without a slash at its end."""
        return self._transport.url

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def ask(self, call: Call[T]) -> T:
        """What the call is answered."""
        return await self._transport.perform(call)

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

    async def follow(self, match: str, after: int = 0) -> AsyncGenerator[News, None]:
        """As `Client.follow`."""
        story = Story(match, after, self._transport.tries())
        try:
            while not story.is_over:
                try:
                    async for told in self._connection(story):
                        yield told
                    why: Exception = BrokenOff("the stream broke off")
                except (Later, httpx.RequestError) as error:
                    why = error
                if not story.is_over:
                    await asyncio.sleep(story.pause(why))
        except NoStream:
            polls = Polls(match, story.after)
            while not polls.is_over:
                yield polls.take(await self.ask(polls.call()))

    async def run(self, dialogue: Dialogue[T]) -> T:
        """What a dialogue comes to."""
        heard: dict[str, AsyncGenerator[News, None]] = {}
        answer: Any = None
        trouble: ClientError | None = None
        try:
            while True:
                effect = dialogue.send(answer) if trouble is None else dialogue.throw(trouble)
                answer = trouble = None
                try:
                    answer = await self._carry_out(effect, heard)
                except ClientError as error:
                    trouble = error
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            for told in heard.values():
                await told.aclose()

    async def _carry_out(self, effect: Effect, heard: dict[str, AsyncGenerator[News, None]]) -> Any:
        match effect:
            case Think():
                async with self._beside(effect.meanwhile):
                    return await self._think(effect)
            case Hear(match, after):
                if match not in heard:
                    heard[match] = self.follow(match, after)
                return await anext(heard[match])
            case Pause(seconds):
                return await asyncio.sleep(seconds)
            case _:
                return await self.ask(effect)

    @asynccontextmanager
    async def _beside(self, meanwhile: Callable[[], Dialogue[None]] | None) -> AsyncIterator[None]:
        """A dialogue is conducted now and then as long as the block lasts."""

        async def converse(meanwhile: Callable[[], Dialogue[None]]) -> None:
            while True:
                await asyncio.sleep(effects.LOOK_EVERY)
                with suppress(ClientError):  # what matters is told to who reads the answers
                    await self.run(meanwhile())

        beside = None if meanwhile is None else asyncio.create_task(converse(meanwhile))
        try:
            yield
        finally:
            if beside is not None:
                beside.cancel()
                await asyncio.wait((beside,))

    async def _think(self, choice: Think) -> Any:
        position = choice.position()
        if inspect.iscoroutinefunction(choice.bot):
            left = await self._left(choice)
            began = time.monotonic()
            return await choice.bot(
                position._replace(
                    time_left=lambda: None if left is None else max(0.0, left + began - time.monotonic())
                )
            )
        loop = asyncio.get_running_loop()
        asked = position._replace(
            time_left=lambda: asyncio.run_coroutine_threadsafe(self._left(choice), loop).result()
        )
        return await asyncio.to_thread(choice.bot, asked)

    async def _left(self, choice: Think) -> float | None:
        """How many seconds the seat has now: the server is asked."""
        return await self.run(dialogues.time_left(choice.mirror, choice.seat))

    async def _connection(self, story: Story) -> AsyncIterator[News]:
        """What one connection tells, until it is lost."""
        async with self._transport.stream(story.call(), news.SILENCE) as response:
            story.begin(response)
            async for data in response.aiter_bytes():
                for told in story.hear(data):
                    yield told
                if story.is_over:
                    return
