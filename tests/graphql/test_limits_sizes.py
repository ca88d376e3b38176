"""How large documents are, and what operations cost, whatever they are of."""

from typing import Any

import pytest
from graphql import FragmentDefinitionNode, OperationDefinitionNode, build_schema, parse

from schema.graphql.prices import ENTRIES, PRICES, Price, told
from service.graphql import cost
from service.graphql.cost import amount, cost_of
from service.graphql.limits import check_size
from service.graphql.refusals import TooCostly
from service.settings import Settings

SMALL = Settings(graphql_max_depth=3, graphql_max_fields=6, graphql_max_aliases=2, graphql_max_roots=4)
SCHEMA = build_schema("""
    interface Node { id: ID! near: [Node!]! }
    type A implements Node { id: ID! near: [Node!]! dear: Int tried(moves: [String!]!): A }
    type B implements Node { id: ID! near: [Node!]! one: B many: [B] matrix: [[B]] }
    type Page { nodes: [Node!]! rest: Int }
    type Query {
        page(first: Int! = 4): Page node: Node nodes(first: Int): [Node!]! some(first: Int = 3): [Node!]!
        leaves: [Int]
    }
""")
PRICED = {
    "Page.nodes": Price(entries=1),
    "dear": Price(100),
    "tried": Price(20, per="moves"),
    "many": Price(5, entries=7),
}


@pytest.mark.parametrize(
    "document",
    [
        "{ a { b { c } } }",
        "{ a { b } c { d { e } } }",
        "{ x: a y: b }",
        "{ a b c d }",
        "{ ...F } fragment F on Query { a ...G } fragment G on Query { b }",
        "{ ... { ... { ... { ... { a } } } } }",
        "{ a a a a }",
    ],
)
def test_what_is_small_is_let_through(document: str) -> None:
    check_size(parse(document), SMALL)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ("{ a { b { c { d } } } }", "4 levels of fields; 3"),
        (
            "{ ...F } fragment F on Q { a { b { ...G } } } fragment G on Q { c { d } }",
            "4 levels of fields; 3",
        ),
        ("{ x: a y: b z: c }", "3 aliases; 2"),
        ("{ ...F ...F } fragment F on Q { x: a y: b }", "4 aliases; 2"),
        ("{ a b c d e }", "5 fields at its root; 4"),
        ("{ ...F } fragment F on Q { a b ... { c d e } }", "5 fields at its root; 4"),
        ("{ a { b c d e f g } }", "7 fields; 6"),
        ("{ a { ...F } b { ...F } } fragment F on Q { c d e }", "8 fields; 6"),
        ("{ a " + "@x" * 51 + " }", "51 directives; 50"),
        ("query A { a } query B { a b c d e }", "5 fields at its root; 4"),
    ],
)
def test_what_is_large_is_refused_with_the_number(document: str, why: str) -> None:
    with pytest.raises(TooCostly, match=why):
        check_size(parse(document), SMALL)


def test_names_that_recur_are_counted_where_they_would_be_compared() -> None:
    large = Settings(graphql_max_roots=1_000)
    spread = "{ a { ... { " + "b " * 60 + "} ...F } } fragment F on Q { " + "b " * 60 + "}"
    with pytest.raises(TooCostly, match="`b` is selected 120 times; 100 are allowed"):
        check_size(parse(spread), large)
    apart = "{ a { " + "b " * 60 + "} c { " + "b " * 60 + "} }"
    check_size(parse(apart), large)


def test_circles_come_to_an_end() -> None:
    check_size(parse("{ ...A } fragment A on Q { a ...B } fragment B on Q { b ...A }"), SMALL)


@pytest.mark.parametrize(
    ("document", "variables", "price"),
    [
        ("{ node { id } }", {}, 2),
        ("{ leaves }", {}, 1),
        ("{ page { nodes { id } rest } }", {}, 1 + 4 * (1 + 1 + 1)),
        ("{ page(first: 100) { nodes { id } rest } }", {}, 1 + 100 * (1 + 1 + 1)),
        ("{ nodes { id } }", {}, 1 + ENTRIES),
        ("{ nodes(first: 5) { id } }", {}, 1 + 5),
        ("{ nodes(first: 0) { id } }", {}, 1),
        ("{ nodes(first: -3) { id } }", {}, 1 + ENTRIES),
        ("{ nodes(first: null) { id } }", {}, 1 + ENTRIES),
        ("{ some { id } }", {}, 1 + 3),
        ("query ($n: Int) { nodes(first: $n) { id } }", {"n": 40}, 1 + 40),
        ("query ($n: Int) { nodes(first: $n) { id } }", {}, 1 + ENTRIES),
        ("query ($n: Int) { some(first: $n) { id } }", {}, 1 + 3),
        ("query ($n: Int) { nodes(first: $n) { near { id } } }", {"n": 2}, 1 + 2 * (1 + ENTRIES)),
        ("{ node { ... on A { dear } ... on B { id } } }", {}, 1 + 100),
        ("{ node { id ... on A { id } ... on B { one { id } } } }", {}, 1 + 1 + 2),
        ("{ node { ...N } } fragment N on Node { id near { id } }", {}, 1 + 1 + 1 + ENTRIES),
        ("{ node { ... on B { many { id } } } }", {}, 1 + 5 + 7),
        ("{ node { ... on B { matrix { id } } } }", {}, 1 + 1 + ENTRIES),
        ('{ node { ... on A { tried(moves: ["a", "b", "c"]) { id } } } }', {}, 1 + 60 + 1),
        (
            "query ($m: [String!]!) { node { ... on A { tried(moves: $m) { id } } } }",
            {"m": list("abcd")},
            1 + 80 + 1,
        ),
        ("{ node { ... on A { tried(moves: []) { id } } } }", {}, 1 + 20 + 1),
        (
            "query ($n: Int) { nodes(first: $n) { ...F ... on B { id } } } fragment F on A { dear }",
            {"n": 2},
            201,
        ),
        ("{ __typename __schema { types { name } } }", {}, 1 + 1 + 1 + ENTRIES),
    ],
)
def test_prices_add_up(
    document: str, variables: dict[str, Any], price: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "PRICES", PRICED)
    node = parse(document)
    fragments = {
        each.name.value: each for each in node.definitions if isinstance(each, FragmentDefinitionNode)
    }
    operation = node.definitions[0]
    assert isinstance(operation, OperationDefinitionNode)
    found = cost_of(SCHEMA, operation, fragments)
    assert amount(found, variables) == price
    assert isinstance(found, int) == ("$" not in document)


def test_every_price_is_published() -> None:
    text = told()
    for name in PRICES:
        assert f"`{name}` costs" in text
    assert "`preview` costs 20 for each of its moves" in text
