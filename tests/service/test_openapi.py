"""The contract is printed, committed and kept."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from litestar import Litestar
from litestar.routes import HTTPRoute
from openapi_spec_validator import validate

from engine.registry import GAMES
from schema.openapi import document, printed
from schema.operations import API, OPERATIONS
from schema.problems import KINDS
from service import errors
from service.graphql import refusals
from tests.service.table import SLUGS, Table

ROOT = Path(__file__).parents[2]


def test_the_committed_document_is_the_printed_one() -> None:
    committed = (ROOT / "schema/openapi.json").read_text()
    assert committed == printed(), "run: python -m schema > schema/openapi.json"


def test_the_module_prints_it() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "schema"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert run.stdout == printed()


def test_it_is_valid_openapi() -> None:
    contract: Any = document()
    validate(contract)
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere() -> None:
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', printed()))
    assert names <= set(document()["components"]["schemas"])


@pytest.mark.anyio
async def test_the_routes_are_the_documented_operations(app: Litestar) -> None:
    routes = {
        (route.path.replace("{version:int}", "{version}"), method)
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith(f"{API}/")
        for method in route.methods
        if method != "OPTIONS"
    }
    assert {(re.sub(r":\w+", "", path), method) for path, method in routes} == {
        (API + re.sub(r":\w+", "", operation.path), operation.method) for operation in OPERATIONS
    }
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)


@pytest.mark.anyio
async def test_it_is_served(api: httpx.AsyncClient) -> None:
    answer = await api.get("/openapi.json")
    assert answer.json() == document()
    assert "http" not in json.dumps(document()["paths"])


def test_every_error_has_a_kind_of_problem() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    codes = [cls.code for cls in classes if issubclass(cls, errors.Refused)]
    assert set(codes) <= set(KINDS)
    answered = {code for operation in OPERATIONS for code in operation.codes}
    everywhere = {"method_not_allowed", "not_found"}
    of_graphql = {cls.code for cls in refusals.RequestRefused.__subclasses__()}
    assert set(KINDS) == answered | everywhere | of_graphql & set(KINDS)


@pytest.mark.anyio
@pytest.mark.parametrize("slug", SLUGS)
async def test_the_schemas_of_a_game_accept_what_is_sent(api: httpx.AsyncClient, slug: str) -> None:
    game: dict[str, Any] = (await api.get(f"/games/{slug}")).json()
    table = await Table.started(api, slug, 2)
    await table.play_any(3)
    match = await table.get()
    Draft202012Validator(game["state"]).validate(match["state"])
    Draft202012Validator(game["options"]).validate(match["options"])
    Draft202012Validator(game["deal"]).validate((await table.get("/transcript"))["deal"])
    for move in (await table.get("/legal-moves"))["moves"]:
        Draft202012Validator(game["move"]).validate(move["move"])
    assert set(game["moveKinds"]) == set(game["move"]["discriminator"]["mapping"])
    assert slug in GAMES
