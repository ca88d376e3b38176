"""Random queries about real matches: both executors answer them alike, also what is kept of positions."""

import random
from typing import Any

import httpx
import pytest
from graphql import ArgumentNode, Visitor, parse, parse_value, print_ast, visit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import queries
from litestar import Litestar

from engine.registry import GAMES
from schema.games import move_kinds
from schema.graphql.build import printed
from service.graphql.refusals import RequestRefused
from tests.graphql.pair import Pair
from tests.graphql.test_compiled_random import twisted
from tests.service.table import Table

pytestmark = pytest.mark.anyio

NONE = {name: st.nothing() for name in ("DateTime", "JSON", "Milliseconds")}
RANDOM = queries(printed(), fields=("match",), custom_scalars=NONE, allow_x00=False)
GIVEN = (RANDOM, st.integers(0, 2**20))
MOVES = 3


class Fitting(Visitor):
    """Puts arguments that mean something in a match where random ones stand; now and then these stay."""

    def __init__(self, seed: int, values: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self._random = random.Random(seed)  # noqa: S311 - it is a test
        self._values = values

    def enter_argument(self, node: ArgumentNode, *_: Any) -> ArgumentNode | None:
        values = self._values.get(node.name.value)
        if values is None or (self._random.random() < 0.1 and node.name.value != "id"):
            return None
        return ArgumentNode(name=node.name, value=parse_value(self._random.choice(values)))


class Sample:
    """A match under way, both executors, and arguments that mean something there."""

    def __init__(self, app: Litestar, table: Table, legal: list[str], game: str) -> None:
        self._pair = Pair(app)
        first, last = (f'"{legal[place]}"' for place in (0, -1))
        self._values = {
            "id": (f'"{table.id}"',),
            "moves": ("[]", f"[{first}]", f"[{last}]"),
            "move": (first, last),
            "notation": (first, last),
            "version": tuple(map(str, range(table.version + 1))),
            "after": ("0", "1"),
            "first": ("null", "0", "1", "2", "7"),
            "kinds": ("null", *(f'["{kind}"]' for kind in move_kinds(game))),
        }

    async def check(self, document: str, seed: int) -> None:
        """Both answer alike, twice, or refuse it alike."""
        fitted = print_ast(visit(parse(twisted(document, seed)), Fitting(seed, self._values)))
        try:
            assert await self._pair.same(fitted, {}) == await self._pair.same(fitted, {})
        except RequestRefused as refused:
            with pytest.raises(type(refused)):
                await self._pair.told(self._pair.ordinary, fitted, {})


@pytest.fixture(params=GAMES)
async def sample(request: pytest.FixtureRequest, app: Litestar, api: httpx.AsyncClient) -> Sample:
    table = await Table.started(api, request.param, 2)
    await table.play_any(MOVES)
    return Sample(app, table, await table.legal(), request.param)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(*GIVEN)
async def test_random_queries_of_matches_are_answered_alike(sample: Sample, document: str, seed: int) -> None:
    await sample.check(document, seed)


@pytest.mark.soak
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(*GIVEN)
async def test_many_random_queries_of_matches_are_answered_alike(
    sample: Sample, document: str, seed: int
) -> None:
    await sample.check(document, seed)
