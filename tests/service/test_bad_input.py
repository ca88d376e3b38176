"""Every bad input is answered with its code, and nothing is changed by it."""

from typing import Any

import httpx
import msgspec
import pytest

from service.settings import Settings
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio

GAME = SLUGS[0]
JSON = {"Content-Type": "application/json"}


def assert_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), answer.text
    return problem


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "invalid_body"),
        (b"{", 400, "malformed_body"),
        (b"nonsense", 400, "malformed_body"),
        (b'{"game": "\xff"}', 400, "malformed_body"),
        (b'{"game": NaN}', 400, "malformed_body"),
        (b"null", 400, "invalid_body"),
        (b"[]", 400, "invalid_body"),
        (b'{"seats": 2}', 400, "invalid_body"),
        (b'{"game": 7, "seats": 2}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": "2"}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": 2.5}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": 2, "colour": 1}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": 2, "visibility": "secret"}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": 2, "seed": "00"}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "seats": 2, "options": []}', 400, "invalid_body"),
        (b'{"game": "%(game)s", "options": ' + b'{"a":' * 3_000 + b"1" + b"}" * 3_001, 400, "malformed_body"),
        (
            b'{"game": "%(game)s", "seats": 2, "options": ' + b'{"a":' * 800 + b"1" + b"}" * 801,
            422,
            "bad_setup",
        ),
        (b'{"game": "%(game)s", "seats": 2, "deal": ' + b'{"a":' * 800 + b"1" + b"}" * 801, 422, "bad_setup"),
        (b'{"game": "chess", "seats": 2}', 404, "unknown_game"),
        (b'{"game": "%(game)s"}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": 0}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": -1}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": 99}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": 2, "options": {"nonsense": 1}}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": 2, "deal": {}}', 422, "bad_setup"),
        (b'{"game": "%(game)s", "seats": 2, "deal": {"seats": 2}}', 422, "bad_setup"),
    ],
)
async def test_no_match_is_made_of_a_bad_body(
    api: httpx.AsyncClient, body: bytes, status: int, code: str
) -> None:
    content = body.replace(b"%(game)s", GAME.encode())
    assert_problem(await api.post("/matches", content=content, headers=JSON), status, code)
    assert (await api.get("/matches")).json() == {"matches": [], "next": None}


async def test_a_value_that_is_none_of_several_is_told_which(api: httpx.AsyncClient) -> None:
    hidden = {"game": GAME, "seats": 2, "visibility": "hidden"}
    problem = assert_problem(await api.post("/matches", json=hidden), 400, "invalid_body")
    assert problem["detail"] == "$.visibility: Expected `public` or `unlisted`, got 'hidden'."
    for encoder, kind in ((msgspec.json, "json"), (msgspec.msgpack, "vnd.msgpack")):
        body = encoder.encode({"game": GAME, "clock": {"onFlag": "win"}})
        answer = await api.post("/matches", content=body, headers={"Content-Type": f"application/{kind}"})
        assert answer.json()["detail"] == "$.clock.onFlag: Expected `abort` or `retire`, got 'win'."
    problem = assert_problem(await api.get("/matches", params={"join": "all"}), 400, "invalid_query")
    assert (problem["where"], problem["detail"]) == (
        "$.join",
        "$.join: Expected `invited` or `open`, got 'all'.",
    )


@pytest.mark.parametrize("slug", SLUGS)
async def test_an_option_that_is_none_of_several_is_told_which(api: httpx.AsyncClient, slug: str) -> None:
    schema = (await api.get(f"/games/{slug}")).json()["options"]
    options = schema["$defs"][schema["$ref"].removeprefix("#/$defs/")]["properties"]
    name, values = next((name, said["enum"]) for name, said in options.items() if "enum" in said)
    asked = {"game": slug, "seats": 2, "options": {name: "nothing"}}
    told = assert_problem(await api.post("/matches", json=asked), 422, "bad_setup")["detail"]
    assert told.startswith(f"options.{name}: Expected `")
    assert all(f"`{value}`" in told for value in values)


@pytest.mark.parametrize("end", ["", "and so on and on"])
async def test_half_of_a_surrogate_pair_is_told_as_such(api: httpx.AsyncClient, end: str) -> None:
    answer = await api.post("/matches", content=f'{{"game": "\\ud83d{end}"}}', headers=JSON)
    assert "surrogate pair" in assert_problem(answer, 400, "malformed_body")["detail"]


@pytest.mark.parametrize("seats", [1, 5])
async def test_the_wrong_number_of_seats_is_told_in_words(api: httpx.AsyncClient, seats: int) -> None:
    for slug in SLUGS:
        game = (await api.get(f"/games/{slug}")).json()
        if seats not in game["seats"]:
            answer = await api.post("/matches", json={"game": slug, "seats": seats})
            problem = assert_problem(answer, 422, "bad_setup")
            assert problem["where"] == "seats"
            assert str(seats) in problem["detail"]


async def test_a_body_larger_than_the_limit(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    big = b'{"game": "%s"}' % (b"x" * fresh_settings.max_body)
    assert_problem(await api.post("/matches", content=big, headers=JSON), 413, "body_too_large")

    async def chunks() -> Any:
        for _ in range(2):
            yield big[: fresh_settings.max_body - 10]

    assert_problem(await api.post("/matches", content=chunks(), headers=JSON), 413, "body_too_large")


@pytest.mark.parametrize(
    "sent_as", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "?"]
)
async def test_a_body_of_another_content_type(api: httpx.AsyncClient, sent_as: str) -> None:
    answer = await api.post("/matches", content=b"{}", headers={"Content-Type": sent_as})
    assert_problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("Ada", True),
        ("Łucja 🧑‍🚀", True),
        ("x" * 40, True),
        ("x" * 41, False),
        ("", False),
        (" ", False),
        (" Ada", False),
        ("Ada\n", False),
        ("A\x00da", False),
        ("A\x1bda", False),
        ("A\u202eda", False),
        ("\u200b", False),
    ],
)
async def test_names_are_short_and_have_no_control_characters(
    api: httpx.AsyncClient, name: str, fits: bool
) -> None:
    table = await Table.opened(api, GAME, 2)
    answer = await api.post(f"{table.path}/join", json={"name": name})
    if fits:
        assert answer.json()["match"]["seats"][0]["name"] == name
    else:
        problem = assert_problem(answer, 400, "invalid_body")
        assert problem["where"] == "$.name"
        assert "regex" not in problem["detail"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"nonce": "x" * 65}, "invalid_body"),
        ({"nonce": "a b"}, "invalid_body"),
        ({"seat": -1}, "invalid_body"),
        ({"seat": "0"}, "invalid_body"),
        ({"seat": True}, "invalid_body"),
        ({"token": "x"}, "invalid_body"),
        ({"seat": 2}, "unknown_seat"),
    ],
)
async def test_a_bad_join_takes_no_seat(api: httpx.AsyncClient, body: dict[str, Any], code: str) -> None:
    table = await Table.opened(api, GAME, 2)
    answer = await api.post(f"{table.path}/join", json=body)
    assert_problem(answer, 404 if code == "unknown_seat" else 400, code)
    assert not any(seat["taken"] for seat in (await table.get())["seats"])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid_body"),
        ({"version": 0}, 400, "invalid_body"),
        ({"version": 0, "moves": []}, 400, "invalid_body"),
        ({"version": 0, "moves": "end"}, 400, "invalid_body"),
        ({"version": 0, "moves": [7]}, 400, "invalid_body"),
        ({"version": -1, "moves": ["x"]}, 400, "invalid_body"),
        ({"version": "0", "moves": ["x"]}, 400, "invalid_body"),
        ({"version": 0.5, "moves": ["x"]}, 400, "invalid_body"),
        ({"version": 10**30, "moves": ["x"]}, 400, "invalid_body"),
        ({"version": 0, "moves": ["x"], "seat": 1}, 400, "invalid_body"),
        ({"version": 0, "moves": ["x" * 201]}, 400, "invalid_body"),
        ({"version": 0, "moves": ["x"] * 101}, 400, "invalid_body"),
        ({"version": 0, "moves": [""]}, 400, "unparsable_move"),
        ({"version": 0, "moves": ["\x00"]}, 400, "unparsable_move"),
        ({"version": 0, "moves": ["castle:kingside"]}, 400, "unparsable_move"),
    ],
)
async def test_a_bad_move_changes_nothing(
    api: httpx.AsyncClient, body: dict[str, Any], status: int, code: str
) -> None:
    table = await Table.started(api, GAME, 2)
    before = await table.get()
    assert_problem(await table.post("moves", body, table.tokens[table.to_move]), status, code)
    assert await table.get() == before


async def test_an_unparsable_move_is_named_with_its_place(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    first = (await table.legal())[0]
    problem = assert_problem(await table.move(first, "castle:kingside"), 400, "unparsable_move")
    assert (problem["index"], problem["move"]) == (1, "castle:kingside")


@pytest.mark.parametrize(
    "path",
    [
        "/matches?limit=0",
        "/matches?limit=201",
        "/matches?limit=ten",
        "/matches?limit=1&limit=2",
        "/matches?status=over",
        "/matches?page=2",
        "/matches?cursor=" + "x" * 201,
        "/transcripts?limit=101",
        "/games?verbose=1",
        "/matches/{id}?version=0",
        "/matches/{id}/legal-moves?version=-1",
        "/matches/{id}/legal-moves?version=now",
        "/matches/{id}/legal-moves?kind=castling",
        "/matches/{id}/things?kind=castle",
        "/matches/{id}/events?after=-1",
        "/matches/{id}/events?limit=1000",
        "/matches/{id}/standing?version=1.5",
        "/matches/{id}/transcript?format=text",
    ],
)
async def test_a_bad_query(api: httpx.AsyncClient, path: str) -> None:
    table = await Table.started(api, GAME, 2)
    problem = assert_problem(await api.get(path.format(id=table.id)), 400, "invalid_query")
    assert problem["where"].startswith("$")


async def test_a_bad_query_of_a_move(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    body = {"version": 0, "moves": await table.legal()}
    assert_problem(await table.post("moves?include=all", body, table.tokens[0]), 400, "invalid_query")


@pytest.mark.parametrize("cursor", ["nonsense", "AAAA", "é", "MTIz"])
async def test_a_cursor_of_no_page(api: httpx.AsyncClient, cursor: str) -> None:
    assert_problem(await api.get("/matches", params={"cursor": cursor}), 400, "bad_cursor")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/games/chess", "unknown_game"),
        ("/matches?game=chess", "unknown_game"),
        ("/transcripts?game=chess", "unknown_game"),
        ("/matches/aaaaaaaaaaaaaaaaaaaaaaaa", "no_such_match"),
        ("/matches/}{", "no_such_match"),
        ("/matches/aaaaaaaaaaaaaaaaaaaaaaaa/events", "no_such_match"),
        ("/matches/aaaaaaaaaaaaaaaaaaaaaaaa/transcript", "no_such_match"),
        ("/matches/{id}/versions/99", "unknown_version"),
        ("/matches/{id}/versions/-1", "unknown_version"),
        ("/matches/{id}/versions/one", "not_found"),
        ("/matches/{id}/legal-moves?version=99", "unknown_version"),
        ("/matches/{id}/nothing", "not_found"),
        ("/problems/nothing", "not_found"),
        ("/", "not_found"),
        ("/../../etc/passwd", "not_found"),
    ],
)
async def test_what_is_not_there(api: httpx.AsyncClient, path: str, code: str) -> None:
    table = await Table.started(api, GAME, 2)
    assert_problem(await api.get(path.replace("{id}", table.id)), 404, code)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/matches", {"GET", "HEAD", "OPTIONS", "POST"}),
        ("PUT", "/games", {"GET", "HEAD", "OPTIONS"}),
        ("GET", "/matches/a/join", {"POST", "OPTIONS"}),
        ("HEAD", "/matches/a/join", {"POST", "OPTIONS"}),
    ],
)
async def test_a_method_that_is_not_allowed(
    api: httpx.AsyncClient, method: str, path: str, allowed: set[str]
) -> None:
    answer = await api.request(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize("part", ["moves", "resign", "cancel", "kick", "leave"])
@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        (None, 401, "token_required"),
        ("", 401, "token_required"),
        ("Bearer", 401, "token_required"),
        ("Basic dXNlcjpwYXNz", 401, "token_required"),
        ("Bearer two words", 401, "token_required"),
        ("Bearer unknown", 401, "unknown_token"),
        ("Bearer seat_" + "A" * 43, 401, "unknown_token"),
        ("other", 401, "unknown_token"),
        ("role", 403, "wrong_token"),
    ],
)
async def test_who_has_no_right_changes_nothing(
    api: httpx.AsyncClient, part: str, header: str | None, status: int, code: str
) -> None:
    table, other = await Table.started(api, GAME, 2), await Table.started(api, GAME, 2)
    wrong_role = {
        "role": table.host if part in ("moves", "resign", "leave") else table.tokens[0],
        "other": other.tokens[0],
    }
    header = f"Bearer {wrong_role[header]}" if header in wrong_role else header
    body = {"moves": {"version": 0, "moves": await table.legal()}, "kick": {"seat": 0}}.get(part, {})
    before = await table.get()
    headers = {} if header is None else {"Authorization": header}
    assert_problem(await api.post(f"{table.path}/{part}", json=body, headers=headers), status, code)
    assert await table.get() == before


@pytest.mark.parametrize(
    ("key", "token"),
    [("", True), ("x" * 256, True), ("é", True), ("a b", True), ("short", False), ("!" * 30, False)],
)
async def test_a_bad_idempotency_key(api: httpx.AsyncClient, key: str, token: bool) -> None:
    table = await Table.opened(api, GAME, 2)
    headers: dict[str, Any] = {"Idempotency-Key": key.encode()} | (bearer(table.host) if token else {})
    part = "cancel" if token else "join"
    assert_problem(await api.post(f"{table.path}/{part}", json={}, headers=headers), 400, "invalid_header")
    assert (await table.get())["status"] == "open"


async def test_message_pack_is_read_as_strictly(api: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/vnd.msgpack"}

    async def made_of(body: bytes) -> httpx.Response:
        return await api.post("/matches", content=body, headers=headers)

    assert (await made_of(msgspec.msgpack.encode({"game": GAME, "seats": 2}))).status_code == 201
    assert_problem(await made_of(b"\xc1"), 400, "malformed_body")
    assert_problem(await made_of(b'{"game": "x"}'), 400, "invalid_body")
    assert_problem(await made_of(msgspec.msgpack.encode({"game": GAME, "x": 2})), 400, "invalid_body")
    for keyed, where in (({1: GAME}, "$"), ({"game": GAME, "options": {1: 2}}, "$.options")):
        problem = (await made_of(msgspec.msgpack.encode(keyed))).json()
        assert problem["where"] == where
        assert problem["detail"] == f"{where}: Expected `str`, got `int`, as a key."
    bad = {"game": GAME, "seats": 2, "options": {"nonsense": b"bytes"}}
    assert_problem(await made_of(msgspec.msgpack.encode(bad)), 422, "bad_setup")
    bad = {"game": GAME, "seats": 2, "deal": {"seats": msgspec.msgpack.Ext(5, b"x")}}
    assert_problem(await made_of(msgspec.msgpack.encode(bad)), 422, "bad_setup")


async def test_a_refused_anonymous_post_can_be_repeated(api: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": fresh_key()}
    bodies = [
        (await api.post("/matches", json={"game": GAME, "seats": 99}, headers=headers)).content
        for _ in range(2)
    ]
    assert bodies[0] == bodies[1]
