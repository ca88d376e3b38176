"""Everything the contract lets ask, and much that it does not, gets an answer that the contract describes."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from service.client import Client
from tests.cli.running import SECONDS, background
from tests.project.sources import ROOT
from tests.service.checked import API

TOOL = ROOT / ".venv/contract/bin/schemathesis"
CONFIG = ROOT / "tests/contract/schemathesis.toml"
GAME_SEATS = 2


class Target(NamedTuple):
    """A service with something in it, and what schemathesis has to know of it."""

    url: str
    known: dict[str, str]


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    """A service of its own: with room for everything that the schemas allow, and with limits that are met."""
    settings = {"CANTIERE_MAX_BODY": str(1 << 20), "CANTIERE_MAX_BATCH": "1000"}
    serve = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "out", *serve, **settings) as server:
        url = server.says(r"listens on (http://\S+)")
        yield Target(url, furnished(url))
        assert "Traceback" not in server.text(), server.text()


def furnished(url: str) -> dict[str, str]:
    """A player, matches in every state and tournaments; what is there, as variables for the hooks."""
    with httpx.Client(base_url=url + API, trust_env=False, timeout=SECONDS) as api, Client(url) as client:
        account = api.post("/players", json={"name": "Ada"}).raise_for_status().json()
        with_token = {"Authorization": f"Bearer {account['token']}"}
        slugs = [game.slug for game in client.games()]
        matches, editions = [], []
        for slug in slugs:
            editions.append(api.get(f"/games/{slug}").json()["editions"][0]["digest"])
            for joins in range(GAME_SEATS + 1):
                made = api.post("/matches", json={"game": slug, "seats": GAME_SEATS}, headers=with_token)
                path = f"/matches/{made.raise_for_status().json()['match']['id']}"
                matches.append(path.rpartition("/")[2])
                for number in range(joins):
                    api.post(
                        f"{path}/join", json={}, headers=with_token if number == 0 else {}
                    ).raise_for_status()
        over = api.post(f"/matches/{matches[0]}/cancel", json={}, headers=with_token)
        over.raise_for_status()
        cups = [announced(api, with_token, slugs[0]) for _ in range(2)]
        api.post(f"/tournaments/{cups[0]}/cancel", json={}, headers=with_token).raise_for_status()
    return {
        "CONTRACT_TOKEN": account["token"],
        "CONTRACT_PLAYERID": account["player"]["id"],
        "CONTRACT_MATCHID": ",".join(matches),
        "CONTRACT_SLUG": ",".join(slugs),
        "CONTRACT_EDITION": ",".join(editions),
        "CONTRACT_CODE": "not_found",
        "CONTRACT_TOURNAMENTID": ",".join(cups),
    }


def announced(api: httpx.Client, with_token: dict[str, str], slug: str) -> str:
    """The id of a tournament that the player with the token has made."""
    asked = {"name": "Cup", "game": slug, "seats": GAME_SEATS, "format": {"format": "round_robin"}}
    made = api.post("/tournaments", json=asked, headers=with_token).raise_for_status()
    found: str = made.json()["id"]
    return found


def run(target: Target, *arguments: str, seconds: int) -> str:
    """What schemathesis found in so much time at most, as it prints it; nothing is held back."""
    assert TOOL.exists(), "run: make contract"
    command = [str(TOOL), "--config-file", str(CONFIG), "run", "schema/openapi.json", "--url", target.url]
    options = ["--checks", "all", "--no-color", "--warnings", "off", *arguments]
    done = subprocess.run(
        [*command, *options],
        cwd=ROOT,
        env=os.environ | target.known,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, re.sub(r"(.{2000}).{400,}", r"\1 [...]", done.stdout)[-20_000:] + done.stderr
    return done.stdout


def test_a_sample_of_requests_is_answered_as_the_contract_says(target: Target) -> None:
    told = run(target, "-n", "1", "--generation-deterministic", "--phases", "coverage,fuzzing", seconds=400)
    assert re.search(r"Tested: +[1-9]", told), told


def test_a_sample_of_what_leads_to_what(target: Target) -> None:
    told = run(target, "-n", "1", "--generation-deterministic", "--phases", "stateful", seconds=400)
    assert re.search(r"Scenarios: +[1-9]", told), told


@pytest.mark.soak
def test_the_contract_holds_for_a_long_time(target: Target) -> None:
    run(target, "-n", "60", "--max-time", "600", "--continue-on-failure", seconds=1_200)
