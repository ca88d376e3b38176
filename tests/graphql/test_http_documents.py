"""Documents that a worker keeps: persisted ones, and how many."""

import hashlib
import json
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from service.errors import InvalidBody
from service.graphql.documents import Documents
from service.graphql.persisted import Persisted
from service.graphql.refusals import (
    InvalidDocument,
    MalformedDocument,
    NotRegistered,
    PersistedQueryNotFound,
    RequestRefused,
    UnknownOperation,
)
from service.settings import BadSettings, Settings
from tests.graphql.sample import SCHEMA

TEXT, OTHER = "{ plain }", "{ __typename }"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def named(text: str, **other: Any) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": digest(text)} | other}


def test_a_document_is_found_by_its_hash_after_it_was_sent_along() -> None:
    persisted = Persisted(Settings())
    with pytest.raises(PersistedQueryNotFound, match=r"^PersistedQueryNotFound$"):
        persisted.text(None, named(TEXT))
    assert persisted.text(TEXT, named(TEXT)) == TEXT
    assert persisted.text(None, named(TEXT)) == TEXT


def test_as_many_are_kept_as_documents() -> None:
    persisted = Persisted(Settings(graphql_cache=3))
    texts = [f"{{ a{number} }}" for number in range(4)]
    for text in texts:
        persisted.text(text, named(text))
    with pytest.raises(PersistedQueryNotFound):
        persisted.text(None, named(texts[0]))
    assert [persisted.text(None, named(text)) for text in texts[1:]] == texts[1:]


@pytest.mark.parametrize(
    "extensions",
    [
        named(OTHER),
        named(TEXT, version=2),
        named(TEXT, sha256Hash="x"),
        named(TEXT, sha256Hash=digest(TEXT).upper()),
        {"persistedQuery": {}},
        {"persistedQuery": None},
        {"persistedQuery": {"version": "1", "sha256Hash": digest(TEXT)}},
    ],
)
def test_a_hash_that_is_none_of_the_document_is_refused(extensions: dict[str, Any]) -> None:
    persisted = Persisted(Settings())
    with pytest.raises(InvalidBody):
        persisted.text(TEXT, extensions)
    with pytest.raises(PersistedQueryNotFound):
        persisted.text(None, named(TEXT))


@pytest.mark.parametrize("extensions", [None, {}, {"other": 1}])
def test_without_hash_and_text_nothing_is_asked(extensions: dict[str, Any] | None) -> None:
    with pytest.raises(InvalidBody):
        Persisted(Settings()).text(None, extensions)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one registered document."""
    path = tmp_path / "documents.json"
    path.write_text(json.dumps({digest(TEXT): TEXT}))
    return path


def test_registered_documents_are_there_from_the_start(file: Path) -> None:
    persisted = Persisted(Settings(graphql_documents=str(file)))
    assert persisted.text(None, named(TEXT)) == TEXT
    assert persisted.text(OTHER, None) == OTHER


def test_where_only_registered_documents_are_answered_others_are_refused(file: Path) -> None:
    persisted = Persisted(Settings(graphql_documents=str(file), graphql_unregistered="off"))
    assert persisted.text(None, named(TEXT)) == TEXT
    assert persisted.text(TEXT, None) == TEXT
    for _ in range(2):
        with pytest.raises(NotRegistered):
            persisted.text(OTHER, None)
        with pytest.raises(NotRegistered):
            persisted.text(OTHER, named(OTHER))
        with pytest.raises(PersistedQueryNotFound):
            persisted.text(None, named(OTHER))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("[]", "is no JSON object of texts"),
        ("{", "is no JSON object of texts"),
        ('{"a": 1}', "is no JSON object of texts"),
        ('{"abc": "{ plain }"}', "abc in .* is not the SHA-256 of its document"),
    ],
)
def test_a_bad_file_of_documents_is_told_by_its_name(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "documents.json"
    path.write_text(content)
    with pytest.raises(BadSettings, match=f"^CANTIERE_GRAPHQL_DOCUMENTS: .*{why}"):
        Persisted(Settings(graphql_documents=str(path)))
    with pytest.raises(BadSettings, match="cannot be read"):
        Persisted(Settings(graphql_documents=str(tmp_path / "nothing")))


def test_documents_are_kept_as_long_as_they_are_used() -> None:
    documents = Documents(SCHEMA, Settings(graphql_cache=2))
    first = documents.operation(TEXT, None)
    documents.operation(OTHER, None)
    assert documents.operation(TEXT, None) is first
    documents.operation("{ a: plain }", None)
    assert TEXT in documents
    assert OTHER not in documents


def test_of_long_documents_fewer_are_kept() -> None:
    documents = Documents(SCHEMA, Settings(graphql_cache=10))
    texts = [f"{{ {name}: plain {'#' * 8_000}\n }}" for name in "abcdef"]
    for text in texts:
        documents.operation(text, None)
    assert [text in documents for text in texts] == [False] * 4 + [True] * 2
    longest = f"{{ plain {'#' * 30_000}\n }}"
    documents.operation(longest, None)
    assert longest in documents
    assert texts[-1] not in documents
    documents.operation("{ plain }", None)
    assert longest not in documents


@pytest.mark.parametrize(("text", "refusal"), [("{", MalformedDocument), ("{ nothing }", InvalidDocument)])
def test_refusals_are_kept_too_and_do_not_grow(text: str, refusal: type[RequestRefused]) -> None:
    documents = Documents(SCHEMA, Settings())
    told = [refused(documents, text, refusal) for _ in range(3)]
    assert text in documents
    assert [each.value.errors for each in told] == [told[0].value.errors] * 3
    assert len(told[2].traceback) == len(told[1].traceback)


@pytest.mark.parametrize(("text", "refusal"), [("{", MalformedDocument), ("{ nothing }", InvalidDocument)])
def test_a_refusal_that_is_kept_does_not_keep_who_was_refused(
    text: str, refusal: type[RequestRefused]
) -> None:
    class Asking:
        """A request."""

    def ask() -> "weakref.ref[Asking]":
        asking = Asking()
        with suppress(refusal):
            documents.operation(text, None)
        return weakref.ref(asking)

    documents = Documents(SCHEMA, Settings())
    assert [ask()() for _ in range(2)] == [None, None]
    assert text in documents


def refused(
    documents: Documents, text: str, refusal: type[RequestRefused]
) -> pytest.ExceptionInfo[RequestRefused]:
    """How a document is refused."""
    with pytest.raises(refusal) as found:
        documents.operation(text, None)
    return found


def test_operations_are_found_by_their_names() -> None:
    documents = Documents(SCHEMA, Settings())
    both = "query A { plain } query B { __typename }"
    assert documents.operation(both, "B").name == "B"
    assert documents.operation("query A { plain }", None).name == "A"
    with pytest.raises(UnknownOperation, match="Name one of the operations of the document: A, B"):
        documents.operation(both, None)
    for text, name in ((both, "C"), (both, ""), (TEXT, "A")):
        with pytest.raises(UnknownOperation, match="The document has no operation"):
            documents.operation(text, name)


def test_introspection_can_be_switched_off() -> None:
    documents = Documents(SCHEMA, Settings(graphql_introspection="off"))
    documents.operation("{ __typename }", None)
    for text in ("{ __schema { queryType { name } } }", '{ __type(name: "Query") { name } }'):
        with pytest.raises(InvalidDocument, match="introspection"):
            documents.operation(text, None)


def test_suggestions_can_be_switched_on() -> None:
    with pytest.raises(InvalidDocument, match="Did you mean 'plain'"):
        Documents(SCHEMA, Settings(graphql_suggestions="on")).operation("{ plane }", None)
    told = refused(Documents(SCHEMA, Settings()), "{ plane }", InvalidDocument)
    assert "mean" not in str(told.value)
