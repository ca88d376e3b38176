"""Questions that are asked again in the same bytes: which are kept, and that each still counts."""

import json
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar

from service.graphql.asking import of_body
from service.graphql.execution import Executor
from service.graphql.repeated import LONGEST, Repeated
from service.settings import Settings
from service.shell import Shell
from tests.graphql.sample import SCHEMA
from tests.service.checked import BASE

STRANGER = ("203.0.113.9", 1)
"""The address of one who is limited."""


def body(query: str, **more: Any) -> bytes:
    return json.dumps({"query": query} | more).encode()


def is_kept(data: bytes) -> bool:
    """Whether a question is known when it is asked again."""
    executor, repeated, wanted = Executor(SCHEMA, Settings()), Repeated(3), of_body(data)
    assert wanted.query is not None
    operation = executor.documents.operation(wanted.query, wanted.operation_name)
    asked = executor.asked(operation, wanted.variables)
    repeated.put(data, wanted, asked)
    found = repeated.get(data)
    assert found in (asked, None)
    return found is not None


NAMED = "query ($name: String!) { plain(name: $name) }"
SPANS = "query ($spans: [Span!]!) { pieces { ... on Tower { between(spans: $spans) } } }"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (body("{ plain }"), True),
        (body(NAMED, variables={"name": "x"}), True),
        (body(NAMED, variables={"name": "x" * LONGEST}), False),
        (body(SPANS, variables={"spans": []}), False),
        (body("mutation { add(value: 1) { value } }"), False),
        (body('subscription { counts(hows: ["a"]) { value } }'), False),
        (body("{ plain }", extensions={"a": 1}), False),
    ],
)
def test_which_questions_are_kept(data: bytes, *, expected: bool) -> None:
    assert is_kept(data) is expected


def test_those_that_were_asked_last_are_kept() -> None:
    executor, repeated = Executor(SCHEMA, Settings()), Repeated(3)
    bodies = [body(NAMED, variables={"name": str(number)}) for number in range(5)]
    for data in bodies:
        wanted = of_body(data)
        operation = executor.documents.operation(NAMED, None)
        repeated.put(data, wanted, executor.asked(operation, wanted.variables))
        assert repeated.get(bodies[0]) is not None, "it is asked all the time"
    known = [data for data in bodies if repeated.get(data) is not None]
    assert known == [bodies[0], *bodies[3:]]


@pytest.mark.anyio
async def test_a_question_counts_each_time(app: Litestar) -> None:
    served: Any = Shell(app)
    transport = httpx.ASGITransport(served, client=STRANGER)
    left = []
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        for _ in range(4):
            answer = await client.post(
                "/graphql", content=body("{ games { slug } }"), headers={"content-type": "application/json"}
            )
            assert msgspec.json.decode(answer.content)["data"]["games"]
            left.append(int(answer.headers["ratelimit"].partition(";r=")[2].partition(";")[0]))
    assert left == [left[0], left[0] - 1, left[0] - 2, left[0] - 3]
