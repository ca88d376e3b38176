"""What if, and why not: moves tried from any position, without a trace and without the seed."""

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from engine.match import digest
from engine.perft import perft
from engine.registry import GAMES
from engine.transcript import Transcript, parse_text
from service.matches import state_of
from tests.service.checked import CheckedTransport
from tests.service.table import SLUGS, Table, bearer
from tests.service.test_moves import illegal_move

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)
GOLDEN = [parse_text(path.read_text()) for path in Path(__file__).parents[1].glob("golden/*/*.txt")]
FORCED = [
    transcript
    for transcript in GOLDEN
    if (kinds := {event.kind for event in transcript.events}) >= {"forced"} and "outcome" not in kinds
]
"""Matches with forced moves, and without chance, so that they can be played again."""


async def answered(table: Table, *moves: str, **asked: Any) -> httpx.Response:
    """The answer to a preview, asked without a token."""
    return await table.api.post(f"{table.path}/preview", json={"moves": moves} | asked)


async def previewed(table: Table, *moves: str, **asked: Any) -> dict[str, Any]:
    """What moves would come to."""
    answer = await answered(table, *moves, **asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def why_not(table: Table, move: str, **query: Any) -> dict[str, Any]:
    told: dict[str, Any] = await table.get("/why-not", move=move, **query)
    return told


def same(previewed: Any, recorded: Any) -> bool:
    """Whether a previewed event says what a recorded one does."""
    return all(recorded[name] == value for name, value in previewed.items() if name != "odds")


async def over(api: httpx.AsyncClient, slug: str) -> Table:
    """A match that a few moves and a resignation have ended."""
    table = await Table.started(api, slug, 2)
    await table.play_any(3)
    assert (await table.post("resign", {}, table.tokens[0])).json()["status"] == "finished"
    return await known(table)


async def known(table: Table) -> Table:
    table.note(await table.get())
    return table


@each_game
async def test_a_preview_is_what_the_move_then_comes_to(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    for _ in range(8):
        move = (await table.legal())[-1]
        before = await table.get()
        told = await previewed(table, move)
        assert await table.get() == before
        played = await table.play(move)
        if told["toMove"] == "chance":
            assert len(told["events"]) < len(played["events"])
        else:
            assert (told["toMove"], len(told["events"])) == (table.to_move, len(played["events"]))
            assert told["state"] == (await table.get())["state"]
            assert told["standing"] == (await table.get("/standing"))["rows"]
            assert told["legalMoves"] == (await table.get("/legal-moves"))["moves"]
        assert all(map(same, told["events"], played["events"]))
        assert told["version"] == before["version"]


@each_game
async def test_no_moves_show_the_position_at_any_version(api: httpx.AsyncClient, app: Any, slug: str) -> None:
    table = await over(api, slug)
    game = GAMES[slug]
    for version in range(table.version + 1):
        listed = await table.get("/legal-moves", version=version)
        told = await previewed(table, version=version)
        state = state_of(game, (await app.state.desk.store.state_before(table.id, version))[1])
        if not told["events"]:
            assert told["state"] == (await table.get(f"/versions/{version}"))["state"]
            assert (told["toMove"], told["legalMoves"]) == (listed["toMove"], listed["moves"])
            assert told.get("odds") == listed.get("odds")
        assert {event["kind"] for event in told["events"]} <= {"forced"}
        if version == 0:
            assert told["digest"] == digest(state)


@each_game
async def test_after_the_end_there_is_nothing_to_try_but_before_it(api: httpx.AsyncClient, slug: str) -> None:
    table = await over(api, slug)
    told = await previewed(table)
    assert (told["toMove"], told["legalMoves"], told["events"]) == (None, [], [])
    first = (await table.get("/legal-moves", version=0))["moves"][0]["notation"]
    refused = await answered(table, first)
    assert (refused.status_code, refused.json()["code"], refused.json()["index"]) == (409, "match_over", 0)
    again = await previewed(table, first, version=0)
    assert same(again["events"][0], (await table.get("/events"))["events"][0] | {"move": first})
    assert not (await why_not(table, first))["legal"]


@each_game
async def test_a_refused_move_says_where_and_why(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    illegal = await illegal_move(table)
    first = await move_before(table, illegal)
    for moves in ((illegal,), (first, illegal)):
        answer = await answered(table, *moves)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "illegal_move")
        assert (problem["index"], problem["move"]) == (len(moves) - 1, illegal)
        assert problem["reasons"]
        assert all(reason["text"] in problem["detail"] for reason in problem["reasons"])
        assert problem["closest"]


async def move_before(table: Table, illegal: str) -> str:
    """A legal move after which an illegal one is illegal still."""
    for move in await table.legal():
        listed = (await previewed(table, move))["legalMoves"]
        if listed and illegal not in [entry["notation"] for entry in listed]:
            return move
    raise AssertionError("every move makes it legal")


@each_game
async def test_why_not_tells_what_a_refusal_tells(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    illegal = await illegal_move(table)
    told, refused = await why_not(table, illegal), (await table.move(illegal)).json()
    assert (told["legal"], told["move"], told["version"]) == (False, illegal, table.version)
    assert (told["reasons"], told["closest"]) == (refused["reasons"], refused["closest"])
    for move in (await table.get("/legal-moves"))["moves"]:
        legal = await why_not(table, move["notation"])
        assert (legal["legal"], legal["reasons"], legal["closest"]) == (True, [], [])
        assert legal["text"] == move["text"]
    played_at = next(event for event in (await table.get("/events"))["events"] if event["kind"] == "action")
    assert (await why_not(table, played_at["move"], version=played_at["version"] - 1))["legal"]


async def at_chance(api: httpx.AsyncClient) -> tuple[Table, list[str]]:
    """A match, and moves after which chance has the turn there."""
    for slug in SLUGS:
        table = await Table.started(api, slug, 2)
        moves: list[str] = []
        for _ in range(60):
            told = await previewed(table, *moves)
            if told["toMove"] == "chance":
                return table, moves
            moves.append(told["legalMoves"][-1]["notation"])
    raise AssertionError("no game has chance")


async def test_at_chance_it_stops_and_goes_on_below_any_outcome(api: httpx.AsyncClient) -> None:
    table, moves = await at_chance(api)
    stopped = await previewed(table, *moves)
    outcomes = [outcome["notation"] for outcome in stopped["legalMoves"]]
    assert len(stopped["odds"]) == len(outcomes) > 1
    digests = set()
    for place, outcome in enumerate(outcomes[:40]):
        below = await previewed(table, *moves, outcome)
        rolled = below["events"][-1]
        assert (rolled["kind"], rolled["seat"], rolled["move"]) == ("outcome", None, outcome)
        assert rolled["odds"] == {"weight": stopped["odds"][place], "total": sum(stopped["odds"])}
        assert below["legalMoves"]
        digests.add(below["digest"])
    assert len(digests) > 1
    assert stopped["digest"] not in digests
    for wrong in (moves[0], "end"):
        refused = (await answered(table, *moves, wrong)).json()
        assert refused["code"] in ("illegal_move", "unparsable_move")
        assert refused["index"] == len(moves)
    rolled_too_soon = (await answered(table, outcomes[0])).json()
    assert (rolled_too_soon["code"], rolled_too_soon["index"]) == ("illegal_move", 0)
    assert rolled_too_soon["reasons"]


async def test_a_preview_never_shows_what_the_seed_has_in_store(
    api: httpx.AsyncClient, transport: CheckedTransport
) -> None:
    """Two matches of one deal with different seeds have the same previews, wherever they lead."""
    table, moves = await at_chance(api)
    match = await table.get()
    deal = (await table.get("/transcript"))["deal"]
    other = await Table.started(api, match["game"], 2, deal=deal, seed="1f" * 32)
    assert await previewed(table, *moves) == await previewed(other, *moves)
    assert "1f" * 32 not in b"".join(transport.bodies[-2:]).decode()


@each_game
async def test_a_tree_of_previews_has_as_many_leaves_as_the_rules_say(
    api: httpx.AsyncClient, app: Any, slug: str
) -> None:
    table = await Table.started(api, slug, 2)
    while len(await table.legal()) > 12:
        await table.play((await table.legal())[-1])
    _, record, _ = await app.state.desk.store.load(table.id)
    game = GAMES[slug]

    async def leaves(moves: list[str], depth: int) -> int:
        told = await previewed(table, *moves)
        if len(told["events"]) >= depth:
            return 1
        if len(told["events"]) == depth - 1:
            return len(told["legalMoves"])
        return sum([await leaves([*moves, move["notation"]], depth) for move in told["legalMoves"]])

    assert await leaves([], 2) == perft(game, state_of(game, record.state), 2)


@each_game
async def test_a_match_is_walked_by_previews_as_its_transcript_has_it(
    api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.started(api, slug, 2)
    while table.status == "running" and table.version < 90:
        await table.play((await table.legal())[-1])
    events = (await table.get("/events"))["events"][:90]
    told = await previewed(table, *(event["move"] for event in events), version=0)
    assert [(event["kind"], event["move"]) for event in told["events"][: len(events)]] == [
        (event["kind"], event["move"]) for event in events
    ]


@pytest.mark.parametrize("transcript", FORCED, ids=lambda transcript: transcript.game)
async def test_forced_moves_are_played_at_once_and_may_be_named_or_left_out(
    api: httpx.AsyncClient, transcript: Transcript
) -> None:
    table = await Table.started(api, transcript.game, transcript.deal["seats"], deal=transcript.deal)
    played = [event for event in transcript.events if event.kind != "retire"]
    version = 0
    for event in transcript.events:
        if event.kind == "retire":
            table.note((await table.post("resign", {}, table.tokens[event.seat or 0])).json())
        elif event.kind == "action":
            version = table.version
            await table.play(event.move)
    events = (await table.get("/events"))["events"]
    told = [(event["kind"], event["seat"], event["move"]) for event in events if event["kind"] != "retire"]
    assert told == [(event.kind, event.seat, event.move) for event in played]
    last, *forced = (event["move"] for event in events[version:])
    assert forced
    for moves in ((last,), (last, forced[0]), (last, *forced)):
        preview = await previewed(table, *moves, version=version)
        assert len(preview["events"]) == 1 + len(forced)
        assert all(map(same, preview["events"], events[version:])), moves
    more = await answered(table, last, *forced, forced[-1], version=version)
    assert (more.status_code, more.json()["code"]) == (409, "match_over")


@each_game
async def test_the_board_is_drawn_if_asked_for(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    move = (await table.legal())[0]
    answer = await api.post(f"{table.path}/preview?include=board", json={"moves": [move]})
    plain = await previewed(table, move)
    drawn = answer.json()
    board = drawn.pop("board")
    assert drawn == plain
    assert board.startswith("<svg")
    assert board != (await api.get(f"{table.path}/board")).text


@each_game
async def test_what_cannot_be_previewed(api: httpx.AsyncClient, slug: str) -> None:
    opened = await Table.opened(api, slug, 2)
    for answer in (await answered(opened), await api.get(f"{opened.path}/why-not?move=x")):
        assert (answer.status_code, answer.json()["code"]) == (409, "match_not_started")
    table = await Table.started(api, slug, 2)
    legal = await table.legal()
    for asked, code in (
        ({"version": 1}, "unknown_version"),
        ({"moves": [legal[0], "no move"]}, "unparsable_move"),
        ({"moves": [legal[0]] * 101}, "invalid_body"),
        ({"moves": ["x" * 201]}, "invalid_body"),
        ({"moves": legal[0]}, "invalid_body"),
        ({"version": -1}, "invalid_body"),
        ({"seat": 0}, "invalid_body"),
    ):
        answer = await api.post(f"{table.path}/preview", json=asked)
        assert answer.json()["code"] == code, asked
    for query, code in (
        ("", "invalid_query"),
        ("move=no%20move", "invalid_query"),
        ("move=a+b", "invalid_query"),
        ("move=no:move", "unparsable_move"),
        (f"move={legal[0]}&version=7", "unknown_version"),
        (f"move={legal[0]}&x=1", "invalid_query"),
    ):
        assert (await api.get(f"{table.path}/why-not?{query}")).json()["code"] == code, query
    assert "%2B" in (await api.get(f"{table.path}/why-not?move=a+b")).json()["detail"]
    missing = await api.post("/matches/aaaa/preview", json={})
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_match")
    assert (await known(table)).version == 0


async def test_it_is_asked_in_messagepack_too_and_any_token_does(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    move = (await table.legal())[0]
    kind = "application/vnd.msgpack"
    answer = await api.post(
        f"{table.path}/preview",
        content=msgspec.msgpack.encode({"moves": [move]}),
        headers={"Content-Type": kind, "Accept": kind} | bearer(table.tokens[0]),
    )
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == "no-store"
    assert msgspec.msgpack.decode(answer.content) == await previewed(table, move)
