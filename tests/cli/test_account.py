"""`cantiere account`: accounts opened, and tokens made and revoked from the command line."""

import shlex
from pathlib import Path

import pytest

from schema.wire_players import CreateToken, RegisterPlayer
from service.cli.exits import BAD_INPUT, FAILED
from service.client import Refused
from tests.cli.running import Here, Service, serving


@pytest.fixture
def token(service: Service, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The first token of a player, told to commands."""
    token = service.client.register(RegisterPlayer(f"{request.node.name:.40}")).token
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", token)
    return token


def test_who_registers_gets_a_token_and_what_comes_next(
    service: Service, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = here("account", "register", "Ada", "--url", service.url)
    assert made.returncode == 0, made.stderr
    token = made.stdout.removesuffix("\n")
    me = service.client.me(token)
    assert (me.player.name, me.player.kind) == ("Ada", "bot")
    assert me.player.id in made.stderr
    assert token not in made.stderr
    (show,) = [line for line in made.stderr.splitlines() if "cantiere account show" in line]
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", token)
    shown = here(*shlex.split(show[show.index("cantiere") :])[1:])
    player, granted = shown.stdout.splitlines()
    assert player.split() == [
        "player",
        me.player.id,
        "bot",
        "since",
        f"{me.player.created_at:%Y-%m-%d}",
        "Ada",
    ]
    assert granted.startswith(f"token   {me.token.id}  read,play,create,account  until it is revoked")


def test_a_name_has_one_player(service: Service, here: Here) -> None:
    arguments = ("account", "register", "Bea", "--kind", "person", "--url", service.url)
    assert here(*arguments).returncode == 0
    again = here(*arguments)
    assert (again.returncode, again.stdout) == (FAILED, "")
    assert again.stderr == "cantiere: There is a player 'Bea' already.\n"


def test_an_invite_opens_a_closed_door(tmp_path: Path, here: Here) -> None:
    asked = {"CANTIERE_REGISTRATION": "invite", "CANTIERE_INVITES": "one-of-ours"}
    with serving(tmp_path / "log", tmp_path / "data", **asked) as (_, url):
        refused = here("account", "register", "Ada", "--url", url)
        assert (refused.returncode, refused.stdout) == (FAILED, "")
        assert "an invite of its operator" in refused.stderr
        assert here("account", "register", "Ada", "--invite", "one-of-ours", "--url", url).returncode == 0


def test_a_token_is_made_as_asked_and_revoked(service: Service, here: Here, token: str) -> None:
    at = ("--url", service.url)
    made = here("account", "create-token", "laptop", "--expires-in-days", "30", *at)
    assert made.returncode == 0, made.stderr
    further = service.client.me(made.stdout.strip()).token
    assert (further.label, further.scopes) == ("laptop", ("read", "play"))
    assert further.expires_at is not None
    assert (further.expires_at - further.created_at).days == 30
    assert made.stderr.startswith(f"{further.id}  read,play  until {further.expires_at:%Y-%m-%d %H:%M} UTC")
    listed = here("account", "tokens", *at)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [
        service.client.me(token).token.id,
        further.id,
    ]
    assert "pat_" not in listed.stdout
    left = here("account", "revoke-token", further.id, *at)
    assert left.stdout == listed.stdout.splitlines(keepends=True)[0]
    with pytest.raises(Refused):
        service.client.me(made.stdout.strip())


def test_scopes_are_those_that_are_named(service: Service, here: Here, token: str) -> None:
    made = here(
        "account", "create-token", "cups", "--scope", "create", "--scope", "read", "--url", service.url
    )
    assert service.client.me(made.stdout.strip()).token.scopes == ("read", "create")


def test_a_token_gives_no_more_than_it_has(
    service: Service, here: Here, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = service.client.create_token(CreateToken("poor", ("read",)), token).token
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", poor)
    for deed in (("tokens",), ("create-token", "more")):
        ran = here("account", *deed, "--url", service.url)
        assert (ran.returncode, ran.stdout) == (FAILED, "")
        assert "`account`" in ran.stderr


def test_a_token_in_place_of_its_id_goes_nowhere(service: Service, here: Here, token: str) -> None:
    ran = here("account", "revoke-token", token, "--url", service.url)
    assert (ran.returncode, ran.stdout) == (BAD_INPUT, "")
    assert "as `cantiere account tokens` lists it" in ran.stderr
    assert token not in ran.stderr
    assert len(service.client.tokens(token).tokens) == 1
    unknown = here("account", "revoke-token", "abcdefgh", "--url", service.url)
    assert (unknown.returncode, unknown.stderr) == (FAILED, "cantiere: None of your tokens has this id.\n")


def test_without_a_token_one_line_says_so(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CANTIERE_ACCOUNT_TOKEN", raising=False)
    missing = here("account", "show")
    assert (missing.returncode, missing.stderr.count("\n")) == (BAD_INPUT, 1)
    assert "CANTIERE_ACCOUNT_TOKEN" in missing.stderr
