"""Random queries that fit the schema, of values that may be wrong: both executors answer them alike."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from graphql import (
    ArgumentNode,
    BooleanValueNode,
    DirectiveNode,
    FieldNode,
    NameNode,
    Visitor,
    parse,
    print_ast,
    visit,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import queries

from service.graphql.refusals import RequestRefused
from tests.graphql.sample import PIECES, SCHEMA, WRONG, Both

FIELDS = ("plain", "pieces", "union", "count")
"""Fields at the root whose values are right, unless they are spoilt."""
RANDOM = queries(SCHEMA.as_str(), fields=FIELDS, custom_scalars={"Day": st.nothing()}, allow_x00=False)
SPOILT = [(piece, name) for piece in PIECES for name in vars(piece)]
CALM = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
BOTH = Both()


class Twist(Visitor):
    """Gives some fields another name, and some a condition."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)  # noqa: S311 - it is a test
        self._count = 0

    def enter_field(self, node: FieldNode, *_: Any) -> FieldNode:
        self._count += 1
        alias = NameNode(value=f"f{self._count}") if self._random.random() < 0.2 else None
        conditions = (self._condition(),) if self._random.random() < 0.2 else ()
        return FieldNode(
            alias=alias,
            name=node.name,
            arguments=node.arguments,
            directives=conditions,
            selection_set=node.selection_set,
        )

    def _condition(self) -> DirectiveNode:
        value = BooleanValueNode(value=self._random.random() < 0.7)
        argument = ArgumentNode(name=NameNode(value="if"), value=value)
        return DirectiveNode(
            name=NameNode(value=self._random.choice(("include", "skip"))), arguments=(argument,)
        )


def twisted(document: str, seed: int) -> str:
    return print_ast(visit(parse(document), Twist(seed)))


@contextmanager
def spoilt(piece: Any, name: str, value: Any) -> Iterator[None]:
    """A field of a value is wrong in the block."""
    kept = getattr(piece, name)
    setattr(piece, name, value)
    try:
        yield
    finally:
        setattr(piece, name, kept)


def check(document: str) -> None:
    """Both answer alike, or refuse it alike."""
    try:
        asyncio.run(BOTH.same(document))
    except RequestRefused as refused:
        with pytest.raises(type(refused)):
            BOTH.ordinary.asked(BOTH.ordinary.documents.operation(document, None), {})


def check_spoilt(document: str, seed: int, place: tuple[Any, str], wrong: str) -> None:
    document = twisted(document, seed)
    check(document)
    with spoilt(*place, WRONG[wrong]):
        check(document)


GIVEN = (RANDOM, st.integers(0, 2**20), st.sampled_from(SPOILT), st.sampled_from(sorted(WRONG)))


@CALM
@given(*GIVEN)
def test_random_queries_are_answered_alike(
    document: str, seed: int, place: tuple[Any, str], wrong: str
) -> None:
    check_spoilt(document, seed, place, wrong)


@pytest.mark.soak
@settings(suppress_health_check=list(HealthCheck))
@given(*GIVEN)
def test_many_random_queries_are_answered_alike(
    document: str, seed: int, place: tuple[Any, str], wrong: str
) -> None:
    check_spoilt(document, seed, place, wrong)
