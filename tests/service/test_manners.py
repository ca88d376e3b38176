"""HTTP as it is meant: representations, what the client has already, codings, links, other origins."""

import gzip
import re
from typing import Any, NamedTuple
from urllib.parse import quote

import brotli
import httpx
import msgspec
import pytest

from schema.operations import API, JSON, MSGPACK, OPERATIONS, SSE, Operation
from schema.operations_previews import EXPLAIN_MOVE
from schema.problems import KINDS
from service.app import asgi
from service.compression import SMALLEST
from service.routes import ROUTES
from service.settings import Settings
from tests.service.accounts import Account, registered
from tests.service.checked import BASE
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
GAME = SLUGS[0]
SERVED = {handler.name for handler in ROUTES}
RESOURCES = tuple(operation for operation in OPERATIONS if operation.has_etag and operation.name in SERVED)
READABLE = tuple(
    (operation, media_type)
    for operation in RESOURCES
    for media_type in operation.media_types
    if not (operation.streams and media_type not in (JSON, MSGPACK))
)
NAMES = [f"{operation.name} {media_type}" for operation, media_type in READABLE]


class Place(NamedTuple):
    """Where there is something to read, and the headers that it needs."""

    path: str
    headers: dict[str, str]


async def started_tournament(api: httpx.AsyncClient, organiser: Account) -> str:
    """The id of a tournament that two players take part in."""
    asked = {"name": "Cup", "game": GAME, "seats": 2, "format": {"format": "round_robin"}}
    created = await api.post("/tournaments", json=asked, headers=organiser.headers)
    assert created.status_code == 201, created.text
    tournament: str = created.json()["id"]
    for name in ("Bea", "Cleo"):
        player = await registered(api, name)
        joined = await api.post(f"/tournaments/{tournament}/join", json={}, headers=player.headers)
        assert joined.is_success, joined.text
    begun = await api.post(f"/tournaments/{tournament}/start", json={}, headers=organiser.headers)
    assert begun.is_success, begun.text
    return tournament


async def place(api: httpx.AsyncClient, operation: Operation, table: Table) -> Place:
    """Something of the operation to read."""
    game = (await api.get(f"/games/{GAME}")).json()
    account = await registered(api, "Ada")
    values = {
        "match_id": table.id,
        "slug": GAME,
        "version": str(table.version),
        "code": next(iter(KINDS)),
        "edition": game["editions"][0]["digest"],
        "player_id": account.id,
    }
    if "{tournament_id" in operation.path:
        values["tournament_id"] = await started_tournament(api, account)
    path = re.sub(r"\{(\w+):\w+\}", lambda found: values[found[1]], operation.path)
    if operation is EXPLAIN_MOVE:
        path += f"?move={quote((await table.legal())[0])}"
    return Place(path, account.headers if operation.bearer == "player" else {})


@pytest.mark.parametrize(("operation", "media_type"), READABLE, ids=NAMES)
async def test_what_the_client_has_is_not_sent_again(
    api: httpx.AsyncClient, operation: Operation, media_type: str
) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(2)
    path, headers = await place(api, operation, table)
    accept = headers | {"Accept": media_type, "Accept-Encoding": "identity"}
    first = await api.get(path, headers=accept)
    assert first.status_code == 200, first.text
    assert first.headers["content-type"].partition(";")[0] == media_type
    tag = first.headers["etag"]
    assert re.fullmatch(r'"[\w.-]+"', tag)
    assert "accept" in first.headers["vary"]
    assert first.headers["cache-control"] == "no-cache"
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*", f'{tag[:-1]}-gzip"'):
        again = await api.get(path, headers=accept | {"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] in (tag, known)
        assert again.headers["vary"] == "accept, accept-language"
        head = await api.head(path, headers=accept | {"If-None-Match": known})
        assert head.status_code == 304
    for unknown in ('"other"', tag[1:-1], f'"x{tag[1:]}', ""):
        again = await api.get(path, headers=accept | {"If-None-Match": unknown})
        assert (again.status_code, again.content) == (200, first.content)


@pytest.mark.parametrize(("operation", "media_type"), READABLE, ids=NAMES)
async def test_representations_have_different_tags(
    api: httpx.AsyncClient, operation: Operation, media_type: str
) -> None:
    table = await Table.started(api, GAME, 2)
    path, headers = await place(api, operation, table)
    tag = (await api.get(path, headers=headers | {"Accept": media_type})).headers["etag"]
    others = [other for known, other in READABLE if known is operation and other != media_type]
    for other in others:
        answer = await api.get(path, headers=headers | {"Accept": other, "If-None-Match": tag})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "part", ["", "/legal-moves", "/events", "/standing", "/picture", "/board", "/transcript"]
)
async def test_a_move_makes_another_tag(api: httpx.AsyncClient, part: str) -> None:
    table = await Table.started(api, GAME, 2)
    tags: set[str] = set()
    bodies: set[bytes] = set()
    for _ in range(4):
        answer = await api.get(table.path + part, headers={"If-None-Match": ", ".join(tags)})
        assert answer.status_code == 200
        tags.add(answer.headers["etag"])
        bodies.add(answer.content)
        await table.play_any()
    assert len(tags) == len(bodies) == 4


async def test_a_version_of_a_match_keeps_its_tag(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(2)
    path = f"{table.path}/versions/{table.version}"
    tag = (await api.get(path)).headers["etag"]
    await table.play_any(2)
    assert (await api.get(path, headers={"If-None-Match": tag})).status_code == 304


@pytest.mark.parametrize(
    "operation",
    RESOURCES,
    ids=lambda operation: operation.name,
)
async def test_what_nobody_makes_is_not_acceptable(api: httpx.AsyncClient, operation: Operation) -> None:
    table = await Table.started(api, GAME, 2)
    path, headers = await place(api, operation, table)
    for accept in ("image/webp", "image/webp, text/html;q=0.5", f"{operation.media_types[0]};q=0"):
        answer = await api.get(path, headers=headers | {"Accept": accept})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
        assert operation.media_types[0] in answer.json()["detail"]
    assert (await api.get(path, headers=headers | {"Accept": "image/webp, */*;q=0.1"})).status_code == 200


async def test_a_change_whose_answer_is_not_acceptable_is_not_made(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    body = {"version": 0, "moves": (await table.legal())[:1]}
    answer = await table.post("moves", body, table.tokens[table.to_move], Accept="text/html")
    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
    refused = await api.post("/matches", json={"game": GAME, "seats": 2}, headers={"Accept": "text/html"})
    assert refused.status_code == 406
    assert (await table.get())["version"] == 0
    assert len((await api.get("/matches")).json()["matches"]) == 1


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br", "br"),
        ("br;q=0, gzip", "gzip"),
        ("*", "br"),
        ("x-gzip", "gzip"),
        ("gzip;q=0, *", "br"),
        ("identity", None),
        ("*;q=0", None),
        ("deflate, zstd", None),
        ("", None),
    ],
)
async def test_long_bodies_are_compressed(
    fresh_settings: Settings, api: httpx.AsyncClient, accepted: str, chosen: str | None
) -> None:
    path = f"{API}/games/{GAME}"
    headers = {"Accept-Encoding": accepted}
    plain = await api.get(f"/games/{GAME}", headers={"Accept-Encoding": "identity"})
    answer, body = await raw(api, path, headers)
    read = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}[chosen]
    assert read(body) == plain.content
    assert answer.headers.get("content-encoding") == chosen
    assert answer.headers["content-length"] == str(len(body))
    assert answer.headers["vary"] == "accept, accept-language, accept-encoding"
    assert len(body) < len(plain.content) / 3 if chosen else len(body) == len(plain.content)
    tag = answer.headers["etag"]
    assert (tag == plain.headers["etag"]) == (chosen is None)
    again, nothing = await raw(api, path, headers | {"If-None-Match": tag})
    assert (again.status_code, nothing) == (304, b"")
    assert again.headers["etag"] == tag
    head = await api.head(f"/games/{GAME}", headers=headers)
    assert head.headers["content-length"] == str(len(body))


async def raw(api: httpx.AsyncClient, path: str, headers: dict[str, str]) -> tuple[httpx.Response, bytes]:
    """An answer, and its body as it was sent."""
    async with httpx.AsyncClient(transport=api._transport._inner) as client:  # type: ignore[attr-defined]
        request = client.build_request("GET", BASE + path, headers=headers)
        answer = await client.send(request, stream=True)
        body = b"".join([part async for part in answer.aiter_raw()])
        await answer.aclose()
        return answer, body


async def test_short_bodies_are_not_compressed(api: httpx.AsyncClient) -> None:
    for path in ("/health/live", "/matches"):
        answer = await api.get(path, headers={"Accept-Encoding": "br"})
        assert len(answer.content) < SMALLEST
        assert "content-encoding" not in answer.headers


async def test_lists_link_to_their_next_page(api: httpx.AsyncClient) -> None:
    for _ in range(5):
        await Table.opened(api, GAME, 2)
    found, path = [], f"/matches?limit=2&status=open&game={GAME}"
    while path:
        answer = await api.get(path)
        found += [match["id"] for match in answer.json()["matches"]]
        link = answer.links.get("next", {}).get("url", "")
        assert bool(link) == (answer.json()["next"] is not None)
        path = link.removeprefix(API)
    assert len(set(found)) == len(found) == 5


async def test_events_link_to_those_that_follow(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    await table.play_any(4)
    versions, path = [], f"{table.path}/events?limit=3"
    while path:
        answer = await api.get(path)
        versions += [event["version"] for event in answer.json()["events"]]
        path = answer.links.get("next", {}).get("url", "").removeprefix(API)
    assert versions == list(range(1, table.version + 1))


# ------------------------------------------------------------------------------------------ other origins


def client_with(settings: Settings, origins: str) -> tuple[Any, httpx.AsyncClient]:
    shell = asgi(msgspec.structs.replace(settings, cors_origins=origins))
    served: Any = shell
    return shell.app, httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE + API)


PAGE = "https://play.example"
PREFLIGHT = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}


@pytest.mark.parametrize(
    ("origins", "allowed"),
    [("*", "*"), (f"https://other.example, {PAGE}", PAGE), ("https://other.example", None), ("", None)],
)
async def test_pages_of_allowed_origins_may_use_the_api(
    fresh_settings: Settings, origins: str, allowed: str | None
) -> None:
    app, client = client_with(fresh_settings, origins)
    async with app.lifespan(), client:
        before = await client.options("/matches", headers=PREFLIGHT)
        assert before.status_code == 204
        assert before.headers.get("access-control-allow-origin") == allowed
        if allowed:
            assert before.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS, POST"
            named = before.headers["access-control-allow-headers"].lower().split(", ")
            assert {"authorization", "content-type", "idempotency-key", "last-event-id"} <= set(named)
        for answer in (
            await client.get("/games", headers={"Origin": PAGE}),
            await client.get("/nothing", headers={"Origin": PAGE}),
            await client.post("/matches", content=b"{", headers={"Origin": PAGE}),
        ):
            assert answer.headers.get("access-control-allow-origin") == allowed
            exposed = answer.headers.get("access-control-expose-headers", "")
            assert ("ETag" in exposed and "Retry-After" in exposed) == bool(allowed)
            assert "access-control-allow-credentials" not in answer.headers
            assert ("origin" in answer.headers.get("vary", "")) == ("example" in origins)
        own = await client.get("/games")
        assert "access-control-allow-origin" not in own.headers


async def test_streams_are_not_compressed_and_may_be_read_by_other_pages(fresh_settings: Settings) -> None:
    app, client = client_with(fresh_settings, "*")
    async with app.lifespan(), client:
        table = await Table.started(client, GAME, 2)
        assert (await table.post("cancel", {}, table.host)).status_code == 200
        headers = {"Accept": SSE, "Accept-Encoding": "br, gzip", "Origin": PAGE}
        answer = await client.get(f"{table.path}/events", headers=headers)
        assert answer.headers["content-type"] == SSE
        assert "content-encoding" not in answer.headers
        assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.name in SERVED], ids=lambda operation: operation.name
)
async def test_other_methods_are_refused_with_those_that_are_allowed(
    api: httpx.AsyncClient, operation: Operation
) -> None:
    path = re.sub(r"\{\w+:\w+\}", "1", operation.path)
    here = {other.method for other in OPERATIONS if re.sub(r"\{\w+:\w+\}", "1", other.path) == path}
    allowed = ", ".join(sorted({*here, "OPTIONS"} | ({"HEAD"} if "GET" in here else set())))
    answer = await api.patch(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    assert (await api.options(path)).headers["allow"] == allowed
