"""What clients read in the language that they ask for: moves, events, refusals, on every door of REST."""

import json
import re
from typing import Any

import httpx
import pytest

from schema.operations import NDJSON
from schema.problems import KINDS
from service.details import detail
from service.languages import TRANSLATED, languages
from tests.service.accounts import registered
from tests.service.table import SLUGS, Table, bearer

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)
each_language = pytest.mark.parametrize("code", TRANSLATED)


def spoken(code: str) -> dict[str, str]:
    return {"Accept-Language": code}


def streamed(body: str) -> list[Any]:
    """The events among the messages of a stream that ended."""
    return [message for message in map(json.loads, body.splitlines()) if message["type"] == "event"]


def texts(moves: Any) -> list[str]:
    return [move["text"] for move in moves]


@each_language
@each_game
async def test_legal_moves_in_a_language_and_the_same_otherwise(
    api: httpx.AsyncClient, slug: str, code: str
) -> None:
    table = await Table.started(api, slug, 2)
    english = await api.get(f"{table.path}/legal-moves")
    told = await api.get(f"{table.path}/legal-moves", headers=spoken(f"{code};q=0.9, fr"))
    assert told.headers["content-language"] == code
    assert english.headers["content-language"] == "en"
    assert "accept-language" in told.headers["vary"]
    assert told.headers["etag"] != english.headers["etag"]
    before, after = english.json()["moves"], told.json()["moves"]
    assert [move["notation"] for move in before] == [move["notation"] for move in after]
    assert all(one != other for one, other in zip(texts(before), texts(after), strict=True))
    again = await api.get(
        f"{table.path}/legal-moves", headers=spoken(code) | {"If-None-Match": told.headers["etag"]}
    )
    assert again.status_code == 304


@each_language
@each_game
async def test_events_and_refusals_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    table = await Table.started(api, slug, 2)
    move = (await table.legal())[0]
    body = {"version": table.version, "moves": [move]}
    token = table.tokens[table.to_move]
    played = (await table.post("moves", body, token, **spoken(code))).json()
    page = await api.get(f"{table.path}/events", headers=spoken(code))
    english = await api.get(f"{table.path}/events")
    assert page.headers["content-language"] == code
    assert played["events"] == page.json()["events"]
    assert texts(page.json()["events"]) != texts(english.json()["events"])
    assert texts(page.json()["events"][0]["changes"]) != texts(english.json()["events"][0]["changes"])
    table.note(played)
    await table.play_any()
    now = body | {"version": table.version}
    problem = (await table.post("moves", now, table.tokens[table.to_move], **spoken(code))).json()
    said = languages()[code]
    assert problem["title"] == said.own.say(KINDS["illegal_move"].title)
    english_again = (await table.post("moves", now, table.tokens[table.to_move])).json()
    assert texts(problem["reasons"]) != texts(english_again["reasons"])
    assert all(reason["text"] in problem["detail"] for reason in problem["reasons"])


@each_language
@each_game
async def test_options_and_labels_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    english = (await api.get(f"/games/{slug}")).json()
    answer = await api.get(f"/games/{slug}", headers=spoken(code))
    told = answer.json()
    assert answer.headers["content-language"] == code
    assert told["labels"].keys() == english["labels"].keys()
    assert told["labels"] != english["labels"]
    assert told["options"].keys() == english["options"].keys()
    assert told["options"] != english["options"]
    assert {name: told[name] for name in ("move", "state", "seats")} == {
        name: english[name] for name in ("move", "state", "seats")
    }
    table = await Table.started(api, slug, 2)
    standing = await table.get("/standing")
    for row in standing["rows"]:
        assert {*row["scores"], *row["ties"]} <= english["labels"].keys()


@each_language
@each_game
async def test_pictures_and_boards_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    table = await Table.started(api, slug, 2)
    for name in ("picture", "board"):
        english = await api.get(f"{table.path}/{name}")
        told = await api.get(f"{table.path}/{name}", headers=spoken(code))
        assert (english.headers["content-language"], told.headers["content-language"]) == ("en", code)
        assert "accept-language" in told.headers["vary"]
        assert told.headers["etag"] != english.headers["etag"]
        assert told.text != english.text
    move = (await table.legal())[0]
    address, body = f"{table.path}/preview?include=board", {"moves": [move]}
    before = (await api.post(address, json=body)).json()["board"]
    after = (await api.post(address, json=body, headers=spoken(code))).json()["board"]
    assert after != before
    assert re.findall('data-move="[^"]*"', after) == re.findall('data-move="[^"]*"', before)


@each_language
@each_game
async def test_things_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    table = await Table.started(api, slug, 2)
    english = await api.get(f"{table.path}/things")
    told = await api.get(f"{table.path}/things", headers=spoken(code))
    assert (english.headers["content-language"], told.headers["content-language"]) == ("en", code)
    assert told.headers["etag"] != english.headers["etag"]
    for thing, other in zip(english.json()["things"], told.json()["things"], strict=True):
        assert thing | {"text": None} == other | {"text": None}
        assert ("text" in thing) == (thing.get("text") != other.get("text"))


@each_language
@each_game
async def test_previews_and_reasons_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    table = await Table.started(api, slug, 2)
    move = (await table.legal())[0]
    body = {"moves": [move]}
    english = (await api.post(f"{table.path}/preview", json=body)).json()
    told = (await api.post(f"{table.path}/preview", json=body, headers=spoken(code))).json()
    assert texts(told["events"]) != texts(english["events"])
    assert texts(told["legalMoves"]) != texts(english["legalMoves"])
    twice = {"moves": [move, move, move]}
    refused = (await api.post(f"{table.path}/preview", json=twice)).json()
    translated = (await api.post(f"{table.path}/preview", json=twice, headers=spoken(code))).json()
    assert translated["index"] == refused["index"]
    assert translated["title"] != refused["title"]
    assert texts(translated["reasons"]) != texts(refused["reasons"])


@each_language
async def test_titles_of_problems_in_a_language(api: httpx.AsyncClient, code: str) -> None:
    missing = await api.get("/matches/aaaaaaaaaaaa", headers=spoken(code))
    assert missing.json()["title"] == languages()[code].own.say(KINDS["no_such_match"].title)
    assert missing.json()["code"] == "no_such_match"
    assert missing.json()["detail"] == detail("no_such_match", match_id="a" * 12).said(languages()[code].own)
    table = await Table.started(api, SLUGS[0], 2)
    await table.post("resign", {}, table.tokens[0])
    over = await table.post("resign", {}, table.tokens[1], **spoken(code))
    assert over.json()["title"] == languages()[code].own.say(KINDS["match_over"].title)
    assert over.json()["detail"] == detail("match_finished").said(languages()[code].own)
    events = (await api.get(f"{table.path}/events", headers=spoken(code))).json()["events"]
    assert events[-1]["text"] == languages()[code].own.say("Seat {seat} resigned.").format(seat=0)


@each_language
async def test_the_table_of_problems_in_a_language(api: httpx.AsyncClient, code: str) -> None:
    english = (await api.get("/problems")).json()["problems"]
    told = await api.get("/problems", headers=spoken(code))
    assert told.headers["content-language"] == code
    assert [kind["title"] for kind in told.json()["problems"]] == [
        languages()[code].own.say(kind["title"]) for kind in english
    ]
    last = (await api.get(f"/problems/{english[-1]['code']}", headers=spoken(code))).json()
    assert last == told.json()["problems"][-1] != english[-1]


@each_language
async def test_whatever_has_sentences_names_their_language(api: httpx.AsyncClient, code: str) -> None:
    ada = await registered(api, "Ada")
    table = await Table.opened(api, SLUGS[0], 2)
    for headers in (ada.headers, {}):
        await api.post(f"{table.path}/join", json={}, headers=headers)
    start = (await api.get("/me/events", headers=ada.headers)).json()["after"]
    left = await api.post(f"{table.path}/resign", json={}, headers=ada.headers | spoken(code))
    again = await api.post(f"{table.path}/resign", json={}, headers=ada.headers | spoken(code))
    assert (left.status_code, again.status_code) == (200, 409)
    stream = {"Accept": NDJSON} | spoken(code)
    answers = [
        left,
        again,
        await api.get(f"{table.path}/events", headers=stream),
        await api.head(f"{table.path}/events", headers=stream),
        await api.get("/nowhere", headers=spoken(code)),
        await api.get("/me/events", headers=ada.headers | spoken(code), params={"after": start}),
    ]
    assert [answer.headers["content-language"] for answer in answers] == [code] * len(answers)


@each_language
async def test_details_with_figures_in_a_language(api: httpx.AsyncClient, code: str) -> None:
    table = await Table.started(api, SLUGS[0], 2)
    body = {"version": table.version, "moves": [(await table.legal())[0]]}
    other = 1 - table.to_move
    early = (await table.post("moves", body, table.tokens[other], **spoken(code))).json()
    assert early["code"] == "not_your_turn"
    said = detail("not_your_turn", to_move=table.to_move, seat=other).said(languages()[code].own)
    assert early["detail"] == said
    stale = body | {"version": table.version + 1}
    late = (await table.post("moves", stale, table.tokens[table.to_move], **spoken(code))).json()
    figures = {"version": table.version, "chosen_at": table.version + 1}
    assert late["detail"] == detail("stale_version", **figures).said(languages()[code].own)
    in_english = (await table.post("moves", stale, table.tokens[table.to_move])).json()
    assert in_english["detail"] == detail("stale_version", **figures)
    full = (await api.post(f"{table.path}/join", json={"name": "late"}, headers=spoken(code))).json()
    assert full["title"] == languages()[code].own.say(KINDS["match_started"].title)
    assert full["detail"] == detail("match_begun").said(languages()[code].own)


@each_language
@each_game
async def test_streams_in_a_language(api: httpx.AsyncClient, slug: str, code: str) -> None:
    table = await Table.started(api, slug, 2)
    await table.play_any(3)
    await table.post("resign", {}, table.tokens[0])
    page = (await api.get(f"{table.path}/events", headers=spoken(code))).json()["events"]
    headers = spoken(code) | {"Accept": NDJSON} | bearer(table.tokens[1])
    told = await api.get(f"{table.path}/events", headers=headers)
    assert texts(streamed(told.text)) == texts(page)
    english = await api.get(f"{table.path}/events", headers={"Accept": NDJSON})
    assert texts(streamed(english.text)) != texts(page)
