"""Tournaments are announced, played and read by REST and by GraphQL alike."""

import asyncio
from typing import Any, NamedTuple

import pytest
from litestar import Litestar

from service.desk import Desk
from service.store.opening import in_background
from service.tournaments.office import tournaments_of
from service.tournaments.runner import Hall
from service.tournaments.worker import Worker
from tests.contract.doors import Door, refused
from tests.contract.graphql import Graphql
from tests.contract.rest import Rest
from tests.service.following import SECONDS
from tests.service.table import SLUGS

pytestmark = pytest.mark.anyio
CLOCK = {"perTurn": 3_600_000}
FORMATS = {"rest": {"format": "round_robin", "rounds": 2}, "graphql": {"roundRobin": {"rounds": 2}}}


class Cast(NamedTuple):
    """Who takes part: an organiser and two players, each with an id and a token."""

    organiser: Any
    players: list[Any]


async def cast_of(door: Door) -> Cast:
    told = [await door.do("registerPlayer", name=name) for name in ("Olga", "Ada", "Bea")]
    return Cast(told[0], told[1:])


async def announced(door: Door, organiser: Any, key: str | None = None, **more: Any) -> Any:
    """A tournament of two seats."""
    form = FORMATS["graphql" if isinstance(door, Graphql) else "rest"]
    asked = {"name": "Cup", "game": SLUGS[0], "seats": 2, "clock": CLOCK, "format": form} | more
    return (await door.do("createTournament", organiser["token"], key, **asked))["tournament"]


async def done(door: Door, what: str, player: Any, tournament: Any, key: str | None = None) -> Any:
    """The tournament when a player has done that."""
    name = f"{what}Tournament"
    told = await door.do(name, player["token"], key, tournamentId=tournament["id"])
    return told["tournament"]


async def test_a_tournament_from_its_announcement_to_its_end(door: Door, rest: Rest) -> None:
    organiser, players = await cast_of(door)
    tournament = await announced(door, organiser)
    assert (tournament["status"], tournament["hash"], tournament["isEntered"]) == ("open", None, False)
    early = await refused(done(door, "pause", organiser, tournament))
    assert (early.code, early.status) == ("tournament_not_started", 409)
    for player in players:
        assert (await done(door, "join", player, tournament))["isEntered"]
    assert (await refused(done(door, "join", players[0], tournament))).code == "already_entered"
    assert not (await done(door, "leave", players[1], tournament))["isEntered"]
    assert (await refused(done(door, "leave", players[1], tournament))).code == "not_entered"
    few = await refused(done(door, "start", organiser, tournament))
    assert (few.code, few.status) == ("bad_setup", 422)
    await done(door, "join", players[1], tournament)
    assert (await refused(done(door, "start", players[0], tournament))).code == "wrong_token"
    assert (await done(door, "start", organiser, tournament))["hash"]
    assert (await done(door, "pause", organiser, tournament))["status"] == "paused"
    assert (await done(door, "resume", organiser, tournament))["status"] == "running"
    assert (await refused(done(door, "start", organiser, tournament))).code == "tournament_started"
    assert (await done(door, "cancel", organiser, tournament))["status"] == "cancelled"
    assert (await refused(done(door, "join", organiser, tournament))).code == "tournament_over"
    for token in (None, players[0]["token"]):
        told = await door.tournament(tournament["id"], token)
        assert told == await rest.tournament(tournament["id"], token)
        assert told["isEntered"] is (token is not None)
        assert told["seed"]


async def test_what_no_tournament_is_made_of(door: Door) -> None:
    organiser, _ = await cast_of(door)
    for more, code, where in (
        ({"game": "no-game"}, "unknown_game", None),
        ({"seats": 1}, "invalid_body", "$.seats"),
        ({"seats": 16}, "bad_setup", "seats"),
        ({"clock": {"base": 1}}, "invalid_body", "$.clock.base"),
        ({"faults": {"timeout": {"then": "retry"}}}, "bad_setup", "faults"),
    ):
        found = await refused(announced(door, organiser, **more))
        assert (found.code, found.entries.get("where")) == (code, where), more
    for token, code in ((None, "token_required"), ("pat_x", "unknown_token"), ("seat_x", "wrong_token")):
        assert (await refused(announced(door, {"token": token}))).code == code
    narrow = await door.do("createToken", organiser["token"], label="narrow", scopes=["play"])
    assert (await refused(announced(door, narrow))).code == "missing_scope"
    tournament = await announced(door, organiser)
    told = await done(door, "join", narrow, tournament)
    assert told["isEntered"]
    assert (await refused(door.tournament(tournament["id"], narrow["token"]))).code == "missing_scope"
    for wrong in ("aaaa", "Not an id"):
        assert (await refused(door.tournament(wrong))).code == "no_such_tournament"
        assert (await refused(done(door, "join", organiser, {"id": wrong}))).code == "no_such_tournament"
        assert (await refused(door.entries(wrong))).code == "no_such_tournament"


async def test_a_repeat_with_its_key_gets_the_first_answer(door: Door) -> None:
    organiser, (ada, bea) = await cast_of(door)
    first, again = [await announced(door, organiser, "k") for _ in range(2)]
    assert first == again
    assert (await refused(announced(door, organiser, "k", name="Bowl"))).code == "key_reused"
    await done(door, "join", bea, first)
    for what, player in (
        ("join", ada),
        ("start", organiser),
        ("pause", organiser),
        ("resume", organiser),
        ("leave", ada),
        ("cancel", organiser),
    ):
        answers = [await done(door, what, player, first, what) for _ in range(2)]
        assert answers[0] == answers[1]
    again = await refused(done(door, "leave", ada, first, "again"))
    assert again.code == "tournament_over"
    assert len(await door.tournaments()) == 1


async def test_a_key_counts_at_the_door_where_it_was_used(rest: Rest, graphql: Graphql) -> None:
    organiser, _ = await cast_of(rest)
    await announced(rest, organiser, "k")
    assert (await refused(announced(graphql, organiser, "k"))).code == "key_reused"


async def test_the_list_is_searched(door: Door, rest: Rest) -> None:
    organiser, _ = await cast_of(door)
    made = [await announced(door, organiser, name=name) for name in ("one", "two", "three")]
    await done(door, "cancel", organiser, made[1])
    listed = await door.tournaments()
    assert listed == await rest.tournaments()
    assert {each["name"] for each in listed} == {"one", "two", "three"}
    assert [each["name"] for each in await door.tournaments(status="cancelled")] == ["two"]
    assert await door.tournaments(status="running") == []


async def test_one_is_played_and_read(app: Litestar, door: Door, rest: Rest, graphql: Graphql) -> None:
    organiser, players = await cast_of(door)
    tournament = await announced(door, organiser)
    for player in players:
        await done(door, "join", player, tournament)
    desk: Desk = app.state.desk
    hall = Hall(desk.store, tournaments_of(desk), desk.tokens, desk.catalogue, "worker")
    async with asyncio.timeout(4 * SECONDS), in_background(Worker(hall)):
        await done(door, "start", organiser, tournament)
        following = [asyncio.create_task(each.followed(tournament["id"])) for each in (rest, graphql)]
        await _played(door, rest, players)
        told, told_too = [await task for task in following]
    assert told == told_too
    assert [entry["entry"]["entry"] for entry in told] == ["ordered", "ended", "ended"]
    assert await door.followed(tournament["id"], 2) == told[2:]
    page = await door.entries(tournament["id"], 1)
    assert page == await rest.entries(tournament["id"], 1)
    assert page["entries"] == told[1:]
    tables = await door.tables(tournament["id"])
    assert tables == await rest.tables(tournament["id"])
    assert tables["record"]["seed"]
    assert [row["place"] for row in tables["standings"]["standings"]] == [1, 2]
    matches = await door.tournament_matches(tournament["id"])
    assert matches == await rest.tournament_matches(tournament["id"])
    assert [(match["stage"], match["reasons"].count("resigned")) for match in matches] == [("done", 1)] * 2
    assert (await door.match(matches[0]["match"]))["tournament"] == tournament["id"]


async def _played(door: Door, rest: Rest, players: list[Any]) -> None:
    """In each match that they are told of both players join, and the second one gives up: to the end."""
    news: Any = {"messages": [], "after": "0-0"}
    while not any(message["type"] == "tournament_over" for message in news["messages"]):
        news = await rest.news(players[1]["token"], news["after"])
        for match in [each["match"] for each in news["messages"] if each["type"] == "invited"]:
            for player in players:
                await door.do("joinMatch", player["token"], matchId=match)
            await door.do("resign", players[1]["token"], matchId=match)
