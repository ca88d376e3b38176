"""What is chosen for a match is published beforehand, shown in the match, and kept in its transcript."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from engine.registry import GAMES
from engine.transcript import parse_text
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)


def resolved(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """The described object that a node refers to, or the node."""
    found: dict[str, Any] = schema["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    return found


def leaves(
    schema: dict[str, Any], node: dict[str, Any], *path: str
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every single option with the way to it."""
    for name, field in resolved(schema, node)["properties"].items():
        if "properties" in resolved(schema, field):
            yield from leaves(schema, field, *path, name)
        else:
            yield (*path, name), field


def others(schema: dict[str, Any]) -> dict[str, Any]:
    """For every option that has a list of values, one that is not the default."""
    chosen: dict[str, Any] = {}
    for (*groups, name), field in leaves(schema, schema):
        values = field.get("enum", [True, False] if field.get("type") == "boolean" else [])
        place = chosen
        for group in groups:
            place = place.setdefault(group, {})
        if other := [value for value in values if value != field["default"]]:
            place[name] = other[0]
    return chosen


def spelled(name: str) -> str:
    """The field of the engine that is sent under a name."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


@each_game
async def test_every_option_is_published_with_title_description_and_default(
    api: httpx.AsyncClient, slug: str
) -> None:
    schema = (await api.get(f"/games/{slug}")).json()["options"]
    Draft202012Validator.check_schema(schema)
    fields = dict(leaves(schema, schema))
    assert {spelled(path[0]) for path in fields} == set(GAMES[slug].options_type.__struct_fields__)
    for path, field in fields.items():
        assert field["title"], path
        assert field["description"], path
        assert "default" in field, path
    (top,) = [part for part in schema["$defs"].values() if part is resolved(schema, schema)]
    plain = (await Table.opened(api, slug, 2)).path
    shown = (await api.get(plain)).json()["options"]
    assert shown == {name: field["default"] for name, field in top["properties"].items()}


@each_game
async def test_the_other_value_of_every_option_is_shown_in_the_match_and_kept(
    api: httpx.AsyncClient, slug: str
) -> None:
    schema = (await api.get(f"/games/{slug}")).json()["options"]
    chosen = others(schema)
    Draft202012Validator(schema).validate(chosen)
    table = await Table.started(api, slug, 2, options=chosen)
    shown = (await table.get())["options"]
    kept = parse_text((await api.get(f"{table.path}/transcript", headers={"accept": "text/plain"})).text)
    for path, field in leaves(schema, schema):
        wanted, seen, noted = chosen, shown, kept.deal["options"]
        for name in path:
            wanted, seen, noted = wanted.get(name, {}), seen[name], noted[spelled(name)]
        assert seen == noted == (wanted if wanted != {} else field["default"]), path


@each_game
@pytest.mark.parametrize("depth", [1, 2])
async def test_an_option_that_does_not_exist_is_refused_by_name(
    api: httpx.AsyncClient, slug: str, depth: int
) -> None:
    schema = (await api.get(f"/games/{slug}")).json()["options"]
    groups = [path[0] for path, _ in leaves(schema, schema) if len(path) == 2]
    if depth == 2 and not groups:
        return
    options: dict[str, Any] = {"nonsense": 1} if depth == 1 else {groups[0]: {"nonsense": 1}}
    answer = await api.post("/matches", json={"game": slug, "seats": 2, "options": options})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_setup")
    assert "nonsense" in answer.json()["detail"]


def as_floats(value: Any) -> Any:
    """The same data as clients send it whose numbers are all floats."""
    match value:
        case bool():
            return value
        case int():
            return float(value)
        case list():
            return [as_floats(entry) for entry in value]
        case dict():
            return {name: as_floats(entry) for name, entry in value.items()}
    return value


@each_game
async def test_whole_numbers_may_have_a_fraction_of_zero(api: httpx.AsyncClient, slug: str) -> None:
    options = (await (await Table.opened(api, slug, 2)).get())["options"]
    table = await Table.started(api, slug, 2, options=as_floats(options))
    assert (await table.get())["options"] == options
    deal = (await table.get("/transcript"))["deal"]
    again = await Table.started(api, slug, 2, options=as_floats(options), deal=as_floats(deal))
    assert (await again.get("/transcript"))["deal"] == deal
    asked = {"game": slug, "seats": 2, "deal": as_floats(deal) | {"seats": 2.5}}
    assert (await api.post("/matches", json=asked)).json()["where"] == "deal.seats"
