"""Commands, settings and GraphQL that the running text of the documents names."""

import re
import shlex
from contextlib import suppress
from pathlib import Path

import click
import pytest
from graphql import GraphQLSchema, build_schema, parse, validate

from service.cli.commands import MODULES
from tests.documents.blocks import DOCUMENTS, spans_of
from tests.documents.commands import PROGRAMS, VARIABLES, check_command, without_variables
from tests.project.sources import ROOT, name_of

NOT_TRIED = {
    "docker": "needs a container engine",
    "redis-cli": "is of the package of a Redis that is not ours",
    "curl": "is done by the test of the section's block",
}
"""Programs of others, and why what is said of them is not tried."""
each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)


def command_in(span: str) -> list[str]:
    """The words of a span that is a command, else none."""
    if not re.match(r"(\.venv/bin/)?[a-z-]+ \S|[A-Z_]+=\S* [a-z]", span):
        return []
    try:
        words = shlex.split(span)
    except ValueError:
        return []
    return words if without_variables(words)[0] in (*PROGRAMS, *NOT_TRIED) else []


@each_document
def test_commands_in_the_text_would_be_taken(document: Path) -> None:
    for words in filter(None, map(command_in, spans_of(document))):
        if without_variables(words)[0] not in NOT_TRIED:
            with suppress(click.MissingParameter):  # the text may speak of one option only
                check_command(words)


def test_commands_in_the_text_are_found() -> None:
    named = {words[1] for document in DOCUMENTS for words in map(command_in, spans_of(document)) if words}
    assert {"tournament", "replay", "components"} <= named & set(MODULES)


@pytest.mark.parametrize("line", ["cantiere dance", "cantiere replay FILE --loud", "make haste", "dance now"])
def test_a_command_that_would_not_be_taken_is_found(line: str) -> None:
    with pytest.raises((AssertionError, click.ClickException)):
        check_command(line.split())


@each_document
def test_settings_that_are_named_exist(document: Path) -> None:
    named = re.findall(r"CANTIERE_[A-Z_]*[A-Z](?![A-Z_…])", document.read_text())
    assert set(named) - VARIABLES - {"CANTIERE_ACCOUNT_TOKEN"} == set()


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    """The committed one."""
    text = (ROOT / "schema/schema.graphql").read_text()
    return build_schema(text, assume_valid=True, assume_valid_sdl=True)


def test_operations_in_the_text_fit_the_schema(schema: GraphQLSchema) -> None:
    operations = [
        span
        for document in DOCUMENTS
        for span in spans_of(document)
        if re.match(r"(query|mutation|subscription)\b.*\{", span)
    ]
    assert operations
    for operation in operations:
        assert validate(schema, parse(operation)) == []
