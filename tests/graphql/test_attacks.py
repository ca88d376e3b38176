"""What is known to bring GraphQL servers down, or to make them tell too much, against a server that runs.

The twelve that scanners look for, each by its name, and what follows from them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.settings import Settings
from tests.graphql.served import JSON, RESPONSE, Served, served

SETTINGS = Settings()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with the settings that it has by itself."""
    with served(tmp_path_factory.mktemp("attacked")) as found:
        yield found


def refused(server: Served, query: str) -> tuple[str, str]:
    """The code and the message of a refusal that came before anything was done."""
    status, code, message = server.refused(query)
    assert status == 400
    return code, message


def test_alias_overload(server: Served) -> None:
    query = "{ " + " ".join(f"a{number}: __typename" for number in range(100)) + " }"
    assert refused(server, query) == ("too_costly", "An operation has 100 aliases; 60 are allowed.")


def test_array_batching(server: Served) -> None:
    body = [{"query": "{ __typename }"}] * 10
    answer = server.client.post("/graphql", json=body, headers={"accept": RESPONSE})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["extensions"] == {"code": "batch_refused"}


def test_directive_overload(server: Served) -> None:
    code, _ = refused(server, "{ __typename " + "@skip(if: false)" * 500 + " }")
    assert code == "too_costly"
    assert refused(server, "{ __typename " + "@aa" * 40 + " }")[0] == "invalid_document"
    assert len(server.post("{ __typename " + "@aa" * 40 + " }").json()["errors"]) <= 21


def test_field_duplication(server: Served) -> None:
    code, message = refused(server, "{ games { " + "slug " * 1_000 + "} }")
    assert (code, message) == ("too_costly", "`slug` is selected 1000 times; 100 are allowed.")
    assert refused(server, "{ " + "__typename " * 1_000 + "}")[0] == "too_costly"


def test_field_overload_by_fragments(server: Served) -> None:
    """Each fragment spreads the next one twice: 2^30 fields in a kilobyte."""
    fragments = " ".join(
        f"fragment F{number} on Query {{ ...F{number + 1} ...G{number + 1} }}"
        f" fragment G{number} on Query {{ ...F{number + 1} ...G{number + 1} }}"
        for number in range(30)
    )
    last = "fragment F30 on Query { __typename } fragment G30 on Query { __typename }"
    assert refused(server, f"{{ ...F0 ...G0 }} {fragments} {last}")[0] == "too_costly"


def test_circular_introspection(server: Served) -> None:
    around = "{ __schema { types { " + "fields { type { " * 4 + "name" + " } }" * 4 + " } } }"
    assert refused(server, around)[0] == "invalid_document"


def test_mutations_by_get(server: Served) -> None:
    answer = server.client.get("/graphql", params={"query": "mutation { __typename }"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert answer.json()["errors"][0]["extensions"] == {"code": "method_not_allowed"}


@pytest.mark.parametrize(
    "sent_as", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""]
)
def test_forms_of_other_origins(server: Served, sent_as: str) -> None:
    """What a page of another origin may send without asking the server beforehand is not read."""
    headers = {"content-type": sent_as, "accept": JSON, "origin": "https://elsewhere.example"}
    answer = server.client.post("/graphql", content=b'{"query": "mutation { __typename }"}', headers=headers)
    assert answer.status_code == 415
    assert answer.json()["errors"][0]["extensions"] == {"code": "unsupported_media_type"}
    assert "access-control-allow-origin" not in answer.headers


def test_suggestions(server: Served) -> None:
    for query in (
        "{ gamez { slug } }",
        "{ games { slugg } }",
        "{ game(slugg: 1) { slug } }",
        "{ games { slug } } @skp",
    ):
        assert "did you mean" not in server.post(query).text.lower()
    answer = server.post("query ($f: Fist) { games { slug } }")
    assert "did you mean" not in answer.text.lower()


def test_tracing(server: Served) -> None:
    """Nothing is told of how long what took, whatever is asked for."""
    answer = server.client.post(
        "/graphql",
        json={"query": "{ __typename }", "extensions": {"tracing": True}},
        headers={"x-apollo-tracing": "1", "apollo-federation-include-trace": "ftv1"},
    )
    assert answer.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    "query",
    [
        "{",
        "{ games }",
        "{ game(slug: 1) { slug } }",
        '{ game(slug: "nothing") { slug } }',
        '{ match(id: "no id") { id } }',
        "query ($x: Int!) { __typename @skip(if: $x) }",
        "\x00",
        "{ __typename } " * 2,
    ],
)
def test_debug_mode(server: Served, query: str) -> None:
    """No stack, no path, no class of ours; and nobody is called because of a client's fault."""
    answer = server.post(query)
    for telling in ("Traceback", "site-packages", ".py", "Exception", "strawberry"):
        assert telling not in answer.text
    assert all(error["extensions"]["code"].islower() for error in answer.json()["errors"])
    assert "ERROR" not in server.log.read_text()


def test_exposed_explorer(server: Served) -> None:
    headers = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = server.client.get("/graphql", headers=headers)
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert server.client.get("/graphql", headers={"accept": "text/html"}).status_code == 406
    for path in ("/graphiql", "/playground", "/altair", "/voyager", "/graphql/assets/x/explorer.js"):
        assert server.client.get(path).status_code == 404


def test_deep_and_circular_fragments(server: Served) -> None:
    deep = "{ __schema " + "{ types " * 3 + "{ ofType " * 30 + "{ name }" + " }" * 33 + " }"
    assert refused(server, deep) == (
        "too_costly",
        "An operation has 35 levels of fields; 24 are allowed.",
    )
    circle = "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"
    assert refused(server, circle)[0] == "invalid_document"
    assert refused(server, "{ " + "... { " * 3_000 + "__typename" + " }" * 3_001)[0] in (
        "malformed_document",
        "too_costly",
    )
    chain = " ".join(f"fragment F{number} on Query {{ ...F{number + 1} }}" for number in range(490))
    assert refused(server, f"{{ ...F0 }} {chain} fragment F490 on Query {{ __typename }}")[0] in (
        "invalid_document",
        "too_costly",
    )


def test_tokens_are_counted_before_they_are_understood(server: Served) -> None:
    assert refused(server, "{ " + "x " * 20_000 + "}")[0] == "malformed_document"
    assert refused(server, "#" + "x" * 50_000)[0] == "malformed_document"


def test_lists_and_trees_are_priced(server: Served) -> None:
    code, message = refused(server, "{ matches(first: 2000000000) { edges { node { id } } } }")
    assert code == "too_costly"
    assert f"{SETTINGS.graphql_max_cost} is allowed" in message
    answer = server.post(
        "query ($n: Int!) { matches(first: $n) { edges { node { id } } } }", variables={"n": 10**9}
    )
    assert answer.json()["errors"][0]["extensions"] == {"code": "too_costly"}
    assert server.post(
        "query ($n: Int!) { matches(first: $n) { edges { node { id } } } }", variables={"n": 1}
    ).is_success


def test_large_bodies_and_numbers(server: Served) -> None:
    answer = server.post("{ __typename }", variables={"x": "y" * SETTINGS.max_body})
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["extensions"] == {"code": "body_too_large"}
    deep = '{"query": "{ __typename }", "variables": {"x": ' + "[" * 30_000 + "]" * 30_000 + "}}"
    answer = server.client.post("/graphql", content=deep, headers={"content-type": JSON, "accept": JSON})
    assert answer.status_code == 400


def test_the_server_is_well_after_all_this(server: Served, tmp_path: Path) -> None:
    assert server.post("{ games { slug } }").json()["data"]["games"]
    assert "Traceback" not in server.log.read_text()
