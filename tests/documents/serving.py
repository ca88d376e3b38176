"""What the documents do with a service, done."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx

from engine.registry import GAMES
from service.client import Refused
from tests.cli.running import ENVIRONMENT
from tests.documents.commands import HERE, check_commands
from tests.project.sources import ROOT
from tests.service.table import bearer

SECONDS: Final = 120
DEPLOYED: Final = "http://127.0.0.1:8080"
*_, GAME = GAMES


class Served(NamedTuple):
    """A service that runs at an address, a client of its API, and a place for files."""

    url: str
    api: httpx.Client
    place: Path

    def run(self, script: str) -> str:
        """What commands print, as they are written but for the address of the service."""
        ran = subprocess.run(
            ["sh", "-c", f"set -eu\n{script.replace(HERE, self.url)}"],
            cwd=self.place,
            env=ENVIRONMENT | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, (ran.returncode, ran.stdout, ran.stderr)
        return ran.stdout

    def get(self, path: str, token: str | None = None, **query: Any) -> Any:
        """What a question is answered with."""
        answer = self.api.get(path, params=query, headers=bearer(token) if token else {})
        assert answer.is_success, answer.text
        return answer.json()

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        """What a change comes to."""
        answer = self.api.post(path, json=body, headers=bearer(token) if token else {})
        assert answer.is_success, answer.text
        return answer.json()

    def opened(self) -> str:
        """A match that waits for two."""
        return str(self.post("/matches", {"game": GAME, "seats": 2})["match"]["id"])

    def joined(self, match: str, token: str | None = None) -> str:
        """The token of the next seat, taken by a guest or by an account."""
        return str(self.post(f"/matches/{match}/join", {}, token)["token"])


def walk(text: str, served: Served) -> None:
    """A newcomer opens a match with curl and plays the first move."""
    printed, decoder = served.run(text), json.JSONDecoder()
    legal, end = decoder.raw_decode(printed)
    played, end = decoder.raw_decode(printed, end)
    assert re.findall(r'"moves": \["([^"]+)"\]', text)[0] in [move["notation"] for move in legal["moves"]]
    assert (played["version"], played["toMove"]) == (1, 1)
    assert printed[end:].strip()


def bot(text: str, served: Served) -> None:
    """The bot that comes along plays a match against one of the server's to its end."""
    match, _, rest = served.run(text).partition("  ")
    assert rest.startswith("open, ")
    assert served.get(f"/matches/{match}")["status"] == "finished"
    assert "total" in rest


def whole_bot(text: str, served: Served) -> None:
    """The bot in Python plays what its account is asked to, until its token is revoked."""
    account = served.post("/players", {"name": "Ada", "kind": "bot"})["token"]
    grant = served.get("/me", account)["token"]["id"]
    match = served.opened()
    served.joined(match, account)
    served.joined(match)
    script = compile(text.replace(HERE, served.url), "a bot", "exec")
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(exec, script, {"token": account})
        try:
            events = served.get(f"/matches/{match}/events", wait=60)["events"]
        finally:
            assert served.api.delete(f"/me/tokens/{grant}", headers=bearer(account)).is_success
        refused = running.exception(SECONDS)
    assert [event["seat"] for event in events] == [0]
    assert isinstance(refused, Refused)
    assert refused.problem.code == "unknown_token"


def health(text: str, served: Served) -> None:
    """What an operator asks of a deployment; the container engine and the whole match are left out."""
    commands = text.splitlines()
    (started,) = [line for line in commands if line.startswith("docker ")]
    (tried,) = [line for line in commands if line.startswith("cantiere ")]
    asked = [line for line in commands if line not in (started, tried)]
    answer = served.run("\n".join(asked).replace(DEPLOYED, served.url))
    assert json.loads(answer)["status"] == "ok"
    assert (ROOT / re.findall(r"-f (\S+)", started)[0]).exists()
    check_commands(tried)


def clocked(text: str, served: Served) -> None:
    """A match is opened as the body says."""
    asked = json.loads(text)
    clock = served.post("/matches", asked)["match"]["clock"]["control"]
    assert {name: clock[name] for name in asked["clock"]} == asked["clock"]


def limited(text: str, served: Served) -> None:
    """A player who makes more changes than others at its address is told its limits in these headers."""
    match = served.opened()
    token = served.joined(match)
    path, body = f"/matches/{match}/moves", {"version": 0, "moves": ["-"]}
    *_, answer = [served.api.post(path, json=body, headers=bearer(token)) for _ in range(7)]
    for line in text.splitlines():
        name, value = line.split(": ")
        assert (name, varied(answer.headers[name])) == (name, varied(value))


def varied(value: str) -> str:
    """A header without the figures that are others each time."""
    return re.sub(r"\b([rt])=\d+", r"\1=", value)


def asked_by_graphql(text: str, served: Served) -> None:
    """The query is answered for a match that runs."""
    match = served.opened()
    served.joined(match)
    served.joined(match)
    answer = httpx.post(
        f"{served.url}/graphql", json={"query": text, "variables": {"id": match}}, timeout=SECONDS
    )
    told = answer.json()
    assert "errors" not in told, told
    assert told["data"]["match"]["legalMoves"]


def bot_by_graphql(text: str, served: Served) -> None:
    """Who is told of a match by the subscription joins it, and plays when it is asked to."""
    (_, host), (guest, token) = [
        (made["player"]["id"], made["token"])
        for made in (served.post("/players", {"name": name}) for name in ("Olga", "Bea"))
    ]
    body = {"game": GAME, "seats": 2, "join": "invited", "invited": [guest]}
    match = served.post("/matches", body, host)["match"]["id"]

    def asked(operation: str, **variables: Any) -> dict[str, Any]:
        return {"query": text, "operationName": operation, "variables": variables}

    def change(operation: str, **variables: Any) -> None:
        answer = graphql.post(
            "/graphql", json=asked(operation, match=match, **variables), headers=bearer(token)
        )
        assert list(answer.json()["data"].values()) == [{}]

    with httpx.Client(base_url=served.url, timeout=SECONDS, trust_env=False) as graphql:
        headers = bearer(token) | {"Accept": "text/event-stream"}
        with graphql.stream("POST", "/graphql", json=asked("Told"), headers=headers) as stream:
            lines = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: {"))
            messages = (line["data"]["myEvents"] for line in lines)
            assert next(messages)["match"] == match
            change("Join")
            served.joined(match, host)
            turn = next(message for message in messages if "legalMoves" in message)
            change("Play", version=turn["version"], moves=turn["legalMoves"][:1])
    assert served.get(f"/matches/{match}")["version"] > 0


AGAINST_A_SERVICE: Final[dict[str, Callable[[str, Served], None]]] = {
    "README.md: Play a move with curl": walk,
    "README.md: Ten minutes for a bot author": bot,
    "schema/TOURNAMENTS.md: A bot": whole_bot,
    "deploy/RUNBOOK.md: Start and check": health,
    "schema/README.md: Clocks": clocked,
    "schema/README.md: Limits": limited,
    "schema/README.md: GraphQL": asked_by_graphql,
    "schema/README.md: GraphQL (2)": bot_by_graphql,
}
"""How a block is tried that needs a service: all share one."""
