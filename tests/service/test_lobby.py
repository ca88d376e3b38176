"""Players find each other: seats of players, invitations, open seats in the lobby, rematches."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.service.accounts import Account, registered, token_with
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def joined(api: httpx.AsyncClient, path: str, who: Account, **asked: Any) -> dict[str, Any]:
    answer = await api.post(f"{path}/join", json=asked, headers=who.headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def opened(api: httpx.AsyncClient, who: Account, seats: int = 2, **more: Any) -> str:
    """The path of a new match of a player."""
    answer = await api.post("/matches", json={"game": GAME, "seats": seats} | more, headers=who.headers)
    assert answer.status_code == 201, answer.text
    return f"/matches/{answer.json()['match']['id']}"


async def test_a_seat_of_a_player_is_played_by_both_tokens(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    path = await opened(api, ada)
    tokens = [(await joined(api, path, who))["token"] for who in (ada, bea)]
    match = (await api.get(path)).json()
    assert [(seat["player"], seat["name"]) for seat in match["seats"]] == [(ada.id, "Ada"), (bea.id, "Bea")]
    assert match["creator"] == ada.id
    players, version = (ada, bea), match["version"]
    for turn in range(8):
        match = (await api.get(path)).json()
        if match["toMove"] is None:
            break
        legal = (await api.get(f"{path}/legal-moves")).json()["moves"][0]["notation"]
        mover = match["toMove"]
        token = players[mover].token if turn % 2 else tokens[mover]
        body = {"version": match["version"], "moves": [legal]}
        other = players[1 - mover].token if turn % 2 else tokens[1 - mover]
        wrong = await api.post(f"{path}/moves", json=body, headers=bearer(other))
        assert code(wrong) == (409, "not_your_turn")
        played = await api.post(f"{path}/moves", json=body, headers=bearer(token))
        assert played.status_code == 200, played.text
        assert played.json()["version"] > version
        version = played.json()["version"]
    stranger = await registered(api, "Cid")
    assert code(await api.post(f"{path}/resign", json={}, headers=stranger.headers)) == (403, "wrong_token")
    left = await api.post(f"{path}/resign", json={}, headers=bea.headers)
    assert left.json()["status"] == "finished"


async def test_a_player_plays_only_with_the_scope(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    reader = await token_with(api, ada, "read")
    path = await opened(api, ada)
    made = await api.post("/matches", json={"game": GAME, "seats": 2}, headers=reader.headers)
    assert code(made) == (403, "missing_scope")
    assert code(await api.post(f"{path}/join", json={}, headers=reader.headers)) == (403, "missing_scope")
    assert code(await api.post(f"{path}/cancel", json={}, headers=reader.headers)) == (403, "missing_scope")
    moves = {"version": 0, "moves": ["x"]}
    assert code(await api.post(f"{path}/moves", json=moves, headers=reader.headers)) == (403, "missing_scope")
    gone = bearer(ada.token[:-3] + "abc")
    assert code(await api.post(f"{path}/join", json={}, headers=gone)) == (401, "unknown_token")
    player = await token_with(api, ada, "play")
    await joined(api, path, player)


@pytest.mark.parametrize("token", ["undefined", "x", "pat"])
async def test_what_is_no_token_makes_nobody_a_guest(token: str, api: httpx.AsyncClient) -> None:
    path = await opened(api, await registered(api, "Ada"))
    match = {"game": GAME, "seats": 2}
    assert code(await api.post("/matches", json=match, headers=bearer(token))) == (401, "unknown_token")
    assert code(await api.post(f"{path}/join", json={}, headers=bearer(token))) == (401, "unknown_token")


async def test_who_has_a_seat_elsewhere_is_a_guest(api: httpx.AsyncClient) -> None:
    seat = (await Table.started(api, GAME, 2)).tokens[0]
    path = await opened(api, await registered(api, "Ada"))
    guest = await api.post(f"{path}/join", json={}, headers=bearer(seat))
    assert guest.json()["match"]["seats"][0]["player"] is None


async def test_a_player_has_one_seat_of_a_match(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    path = await opened(api, ada)
    key = {"Idempotency-Key": "1"}
    answers = await asyncio.gather(
        *(api.post(f"{path}/join", json={}, headers=ada.headers | key) for _ in range(5))
    )
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].status_code == 200
    assert code(await api.post(f"{path}/join", json={}, headers=ada.headers)) == (409, "already_seated")
    guest = (await api.post(f"{path}/join", json={"name": "Guest"})).json()
    assert guest["match"]["status"] == "running"
    assert [seat["player"] for seat in guest["match"]["seats"]] == [ada.id, None]


async def test_short_keys_of_two_players_do_not_meet(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    key = {"Idempotency-Key": "1"}
    paths, tokens = [], []
    for who in (ada, bea):
        body = {"game": GAME, "seats": 2}
        made = [await api.post("/matches", json=body, headers=who.headers | key) for _ in range(2)]
        assert made[0].content == made[1].content
        tokens.append(made[0].json()["hostToken"])
        paths.append(f"/matches/{made[0].json()['match']['id']}")
    assert len(set(paths)) == len(set(tokens)) == 2
    first = await api.post(f"{paths[0]}/join", json={"seat": 0}, headers=ada.headers | key)
    kicked = await api.post(f"{paths[0]}/kick", json={"seat": 0}, headers=ada.headers)
    assert kicked.json()["seats"][0]["player"] is None
    second = await api.post(f"{paths[0]}/join", json={"seat": 0}, headers=bea.headers | key)
    assert first.json()["token"] != second.json()["token"]


async def test_the_creator_is_host_with_the_api_token(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    path = await opened(api, ada)
    await joined(api, path, bea)
    assert code(await api.post(f"{path}/kick", json={"seat": 0}, headers=bea.headers)) == (403, "wrong_token")
    assert (await api.post(f"{path}/kick", json={"seat": 0}, headers=ada.headers)).status_code == 200
    assert code(await api.post(f"{path}/cancel", json={}, headers=bea.headers)) == (403, "wrong_token")
    cancelled = await api.post(f"{path}/cancel", json={}, headers=ada.headers)
    assert cancelled.json()["status"] == "cancelled"


async def test_a_match_for_those_who_are_invited(api: httpx.AsyncClient) -> None:
    ada, bea, cid = [await registered(api, name) for name in ("Ada", "Bea", "Cid")]
    path = await opened(api, ada, 2, join="invited", invited=[bea.id, ada.id, bea.id])
    match = (await api.get(path)).json()
    assert (match["join"], match["invited"]) == ("invited", [bea.id])
    assert code(await api.post(f"{path}/join", json={}, headers=cid.headers)) == (403, "not_invited")
    assert code(await api.post(f"{path}/join", json={})) == (403, "not_invited")
    await joined(api, path, bea)
    assert (await joined(api, path, ada))["match"]["status"] == "running"


async def test_an_invitation_is_declined_by_leaving(api: httpx.AsyncClient) -> None:
    ada, bea, cid = [await registered(api, name) for name in ("Ada", "Bea", "Cid")]
    path = await opened(api, ada, 3, join="invited", invited=[bea.id, cid.id])
    declined = await api.post(f"{path}/leave", json={}, headers=bea.headers)
    assert declined.json()["invited"] == [cid.id]
    assert code(await api.post(f"{path}/leave", json={}, headers=bea.headers)) == (403, "wrong_token")
    assert code(await api.post(f"{path}/join", json={}, headers=bea.headers)) == (403, "not_invited")
    token = (await joined(api, path, cid))["token"]
    left = await api.post(f"{path}/leave", json={}, headers=bearer(token))
    assert (left.json()["invited"], left.json()["seats"][0]["taken"]) == ([], False)
    for who in (bea, cid):
        heard = await api.get("/me/events", params={"after": "0-0"}, headers=who.headers)
        assert [each["type"] for each in heard.json()["messages"]] == []


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"invited": ["a" * 16]}, (404, "no_such_player")),
        ({"join": "invited"}, (422, "bad_setup")),
        ({"join": "friends"}, (400, "invalid_body")),
        ({"invited": ["a" * 16] * 17}, (400, "invalid_body")),
        ({"invited": "a"}, (400, "invalid_body")),
    ],
)
async def test_bad_invitations_are_refused(
    api: httpx.AsyncClient, more: dict[str, Any], problem: tuple[int, str]
) -> None:
    key = {"Idempotency-Key": fresh_key()}
    body = {"game": GAME, "seats": 2} | more
    answers = [await api.post("/matches", json=body, headers=key) for _ in range(2)]
    assert code(answers[0]) == problem
    assert answers[0].content == answers[1].content


async def test_the_lobby_shows_open_seats(api: httpx.AsyncClient) -> None:
    two = await Table.opened(api, GAME, 2)
    three = await Table.opened(api, GAME, 3)
    other = await Table.opened(api, SLUGS[1], 2)
    ada = await registered(api, "Ada")
    invited = await opened(api, ada, 3, join="invited")
    await two.join()
    await three.join()

    async def ids(**query: Any) -> list[str]:
        answer = await api.get("/matches", params=query)
        assert answer.status_code == 200, answer.text
        return [match["id"] for match in answer.json()["matches"]]

    mine = invited.rpartition("/")[2]
    assert await ids(status="open") == [mine, other.id, three.id, two.id]
    assert await ids(status="open", free=2) == [mine, other.id, three.id]
    assert await ids(status="open", free=2, join="open") == [other.id, three.id]
    assert await ids(status="open", seats=2, free=1) == [other.id, two.id]
    assert await ids(status="open", game=GAME, seats=3) == [mine, three.id]
    await two.join()
    assert await ids(free=1) == [mine, other.id, three.id]
    assert await ids(seats=2) == [other.id, two.id]
    for query in ({"seats": 0}, {"free": "x"}, {"join": "both"}):
        assert code(await api.get("/matches", params=query)) == (400, "invalid_query")


async def test_the_cursor_of_a_filtered_lobby_misses_nothing(api: httpx.AsyncClient) -> None:
    tables = [await Table.opened(api, GAME, 2 + number % 2) for number in range(14)]
    wanted = [table.id for table in reversed(tables) if tables.index(table) % 2]
    found: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(20):
        page = (await api.get("/matches", params={"seats": "3", "limit": "2"} | cursor)).json()
        found += [match["id"] for match in page["matches"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert found == wanted


async def test_own_matches_are_listed(api: httpx.AsyncClient) -> None:
    ada, bea = await registered(api, "Ada"), await registered(api, "Bea")
    paths = [await opened(api, ada, 2, invited=[bea.id]) for _ in range(3)]
    ids = [path.rpartition("/")[2] for path in paths]

    async def own(who: Account, **query: Any) -> list[tuple[str, int | None]]:
        answer = await api.get("/me/matches", params=query, headers=who.headers)
        assert answer.status_code == 200, answer.text
        return [(match["id"], match["seat"]) for match in answer.json()["matches"]]

    assert await own(ada) == []
    assert await own(bea) == [(ids[2], None), (ids[1], None), (ids[0], None)]
    await joined(api, paths[1], bea)
    await joined(api, paths[0], ada)
    await joined(api, paths[0], bea)
    assert await own(ada) == [(ids[0], 0)]
    assert await own(bea) == [(ids[2], None), (ids[1], 0), (ids[0], 1)]
    assert await own(bea, status="running") == [(ids[0], 1)]
    await api.post(f"{paths[2]}/cancel", json={}, headers=ada.headers)
    await api.post(f"{paths[1]}/kick", json={"seat": 0}, headers=ada.headers)
    assert await own(bea) == [(ids[1], None), (ids[0], 1)]
    page = (await api.get("/me/matches", params={"limit": 1}, headers=bea.headers)).json()
    assert [match["id"] for match in page["matches"]] == [ids[1]]
    assert await own(bea, cursor=page["next"]) == [(ids[0], 1)]
    bad = await api.get("/me/matches", params={"cursor": "x"}, headers=bea.headers)
    assert code(bad) == (400, "bad_cursor")


async def finished(api: httpx.AsyncClient, *who: Account | None, seats: int = 2) -> tuple[str, list[str]]:
    """The path of a match that is over, and the tokens of its seats."""
    table = await Table.opened(api, GAME, seats)
    tokens = []
    for account in who:
        headers = {} if account is None else account.headers
        tokens.append(
            (await api.post(f"{table.path}/join", json={"nonce": "n"}, headers=headers)).json()["token"]
        )
    for token in tokens[1:]:
        await api.post(f"{table.path}/resign", json={}, headers=bearer(token))
    assert (await table.get())["status"] == "finished"
    return table.path, tokens


async def test_a_rematch_is_one_match_with_the_seats_rotated(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    path, tokens = await finished(api, ada, None, None, seats=3)
    first = await api.post(f"{path}/rematch", json={}, headers=bearer(tokens[1]))
    assert first.status_code == 200, first.text
    assert first.json()["seat"] == 2
    match = first.json()["match"]
    assert match["rematchOf"] == path.rpartition("/")[2]
    assert (match["status"], match["join"], match["invited"]) == ("open", "invited", [ada.id])
    assert [seat["player"] for seat in match["seats"]] == [None, ada.id, None]
    again = await api.post(f"{path}/rematch", json={}, headers=bearer(tokens[1]))
    assert (again.json()["token"], again.json()["match"]["id"]) == (first.json()["token"], match["id"])
    new = f"/matches/{match['id']}"
    assert code(await api.post(f"{new}/join", json={})) == (403, "not_invited")
    assert (await joined(api, new, ada))["seat"] == 1
    assert code(await api.post(f"{path}/rematch", json={}, headers=ada.headers)) == (409, "already_seated")
    last = await api.post(f"{path}/rematch", json={"nonce": "luck"}, headers=bearer(tokens[2]))
    assert (last.json()["seat"], last.json()["match"]["status"]) == (0, "running")
    assert last.json()["match"]["commitment"] != (await api.get(path)).json()["commitment"]
    moved = (await api.get(new)).json()["toMove"]
    assert moved in (0, 1, 2)
    resigned = await api.post(f"{new}/resign", json={}, headers=bearer(first.json()["token"]))
    assert resigned.status_code == 200


async def test_who_asks_for_a_rematch_again_changes_nothing(api: httpx.AsyncClient) -> None:
    """Else a match that is over would be kept longer, and counted once more, for each time."""
    path, tokens = await finished(api, None, None)
    mine, key = bearer(tokens[0]), {"Idempotency-Key": "k"}
    first = await api.post(f"{path}/rematch", json={}, headers=mine)
    new = f"/matches/{first.json()['match']['id']}"
    known = (await api.get(new)).headers["etag"]
    answers = [await api.post(f"{path}/rematch", json={}, headers=mine | more) for more in ({}, key, key)]
    assert [answer.content for answer in answers] == [first.content] * 3
    assert (await api.get(new)).headers["etag"] == known


async def test_all_who_ask_for_a_rematch_at_once_meet(api: httpx.AsyncClient) -> None:
    path, tokens = await finished(api, None, None, None, seats=3)
    answers = await asyncio.gather(
        *(
            api.post(f"{path}/rematch", json={}, headers=bearer(token) | {"Idempotency-Key": "k"})
            for token in tokens * 3
        )
    )
    told = [answer.json() for answer in answers]
    assert {answer.status_code for answer in answers} == {200}
    assert len({one["match"]["id"] for one in told}) == 1
    assert sorted({one["seat"] for one in told}) == [0, 1, 2]
    assert [one["token"] for one in told[:3]] == [one["token"] for one in told[3:6]]
    assert answers[0].content == answers[3].content == answers[6].content
    assert (await api.get(f"/matches/{told[0]['match']['id']}")).json()["status"] == "running"


async def test_a_rematch_is_for_players_of_a_match_that_is_over(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    key = {"Idempotency-Key": "k"}
    early = await api.post(f"{table.path}/rematch", json={}, headers=bearer(table.tokens[0]) | key)
    assert code(early) == (409, "match_not_over")
    assert code(await api.post(f"{table.path}/rematch", json={})) == (401, "token_required")
    host = await api.post(f"{table.path}/rematch", json={}, headers=bearer(table.host))
    assert code(host) == (403, "wrong_token")
    cid = await registered(api, "Cid")
    assert code(await api.post(f"{table.path}/rematch", json={}, headers=cid.headers)) == (403, "wrong_token")
    missing = await api.post(f"/matches/{'a' * 24}/rematch", json={}, headers=cid.headers)
    assert code(missing) == (404, "no_such_match")
    await table.post("resign", {}, table.tokens[0])
    repeated = await api.post(f"{table.path}/rematch", json={}, headers=bearer(table.tokens[0]) | key)
    assert repeated.content == early.content


async def test_no_rematch_follows_a_match_that_was_cancelled(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    token = (await api.post(f"{table.path}/join", json={})).json()["token"]
    assert (await table.post("cancel", {}, table.host)).json()["status"] == "cancelled"
    refused = await table.post("rematch", {}, token)
    assert code(refused) == (409, "match_over")
    assert refused.json()["detail"] == "The match is cancelled."


async def test_the_host_of_a_rematch_is_the_old_one(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    await table.post("resign", {}, table.tokens[0])
    new = (await table.post("rematch", {}, table.tokens[0])).json()["match"]["id"]
    cancelled = await api.post(f"/matches/{new}/cancel", json={}, headers=bearer(table.host))
    assert cancelled.json()["status"] == "cancelled"
    late = await table.post("rematch", {}, table.tokens[1])
    assert code(late) == (409, "match_over")
