"""Lists, past versions, events, pictures, transcripts; HEAD, ETags, media types."""

from datetime import datetime
from itertools import chain
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import msgspec
import pytest

from engine.registry import GAMES
from engine.transcript import parse_json, parse_text, replay
from schema.problems import KINDS
from service.store.errors import StoreGone
from tests.service.checked import API
from tests.service.table import SLUGS, Table, bearer

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
MSGPACK = {"Accept": "application/vnd.msgpack"}
each_game = pytest.mark.parametrize("slug", SLUGS)


async def pages(api: httpx.AsyncClient, **query: Any) -> list[list[str]]:
    """The ids on every page of a list."""
    found: list[list[str]] = []
    cursor: str | None = None
    while True:
        asked = query | ({"cursor": cursor} if cursor else {})
        page = (await api.get("/matches", params=asked)).json()
        found.append([match["id"] for match in page["matches"]])
        cursor = page["next"]
        if cursor is None:
            return found


def flat(found: list[list[str]]) -> list[str]:
    """The entries of all pages."""
    return list(chain.from_iterable(found))


async def test_matches_are_listed_by_game_and_status_in_pages(api: httpx.AsyncClient) -> None:
    opened = [(await Table.opened(api, slug, 2)).id for slug in SLUGS for _ in range(3)]
    running = [(await Table.started(api, slug, 2)).id for slug in SLUGS]
    newest_first = [*reversed(running), *reversed(opened)]
    assert sorted(flat(await pages(api))) == sorted(newest_first)
    assert sorted(flat(await pages(api, status="open"))) == sorted(opened)
    assert sorted(flat(await pages(api, game=SLUGS[0]))) == sorted([*opened[:3], running[0]])
    assert await pages(api, game=SLUGS[0], status="running") == [[running[0]]]
    assert await pages(api, status="finished") == [[]]
    by_three = await pages(api, limit=3)
    assert [len(page) for page in by_three] == [3] * (len(newest_first) // 3) + [len(newest_first) % 3] * (
        len(newest_first) % 3 > 0
    )
    assert sorted(flat(by_three)) == sorted(newest_first)
    created = [match["createdAt"] for match in (await api.get("/matches")).json()["matches"]]
    assert created == sorted(created, reverse=True)


async def test_a_match_leaves_the_list_of_open_ones_when_it_starts(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    assert await pages(api, status="open") == [[table.id]]
    await table.join()
    await table.join()
    assert await pages(api, status="open") == [[]]
    assert await pages(api, status="running") == [[table.id]]


async def test_no_list_shows_a_match_by_a_status_that_it_has_left(
    api: httpx.AsyncClient, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.opened(api, GAME, 2)
    await table.join()

    async def gone(*_: Any) -> None:
        raise StoreGone

    with monkeypatch.context() as patch:
        patch.setattr(type(app.state.desk.store.index), "show", gone)
        await table.join()
    assert await pages(api, status="open") == [[]]
    assert await pages(api) == [[table.id]]


@each_game
async def test_any_past_version_is_what_it_was(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    then = {0: await table.get()}
    legal = {0: await table.get("/legal-moves")}
    for _ in range(6):
        await table.play_any()
        then[table.version] = await table.get()
        legal[table.version] = await table.get("/legal-moves")
    for version, match in then.items():
        at = await table.get(f"/versions/{version}")
        assert at == {"version": version, "toMove": match["toMove"], "state": match["state"]}
        assert await table.get("/legal-moves", version=version) == legal[version]
        assert (await table.get("/standing", version=version))["version"] == version
        assert len({(await api.get(f"{table.path}/picture")).text, "x"}) == 2
    pictures = {
        (await api.get(f"{table.path}/picture", params={"version": version})).text for version in then
    }
    assert len(pictures) > 3


async def test_versions_beyond_a_kept_state(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    then: dict[int, Any] = {}
    while table.version < 260 and table.status == "running":
        await table.play((await table.legal())[-1])
        if table.version > 250:
            then[table.version] = (await table.get())["state"]
    assert any(version > 256 for version in then)
    for version, state in then.items():
        assert (await table.get(f"/versions/{version}"))["state"] == state


async def test_events_are_read_on_after_a_version(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(12)
    everything = (await table.get("/events"))["events"]
    assert [event["version"] for event in everything] == list(range(1, table.version + 1))
    found, after = [], 0
    while after is not None:
        page = await table.get("/events", after=after, limit=5)
        assert page["version"] == table.version
        found += page["events"]
        after = page["next"]
    assert found == everything
    for after in (table.version, table.version + 1, 10_000_000):
        assert await table.get("/events", after=after) == {
            "version": table.version,
            "status": "running",
            "events": [],
            "next": None,
        }


@each_game
async def test_the_standing_names_the_players(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.opened(api, slug, 2)
    await table.join(name="Ada")
    await table.join()
    rows = (await table.get("/standing"))["rows"]
    assert [row["name"] for row in rows] == ["Ada", None]
    assert all(row["total"] == sum(row["scores"].values()) for row in rows)


async def test_a_side_that_is_no_seat_stands_in_the_standing(api: httpx.AsyncClient) -> None:
    for slug in (slug for slug in SLUGS if 1 in GAMES[slug].seats):
        table = await Table.opened(api, slug, 1)
        await table.join(name="Ada")
        rows = (await table.get("/standing"))["rows"]
        assert [(row["name"], row["label"] is None) for row in rows] == [("Ada", True), (None, False)]


@each_game
async def test_pictures(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    picture = await api.get(f"{table.path}/picture")
    assert picture.headers["content-type"] == "text/plain; charset=utf-8"
    assert max(map(len, picture.text.splitlines())) <= 80
    board = await api.get(f"{table.path}/board")
    assert board.headers["content-type"].startswith("image/svg+xml")
    assert board.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in board.headers["content-security-policy"]
    assert ET.fromstring(board.content).tag.endswith("svg")  # noqa: S314  # our own document


@each_game
async def test_boards_by_size_and_theme_as_svg_and_png(api: httpx.AsyncClient, slug: str) -> None:
    table = await Table.started(api, slug, 2)
    plain = await api.get(f"{table.path}/board")
    named = await api.get(f"{table.path}/board.svg")
    large = await api.get(f"{table.path}/board.svg", params={"size": 640, "theme": "dark"})
    assert named.content == plain.content
    assert 'width="640"' in large.text.partition(">")[0]
    assert "invert" in large.text.partition(">")[0]
    tags = {answer.headers["etag"] for answer in (plain, large)}
    small = await api.get(f"{table.path}/board.png", params={"size": 120})
    asked = await api.get(f"{table.path}/board", params={"size": 120}, headers={"Accept": "image/png"})
    assert small.headers["content-type"] == "image/png"
    assert small.content == asked.content
    assert small.content.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(small.content[16:20]) == 120
    assert len(tags | {small.headers["etag"]}) == 3
    known = {"If-None-Match": small.headers["etag"]}
    assert (await api.get(f"{table.path}/board.png", params={"size": 120}, headers=known)).status_code == 304


@pytest.mark.parametrize(
    "query",
    [
        {"size": "63"},
        {"size": "2001"},
        {"size": "big"},
        {"size": "100.0"},
        {"size": "1e2"},
        {"theme": "pink"},
    ],
)
async def test_boards_that_nobody_draws(api: httpx.AsyncClient, query: dict[str, str]) -> None:
    table = await Table.started(api, GAME, 2)
    answer = await api.get(f"{table.path}/board.png", params=query)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_query")


@each_game
async def test_a_transcript_of_a_running_match_replays_and_has_no_seed(
    api: httpx.AsyncClient, slug: str
) -> None:
    table = await Table.opened(api, slug, 2)
    await table.join(name="Ada", nonce="lucky")
    await table.join()
    await table.play_any(5)
    as_json = await api.get(f"{table.path}/transcript")
    as_text = await api.get(f"{table.path}/transcript", headers={"Accept": "text/plain"})
    assert as_text.headers["content-type"].startswith("text/plain")
    assert as_text.headers["vary"] == as_json.headers["vary"] == "accept, accept-language"
    transcript = parse_json(as_json.content)
    assert parse_text(as_text.text) == transcript
    assert (transcript.seed, transcript.ranks) == (None, None)
    assert (transcript.names, transcript.nonces) == (("Ada", None), ("lucky", ""))
    assert len(list(replay(transcript))) == table.version


async def test_finished_public_matches_are_exported_in_pages(api: httpx.AsyncClient) -> None:
    finished = []
    for visibility in ("public", "public", "public", "unlisted"):
        table = await Table.started(api, GAME, 2, visibility=visibility)
        await table.play_any(2)
        await table.post("resign", {}, table.tokens[0])
        finished += [table.id] * (visibility == "public")
    await Table.started(api, GAME, 2)
    lines: list[bytes] = []
    address: str | None = f"{API}/transcripts?limit=2&game={GAME}"
    while address is not None:
        page = await api.get(f"http://cantiere.test{address}")
        assert page.headers["content-type"] == "application/x-ndjson"
        lines += page.content.splitlines()
        address = page.links["next"]["url"] if page.links else None
    transcripts = [parse_json(line) for line in lines]
    assert sorted(transcript.match for transcript in transcripts) == sorted(finished)
    for transcript in transcripts:
        assert transcript.seed is not None
        assert transcript.ranks is not None
        assert len(list(replay(transcript))) == len(transcript.events)


async def test_head_is_get_without_the_body(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    for path in ("/games", f"/games/{GAME}", "/matches", table.path, f"{table.path}/legal-moves", "/nothing"):
        head, get = await api.head(path), await api.get(path)
        assert head.content == b""
        assert head.status_code == get.status_code
        assert head.headers["content-length"] == get.headers["content-length"]
        assert head.headers["content-type"] == get.headers["content-type"]


async def test_options_names_what_is_allowed(api: httpx.AsyncClient) -> None:
    answer = await api.options("/matches")
    assert answer.status_code == 204
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


async def test_the_etag_changes_with_the_match(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    tags = set()
    for change in (table.join, table.join, table.play_any):
        answer = await api.get(table.path)
        tags.add(answer.headers["etag"])
        for known, status in (
            (answer.headers["etag"], 304),
            ('"other", ' + answer.headers["etag"], 304),
            ("x", 200),
        ):
            again = await api.get(table.path, headers={"If-None-Match": known})
            assert again.status_code == status
        packed = await api.get(table.path, headers=MSGPACK | {"If-None-Match": answer.headers["etag"]})
        assert packed.status_code == 200
        await change()
    assert len(tags) == 3


@pytest.mark.parametrize(
    ("accept", "got"),
    [
        ("application/vnd.msgpack", "application/vnd.msgpack"),
        ("application/vnd.msgpack, application/json;q=0.5", "application/vnd.msgpack"),
        ("application/json, application/vnd.msgpack;q=0.5", "application/json"),
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("application/json;q=0, */*", "application/vnd.msgpack"),
        ("application/*;q=0.5, application/json;q=0.4", "application/vnd.msgpack"),
        ("APPLICATION/JSON", "application/json"),
        ("", "application/json"),
        ("nonsense", "application/json"),
        (";;,,/", "application/json"),
        ("application/vnd.msgpack;q=x", "application/vnd.msgpack"),
    ],
)
async def test_message_pack_when_the_client_prefers_it(api: httpx.AsyncClient, accept: str, got: str) -> None:
    answer = await api.get("/games", headers={"Accept": accept})
    assert answer.headers["content-type"] == got
    assert answer.headers["vary"] == "accept, accept-language"


async def test_both_media_types_say_the_same(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(3)
    for part in ("", "/legal-moves", "/events", "/standing", "/versions/1"):
        packed = await api.get(table.path + part, headers=MSGPACK)
        unpacked = msgspec.json.decode(msgspec.json.encode(msgspec.msgpack.decode(packed.content)))
        assert unpacked == await table.get(part)
    match = msgspec.msgpack.decode((await api.get(table.path, headers=MSGPACK)).content)
    assert isinstance(match["startedAt"], datetime)  # where JSON has text
    body = msgspec.msgpack.encode({"version": table.version, "moves": (await table.legal())[:1]})
    headers = bearer(table.tokens[table.to_move]) | MSGPACK | {"Content-Type": MSGPACK["Accept"]}
    played = await api.post(f"{table.path}/moves", content=body, headers=headers)
    assert msgspec.msgpack.decode(played.content)["played"] == 1
    refused = await api.post(f"{table.path}/moves", content=body, headers=headers)
    assert refused.json()["code"] == "stale_version"


async def test_a_request_keeps_the_name_it_came_with(api: httpx.AsyncClient) -> None:
    for given, kept in (("my-request.7", True), ("x" * 65, False), ("two words", False), ("", False)):
        answer = await api.get("/games", headers={"X-Request-Id": given})
        assert (answer.headers["x-request-id"] == given) == kept


async def test_the_games_and_the_problems(api: httpx.AsyncClient) -> None:
    games = (await api.get("/games")).json()["games"]
    assert [game["slug"] for game in games] == list(GAMES)
    for game in games:
        shown = (await api.get(f"/games/{game['slug']}")).json()
        assert {name: shown[name] for name in game} == game
    problems = (await api.get("/problems")).json()["problems"]
    assert [problem["code"] for problem in problems] == list(KINDS)
    for problem in problems:
        assert (await api.get(f"/problems/{problem['code']}")).json() == problem


@pytest.mark.parametrize("change", [{"rules": 99}, {"game": "chess"}])
async def test_a_match_of_other_rules_is_listed_but_not_read(
    api: httpx.AsyncClient, app: Any, change: dict[str, Any]
) -> None:
    table = await Table.started(api, GAME, 2)
    store = app.state.desk.store
    rev, record, _ = await store.load(table.id)
    await store.commit(rev, msgspec.structs.replace(record, **change))
    assert await pages(api) == [[table.id]]
    for part in ("", "/legal-moves", "/events", "/transcript"):
        answer = await api.get(table.path + part)
        assert (answer.status_code, answer.json()["code"]) == (409, "other_rules")
    answer = await table.post("moves", {"version": 0, "moves": ["end"]}, table.tokens[0])
    assert answer.json()["code"] == "other_rules"


async def test_a_match_whose_time_of_keeping_is_over(api: httpx.AsyncClient, app: Any) -> None:
    table = await Table.opened(api, GAME, 2)
    store = app.state.desk.store
    await table.post("cancel", {}, table.host)
    await store._link.call("PEXPIRE", f"{{match:{table.id}}}", 1)
    await store._link.call("SET", f"{{match:{table.id}}}:ended", 1)
    while await store._link.call("EXISTS", f"{{match:{table.id}}}"):
        pass
    answer = await api.get(table.path)
    assert (answer.status_code, answer.json()["code"]) == (410, "match_expired")
