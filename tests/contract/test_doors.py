"""What can be done by REST can be done by GraphQL, with the same answers and the same refusals."""

import asyncio
from typing import Any

import pytest

from engine.registry import GAMES
from tests.contract.doors import Door, refused
from tests.contract.games import Game, alike, opened, started
from tests.contract.graphql import Graphql
from tests.contract.rest import Rest
from tests.service.table import SLUGS, fresh_key

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)


async def test_a_match_from_its_creation_to_its_start(door: Door, rest: Rest) -> None:
    game = await opened(door, SLUGS[0], visibility="unlisted")
    state = await game.state
    assert (state["status"], state["version"], state["toMove"]) == ("open", 0, None)
    assert state["visibility"] == "unlisted"
    first = await door.do("joinMatch", matchId=game.id, seat=1, name="Ada", nonce="luck")
    assert first["seat"] == 1
    taken = await refused(door.do("joinMatch", matchId=game.id, seat=1))
    assert (taken.code, taken.status) == ("seat_taken", 409)
    assert (await refused(door.do("joinMatch", matchId=game.id, seat=7))).code == "unknown_seat"
    second = await door.do("joinMatch", matchId=game.id)
    assert second["seat"] == 0
    state = await game.state
    assert state["status"] == "running"
    assert [(seat["name"], seat["nonce"]) for seat in state["seats"]] == [(None, ""), ("Ada", "luck")]
    assert (await refused(door.do("joinMatch", matchId=game.id))).code == "match_started"
    assert alike(await rest.match(game.id), state)


async def test_options_seeds_deals_and_what_no_match_starts_from(door: Door) -> None:
    seed = "ab" * 32
    game = await started(door, SLUGS[0], seed=seed)
    assert (await game.state)["given"] == ["seed"]
    assert (await game.state)["seed"] is None
    for asked, code in (
        ({"game": "no-game", "seats": 2}, "unknown_game"),
        ({"game": SLUGS[0], "seats": 1000}, "bad_setup"),
        ({"game": SLUGS[0]}, "bad_setup"),
        ({"game": SLUGS[0], "seats": 2, "options": {"no option": 1}}, "bad_setup"),
        ({"game": SLUGS[0], "seats": 2, "deal": {}}, "bad_setup"),
        ({"game": SLUGS[0], "seats": 2, "seed": "xyz"}, "invalid_body"),
        ({"game": SLUGS[0], "seats": 2, "invited": ["nobody"]}, "no_such_player"),
    ):
        found = await refused(door.do("createMatch", **asked))
        assert found.code == code, asked
        assert found.entries["detail"]


@each_game
async def test_legal_moves_play_and_events(door: Door, rest: Rest, slug: str) -> None:
    game = await started(door, slug)
    for _ in range(4):
        legal = await door.legal(game.id)
        assert legal == await rest.legal(game.id)
        played = await game.play(legal.notations[0])
        state = await game.state
        assert (played["version"], played["toMove"]) == (state["version"], state["toMove"])
        assert (
            played["events"]
            == (await rest.events(game.id, state["version"] - len(played["events"])))["events"]
        )
    page = await door.events(game.id, after=1, limit=2)
    assert page == await rest.events(game.id, after=1, limit=2)
    assert [event["version"] for event in page["events"]] == [2, 3]
    for kind in (await rest.games())[SLUGS.index(slug)]["moveKinds"]:
        assert await door.legal(game.id, kind=kind) == await rest.legal(game.id, kind=kind)


@each_game
async def test_past_versions(door: Door, rest: Rest, slug: str) -> None:
    game = await started(door, slug)
    await game.play_any(6)
    for version in range((await game.state)["version"] + 1):
        assert await door.position(game.id, version) == await rest.position(game.id, version)
        assert await door.legal(game.id, version) == await rest.legal(game.id, version)
    assert (await refused(door.legal(game.id, 1_000))).code == "unknown_version"
    assert (await refused(door.events("aaaa"))).code == "no_such_match"
    assert await door.transcript(game.id) == await rest.transcript(game.id)


@each_game
async def test_moves_that_are_refused(door: Door, rest: Rest, slug: str) -> None:
    game = await started(door, slug)
    seen: list[str] = []
    while not (gone := [move for move in seen if move not in (await door.legal(game.id)).notations]):
        seen += (legal := (await door.legal(game.id)).notations)
        await game.play(legal[0])
    before = await game.state
    legal = (await door.legal(game.id)).notations
    wrong = await refused(game.play(gone[0]))
    assert (wrong.code, wrong.status, wrong.entries["index"]) == ("illegal_move", 422, 0)
    assert set(wrong.entries["closest"]) <= set(legal)
    why = await door.why_not(game.id, gone[0])
    assert alike(why, wrong.entries, "reasons", "closest")
    assert why == await rest.why_not(game.id, gone[0])
    assert (await door.why_not(game.id, legal[0]))["legal"]
    other = game.tokens[1 - before["toMove"]]
    turn = await refused(game.play(legal[0], token=other))
    assert (turn.code, turn.entries["toMove"]) == ("not_your_turn", before["toMove"])
    unknown = await refused(game.play("no:move"))
    assert (unknown.code, unknown.entries["move"]) == ("unparsable_move", "no:move")
    second = await refused(game.play(legal[0], "no:move"))
    assert second.entries["index"] == 1
    assert (await refused(game.play(*[legal[0]] * 101))).code == "invalid_body"
    assert (await refused(game.play("x" * 300))).entries["where"] == "$.moves[0]"
    assert await game.state == before


async def test_stale_moves_bring_what_was_missed(door: Door, rest: Rest) -> None:
    game = await started(door, SLUGS[0])
    await game.play_any(4)
    state, legal = await game.state, (await door.legal(game.id)).notations
    asked: dict[str, Any] = {"matchId": game.id, "version": 1, "moves": legal[:1]}
    for seat, token in game.tokens.items():
        stale = (await refused(door.do("playMoves", token, **asked))).entries
        assert (stale["code"], stale["version"], stale["toMove"]) == (
            "stale_version",
            state["version"],
            state["toMove"],
        )
        assert stale["events"] == (await rest.events(game.id, after=1))["events"]
        assert stale["next"] is None
        assert stale.get("legalMoves") == (legal if seat == state["toMove"] else None)


async def test_tokens_that_do_not_do(door: Door) -> None:
    game = await started(door, SLUGS[0])
    move = (await door.legal(game.id)).notations[0]
    asked: dict[str, Any]
    for token, code in ((None, "token_required"), ("seat_x", "unknown_token"), (game.host, "wrong_token")):
        asked = {"matchId": game.id, "version": 0, "moves": [move]}
        assert (await refused(door.do("playMoves", token, **asked))).code == code
    for name in ("cancelMatch", "kickSeat"):
        asked = {"matchId": game.id} | ({"seat": 0} if name == "kickSeat" else {})
        assert (await refused(door.do(name, game.tokens[0], **asked))).code == "wrong_token"


async def test_hosts_kick_and_cancel(door: Door) -> None:
    game = await opened(door, SLUGS[0])
    await door.do("joinMatch", matchId=game.id)
    assert (await refused(door.do("kickSeat", game.host, matchId=game.id, seat=1))).code == "seat_free"
    await door.do("kickSeat", game.host, matchId=game.id, seat=0)
    assert not any(seat["taken"] for seat in (await game.state)["seats"])
    await door.do("cancelMatch", game.host, matchId=game.id)
    assert (await game.state)["status"] == "cancelled"
    assert (await refused(door.do("cancelMatch", game.host, matchId=game.id))).code == "match_over"
    assert (
        await refused(door.do("addBot", game.host, matchId=game.id, player="random"))
    ).code == "match_over"
    open_one = await opened(door, SLUGS[0])
    bots = await refused(door.do("addBot", open_one.host, matchId=open_one.id, player="random"))
    assert (bots.code, bots.status) == ("no_bots", 503)


async def test_a_seat_is_given_back(door: Door) -> None:
    game = await opened(door, SLUGS[0])
    token = (await door.do("joinMatch", matchId=game.id))["token"]
    assert (await refused(door.do("leaveMatch", game.host, matchId=game.id))).code == "wrong_token"
    await door.do("leaveMatch", token, matchId=game.id)
    assert not any(seat["taken"] for seat in (await game.state)["seats"])
    assert (await refused(door.do("leaveMatch", token, matchId=game.id))).code == "unknown_token"


async def test_resignation_standing_and_rematch(door: Door, rest: Rest) -> None:
    game = await started(door, SLUGS[0])
    await game.play_any(2)
    early = await refused(door.do("rematch", game.tokens[0], matchId=game.id))
    assert early.code == "match_not_over"
    left = await door.do("resign", game.tokens[0], matchId=game.id)
    assert left["status"] == "finished"
    assert left["events"][0]["cause"] == "resigned"
    assert (await refused(door.do("resign", game.tokens[1], matchId=game.id))).code == "match_over"
    over = await game.state
    assert over["ranks"]
    assert over["seed"]
    rows = (await door.position(game.id, over["version"]))["standing"]
    assert [row["retired"] for row in rows] == [True, False]
    again = [await door.do("rematch", token, matchId=game.id) for token in game.tokens.values()]
    assert again[0]["match"]["id"] == again[1]["match"]["id"]
    assert {joined["seat"] for joined in again} == {0, 1}
    assert (await rest.match(again[0]["match"]["id"]))["rematchOf"] == game.id


async def test_a_repeat_with_its_key_gets_the_first_answer(door: Door) -> None:
    key = fresh_key()
    made = [await door.do("createMatch", key=key, game=SLUGS[0], seats=2) for _ in range(2)]
    assert made[0] == made[1]
    game = Game(door, made[0]["match"]["id"], made[0]["hostToken"])
    for number in range(2):
        key = fresh_key()
        joined = [await door.do("joinMatch", key=key, matchId=game.id) for _ in range(2)]
        assert joined[0] == joined[1]
        assert joined[0]["seat"] == number
        game.tokens[number] = joined[0]["token"]
    token, legal = await game.mover(), (await door.legal(game.id)).notations
    asked = {"matchId": game.id, "version": 0, "moves": legal[:1]}
    played = await asyncio.gather(*(door.do("playMoves", token, "k", **asked) for _ in range(3)))
    assert played[0] == played[1] == played[2]
    assert (await game.state)["version"] == played[0]["version"]
    other = asked | {"moves": ["no:move"]}
    assert (await refused(door.do("playMoves", token, "k", **(asked | {"version": 1})))).code == "key_reused"
    assert (await refused(door.do("playMoves", token, "k", **other))).code == "unparsable_move"
    stale = [await refused(door.do("playMoves", token, "s", **asked)) for _ in range(2)]
    assert stale[0].entries == stale[1].entries
    short = await refused(door.do("createMatch", key="short", game=SLUGS[0], seats=2))
    assert short.status == 400


async def test_a_key_counts_at_the_door_where_it_was_used(rest: Rest, graphql: Graphql) -> None:
    game = await started(rest, SLUGS[0])
    token, legal = await game.mover(), (await rest.legal(game.id)).notations
    asked = {"matchId": game.id, "version": 0, "moves": legal[:1]}
    await rest.do("playMoves", token, "k", **asked)
    assert (await refused(graphql.do("playMoves", token, "k", **asked))).code == "stale_version"
    key = fresh_key()
    await rest.do("createMatch", key=key, game=SLUGS[0], seats=2)
    assert (await refused(graphql.do("createMatch", key=key, game=SLUGS[0], seats=2))).code == "key_reused"


async def before_chance(door: Door) -> tuple[Game, list[str]]:
    """A match, and moves of the seat to move after which an outcome is due."""
    for slug in SLUGS:
        game = await started(door, slug)
        moves: list[str] = []
        for _ in range(60):
            state = await game.state
            tried = await door.preview(game.id, moves)
            if tried["toMove"] == "chance":
                return game, moves
            if tried["toMove"] != state["toMove"]:
                await game.play(*moves)
                moves = []
            else:
                moves.append(tried["legal"][-1])
    raise AssertionError("no game has chance")


async def test_batches_chance_and_its_odds(door: Door, rest: Rest) -> None:
    game, moves = await before_chance(door)
    stopped = await door.preview(game.id, moves)
    assert stopped == await rest.preview(game.id, moves)
    assert sum(stopped["odds"]) == 1
    below = await door.preview(game.id, [*moves, stopped["legal"][0]])
    assert below == await rest.preview(game.id, [*moves, stopped["legal"][0]])
    assert below["likelihood"] == stopped["odds"][0]
    children = await door.children(game.id, moves)
    assert children == await rest.children(game.id, moves)
    assert [child["likelihood"] for child in children] == stopped["odds"]
    assert children[0]["digest"] == below["digest"]
    crossing = await refused(game.play(*moves, moves[0]))
    assert (crossing.code, crossing.entries["index"]) == ("batch_crosses_chance", len(moves))
    played = await game.play(*moves, moves[0], continueThroughChance=True)
    assert (played["played"], played["stoppedAt"]) == (len(moves), len(moves))
    assert played["reason"]["code"] in ("illegal_move", "not_your_turn")
    rolled = next(event for event in played["events"] if event["kind"] == "outcome")
    at_chance = await door.legal(game.id, rolled["version"] - 1)
    assert at_chance == await rest.legal(game.id, rolled["version"] - 1)
    assert (at_chance.to_move, sum(at_chance.odds)) == ("chance", 1)
    assert rolled["move"] in at_chance.notations


@each_game
async def test_previews_from_any_version(door: Door, rest: Rest, slug: str) -> None:
    game = await started(door, slug)
    await game.play_any(5)
    before = await game.state
    for version in (0, 2, before["version"]):
        first = (await door.preview(game.id, [], version))["legal"][0]
        assert await door.preview(game.id, [first], version) == await rest.preview(game.id, [first], version)
    wrong = await refused(door.preview(game.id, ["no:move"]))
    assert (wrong.code, wrong.entries["index"]) == ("unparsable_move", 0)
    assert (await refused(door.preview((await opened(door, slug)).id, []))).code == "match_not_started"
    assert await game.state == before


@each_game
async def test_some_of_the_moves_and_things_of_a_position(door: Door, rest: Rest, slug: str) -> None:
    game = await started(door, slug)
    await game.play_any(2)
    things, legal = await door.things(game.id), await door.legal(game.id)
    assert things == await rest.things(game.id)
    kind = things[-1]["kind"]
    some = await door.things(game.id, 0, kind)
    assert some == await rest.things(game.id, 0, kind)
    assert {thing["kind"] for thing in some} == {kind}
    touched = {thing["name"]: await door.legal(game.id, touching=thing["name"]) for thing in things[:12]}
    assert touched == {name: await rest.legal(game.id, touching=name) for name in touched}
    assert (await door.legal(game.id, limit=2)).moves == legal.moves[:2]
    children = await door.children(game.id, [], limit=9)
    assert children == await rest.children(game.id, [], limit=9)
    assert [child["events"][0]["move"] for child in children] == legal.notations[:9]
    assert (await refused(door.children(game.id, ["no:move"]))).code == "unparsable_move"
    for asked in (door.children(game.id, [], kind="none"), door.things(game.id, kind="none")):
        assert (await refused(asked)).entries["where"] in ("$.kind", "kinds")


async def test_clocks(door: Door, rest: Rest) -> None:
    game = await started(door, SLUGS[0], clock={"base": 3_000_000_000, "increment": 5_000})
    clock = (await game.state)["clock"]
    assert clock["control"]["base"] == 3_000_000_000
    assert clock["running"] == (await game.state)["toMove"]
    played = await game.play((await door.legal(game.id)).notations[0])
    assert played["events"][0]["time"]["left"] <= 3_000_005_000
    assert played["clock"]["control"] == clock["control"]
    assert alike(await rest.match(game.id), await game.state, "clock")
    wrong = await refused(opened(door, SLUGS[0], clock={"base": 1}))
    assert (wrong.code, wrong.entries["where"]) == ("invalid_body", "$.clock.base")


async def test_games_are_described(graphql: Graphql, rest: Rest) -> None:
    for told, known in zip(await graphql.games(), await rest.games(), strict=True):
        assert alike(told, known)
    assert len(await graphql.games()) == len(GAMES)
