"""The values of variables are those that the library finds, however they are found."""

from typing import Any

import pytest
from graphql import OperationDefinitionNode, VariableDefinitionNode, parse
from graphql.execution.values import VariableValues, get_variable_values

from service.graphql.compiled.variables import Variables
from tests.graphql.sample import SCHEMA

CORE = SCHEMA._schema
TYPES = ("String", "String!", "ID!", "Int", "Int!", "Boolean", "Boolean! = true", 'String = "x"', "Float!")
LISTS = ("[String!]!", "[Int]", "Span", "Span!")
VALUES = ("a", "", 0, 1, -(2**31), 2**31, -(2**31) - 1, 1.0, 1.5, True, None, ["a"], [1, None], {"start": 2})


def definitions(*kinds: str) -> tuple[VariableDefinitionNode, ...]:
    given = ", ".join(f"$v{number}: {kind}" for number, kind in enumerate(kinds))
    (operation,) = parse(f"query ({given}) {{ plain }}").definitions
    assert isinstance(operation, OperationDefinitionNode)
    return tuple(operation.variable_definitions or ())


def check(kinds: tuple[str, ...], sent: dict[str, Any]) -> None:
    """What is found is what the library finds, kinds of numbers included."""
    nodes = definitions(*kinds)
    found = Variables(CORE, nodes, hides_suggestions=True).values(sent)
    expected = get_variable_values(CORE, nodes, sent, max_errors=20, hide_suggestions=True)
    if isinstance(expected, list):
        assert isinstance(found, list)
        assert [error.formatted for error in found] == [error.formatted for error in expected]
        return
    assert isinstance(found, VariableValues)
    assert repr(found.coerced) == repr(expected.coerced)
    for values in (found, expected):
        assert all(source.signature.name == name for name, source in values.sources.items())
    assert _values(found) == _values(expected)


def _values(found: VariableValues) -> dict[str, Any]:
    return {name: (source.value, str(source.signature.type)) for name, source in found.sources.items()}


@pytest.mark.parametrize("kind", TYPES + LISTS)
def test_one_variable(kind: str) -> None:
    check((kind,), {})
    for value in VALUES:
        check((kind,), {"v0": value})
        check((kind,), {"v0": value, "unknown": 1})


def test_several_variables() -> None:
    kinds = ("ID!", "Int", "String")
    for sent in (
        {"v0": "a", "v1": 1, "v2": "b"},
        {"v0": "a", "v1": 1},
        {"v0": "a", "v1": None, "v2": "b"},
        {"v0": 1, "v1": 1, "v2": "b"},
        {"v0": "a", "v1": "1", "v2": 2},
    ):
        check(kinds, sent)
