"""The client that does not block asks, waits and follows as the other one does."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from engine.registry import GAMES
from service.client import AsyncClient, Position, Refused, Seat, Unreachable, engine_bot, play_match_async
from tests.cli.running import Service
from tests.cli.scripted import Answer, Scripted, problem
from tests.cli.test_client_news import BEAT, CUT, END, STATUS, page, stream, versions

pytestmark = pytest.mark.anyio
*_, GAME = GAMES
SEED = b"\x07" * 32


@pytest.mark.parametrize("first", [Answer(0), Answer(503), problem(409, code="request_in_progress")])
async def test_what_was_not_answered_is_sent_again_with_the_same_key(
    scripted: Scripted, first: Answer
) -> None:
    played = {"version": 5, "status": "running", "events": [], "played": 1, "toMove": 1}
    script = scripted(first, first, Answer(200, json.dumps(played).encode()))
    async with AsyncClient(script.url) as client:
        assert (await client.play("m", 4, ("a",), "secret")).version == 5
    assert len(script.heard) == 3
    assert len({(heard.path, heard.key, heard.authorization) for heard in script.heard}) == 1


async def test_retry_after_is_honoured_and_refusals_are_told(scripted: Scripted) -> None:
    script = scripted(Answer(429, headers=(("retry-after", "1"),)), problem(404))
    async with AsyncClient(script.url) as client:
        with pytest.raises(Refused, match="There is no match"):
            await client.match("m")
    assert script.heard[1].at - script.heard[0].at >= 1


async def test_patience_ends(scripted: Scripted) -> None:
    script = scripted(Answer(503))
    async with AsyncClient(script.url, patience=0.3) as client:
        with pytest.raises(Unreachable):
            await client.games()


async def test_a_stream_is_resumed_and_where_there_is_none_it_is_polled(scripted: Scripted) -> None:
    script = scripted(stream(STATUS, 1, BEAT, 2), Answer(0), stream(STATUS, CUT), stream(STATUS, 3, END))
    async with AsyncClient(script.url) as client:
        assert versions([told async for told in client.follow("m")]) == [1, 2, 3]
    assert [heard.path.partition("?")[2] for heard in script.heard] == ["after=0", *["after=2"] * 3]
    script = scripted(page("running"), page("running", 1, 2), page("finished", 3))
    async with AsyncClient(script.url) as client:
        assert versions([told async for told in client.follow("m")]) == [1, 2, 3]


async def test_a_function_and_a_coroutine_play_each_other(service: Service) -> None:
    lefts: list[float | None] = []

    async def patient(position: Position) -> Sequence[Any]:
        lefts.append(position.time_left())
        return position.legal[:1]

    async with AsyncClient(service.url) as client:
        match = (await client.create(GAME, 2)).match.id
        joined = [await client.join(match, f"player {seat}", seat) for seat in range(2)]
        ours, theirs = (Seat(match, one.seat, one.token) for one in joined)
        ends = await asyncio.gather(
            play_match_async(client, ours, patient),
            play_match_async(client, theirs, engine_bot("random", SEED)),
        )
    assert [end.status for end in ends] == ["finished"] * 2
    assert set(lefts) == {None}
