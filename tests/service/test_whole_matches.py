"""Whole matches of every game over HTTP, replayed from their transcripts; their seed, hidden till the end."""

import random
from typing import Any

import httpx
import msgspec
import pytest

from engine.chance import Draw, commitment, match_draw
from engine.match import digest
from engine.registry import GAMES
from engine.transcript import parse_json, parse_text, replay
from service.settings import Settings
from tests.service.checked import CheckedTransport
from tests.service.table import Table

pytestmark = pytest.mark.anyio
TABLES = [
    pytest.param(slug, seats, id=f"{slug}-{seats}") for slug, game in GAMES.items() for seats in game.seats
]
SHORT: dict[str, Any] = {"turnLimit": 12}
"""Options that shorten a match, where a game has them."""


class RandomClient:
    """Plays every seat of a match by what the service tells it, a batch at a time."""

    def __init__(self, table: Table, number: int) -> None:
        self._table = table
        self._random = random.Random(number)  # noqa: S311  # play that can be repeated

    async def play(self) -> None:
        table, legal = self._table, await self._table.legal()
        while table.status == "running":
            answer = await table.post(
                "moves?include=legalMoves",
                {"version": table.version, "moves": [self._random.choice(legal)]},
                table.tokens[table.to_move],
            )
            assert answer.status_code == 200, answer.text
            played = answer.json()
            assert [event["version"] for event in played["events"]] == list(
                range(table.version + 1, played["version"] + 1)
            )
            legal = played["legalMoves"]
            table.note(played)
        assert legal == []


@pytest.mark.parametrize(("slug", "seats"), TABLES)
async def test_a_match_played_at_random_replays_to_the_same_end(
    api: httpx.AsyncClient, slug: str, seats: int
) -> None:
    game = GAMES[slug]
    names = game.options_type.__struct_fields__
    options = SHORT if "turn_limit" in names else {"plain": 8}
    table = await Table.opened(api, slug, seats, options=options)
    for seat in range(seats):
        await table.join(nonce=f"nonce-{seat}")
    await RandomClient(table, seats).play()
    match = await table.get()
    assert (match["status"], match["toMove"]) == ("finished", None)
    assert match["ranks"] == [row["rank"] for row in (await table.get("/standing"))["rows"]]
    assert await table.legal() == []

    as_json = await api.get(f"{table.path}/transcript")
    transcript = parse_json(as_json.content)
    as_text = await api.get(f"{table.path}/transcript", headers={"Accept": "text/plain"})
    assert parse_text(as_text.text) == transcript
    *_, last = replay(transcript)
    assert last.event.version == match["version"]
    assert digest(last.state) == transcript.digest
    assert transcript.ranks == tuple(match["ranks"])
    assert commitment(bytes.fromhex(match["seed"])) == match["commitment"]
    assert transcript.seed == match["seed"]
    await check_chance(table, match["seed"], transcript.nonces)
    answer = await table.post("moves", {"version": 0, "moves": [transcript.events[0].move]}, table.tokens[0])
    assert answer.json()["code"] == "match_over"


async def check_chance(table: Table, seed: str, nonces: tuple[str, ...]) -> None:
    """Whoever has the seed that is published can compute the deal and every roll again."""
    transcript = parse_json((await table.api.get(f"{table.path}/transcript")).content)
    game = GAMES[transcript.game]
    draw: Draw = match_draw(bytes.fromhex(seed), table.id, nonces)
    options = msgspec.convert(transcript.deal["options"], game.options_type)
    deal = game.deal(options, len(nonces), draw)
    assert deal == msgspec.convert(transcript.deal, game.deal_type)
    state = game.setup(deal)
    for step in replay(transcript):
        if step.event.kind == "outcome":
            assert game.write(game.outcome(state, draw)) == step.event.move
        state = step.state


async def test_the_seed_is_in_no_answer_of_a_live_match(
    api: httpx.AsyncClient, transport: CheckedTransport, app: Any, fresh_settings: Settings
) -> None:
    for slug, game in GAMES.items():
        table = await Table.opened(api, slug, 2)
        seed: bytes = (await app.state.desk.store.load(table.id)).record.seed
        transport.bodies.clear()
        for _ in range(2):
            await table.join(nonce="n")
        await table.play_any(8)
        for part in (
            "",
            "/legal-moves",
            "/events",
            "/standing",
            "/picture",
            "/board",
            "/transcript",
            "/versions/0",
        ):
            for accept in ("application/json", "application/vnd.msgpack", "text/plain"):
                answer = await api.get(table.path + part, headers={"Accept": accept})
                assert answer.is_success or answer.status_code == 406
        for path in ("/matches", "/transcripts", f"/games/{game.slug}"):
            await api.get(path)
        await table.post("moves", {"version": 0, "moves": await table.legal()}, table.tokens[0])
        assert len(transport.bodies) > 30
        assert not [body for body in transport.bodies if seed.hex().encode() in body.lower() or seed in body]
        await table.post("resign", {}, table.tokens[0])
        assert (await table.get())["seed"] == seed.hex()
        assert (await table.get("/transcript"))["seed"] == seed.hex()
