"""The documents that tools ask of real matches: both executors answer alike, and nothing falls back."""

from typing import Any

import httpx
import pytest
from graphql import (
    GraphQLSchema,
    get_named_type,
    is_abstract_type,
    is_leaf_type,
    is_required_argument,
)
from litestar import Litestar

from engine.registry import GAMES
from schema.graphql.build import make_schema
from tests.graphql.figures import counting
from tests.graphql.pair import Pair
from tests.service.table import Table

pytestmark = pytest.mark.anyio

DOCUMENTS = {
    "games": "{ games { slug title rules seats } }",
    "game": "query ($game: String!) { game(slug: $game) { slug title edition { name digest } moveKinds } }",
    "match": """query ($id: ID!) { match(id: $id) {
        id status version toMove isChance seats { seat name } decision { kind __typename } clock { running }
    } }""",
    "state": "query ($id: ID!) { match(id: $id) { state { __typename } legalNotations } }",
    "moves": """query ($id: ID!, $first: Int) { match(id: $id) {
        version legalMoves(first: $first) { __typename notation text kind }
    } }""",
    "events": """query ($id: ID!) { match(id: $id) { events(after: 0) {
        version next events { version kind seat move text changes { code text } }
    } } }""",
    "at": "query ($id: ID!) { match(id: $id) { at(version: 1) { version toMove legalNotations } } }",
    "standing": "query ($id: ID!) { match(id: $id) { standing { seat total rank scores { name value } } } }",
    "why not": """query ($id: ID!, $move: String!) { match(id: $id) { whyNot(move: $move) {
        legal reasons { rule code text } closest
    } } }""",
    "preview": """query ($id: ID!, $moves: [String!]!) { match(id: $id) { preview(moves: $moves) {
        version isChance toMove odds { numerator denominator } outcomes { notation odds { numerator } }
        legalNotations children(first: 3) { version legalNotations }
    } } }""",
    "transcript": "query ($id: ID!) { match(id: $id) { transcript } }",
    "matches": "{ matches(first: 5) { edges { node { id } } nodes { status } pageInfo { hasNextPage } } }",
    "unknown match": '{ match(id: "aaaaaaaaaaaaaaaa") { id } }',
}


@pytest.mark.parametrize("game", GAMES)
async def test_documents_of_tools_are_answered_alike_and_compiled(
    game: str, app: Litestar, api: httpx.AsyncClient
) -> None:
    table = await Table.started(api, game, 2)
    await table.play_any(3)
    notations = await table.legal()
    variables = {"id": table.id, "game": game, "move": notations[0], "moves": notations[:1], "first": 5}
    both = Pair(app)
    for name, document in DOCUMENTS.items():
        asked = {each: value for each, value in variables.items() if f"${each}" in document}
        with counting() as counted:
            body = await both.same(document, asked)
        if name == "unknown match":
            assert body["errors"][0]["extensions"]["code"] == "no_such_match"
        else:
            assert body["errors"] is None, (name, body["errors"])
            assert counted == {("compiled", ""): 1, ("ordinary", "switched off"): 1}, name


@pytest.mark.parametrize("game", GAMES)
async def test_every_field_of_states_and_moves_is_told_alike(
    game: str, app: Litestar, api: httpx.AsyncClient
) -> None:
    table = await Table.started(api, game, 2)
    await table.play_any(2)
    document = f"query ($id: ID!) {{ match(id: $id) {{ {' '.join(map(whole_field, WHOLE))} }} }}"
    with counting() as counted:
        body = await Pair(app).same(document, {"id": table.id})
    assert body["errors"] is None
    assert body["data"]["match"]["legalMoves"]
    assert counted[("compiled", "")] == 1


WHOLE = ("state", "decision", "legalMoves", "seats", "standing", "links", "edition")
DEEPEST = 8


def whole_field(name: str) -> str:
    """A field of a match with all that can be selected below it."""
    core = make_schema()._schema
    match: Any = core.get_type("Match")
    return f"{name} {whole(core, match.fields[name].type, DEEPEST)}"


def whole(core: GraphQLSchema, kind: Any, depth: int) -> str:
    """All fields of a type and of those it may be, down to a depth, without those that need arguments."""
    named = get_named_type(kind)
    if is_leaf_type(named):
        return ""
    members = core.get_possible_types(named) if is_abstract_type(named) else [named]
    fragments = (f"... on {each.name} {{ {_fields(core, each, depth)} }}" for each in members)
    return f"{{ __typename {' '.join(fragments)} }}"


def _fields(core: GraphQLSchema, kind: Any, depth: int) -> str:
    chosen = ["__typename"]
    for name, field in kind.fields.items():
        is_leaf = is_leaf_type(get_named_type(field.type))
        if (is_leaf or depth) and not any(map(is_required_argument, field.args.values())):
            chosen.append(f"{name} {whole(core, field.type, depth - 1)}")
    return " ".join(chosen)
