"""A field may ask for another language than its request, and neighbours in one request for several."""

from typing import Any

import httpx
import pytest

from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
MOVES = "{ legalMoves(first: 3) { notation text } }"
MATCHES = f"""query ($id: ID!) {{
  asked: match(id: $id) {MOVES}
  pt: match(id: $id, lang: "pt-BR, en;q=0.5") {MOVES}
  es: match(id: $id, lang: "es") {MOVES}
  other: match(id: $id, lang: "fi") {MOVES}
}}"""
LOBBY = f'{{ matches(lang: "es") {{ nodes {MOVES} }} }}'
GAMES = "query ($lang: String) { games(lang: $lang) { slug options } }"
GAME = "query ($slug: String!, $lang: String) { game(slug: $slug, lang: $lang) { slug options } }"


async def ask(door: httpx.AsyncClient, query: str, language: str = "en", **values: Any) -> Any:
    headers = {"accept-language": language}
    answer = await door.post("/graphql", json={"query": query, "variables": values}, headers=headers)
    return answer.json()


async def rest(api: httpx.AsyncClient, path: str, language: str) -> Any:
    return (await api.get(path, headers={"accept-language": language})).json()


@pytest.mark.parametrize("slug", SLUGS)
async def test_matches_are_told_in_several_languages_at_once(
    door: httpx.AsyncClient, api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.started(api, slug, 2)
    first, told = [(await ask(door, MATCHES, "pt", id=table.id))["data"] for _ in range(2)]
    assert first == told  # which came from memory
    for name, language in {"asked": "pt", "pt": "pt", "es": "es", "other": "en"}.items():
        listed = (await rest(api, f"{table.path}/legal-moves", language))["moves"][:3]
        texts = [{part: move[part] for part in ("notation", "text")} for move in listed]
        assert told[name]["legalMoves"] == texts, name
    assert len({told[name]["legalMoves"][0]["text"] for name in ("pt", "es", "other")}) == 3
    lobby = (await ask(door, LOBBY))["data"]["matches"]["nodes"]
    assert lobby == [told["es"]]


@pytest.mark.parametrize("slug", SLUGS)
async def test_games_are_told_in_the_language_of_the_request_or_the_field(
    door: httpx.AsyncClient, api: httpx.AsyncClient, slug: str
) -> None:
    for language in ("en", "pt", "es"):
        known = await rest(api, f"/games/{slug}", language)
        for asked, values in ((language, {}), ("en", {"lang": language})):
            game = (await ask(door, GAME, asked, slug=slug, **values))["data"]["game"]
            games = (await ask(door, GAMES, asked, **values))["data"]["games"]
            assert game == {"slug": slug, "options": known["options"]}
            assert game in games


async def test_a_language_is_named_briefly(door: httpx.AsyncClient) -> None:
    told = await ask(door, GAMES, lang="e" * 201)
    assert told["errors"][0]["extensions"]["code"] == "invalid_query"
    assert "lang" in told["errors"][0]["message"]


async def test_refusals_are_told_in_the_language_of_the_request(
    door: httpx.AsyncClient, api: httpx.AsyncClient
) -> None:
    absent = "a" * 16
    one_by_one = f'{{ a: match(id: "{absent}") {{ __typename version }} b: match(id: "{absent}") {MOVES} }}'
    details = set()
    for language in ("en", "pt", "es"):
        problem = await rest(api, f"/matches/{absent}", language)
        told = (await ask(door, one_by_one, language))["errors"]
        assert [each["message"] for each in told] == 2 * [problem["detail"]], language
        details.add(problem["detail"])
    assert len(details) == 3
