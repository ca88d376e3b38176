"""A tournament announced from the command line, and what is said of bad plans."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import pytest

from engine.registry import GAMES
from schema.manifest import (
    Duplicate,
    FaultPolicy,
    FaultRule,
    Gauntlet,
    Limits,
    Manifest,
    Placings,
    Rotation,
    RoundRobin,
    Sprt,
    Swiss,
)
from schema.operations import API
from schema.wire import AskedClock
from schema.wire_players import RegisterPlayer
from schema.wire_tournaments import CreateTournament
from service.cli.exits import BAD_INPUT, FAILED
from tests.cli.running import Here, Service

*_, GAME = GAMES
CUP = ("--name", "Cup", "--game", GAME)


@pytest.fixture(scope="module")
def token(service: Service) -> str:
    """The API token of the organiser."""
    return service.client.register(RegisterPlayer("Olga")).token


@pytest.fixture(autouse=True)
def told_to_commands(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", token)


@pytest.fixture
def announced(service: Service, here: Here) -> Callable[..., Manifest]:
    """Announces a tournament by these options; it is what the server made of it."""

    def make(*options: str | Path) -> Manifest:
        made = here("tournament", "create", "--url", service.url, *options)
        assert made.returncode == 0, made.stderr
        told = httpx.get(f"{service.url}{API}/tournaments/{made.stdout.strip()}/manifest", trust_env=False)
        return msgspec.json.decode(told.content, type=Manifest)

    return make


def test_what_is_announced_can_be_held_as_is_said_next(
    service: Service, here: Here, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = here("tournament", "create", *CUP, "--url", service.url)
    assert made.returncode == 0, made.stderr
    tournament = made.stdout.strip()
    assert service.client.tournament(tournament).organiser == service.client.me(token).player.id
    join, start, show = (
        shlex.split(line[line.index("cantiere tournament ") :])[1:]
        for line in made.stderr.splitlines()
        if "cantiere tournament " in line
    )
    for name in ("Ada", "Bea"):
        monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", service.client.register(RegisterPlayer(name)).token)
        assert here(*join).returncode == 0
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", token)
    assert "running, 2 entrants" in here(*start).stdout
    assert "Cup" in here(*show).stdout
    assert f"{service.url}/tournament/{tournament}" in made.stderr


def test_options_say_what_the_contract_takes(announced: Callable[..., Manifest]) -> None:
    plain = announced(*CUP)
    assert (plain.name, plain.game, plain.seats, plain.options) == ("Cup", GAME, 2, {})
    assert (plain.format, plain.design, plain.limits) == (RoundRobin(), Rotation(), Limits())
    assert (plain.clock, plain.stopping, plain.late) == (AskedClock(per_turn=60_000), None, 0)
    swiss = announced(*CUP, "--format", "swiss", "--rounds", "5", "--late", "2")
    assert (swiss.format, swiss.late) == (Swiss(rounds=5), 2)
    gauntlet = announced(*CUP, "--format", "gauntlet", "--hero", "a", "--hero", "b", "--seats", "3")
    assert (gauntlet.format, gauntlet.seats) == (Gauntlet(heroes=("a", "b")), 3)
    test = announced(*CUP, "--deals", "20", "--sprt", "0", "30")
    assert (test.design, test.stopping) == (Duplicate(deals=20), Sprt(elo0=0, elo1=30))
    assert announced(*CUP, "--placings", "a").stopping == Placings(entrant="a")
    quick = announced(*CUP, "--per-turn", "5", "--at-once", "4")
    assert (quick.clock, quick.limits) == (AskedClock(per_turn=5_000), Limits(per_entrant=4))
    timed = announced(*CUP, "--base", "600", "--increment", "2")
    assert timed.clock == AskedClock(base=600_000, increment=2_000)


@pytest.mark.parametrize("slug", GAMES)
def test_options_of_the_game_are_passed_on(slug: str, announced: Callable[..., Manifest]) -> None:
    name, default = next(iter(msgspec.to_builtins(msgspec.convert({}, GAMES[slug].options_type)).items()))
    said = announced("--name", "Cup", "--game", slug, "-o", f"{name}={json.dumps(default)}")
    assert said.options[name] == default


def test_a_file_says_all_of_it(announced: Callable[..., Manifest], tmp_path: Path) -> None:
    faults = FaultPolicy(timeout=FaultRule(then="void"))
    plan = CreateTournament("Cup", GAME, 2, Swiss(rounds=3), faults=faults, ties=("wins",))
    (tmp_path / "cup.json").write_bytes(msgspec.json.encode(plan))
    said = announced("--file", tmp_path / "cup.json")
    assert (said.name, said.format, said.faults, said.ties) == ("Cup", plan.format, faults, ("wins",))


def test_what_the_server_refuses_is_one_line(service: Service, here: Here) -> None:
    made = here("tournament", "create", *CUP, "--url", service.url, "--base", "60", "--per-turn", "5")
    assert (made.returncode, made.stdout) == (FAILED, "")
    assert made.stderr == "cantiere: clock: give either base, the time for the whole match, or perTurn\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "give --name and --game, or all of it by --file"),
        (f"--game {GAME}", "give --name and --game"),
        (f"--game {GAME} --name=", "--name has 1 to 100 characters, without control"),
        ("--game chess --name Cup", "There is no game 'chess'"),
        (f"--game {GAME} --name Cup --format gauntlet", "--format gauntlet and --hero need one another"),
        (f"--game {GAME} --name Cup --hero a", "--format gauntlet and --hero need one another"),
        (f"--game {GAME} --name Cup --sprt 0 9 --placings a", "--sprt or --placings, not both"),
        ("--file /dev/null --name Cup", "--file says all of it; put there what --name says"),
        ("--file /dev/null -o a=1", "--file says all of it; put there what -o says"),
        ("--file /dev/null", "/dev/null: Input data was truncated"),
        ("--file /dev/zero", "/dev/zero: the file is larger than 1 MB"),
        ("--file no-such-file", "No such file"),
    ],
)
def test_bad_plans_are_one_line(line: str, told: str, here: Here) -> None:
    ran = here("tournament", "create", *line.split())
    assert (ran.returncode, ran.stdout) == (BAD_INPUT, ""), ran.stderr
    assert ran.stderr.count("\n") == 1
    assert told in ran.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"name": "Cup"}', "$: Object missing required field `game`."),
        ('{"name": "Cup "}', "$.name: Expected `str` without control characters"),
        ('{"name": "Cup", "rounds": 3}', "$: Object contains unknown field `rounds`."),
        ('{"name": "Cup", "options": {"x":' + "[" * 100_000, "recursion"),
    ],
)
def test_what_does_not_fit_in_a_file_is_named(text: str, told: str, here: Here, tmp_path: Path) -> None:
    (tmp_path / "cup.json").write_text(text)
    ran = here("tournament", "create", "--file", tmp_path / "cup.json")
    assert (ran.returncode, ran.stdout) == (BAD_INPUT, "")
    assert ran.stderr.startswith(f"cantiere: {tmp_path}/cup.json: ")
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1
