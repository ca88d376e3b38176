"""GraphQL beside REST: the same legal list, moves, and a tree of previews, by one worker of the service."""

import json
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from service.client import Client
from tests.bench.connection import is_whole
from tests.bench.http import GAME, SEATS, served
from tests.bench.load import Load
from tests.bench.runs import COLUMNS, Run, Server, middle, run
from tests.bench.scripted import API, Scripted, get

CONNECTIONS, REQUESTS, RUNS = 8, 100, 3
TURNS = 7
"""Runs of each of the two that are compared."""
TREES = 5
"""Requests of each connection for a tree, which is some hundred positions."""
ENTRIES = range(55, 66)
"""Legal moves in the list that is asked for: about 60."""
AIM, FLOOR = 0.7, 0.5
MOVES_OF_ONE_MATCH = 60
WHICH_FIELDS = """{ __type(name: "Move") {
    possibleTypes { name fields { name args { name } type { ofType { kind } } } }
} }"""
PLAY = """mutation ($id: ID!, $version: Int!, $moves: [String!]!, $key: String) {
    play(matchId: $id, version: $version, moves: $moves, idempotencyKey: $key) {
        __typename ... on Played { version toMove events { version move } }
    }
}"""
TREE = """query ($id: ID!, $moves: [String!]!) { match(id: $id) { preview(moves: $moves) {
    isChance odds { numerator denominator }
    children(first: 6) { isChance version children(first: 6) { version legalNotations } }
} } }"""


def figures() -> Iterator[str]:
    """The processor time of the server a request, and what part of REST's it comes to."""
    yield f"{'':<34}{COLUMNS}"
    found: dict[str, Run] = {}
    with TemporaryDirectory() as folder:
        for name, each in _measured(Path(folder)):
            found[name] = each
            yield f"{name:<34}{each}"
    rest = found["REST: legal list"].cpu
    compiled, ordinary = found["GraphQL: legal list"].cpu, found["GraphQL: legal list, ordinary"].cpu
    yield ""
    yield f"Legal list by GraphQL: {rest / compiled:.2f} of REST by processor time; aim {AIM}, floor {FLOOR}."
    yield f"Compiled {ordinary / compiled:.1f} times as fast as ordinary, the whole request counted."
    yield f"About 60 moves of {GAME} with 5 fields, a typed one among them; medians of {RUNS} runs,"
    yield f"of {TURNS} in turn for the first two."


def _measured(folder: Path) -> Iterator[tuple[str, Run]]:
    (folder / "compiled").mkdir()
    with (
        served(folder / "compiled", "everysec") as server,
        Client(f"http://127.0.0.1:{server.port}") as client,
    ):
        match_id = _busy_match(client, server.port)
        fields = _fields(server.port)
        path = f"{API}/matches/{match_id}/legal-moves"
        lists = {"REST: legal list": get(path), "GraphQL: legal list": _list(match_id, fields)}
        yield from _in_turn(server, lists, folder).items()
        yield "GraphQL: { __typename }", _run(server, _asking({"query": "{ __typename }"}), folder)
        tree = _asking(
            {"query": TREE, "variables": {"id": match_id, "moves": _to_chance(server.port, match_id)}}
        )
        yield "GraphQL: previews, depth 2", _run(server, tree, folder, TREES)
        yield "REST: moves", middle([_moves(server, client, folder, start) for start in range(RUNS)])
        played = [_moves(server, client, folder, start, by_graphql) for start in range(RUNS, 2 * RUNS)]
        yield "GraphQL: moves", middle(played)
    (folder / "ordinary").mkdir()
    with (
        served(folder / "ordinary", "everysec", CANTIERE_GRAPHQL_EXECUTOR="ordinary") as server,
        Client(f"http://127.0.0.1:{server.port}") as client,
    ):
        match_id = _busy_match(client, server.port)
        yield "GraphQL: legal list, ordinary", _run(server, _list(match_id, _fields(server.port)), folder)


def _in_turn(server: Server, requests: dict[str, bytes], folder: Path) -> dict[str, Run]:
    """Runs of one and the other by turns: what else a machine does meanwhile changes both alike."""
    found: dict[str, list[Run]] = {name: [] for name in requests}
    for _ in range(TURNS):
        for name, request in requests.items():
            load = Load(*server, ((request,) * REQUESTS,) * CONNECTIONS)
            found[name].append(run(load, folder))
    return {name: middle(runs) for name, runs in found.items()}


def _run(server: Server, request: bytes, folder: Path, requests: int = REQUESTS) -> Run:
    load = Load(*server, ((request,) * requests,) * CONNECTIONS)
    return middle([run(load, folder) for _ in range(RUNS)])


def _moves(server: Server, client: Client, folder: Path, number: int, change: Any = bytes) -> Run:
    """Moves of matches of their own; `change` makes another request of one of REST."""
    matches = [Scripted(client, GAME, SEATS, 1_000 * (number + 1) + each) for each in range(CONNECTIONS)]
    courses = [zip(match.requests(), range(MOVES_OF_ONE_MATCH), strict=False) for match in matches]
    return run(Load(*server, tuple(tuple(change(each) for each, _ in course) for course in courses)), folder)


def by_graphql(request: bytes) -> bytes:
    """A move by REST as a mutation with the same token and key."""
    head, _, body = request.decode().partition("\r\n\r\n")
    lines = head.split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    values = json.loads(body) | {"id": lines[0].split("/")[4], "key": headers["Idempotency-Key"]}
    return _asking({"query": PLAY, "variables": values}, headers["Authorization"])


def _list(match_id: str, fields: str) -> bytes:
    query = (
        f"query ($id: ID!) {{ match(id: $id) {{ legalMoves {{ notation text kind __typename {fields} }} }} }}"
    )
    return _asking({"query": query, "variables": {"id": match_id}})


def _asking(body: dict[str, Any], authorization: str = "") -> bytes:
    data = json.dumps(body).encode()
    shown = f"Authorization: {authorization}\r\n" if authorization else ""
    return (
        f"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/graphql-response+json\r\n{shown}"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    ).encode() + data


def _asked(port: int, query: str, **variables: Any) -> Any:
    body = {"query": query, "variables": variables}
    answer = httpx.post(f"http://127.0.0.1:{port}/graphql", json=body, timeout=60).json()
    assert "errors" not in answer, answer
    return answer["data"]


def _fields(port: int) -> str:
    """A field of each type of move that has one of its own, of a scalar or an enum."""
    chosen = []
    for kind in _asked(port, WHICH_FIELDS)["__type"]["possibleTypes"]:
        own = [field["name"] for field in kind["fields"] if field["name"] not in ("notation", "text", "kind")]
        leaves = {field["name"] for field in kind["fields"] if _is_leaf(field)}
        chosen += [f"... on {kind['name']} {{ {name} }}" for name in own if name in leaves][:1]
    return " ".join(chosen)


def _is_leaf(field: dict[str, Any]) -> bool:
    return (field["type"]["ofType"] or {}).get("kind") in ("SCALAR", "ENUM")


def _busy_match(client: Client, port: int) -> str:
    """A match with about as many legal moves as the list is to have."""
    for number in count(1):
        match = Scripted(client, GAME, SEATS, number)
        with socket.create_connection(("127.0.0.1", port)) as connection:
            for request in match.requests():
                asked = _asked(port, "query ($id: ID!) { match(id: $id) { legalNotations } }", id=match.id)
                if len(asked["match"]["legalNotations"]) in ENTRIES:
                    return match.id
                connection.sendall(request)
                _read(connection)
    raise AssertionError


def _read(connection: socket.socket) -> None:
    received = b""
    while not is_whole(received):
        received += connection.recv(65_536)


def _to_chance(port: int, match_id: str) -> list[str]:
    """A legal move after which chance decides, or the first one."""
    query = "query ($id: ID!) { match(id: $id) { legalNotations children(first: 60) { isChance } } }"
    match = _asked(port, query, id=match_id)["match"]
    chances = [entry["isChance"] for entry in match["children"]]
    return [match["legalNotations"][chances.index(True) if True in chances else 0]]
