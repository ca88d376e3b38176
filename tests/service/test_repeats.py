"""Every operation that changes something can be repeated: the contract says so, and it is so."""

from typing import Any

import httpx
import pytest

from schema import operations_tournaments
from schema.openapi import document
from schema.operations import OPERATIONS
from tests.service.accounts import registered
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
ELSEWHERE = {
    "createMatch",
    "joinMatch",
    "kickSeat",
    "leaveMatch",
    "cancelMatch",
    "resign",
    "playMoves",
    "addBot",
} | {operation.name for operation in operations_tournaments.OPERATIONS if operation.is_change}
"""What test_idempotency.py and, with bots at work, test_builtin_bots.py repeat, and by both doors
tests/contract/test_doors_tournaments.py."""
QUESTIONS = {"previewMoves", "previewChildren"}
"""What is posted and changes nothing."""


async def twice(api: httpx.AsyncClient, path: str, body: Any, token: str | None = None) -> dict[str, Any]:
    """The answer to a request, whose repeat had the same one, byte for byte; another body was refused."""
    headers = {"Idempotency-Key": fresh_key()} | (bearer(token) if token else {})
    first, again = [await api.post(path, json=body, headers=headers) for _ in range(2)]
    assert first.is_success, first.text
    assert (first.status_code, first.content) == (again.status_code, again.content)
    other = await api.post(path, content=b" {} ", headers=headers | {"Content-Type": "application/json"})
    assert other.json()["code"] in {"key_reused", "invalid_body"}
    told: dict[str, Any] = first.json()
    return told


async def test_operations_of_players_can_be_repeated(api: httpx.AsyncClient) -> None:
    made = await twice(api, "/players", {"name": "Grace"})
    assert (await api.get("/me", headers=bearer(made["token"]))).json()["player"] == made["player"]
    token = await twice(api, "/me/tokens", {"label": "one", "scopes": ["read"]}, made["token"])
    assert (await api.get("/me", headers=bearer(token["token"]))).status_code == 200
    listed = (await api.get("/me/tokens", headers=bearer(made["token"]))).json()["tokens"]
    assert len(listed) == 2


async def test_a_rematch_can_be_repeated(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    table = await Table.opened(api, GAME, 2)
    for headers in (ada.headers, {}):
        joined = await api.post(f"{table.path}/join", json={}, headers=headers)
        table.tokens[joined.json()["seat"]] = joined.json().get("token") or ada.token
    assert (await table.post("resign", {}, table.tokens[1])).json()["status"] == "finished"
    await twice(api, f"{table.path}/rematch", {}, ada.token)


async def test_a_revocation_can_be_repeated_also_by_the_token_that_is_revoked(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    made = await twice(api, "/me/tokens", {"label": "one", "scopes": ["account"]}, ada.token)
    other, key = bearer(made["token"]), {"Idempotency-Key": "once"}
    path = f"/me/tokens/{made['description']['id']}"
    told = []
    for headers in (other, ada.headers):
        first, again = [await api.delete(path, headers=headers | key) for _ in range(2)]
        assert (first.status_code, first.content) == (again.status_code, again.content)
        assert first.headers["content-type"] == again.headers["content-type"]
        told.append(first)
    assert [token["label"] for token in told[0].json()["tokens"]] == ["first"]
    assert told[1].json()["code"] == "no_such_token"  # it had been revoked, by itself
    elsewhere = await api.delete("/me/tokens/none", headers=other | key)
    assert elsewhere.json()["code"] == "unknown_token"
    assert (await api.delete(path, headers=other)).json()["code"] == "unknown_token"
    left = (await api.get("/me/tokens", headers=ada.headers)).json()["tokens"]
    assert [token["label"] for token in left] == ["first"]


async def test_a_token_that_is_revoked_again_without_a_key_is_gone(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    made = await twice(api, "/me/tokens", {"label": "one", "scopes": ["read"]}, ada.token)
    path = f"/me/tokens/{made['description']['id']}"
    first = await api.delete(path, headers=ada.headers)
    repeats = [await api.delete(path, headers=ada.headers) for _ in range(2)]
    assert [token["label"] for token in first.json()["tokens"]] == ["first"]
    assert [answer.json()["code"] for answer in repeats] == ["no_such_token"] * 2
    assert len((await api.get("/me/tokens", headers=ada.headers)).json()["tokens"]) == 1


def changes() -> set[str]:
    """The names of all operations that change something."""
    return {operation.name for operation in OPERATIONS if operation.method != "GET"} - QUESTIONS


def test_the_contract_has_the_key_wherever_something_is_changed() -> None:
    for operations in document()["paths"].values():
        for operation in operations.values():
            named = {parameter["name"] for parameter in operation["parameters"]}
            name = operation["operationId"]
            assert ("Idempotency-Key" in named) == (name in changes()), name


def test_every_operation_that_takes_a_key_is_repeated_in_a_test() -> None:
    here = {"registerPlayer", "createToken", "revokeToken", "rematch"}
    assert changes() == ELSEWHERE | here
