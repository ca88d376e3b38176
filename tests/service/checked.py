"""A client whose every answer is held against the contract: the OpenAPI document, and what always holds."""

import re
from collections import Counter
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from litestar import Litestar

from schema.openapi import document
from schema.problems import ENTRIES
from service.languages import CODES
from service.shell import Shell

BASE = "http://cantiere.test"
API = "/api/v1"
COMMON = {"type", "title", "status", "detail", "code"}
"""What every problem tells."""
SENTENCE = b'"text":"'
"""In every body, but MessagePack, that has sentences."""
MOST_BODIES = 15
"""Bodies of one operation and status that are held against their schema, in one run."""

_seen: Counter[tuple[str, str, int]] = Counter()


@cache
def paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Every path of the document, fixed ones first."""
    found = sorted(document()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations) for path, operations in found]


@cache
def validator(reference: str) -> Draft202012Validator:
    """What checks bodies against a component."""
    return Draft202012Validator({"$ref": reference, "components": document()["components"]})


def check(method: str, answer: httpx.Response) -> None:
    """Fail unless the answer is one that the contract lets expect."""
    assert re.fullmatch(r"[\w.-]{1,64}", answer.headers["x-request-id"])
    if answer.is_error:
        _check_problem(method, answer)
    if answer.is_error or SENTENCE in answer.content:
        assert answer.headers["content-language"] in CODES
    operation = operation_of(method, answer.request.url.path)
    if operation is None:
        assert answer.status_code in (204, 404, 405)
        return
    documented = operation["responses"]
    assert str(answer.status_code) in documented, (
        f"{method} {answer.url}: {answer.status_code} is not documented"
    )
    described = documented[str(answer.status_code)]
    if answer.status_code in (204, 304):
        assert answer.content == b""
        return
    media_type = answer.headers["content-type"].partition(";")[0]
    assert media_type in described["content"]
    if method == "HEAD":
        return
    if answer.is_error:
        assert f"`{answer.json()['code']}`" in described["description"]
    if media_type.endswith("json"):
        _check_body(answer, operation["operationId"], described["content"][media_type]["schema"])


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """The operation that the document has at a path."""
    for pattern, operations in paths():
        if pattern.fullmatch(path):
            found: dict[str, Any] | None = operations.get("get" if method == "HEAD" else method.lower())
            return found
    return None


def to_camel(name: str) -> str:
    """The name of a field on the wire."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _check_problem(method: str, answer: httpx.Response) -> None:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    if method == "HEAD":
        return
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"{API}/problems/{problem['code']}"
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", problem["code"])
    assert set(problem) <= COMMON | {to_camel(name) for name in ENTRIES.get(problem["code"], ())}
    assert problem["title"]
    assert problem["detail"]
    assert "Traceback" not in answer.text
    assert ("retry-after" in answer.headers) == (answer.status_code in (429, 503))
    assert ("bucket" in problem) == (answer.status_code == 429)
    assert ("www-authenticate" in answer.headers) == (answer.status_code == 401)
    assert ("allow" in answer.headers) == (answer.status_code == 405)


def _check_body(answer: httpx.Response, name: str, schema: dict[str, Any]) -> None:
    kind = (name, answer.request.method, answer.status_code)
    _seen[kind] += 1
    if "$ref" in schema and _seen[kind] <= MOST_BODIES:
        validator(schema["$ref"]).validate(answer.json())


def in_process(app: Litestar) -> "CheckedTransport":
    """The way to an application that runs in the same process."""
    served: Any = Shell(app)
    return CheckedTransport(httpx.ASGITransport(served))


class CheckedTransport(httpx.AsyncBaseTransport):
    """Passes requests on and checks the answers."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.bodies: list[bytes] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._inner.handle_async_request(request)
        answer.request = request
        await answer.aread()
        self.bodies.append(answer.content)
        check(request.method, answer)
        return answer

    async def aclose(self) -> None:
        await self._inner.aclose()
