"""What is logged is of use, a line an event, and tells nothing that was said in confidence."""

import json
import logging
import os
import re
import secrets
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.observe.logs import JsonLines, TextLines
from tests.cli.running import Running, background
from tests.service.checked import API
from tests.service.table import SLUGS, Table, bearer, fresh_key
from tests.service.test_processes import children

pytestmark = pytest.mark.anyio
JSON_LINES = {"CANTIERE_LOG_FORMAT": "json"}
EVERYTHING = JSON_LINES | {"CANTIERE_LOG_LEVEL": "debug", "CANTIERE_LOG_REQUESTS": "on"}
SEED = secrets.token_hex(32)


def logged(server: Running) -> list[dict[str, Any]]:
    """The lines of the log; what the command prints before begins otherwise."""
    return [json.loads(line) for line in server.text().splitlines() if line.startswith("{")]


async def played_match(url: str, slug: str) -> tuple[str, list[str]]:
    """Where a match was played, with tokens and keys in all places, and all that is secret of it."""
    key, seats_key = fresh_key(), fresh_key()
    async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
        answer = await api.post("/players", json={"name": "Ada", "kind": "person"})
        account = answer.raise_for_status().json()["token"]
        body = {"game": slug, "seats": 2, "seed": SEED}
        created = (await api.post("/matches", json=body, headers={"Idempotency-Key": key})).json()
        table = Table(api, created["match"]["id"], created["hostToken"])
        headers = {"Idempotency-Key": seats_key}
        answer = await api.post(f"{table.path}/join", json={"seat": 0}, headers=headers)
        table.tokens[0] = answer.raise_for_status().json()["token"]
        await table.join(nonce="chosen-by-the-client")
        await table.play_any(6)
        secret = [key, seats_key, account, table.host, *table.tokens.values(), SEED]
        await said_on_socket(url, table, account)
        await mistaken(api, table, secret)
        while table.status == "running":
            await table.post("resign", {}, table.tokens[0])
            table.note(await table.get())
        assert SEED in (await api.get(f"{table.path}/transcript")).text
    return table.path, secret


async def said_on_socket(url: str, table: Table, account: str) -> None:
    address = f"{url.replace('http', 'ws')}{API}{table.path}/socket"
    for token in (account, table.tokens[1], f"{table.host}x"):
        async with connect(address, additional_headers=bearer(account), proxy=None) as socket:
            await socket.send(json.dumps({"type": "subscribe", "after": 0, "token": token}))
            await socket.recv()
    for path in (address, f"{url.replace('http', 'ws')}/graphql", f"{url.replace('http', 'ws')}/nowhere"):
        with suppress(InvalidStatus):  # where there is nothing, or another subprotocol is spoken
            async with connect(f"{path}?token={table.host}", proxy=None) as socket:
                with suppress(ConnectionClosed):
                    await socket.recv()


async def mistaken(api: httpx.AsyncClient, table: Table, secret: list[str]) -> None:
    """Everything secret where it does not belong."""
    for one in secret:
        await api.post(f"{table.path}/moves", content=f'{{"{one}": ', headers=bearer(one))
        await table.post("moves", {"version": 0, "moves": [one]}, one, **{"Idempotency-Key": one})
        await api.get(f"/matches?cursor={one}", headers={"Accept": one})
        await api.get(table.path, headers={"Last-Event-ID": one, "If-None-Match": one, "Authorization": one})


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_played_match_leaves_no_secret_in_the_log(tmp_path: Path, slug: str) -> None:
    data = tmp_path / "data"
    command = ("serve", "--port", "0", "--data-dir", data)
    with background(tmp_path / "out", *command, **EVERYTHING) as server:
        url = server.says(r"listens on (http://\S+)")
        path, secret = await played_match(url, slug)
        await fault(server, url, path, secret)
        text = server.text()
    assert [one for one in secret if one in text] == []
    for file in data.glob("*secret*"):
        assert file.read_text().strip() not in text
    lines = logged(server)
    assert all(line["time"] and line["level"] and line["logger"] and line["process"] for line in lines)
    operations = {line.get("operation") for line in lines}
    assert {"createMatch", "joinMatch", "playMoves", "resign", "showTranscript"} <= operations
    assert all(line["ms"] >= 0 and 200 <= line["status"] < 600 for line in lines if "operation" in line)


async def fault(server: Running, url: str, path: str, secret: list[str]) -> None:
    """Requests with everything secret while the store is away, so that they are logged as more than usual."""
    (store,) = [pid for pid in children(server.process.pid) if "valkey" in name_of(pid)]
    os.kill(store, signal.SIGSTOP)
    try:
        async with httpx.AsyncClient(base_url=url + API, timeout=30) as api:
            headers = bearer(secret[-2]) | {"Idempotency-Key": secret[0], "X-Request-Id": "in-the-dark"}
            body = {"version": 0, "moves": [secret[-1]]}
            answer = await api.post(f"{path}/moves", json=body, headers=headers)
            assert answer.json()["code"] == "store_unavailable"
    finally:
        os.kill(store, signal.SIGCONT)
    levels = {line["level"] for line in logged(server) if line.get("request") == "in-the-dark"}
    assert levels == {"warning", "info"}


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


@pytest.mark.parametrize(("more", "number"), [({}, 0), ({"CANTIERE_LOG_REQUESTS": "on"}, 1)])
async def test_requests_are_logged_where_that_is_asked_for(
    tmp_path: Path, more: dict[str, str], number: int
) -> None:
    command = ("serve", "--port", "0", "--data-dir", tmp_path / "data", "--workers", "2")
    with background(tmp_path / "out", *command, **JSON_LINES, **more) as server:
        url = server.says(r"listens on (http://\S+)")
        async with httpx.AsyncClient(base_url=url, timeout=30) as client:
            answer = await client.get(f"{API}/games", headers={"X-Request-Id": "mine"})
            assert answer.status_code == 200
        async with connect(f"{url.replace('http', 'ws')}{API}/matches/a/socket", proxy=None):
            pass
        with pytest.raises(InvalidStatus):
            await connect(f"{url.replace('http', 'ws')}/nowhere", proxy=None)
    found = [line for line in logged(server) if line.get("request") == "mine"]
    handshakes = [line for line in logged(server) if re.search("WebSocket|connection", line["message"])]
    assert (len(found), len(handshakes)) == (number, 2 * number)
    for line in found:
        assert (line["level"], line["operation"], line["status"]) == ("info", "listGames", 200)
        assert line["message"] == f"listGames 200 in {line['ms']} ms"
    assert any("startup complete" in line["message"] for line in logged(server))


def record_of(message: str, *arguments: object, **more: Any) -> logging.LogRecord:
    return logging.makeLogRecord(
        {"name": "service.some", "levelname": "ERROR", "msg": message, "args": arguments} | more
    )


def test_a_fault_is_one_line_of_json_with_its_traceback() -> None:
    with pytest.raises(ValueError, match="invalid") as caught:
        int("first line\nsecond line")
    fault = (caught.type, caught.value, caught.tb)
    line = JsonLines().format(record_of("%s failed", "GET \ud800\u2028\n/", exc_info=fault, request="named"))
    assert len(line.splitlines()) == 1
    told = json.loads(line)
    assert (told["level"], told["request"], told["message"]) == (
        "error",
        "named",
        "GET \ud800\u2028\n/ failed",
    )
    assert told["error"].startswith("Traceback")
    assert "ValueError: invalid literal" in told["error"].splitlines()[-1]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", told["time"])


def test_what_a_client_chose_begins_no_line_of_text() -> None:
    line = TextLines().format(record_of("GET %s failed", "/\n2026-01-01 INFO all is well\x1b[31m – è"))
    assert len(line.splitlines()) == 1
    assert r"/\n2026-01-01 INFO all is well\x1b[31m – è failed" in line
