"""The compiled executor answers what the ordinary one does, wrong data and errors included."""

import asyncio
import gc
import logging
from collections import Counter
from typing import Any

import msgspec
import pytest

from service.graphql.execution import Executor
from tests.graphql.figures import counting
from tests.graphql.sample import DONE, WRONG, Both, answered, asked_of, nobody

pytestmark = pytest.mark.anyio

COMPILED = (
    "{ plain }",
    "{ plain __typename }",
    '{ a: plain(name: "b") plain b: plain(loud: true) }',
    "query ($name: String!) { plain(name: $name) }",
    'query ($name: String = "c") { plain(name: $name) }',
    "query ($loud: Boolean) { plain(loud: $loud) }",
    "{ pieces { name size title } }",
    "{ pieces(first: 2) { name title(loud: true) loud: title(loud: true) } }",
    "query ($first: Int, $loud: Boolean = true) { pieces(first: $first) { title(loud: $loud) } }",
    "{ pieces { ... on Tower { floors grid colour { name rgb __typename } } ... on Wall { length day } } }",
    "{ pieces { ... on Wall { length day note } } }",
    "{ pieces { ...A name ...B } } fragment A on Piece { size } fragment B on Tower { floors ...A name }",
    "{ union { __typename ... on Piece { name } ... on Wall { note } } }",
    "{ pieces { ... on Tower { between(spans: [{start: 1}, {length: 1}]) } } }",
    "query ($start: Int! = 1) { pieces { ... on Tower { between(spans: [{start: $start}]) } } }",
    "query ($spans: [Span!]! = [{}]) { pieces { ... on Tower { between(spans: $spans) } } }",
    "{ pieces { ...A } } fragment A on Tower { neighbours { name ...B } } fragment B on Piece { title }",
    "{ pieces { ... on Wall { under } } count { value } }",
    "{ pieces { name name ... { name size } } pieces { size ... on Wall { note } } }",
    "query A { plain } query B { pieces { name } }",
    "{ named { name __typename ... on Colour { rgb } } }",
    "{ a: count { value } b: count { value } union { __typename } }",
    "{ pieces { ... @include(if: true) { name } ... @skip(if: true) { size } } }",
)
"""Documents for which there is code, and nothing has to be looked at again."""


@pytest.mark.parametrize("document", COMPILED)
async def test_answers_are_the_same_and_compiled(document: str) -> None:
    name = "B" if "query B" in document else None
    variables = {"name": "x"} if "$name: String!" in document else None
    with counting() as counted:
        body = await Both().same(document, variables, name=name)
    assert body["errors"] is None
    assert counted == {("compiled", ""): 1, ("ordinary", "switched off"): 1}


@pytest.mark.parametrize("skipped", [True, False])
@pytest.mark.parametrize("included", [True, False])
async def test_each_choice_of_conditions_has_its_own_code(*, skipped: bool, included: bool) -> None:
    document = """query ($no: Boolean!, $yes: Boolean = true) {
        pieces { name @skip(if: $no) size @include(if: $yes) title @skip(if: $no) @include(if: $yes) }
    }"""
    both = Both()
    for _ in range(2):
        body = await both.same(document, {"no": skipped, "yes": included})
        assert set(body["data"]["pieces"][0]) == {
            key
            for key, is_there in (
                ("name", not skipped),
                ("size", included),
                ("title", included and not skipped),
            )
            if is_there
        }


@pytest.mark.parametrize("how", [*WRONG, "raise", "right"])
@pytest.mark.parametrize(
    "document",
    [
        "query ($how: String!) { plain wrong(how: $how) { value } }",
        "query ($how: String!) { wrong(how: $how) { ...V } plain } fragment V on Count { value __typename }",
        "query ($how: String!) { plain wrongs(hows: [$how]) { value } }",
        'query ($how: String!) { wrongs(hows: ["right", $how, "null", $how]) { value } plain }',
        "query ($how: String!) { plain strict(how: $how) }",
        "query ($how: String!) { a: wrong(how: $how) { value } b: wrong(how: $how) { v: value } plain }",
        "mutation ($how: String!) { add(value: 1) { value } b: add(value: 2, how: $how) { value } }",
        "mutation ($how: String!) { a: add(value: 1, how: $how) { value } b: must(value: 2) { value } }",
        "mutation ($how: String!) { a: must(value: 1, how: $how) { value } b: must(value: 2) { value } }",
    ],
)
async def test_wrong_data_is_told_the_same(document: str, how: str, caplog: pytest.LogCaptureFixture) -> None:
    body = await Both().same(document, {"how": how})
    told = body["errors"] or []
    assert all(error["extensions"] == {"code": "internal_error"} for error in told)
    faults = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(faults) == (2 if told else 0), "once for each executor"


@pytest.mark.parametrize("document", ["{ noPiece { name } plain }", "{ noList plain }", "{ noSize plain }"])
async def test_values_of_no_type_are_told_the_same(document: str) -> None:
    body = await Both().same(document)
    assert len(body["errors"]) == 1
    assert body["data"]["plain"] == "nobody"


async def test_what_the_root_came_to_is_not_asked_for_again() -> None:
    """A mutation whose answer cannot be told is done once; those behind it are done."""
    both = Both()
    with counting() as counted:
        await answered(
            both.compiled,
            "mutation ($how: String!) { add(value: 1) { value } b: add(value: 2, how: $how) { value }"
            " c: add(value: 3) { value } }",
            {"how": "text"},
        )
    assert DONE == [1, 2, 3]
    DONE.clear()
    assert counted == {("unfinished", "data"): 1}


async def test_a_budget_is_not_charged_twice_for_one_answer() -> None:
    both = Both()
    contexts = nobody(), nobody()
    for executor, context in zip((both.compiled, both.ordinary), contexts, strict=True):
        await answered(executor, '{ count { value } wrong(how: "null") { value } }', context=context)
    assert contexts[0].budget.left == contexts[1].budget.left


REASONS = {
    "{ __schema { queryType { name } } }": "introspection",
    '{ __type(name: "Count") { name } }': "introspection",
    "query ("
    + ", ".join(f"$f{n}: Boolean!" for n in range(7))
    + ") { "
    + " ".join(f"a{n}: plain @skip(if: $f{n})" for n in range(7))
    + " }": "flags",
}


@pytest.mark.parametrize("document", REASONS)
async def test_why_there_is_no_code_is_counted(document: str) -> None:
    variables = {f"f{n}": False for n in range(7)} if "$f0" in document else None
    with counting() as counted:
        await Both().same(document, variables)
    assert counted == {("ordinary", REASONS[document]): 1, ("ordinary", "switched off"): 1}


async def test_who_asks_for_paths_below_the_root_gets_them() -> None:
    with counting() as counted:
        body = await Both().same("{ pieces { ... on Wall { place } } }")
    assert body["data"]["pieces"][1] == {"place": "pieces.1.place"}
    assert counted[("unfinished", "path")] == 1


async def test_variables_that_do_not_fit_a_place_are_told_the_same() -> None:
    document = 'query ($name: String = "x") { plain(name: $name) }'
    body = await Both().same(document, {"name": None})
    assert body["errors"][0]["extensions"] == {"code": "invalid_variables"}


async def test_what_was_begun_beside_such_a_place_is_not_left_waiting() -> None:
    """A coroutine that nobody awaits is an error here, and in the log of a service."""
    document = 'query ($how: String = "x") { count { value } strict(how: $how) }'
    body = await Both().same(document, {"how": None})
    assert body["errors"][0]["extensions"] == {"code": "invalid_variables"}
    gc.collect()


@pytest.mark.parametrize("hows", [["a", "b"], ["a", "text", "b"], ["null"], ["a", "raise"], []])
@pytest.mark.parametrize("selected", ["{ value }", "{ __typename v: value value }"])
async def test_events_are_told_the_same(selected: str, hows: list[str]) -> None:
    both = Both()
    told = await events(both.compiled, hows, selected), await events(both.ordinary, hows, selected)
    assert told[0] == told[1]
    assert len(told[0]) == len(hows)


async def events(executor: Executor, hows: list[str], selected: str) -> list[Any]:
    """What a subscription tells, and how it ends if not by itself."""
    document = f"subscription ($hows: [String!]!) {{ counts(hows: $hows) {selected} }}"
    asked = asked_of(executor, document, {"hows": hows}, None)
    results: Any = await executor.subscribed(asked, nobody(), "request")
    told: list[Any] = []
    try:
        async for result in results:
            told += [(_plain(result.data), result.errors)]
    except LookupError as error:
        told += [repr(error)]
    return told


async def test_a_thousand_runs_at_once_do_not_mix() -> None:
    both = Both()
    document = """query ($name: String!, $first: Int!) {
        plain(name: $name) pieces(first: $first) { name } count { value }
    }"""
    given = [{"name": f"n{number}", "first": number % 5} for number in range(1_000)]
    bodies = await asyncio.gather(*(answered(both.compiled, document, each) for each in given))
    assert Counter(body.count(b'"name"') for body in bodies) == dict.fromkeys(range(5), 200)
    assert all(f'"n{number}"'.encode() in body for number, body in enumerate(bodies))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
