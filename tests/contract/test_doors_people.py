"""What people are offered is the same by REST and by GraphQL: the lobby, accounts, and invitations."""

import pytest

from tests.contract.doors import Door, refused
from tests.contract.games import opened, started
from tests.contract.rest import Rest
from tests.service.table import SLUGS

pytestmark = pytest.mark.anyio


async def test_the_lobby_is_searched(door: Door) -> None:
    ids = {
        "open": (await opened(door, SLUGS[0])).id,
        "timed": (await opened(door, SLUGS[0], clock={"base": 3_000_000_000})).id,
        "running": (await started(door, SLUGS[-1])).id,
    }
    await opened(door, SLUGS[0], visibility="unlisted")
    assert set(await door.lobby()) == set(ids.values())
    assert await door.lobby(status="running") == [ids["running"]]
    assert set(await door.lobby(game=SLUGS[0])) == {ids["open"], ids["timed"]}
    assert await door.lobby(clock="base") == [ids["timed"]]
    assert set(await door.lobby(free=2)) == {ids["open"], ids["timed"]}
    assert await door.lobby(seats=5) == []
    assert await door.lobby(join="invited") == []
    assert (await refused(door.lobby(game="no-game"))).code == "unknown_game"


async def test_accounts_and_their_tokens(door: Door, rest: Rest) -> None:
    ada = await door.do("registerPlayer", name="Ada", kind="bot")
    assert await door.player(ada["player"]["id"]) == ada["player"] == await rest.player(ada["player"]["id"])
    assert (await refused(door.do("registerPlayer", name="ada"))).code == "name_taken"
    assert (await refused(door.player("aaaa"))).code == "no_such_player"
    token = ada["token"]
    made = await door.do("createToken", token, label="phone", scopes=["read", "play"], expiresInDays=3)
    assert made["description"]["scopes"] == ["read", "play"]
    me = await door.me(token)
    assert me["player"] == ada["player"]
    assert [each["label"] for each in me["tokens"]] == ["first", "phone"]
    narrow = await refused(door.do("createToken", made["token"], label="more", scopes=["read"]))
    assert (narrow.code, narrow.status) == ("missing_scope", 403)
    left = await door.do("revokeToken", token, tokenId=made["description"]["id"])
    assert [each["label"] for each in left["tokens"]] == ["first"]
    assert (await refused(door.me(made["token"]))).code == "unknown_token"
    assert (await refused(door.me(None))).code == "token_required"
    assert (await refused(door.do("revokeToken", token, tokenId="nothing"))).code == "no_such_token"


async def test_players_are_invited_and_play_with_their_tokens(door: Door) -> None:
    ada, bob, eve = [await door.do("registerPlayer", name=name) for name in ("Ada", "Bob", "Eve")]
    invited = [bob["player"]["id"]]
    made = await door.do("createMatch", ada["token"], game=SLUGS[0], seats=2, join="invited", invited=invited)
    match_id = made["match"]["id"]
    for token in (None, eve["token"]):
        assert (await refused(door.do("joinMatch", token, matchId=match_id))).code == "not_invited"
    for player in (ada, bob):
        await door.do("joinMatch", player["token"], matchId=match_id)
    assert (await refused(door.do("joinMatch", ada["token"], matchId=match_id))).code == "match_started"
    state = await door.match(match_id)
    assert [seat["player"] for seat in state["seats"]] == [ada["player"]["id"], bob["player"]["id"]]
    assert (await door.me(bob["token"]))["matches"] == [match_id]
    mover = (ada, bob)[state["toMove"]]
    asked = {"matchId": match_id, "version": 0, "moves": (await door.legal(match_id)).notations[:1]}
    assert (await door.do("playMoves", mover["token"], **asked))["version"] >= 1
    assert (await refused(door.do("playMoves", eve["token"], **asked))).code == "wrong_token"
