"""What is kept of positions: never out of date, never another's, never more than there is room for."""

from typing import Any

import httpx
import msgspec
import pytest
import strawberry
from litestar import Litestar

from engine.registry import GAMES
from schema.graphql.basis import OF_BASIS
from schema.graphql.position import Table as Position
from service.graphql.compiled.kept import BESIDES, Kept
from service.graphql.execution import Executor
from service.settings import Settings
from tests.graphql.pair import Pair
from tests.graphql.sample import answered
from tests.service.accounts import registered
from tests.service.table import Table, bearer

pytestmark = pytest.mark.anyio

MOVES = "query ($id: ID!, $first: Int) { match(id: $id) { legalMoves(first: $first) { notation text } } }"


async def ask(
    door: httpx.AsyncClient, query: str, headers: dict[str, str] | None = None, **values: Any
) -> Any:
    answer = await door.post("/graphql", json={"query": query, "variables": values}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


async def listed(table: Table, language: str = "en") -> list[dict[str, str]]:
    """The legal moves as REST tells them."""
    answer = await table.api.get(f"{table.path}/legal-moves", headers={"accept-language": language})
    return [{"notation": move["notation"], "text": move["text"]} for move in answer.json()["moves"]]


@pytest.mark.parametrize("game", GAMES)
async def test_each_version_and_language_has_its_own_answer(
    game: str, api: httpx.AsyncClient, door: httpx.AsyncClient
) -> None:
    table = await Table.started(api, game, 2)
    for _ in range(3):
        for language in ("en", "pt", "en", "es", "pt"):
            headers = {"accept-language": language}
            told = await ask(door, MOVES, headers, id=table.id)
            assert told["match"]["legalMoves"] == await listed(table, language)
        await table.play_any()


async def test_things_are_told_in_the_language_asked_for(
    api: httpx.AsyncClient, door: httpx.AsyncClient
) -> None:
    table = await Table.started(api, "red-cathedral", 2)
    query = """query ($id: ID!) {
        match(id: $id) { things(kinds: ["effect"]) { name ... on RedCathedralInfluenceEffect { text } } } }"""
    texts = set()
    for language in ("en", "pt", "es", "en"):
        headers = {"accept-language": language}
        told = (await ask(door, query, headers, id=table.id))["match"]["things"]
        answer = await api.get(f"{table.path}/things?kind=effect", headers=headers)
        assert told == [{name: thing[name] for name in ("name", "text")} for thing in answer.json()["things"]]
        texts.add(tuple(thing["text"] for thing in told))
    assert len(texts) == 3


async def test_each_choice_of_arguments_has_its_own_answer(
    api: httpx.AsyncClient, door: httpx.AsyncClient
) -> None:
    table = await Table.started(api, next(iter(GAMES)), 2)
    everything = await listed(table)
    for first in (1, 2, None, 0, 2, 1, None):
        told = await ask(door, MOVES, id=table.id, first=first)
        assert told["match"]["legalMoves"] == everything[:first]


async def test_the_same_bytes_of_others_are_answered_for_them(
    api: httpx.AsyncClient, door: httpx.AsyncClient
) -> None:
    """What is kept of a question, and of a position, says nothing of who asked."""
    query = "query ($id: ID!) { match(id: $id) { legalNotations } me { player { name } } }"
    table = await Table.started(api, next(iter(GAMES)), 2)
    legal = await table.legal()
    one, other = await registered(api, "one"), await registered(api, "other")
    for account in (one, other, one):
        told = await ask(door, query, account.headers, id=table.id)
        assert told == {"match": {"legalNotations": legal}, "me": {"player": {"name": account.name}}}
    for headers in ({}, bearer(table.host), bearer(table.tokens[0])):
        told = await ask(door, query, headers, id=table.id)
        assert told == {"match": {"legalNotations": legal}, "me": None}


async def test_what_is_asked_again_is_not_worked_out_again(
    app: Litestar, api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[int] = []
    chosen = Position.chosen

    def noted(self: Position, *asked: Any) -> Any:
        worked_out.append(self.version)
        return chosen(self, *asked)

    monkeypatch.setattr(Position, "chosen", noted)
    pair, tables = Pair(app), [await Table.started(api, slug, 2) for slug in GAMES]
    for _ in range(2):
        for table in tables:
            for _ in range(3):
                await pair.told(pair.compiled, MOVES, {"id": table.id})
            await table.play_any()
    assert len(worked_out) == 2 * len(tables)


@strawberry.type
class Leaf:
    value: int

    @strawberry.field
    def more(self, by: int = 1) -> int:
        return self.value + by

    @strawberry.field
    def left(self, info: strawberry.Info) -> int:
        left: int = info.context.budget.left
        return left


@strawberry.type
class Tree:
    basis: strawberry.Private[str | None]

    @strawberry.field(metadata=OF_BASIS, graphql_type=list[Leaf])
    def leaves(self, first: int = 2, kinds: list[str] | None = None) -> Any:
        CALLED.append(self.basis)
        return [Leaf(value=number) if number < 9 else None for number in range(first)]


@strawberry.type
class Query:
    @strawberry.field
    def tree(self, basis: str | None = None) -> Tree:
        return Tree(basis=basis)


CALLED: list[str | None] = []
"""The trees whose leaves were asked for."""


async def calls(query: str, *asked: dict[str, Any], memory: int = 1_000_000) -> int:
    """How often leaves are asked for, when this is asked so, time after time, and answered as it should."""
    schema = strawberry.Schema(Query)
    compiled = Executor(schema, Settings(graphql_memory=memory))
    ordinary = Executor(schema, Settings(graphql_executor="ordinary"))
    CALLED.clear()
    told = [await answered(compiled, query, variables) for variables in asked]
    found = len(CALLED)
    assert told == [await answered(ordinary, query, variables) for variables in asked]
    return found


A, B, NOWHERE = {"b": "a"}, {"b": "b"}, {"b": None}


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ("leaves { value more }", 2),
        ("leaves(first: 1) { value }", 2),
        ("...T", 2),
        ("leaves { value more(by: 2) }", 4),
        ("leaves { left }", 4),
        ('leaves(kinds: ["x"]) { value }', 4),
        ("leaves { value } again: leaves { value }", 4),
    ],
)
async def test_fields_of_a_basis_are_kept_if_all_below_them_follows(selected: str, expected: int) -> None:
    fragment = " fragment T on Tree { leaves { ... on Leaf { value more } } }" if "..." in selected else ""
    query = f"query ($b: String) {{ tree(basis: $b) {{ {selected} }} }}{fragment}"
    assert await calls(query, A, B, A, B) == expected


async def test_arguments_count() -> None:
    query = "query ($b: String, $f: Int!) { tree(basis: $b) { leaves(first: $f) { value } } }"
    assert await calls(query, A | {"f": 1}, A | {"f": 2}, A | {"f": 1}, B | {"f": 1}) == 3


async def test_without_a_basis_or_without_memory_nothing_is_kept() -> None:
    query = "query ($b: String) { tree(basis: $b) { leaves { value } } }"
    assert await calls(query, NOWHERE, NOWHERE) == 2
    assert await calls(query, A, A, memory=0) == 2


async def test_what_is_wrong_is_not_kept() -> None:
    query = "query ($b: String) { tree(basis: $b) { leaves(first: 10) { value } } }"
    assert await calls(query, A, A) == 4, "each time by both executors"


def test_no_more_is_kept_than_there_is_room_for() -> None:
    size = 1_000
    kept = Kept(8 * (BESIDES + size))
    texts = [str(number % 10) * (size - 2) for number in range(20)]
    for number, text in enumerate(texts):
        assert msgspec.json.decode(kept.put(number, text)) == text
        assert kept.get(0) is not None, "it is asked for all the time"
        assert kept.size <= 8 * (BESIDES + size)
    assert [number for number in range(20) if kept.get(number)] == [0, *range(13, 20)]
    kept.put("large", "x" * size)
    assert kept.get("large") is None
