"""Lists of matches, players, and who asks, over GraphQL, against the other door."""

from typing import Any

import pytest

from tests.graphql.asking import Asking
from tests.service.accounts import Account, registered, token_with
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio

FIND = """query ($game: String, $status: MatchStatus, $seats: Int, $free: Int, $join: Joining,
               $clock: TimeKind, $player: ID, $first: Int! = 50, $after: String) {
    matches(game: $game, status: $status, seats: $seats, free: $free, join: $join, clock: $clock,
            player: $player, first: $first, after: $after) {
        edges { cursor node { id } } nodes { id } pageInfo { hasNextPage endCursor } } }"""


async def found(asking: Asking, **query: Any) -> list[str]:
    """The ids of the matches that GraphQL lists, which the other door must list too."""
    page = (await asking.data(FIND, **query))["matches"]
    ids = [edge["node"]["id"] for edge in page["edges"]]
    assert [node["id"] for node in page["nodes"]] == ids
    answer = await asking.api.get("/matches", params={name: value for name, value in query.items() if value})
    assert answer.status_code == 200, answer.text
    assert ids == [match["id"] for match in answer.json()["matches"]]
    return ids


async def seated(asking: Asking, table: Table, who: Account) -> None:
    answer = await asking.api.post(f"{table.path}/join", json={}, headers=who.headers)
    assert answer.status_code == 200, answer.text


async def test_matches_are_found_as_on_the_other_door(asking: Asking) -> None:
    ada = await registered(asking.api, "Ada")
    open_one = await Table.opened(asking.api, SLUGS[0], 3, clock={"perTurn": 60_000})
    running = await Table.started(asking.api, SLUGS[-1], 2)
    hers = await Table.opened(asking.api, SLUGS[-1], 2)
    hidden = await Table.opened(asking.api, SLUGS[0], 2, visibility="unlisted")
    for table in (hers, hidden):
        await seated(asking, table, ada)
    assert await found(asking) == [hers.id, running.id, open_one.id]
    assert await found(asking, game=SLUGS[0]) == [open_one.id]
    assert await found(asking, status="running") == [running.id]
    assert await found(asking, seats=3) == await found(asking, free=2) == [open_one.id]
    assert await found(asking, clock="perTurn") == [open_one.id]
    assert await found(asking, join="open") == [hers.id, running.id, open_one.id]
    assert await found(asking, player=ada.id) == [hers.id]
    assert await found(asking, player=ada.id, game=SLUGS[0]) == ([hers.id] if SLUGS[0] == SLUGS[-1] else [])
    assert await found(asking, player="nobody") == []


async def test_a_list_goes_on_after_its_cursors(asking: Asking) -> None:
    ids = [(await Table.opened(asking.api, SLUGS[0], 2)).id for _ in range(5)][::-1]
    seen: list[str] = []
    after = None
    for _ in range(3):
        page = (await asking.data(FIND, first=2, after=after))["matches"]
        seen += [node["id"] for node in page["nodes"]]
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        after = page["pageInfo"]["endCursor"]
        assert page["pageInfo"]["hasNextPage"] == (len(seen) < len(ids))
    assert seen == ids
    assert (await asking.data(FIND, after=after))["matches"]["pageInfo"] == {
        "hasNextPage": False,
        "endCursor": None,
    }
    whole = (await asking.data(FIND))["matches"]["edges"]
    rest = (await asking.data(FIND, after=whole[1]["cursor"]))["matches"]["nodes"]
    assert [node["id"] for node in rest] == ids[2:]


@pytest.mark.parametrize(
    ("wrong", "code", "where"),
    [
        ({"first": 0}, "invalid_query", "first"),
        ({"first": 201}, "invalid_query", "first"),
        ({"seats": 99}, "invalid_query", "seats"),
        ({"after": "x" * 999}, "invalid_query", "after"),
        ({"after": "nonsense"}, "bad_cursor", None),
        ({"game": "chess"}, "unknown_game", None),
    ],
)
async def test_a_list_refuses_what_the_other_door_refuses(
    asking: Asking, wrong: dict[str, Any], code: str, where: str | None
) -> None:
    told = await asking.refused(FIND, **wrong)
    assert told["extensions"]["code"] == code
    assert told["extensions"].get("where") == where


async def test_players_and_who_asks(asking: Asking) -> None:
    ada = await registered(asking.api, "Ada")
    rest = (await asking.api.get(f"/players/{ada.id}")).json()
    player = "query ($id: ID!) { player(id: $id) { id name kind createdAt } }"
    assert (await asking.data(player, id=ada.id))["player"] == rest
    assert await asking.codes(player, id="nobody") == ["no_such_player"]
    shown = "id label scopes createdAt expiresAt lastUsedAt"
    me = f"{{ me {{ player {{ id name kind createdAt }} token {{ {shown} }} }} }}"
    own = (await asking.api.get("/me", headers=ada.headers)).json()
    assert (await asking.data(me, token=ada.token))["me"] == own
    assert await asking.codes(me) == ["token_required"]
    assert await asking.codes(me, token=ada.token[:-3] + "abc") == ["unknown_token"]


async def test_own_matches_and_tokens(asking: Asking) -> None:
    ada = await registered(asking.api, "Ada")
    reader = await token_with(asking.api, ada, "read")
    tables = [await Table.opened(asking.api, SLUGS[0], 2, visibility="unlisted") for _ in range(3)]
    for table in tables:
        await seated(asking, table, ada)
    document = """query ($first: Int! = 50, $after: String, $status: MatchStatus) { me {
        matches(first: $first, after: $after, status: $status) { nodes { id } pageInfo { endCursor } } } }"""
    page = (await asking.data(document, token=reader.token, first=2))["me"]["matches"]
    assert [node["id"] for node in page["nodes"]] == [tables[2].id, tables[1].id]
    after = page["pageInfo"]["endCursor"]
    page = (await asking.data(document, token=reader.token, after=after))["me"]["matches"]
    assert [node["id"] for node in page["nodes"]] == [tables[0].id]
    running = (await asking.data(document, token=reader.token, status="running"))["me"]["matches"]
    assert running["nodes"] == []
    tokens = "{ me { tokens { id label scopes } } }"
    rest = (await asking.api.get("/me/tokens", headers=ada.headers)).json()["tokens"]
    own = (await asking.data(tokens, token=ada.token))["me"]["tokens"]
    assert own == [{name: token[name] for name in ("id", "label", "scopes")} for token in rest]
    assert await asking.codes(tokens, token=reader.token) == ["missing_scope"]
