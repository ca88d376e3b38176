"""Moves, batches, the optimistic lock, and refusals that help."""

from typing import Any

import httpx
import pytest

from engine.registry import GAMES
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)


async def illegal_move(table: Table) -> str:
    """A move that was legal and is no more: the first one that the seat to move cannot repeat."""
    seen: list[str] = []
    while True:
        legal = await table.legal()
        gone = [move for move in seen if move not in legal]
        if gone:
            return gone[0]
        seen += legal
        await table.play(legal[0])


@each_game
async def test_a_move_is_answered_with_what_it_did_and_what_is_next(
    api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.started(api, slug, 2)
    mover, legal = table.to_move, await table.get("/legal-moves")
    first = legal["moves"][0]
    answer = await table.post(
        "moves?include=legalMoves", {"version": 0, "moves": [first["notation"]]}, table.tokens[mover]
    )
    played = answer.json()
    assert (played["version"], played["played"], played["status"]) == (len(played["events"]), 1, "running")
    assert "stoppedAt" not in played
    event = played["events"][0]
    assert (event["version"], event["kind"], event["seat"]) == (1, "action", mover)
    assert (event["move"], event["text"]) == (first["notation"], first["text"])
    assert event["changes"]
    assert all(change["text"].endswith(".") for change in event["changes"])
    assert played["legalMoves"] == await table.legal()
    match = await table.get()
    assert (match["version"], match["toMove"]) == (played["version"], played["toMove"])
    assert (await table.get("/events"))["events"] == played["events"]


@each_game
async def test_a_stale_move_brings_everything_to_go_on(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    await table.play_any(5)
    for seat, token in table.tokens.items():
        for chosen_at in (0, table.version - 1, table.version + 7):
            body = {"version": chosen_at, "moves": (await table.legal())[:1]}
            answer = await table.post("moves", body, token)
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (409, "stale_version")
            assert (problem["version"], problem["toMove"]) == (table.version, table.to_move)
            assert problem["events"] == (await table.get("/events", after=chosen_at))["events"]
            assert problem["next"] is None
            assert problem.get("legalMoves") == (await table.legal() if seat == table.to_move else None)
    assert (await table.get())["version"] == table.version


async def test_after_many_missed_events_the_rest_is_read_by_cursor(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    while table.version <= 450:
        await table.play((await table.legal())[-1])
    stale = (await table.post("moves", {"version": 0, "moves": await table.legal()}, table.tokens[0])).json()
    events, cursor = stale["events"], stale["next"]
    assert (len(events), cursor) == (200, 200)
    while cursor is not None:
        page = await table.get("/events", after=cursor)
        events += page["events"]
        cursor = page["next"]
    assert [event["version"] for event in events] == list(range(1, table.version + 1))


@each_game
async def test_another_seat_has_the_turn(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    other = 1 - table.to_move
    body = {"version": 0, "moves": (await table.legal())[:1]}
    answer = await table.post("moves", body, table.tokens[other])
    assert (answer.status_code, answer.json()["code"]) == (409, "not_your_turn")
    assert answer.json()["toMove"] == table.to_move
    assert (await table.get())["version"] == 0


@each_game
async def test_an_illegal_move_is_refused_with_reasons_and_what_is_near(
    api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.started(api, slug, 2)
    illegal = await illegal_move(table)
    legal, before = await table.legal(), await table.get()
    answer = await table.move(illegal)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["index"]) == (422, "illegal_move", 0)
    assert problem["move"] == illegal
    assert problem["reasons"]
    for reason in problem["reasons"]:
        assert reason["rule"]
        assert reason["code"]
        assert reason["text"] in problem["detail"]
    assert problem["closest"]
    assert set(problem["closest"]) <= set(legal)
    assert await table.get() == before


@each_game
async def test_a_batch_is_played_whole_or_not_at_all(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    first = (await table.legal())[0]
    before = await table.get()
    answer = await table.move(first, first)
    assert answer.status_code in (409, 422)
    assert answer.json()["index"] == 1
    assert await table.get() == before


async def test_a_whole_turn_in_one_batch(api: httpx.AsyncClient) -> None:
    for slug in SLUGS:
        table = await Table.started(api, slug, 2)
        scout = await Table.started(api, slug, 2, deal=(await table.get("/transcript"))["deal"])
        moves: list[str] = []
        mover = scout.to_move
        while scout.to_move == mover and len(moves) < 10:
            moves.append((await scout.legal())[0])
            played = await scout.play(moves[-1])
            if len(played["events"]) > 1:
                break
        answer = await table.move(*moves)
        assert answer.json()["played"] == len(moves)
        assert [event["move"] for event in answer.json()["events"][: len(moves)]] == moves


async def before_chance(api: httpx.AsyncClient) -> tuple[Table, list[str]]:
    """A table, and moves of the seat to move there of which the last is followed by an outcome."""
    for slug in SLUGS:
        table = await Table.started(api, slug, 2)
        moves: list[str] = []
        scout = await Table.started(api, slug, 2, deal=(await table.get("/transcript"))["deal"])
        for _ in range(60):
            mover, move = scout.to_move, (await scout.legal())[-1]
            played = await scout.play(move)
            moves.append(move)
            if any(event["kind"] == "outcome" for event in played["events"]):
                return table, moves
            if scout.to_move != mover:
                await table.play(*moves)
                moves = []
    raise AssertionError("no game has chance")


async def test_a_batch_over_chance_is_refused_before_anything_is_rolled(api: httpx.AsyncClient) -> None:
    table, moves = await before_chance(api)
    before = await table.get()
    answer = await table.move(*moves, moves[0])
    assert (answer.status_code, answer.json()["code"]) == (422, "batch_crosses_chance")
    assert answer.json()["index"] == len(moves)
    assert await table.get() == before


async def test_a_batch_through_chance_goes_as_far_as_it_is_legal(api: httpx.AsyncClient) -> None:
    table, moves = await before_chance(api)
    answer = await table.move(*moves, moves[0], continueThroughChance=True)
    played = answer.json()
    assert answer.status_code == 200
    assert (played["played"], played["stoppedAt"]) == (len(moves), len(moves))
    reason = played["reason"]
    assert reason["code"] in ("illegal_move", "not_your_turn", "batch_crosses_chance")
    assert reason["index"] == len(moves)
    assert [event["kind"] for event in played["events"][len(moves) - 1 : len(moves) + 1]] == [
        "action",
        "outcome",
    ]
    assert (await table.get())["version"] == played["version"]
    assert isinstance(played["toMove"], int)
    other = await Table.started(api, SLUGS[0], 2)
    illegal = await illegal_move(other)
    answer = await other.move(illegal, *await other.legal(), continueThroughChance=True)
    assert (answer.status_code, answer.json()["code"], answer.json()["index"]) == (422, "illegal_move", 0)
    assert (await other.get())["version"] == other.version


async def test_at_chance_the_outcomes_have_their_odds(api: httpx.AsyncClient) -> None:
    table, moves = await before_chance(api)
    played = (await table.move(*moves)).json()
    rolled = next(event for event in played["events"] if event["kind"] == "outcome")
    at_chance = await table.get("/legal-moves", version=rolled["version"] - 1)
    assert at_chance["toMove"] == "chance"
    assert rolled["move"] in [move["notation"] for move in at_chance["moves"]]
    assert len(at_chance["odds"]) == len(at_chance["moves"])
    assert all(weight > 0 for weight in at_chance["odds"])
    assert "odds" not in await table.get("/legal-moves")
    assert (await table.get(f"/versions/{rolled['version'] - 1}"))["toMove"] == "chance"
    kind = at_chance["moves"][0]["move"]["kind"]
    assert await table.get("/legal-moves", version=rolled["version"] - 1, kind=kind) == at_chance


@each_game
async def test_legal_moves_by_kind(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    await table.play_any(4)
    everything = (await table.get("/legal-moves"))["moves"]
    kinds = (await api.get(f"/games/{slug}")).json()["moveKinds"]
    by_kind: dict[str, Any] = {kind: (await table.get("/legal-moves", kind=kind))["moves"] for kind in kinds}
    assert sum(map(len, by_kind.values())) == len(everything)
    for kind, moves in by_kind.items():
        assert moves == [move for move in everything if move["move"]["kind"] == kind]
    assert all(
        move["text"] and set(move["move"]) - {"kind"} == set(move["move"]) - {"kind"} for move in everything
    )


async def test_every_notation_is_accepted_as_it_is_listed(api: httpx.AsyncClient) -> None:
    for slug, game in GAMES.items():
        table = await Table.started(api, slug, 2)
        deal = (await table.get("/transcript"))["deal"]
        for move in (await table.legal())[::7]:
            other = await Table.started(api, slug, 2, deal=deal)
            assert (await other.play(move))["events"][0]["move"] == move
            assert game.write(game.parse(move)) == move
