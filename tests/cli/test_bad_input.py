"""Whatever is typed wrongly is answered with one line on stderr and exit code 2."""

from pathlib import Path

import pytest

from engine.registry import GAMES
from service.cli.exits import BAD_INPUT, FAILED
from tests.cli.running import cantiere

GAME = next(iter(GAMES))

BAD = {
    "nonsense": "No such command",
    "play": "Missing argument",
    "play chess": "There is no game 'chess'",
    f"play {GAME} --players greedy,nobody": "there is no player 'nobody'",
    f"play {GAME} --players {','.join(['random'] * 9)}": "seats",
    f"play {GAME} --players ,": "there is no player ''",
    f"play {GAME} --seed -1": "--seed",
    f"play {GAME} --seed xyz": "no whole number",
    f"play {GAME} --seed {2**256}": "no whole number",
    f"play {GAME} --options {{": "no JSON object",
    f"play {GAME} --options [1]": "no JSON object",
    f"play {GAME} --options {'[' * 5000}": "no JSON object",
    f"play {GAME} -o nothing": "is not name=value",
    f"play {GAME} -o nothing=1": "options",
    f"play {GAME} -o a=1 -o a.b=2": "is no group of options",
    f"play {GAME} --delay -1": "--delay",
    f"play {GAME} --think 0": "--think",
    f"play {GAME} --save no/such/directory/match.txt": "there is no directory",
    f"play {GAME} --loud": "No such option",
    f"perft {GAME} --seats 99": "seats",
    f"perft {GAME} --depth 0": "--depth",
    f"perft {GAME} --moves nonsense": "is not a move",
    "replay no-such-file": "No such file",
    "show no-such-file": "No such file",
    "bot --match x --url gopher://here": "is no address",
    "bot --match x --url http://": "is no address",
    "bot --match x --token t": "--token needs --seat",
    "bot": "give --match, or --account-token",
    "bot --match x --seat 0 --token \xe9": "a token has visible ASCII characters",
    "bot --match x --name \udcff": "surrogates not allowed",
    f"play {GAME} -o a=\udcff": "surrogates not allowed",
    "serve --port 70000": "--port",
    "serve --workers 0": "--workers",
    "serve --redis-url http://here": "CANTIERE_REDIS_URL must begin with",
    "serve --redis-url redis://here": "CANTIERE_SECRET is needed",
    f"demo --players {','.join(['random'] * 9)}": "seats",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_one_line_and_exit_code_2(line: str) -> None:
    ran = cantiere(*line.split())
    assert ran.returncode == BAD_INPUT, ran.stderr
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("cantiere")
    assert BAD[line] in ran.stderr


def test_a_setting_that_does_not_exist_is_named() -> None:
    ran = cantiere("serve", CANTIERE_PROT="9000")
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.startswith("cantiere: CANTIERE_PROT is no setting; did you mean CANTIERE_PORT?")


@pytest.mark.parametrize(
    "address", ["redis://x/0?db=x", "rediss://x?ssl_pin=1", "rediss://x?ssl_ca_certs=/none"]
)
def test_a_server_does_not_start_with_an_address_of_the_store_that_cannot_be_used(address: str) -> None:
    ran = cantiere("serve", CANTIERE_REDIS_URL=address, CANTIERE_SECRET="s" * 32)
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.startswith("cantiere: CANTIERE_REDIS_URL cannot be used: ")
    assert ran.stderr.count("\n") == 1


def test_a_server_does_not_start_with_invites_that_cannot_be_read(tmp_path: Path) -> None:
    ran = cantiere("serve", "--data-dir", tmp_path, CANTIERE_INVITES_FILE=f"{tmp_path}/none")
    assert ran.returncode == BAD_INPUT
    assert ran.stderr.startswith(f"cantiere: CANTIERE_INVITES_FILE: {tmp_path}/none cannot be read: No such")


def test_a_host_that_is_no_name_is_said_in_one_line(tmp_path: Path) -> None:
    ran = cantiere("serve", "--host", "\udcff", "--data-dir", tmp_path)
    assert ran.returncode == FAILED
    assert ran.stderr.count("\n") == 1


def test_a_version_behind_the_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    assert cantiere("play", GAME, "--players", "random,random", "--quiet", "--save", file).returncode == 0
    ran = cantiere("show", file, "--at", "999999")
    assert ran.returncode == BAD_INPUT
    assert "the transcript ends with version" in ran.stderr
