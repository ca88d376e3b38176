"""`cantiere match`: matches opened, found, shown and left from the command line."""

import json
import shlex
from collections.abc import Iterator
from functools import partial

import msgspec
import pytest

from engine.registry import GAMES
from schema.wire import AskedClock, CreateMatch, MatchesQuery
from schema.wire_players import RegisterPlayer
from service.cli import match as commands
from service.cli.exits import BAD_INPUT, FAILED, UNREACHABLE
from service.client import AsyncClient, Client
from tests.cli.running import Here, Service, serving

*_, GAME = GAMES


@pytest.fixture(autouse=True)
def without_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("ACCOUNT", "SEAT", "HOST"):
        monkeypatch.delenv(f"CANTIERE_{who}_TOKEN", raising=False)


@pytest.fixture
def token(service: Service, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The token of a player, told to commands."""
    token = service.client.register(RegisterPlayer(f"{request.node.name:.40}")).token
    monkeypatch.setenv("CANTIERE_ACCOUNT_TOKEN", token)
    return token


@pytest.fixture(scope="module")
def with_bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that has bots of its own."""
    directory = tmp_path_factory.mktemp("bots")
    with (
        serving(directory / "out", directory / "data", CANTIERE_BOTS="1") as (_, url),
        Client(url) as client,
    ):
        yield Service(url, client)


def test_a_guest_opens_a_match_and_calls_it_off_as_is_said(
    service: Service, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = here("match", "open", GAME, "--url", service.url)
    assert made.returncode == 0, made.stderr
    match = service.client.match(made.stdout.removesuffix("\n"))
    assert (match.status, match.game, len(match.seats)) == ("open", GAME, 2)
    assert (match.visibility, match.clock, match.creator) == ("public", None, None)
    assert f"{service.url}/match/{match.id}" in made.stderr
    (call_off,) = [line for line in made.stderr.splitlines() if "cantiere match cancel" in line]
    cancel = shlex.split(call_off[call_off.index("cantiere") :])[1:]
    assert here(*cancel).returncode == BAD_INPUT
    monkeypatch.setenv("CANTIERE_HOST_TOKEN", made.stderr.split()[-1])
    cancelled = here(*cancel)
    assert cancelled.returncode == 0, cancelled.stderr
    assert cancelled.stdout == f"{match.id}  cancelled, {GAME}, 0 of 2 seats taken\n"


def test_with_an_account_there_is_no_host_token_to_be_kept(service: Service, here: Here, token: str) -> None:
    made = here("match", "open", GAME, "--url", service.url)
    match = made.stdout.strip()
    assert service.client.match(match).creator == service.client.me(token).player.id
    assert "token" not in made.stderr
    assert here("match", "cancel", match, "--url", service.url).returncode == 0
    assert service.client.match(match).status == "cancelled"


def test_options_say_what_the_contract_takes(service: Service, here: Here) -> None:
    ada = service.client.register(RegisterPlayer("Ada")).player.id
    said = ("--seats", "3", "--base", "600", "--increment", "5", "--unlisted", "--invite", ada)
    made = here("match", "open", GAME, *said, "--url", service.url)
    match = service.client.match(made.stdout.strip())
    assert (len(match.seats), match.visibility, match.invited) == (3, "unlisted", (ada,))
    assert match.clock is not None
    assert (match.clock.control.base, match.clock.control.increment) == (600_000, 5_000)


@pytest.mark.parametrize("slug", GAMES)
def test_options_of_the_game_are_passed_on(service: Service, here: Here, slug: str) -> None:
    name, default = next(iter(msgspec.to_builtins(msgspec.convert({}, GAMES[slug].options_type)).items()))
    made = here("match", "open", slug, "-o", f"{name}={json.dumps(default)}", "--url", service.url)
    assert service.client.match(made.stdout.strip()).options[name] == default
    refused = here("match", "open", slug, "-o", f"{name}=nothing", "--url", service.url)
    assert (refused.returncode, refused.stdout) == (FAILED, "")
    assert name in refused.stderr


def test_bots_of_the_server_take_seats(with_bots: Service, here: Here) -> None:
    made = here(
        "match", "open", GAME, "--seats", "3", "--bot", "greedy", "--bot", "random", "--url", with_bots.url
    )
    assert made.returncode == 0, made.stderr
    match = with_bots.client.match(made.stdout.strip())
    assert [seat.bot for seat in match.seats] == ["greedy", "random", None]
    assert f"cantiere bot --match {match.id}" in made.stderr
    begun = here("match", "open", GAME, "--bot", "random", "--bot", "random", "--url", with_bots.url)
    assert with_bots.client.match(begun.stdout.strip()).status != "open"
    assert "cantiere bot" not in begun.stderr
    assert f"cantiere watch {begun.stdout.strip()}" in begun.stderr


def test_a_match_whose_bots_do_not_come_is_cancelled(
    service: Service, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "Client", partial(Client, patience=0.1))
    before = {match.id for match in service.client.matches(status="cancelled").matches}
    made = here("match", "open", GAME, "--bot", "greedy", "--url", service.url)
    assert (made.returncode, made.stdout, made.stderr.count("\n")) == (UNREACHABLE, "", 1)
    assert "Nobody plays for the bots of this service now." in made.stderr
    after = {match.id for match in service.client.matches(status="cancelled").matches}
    assert len(after - before) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("open chess", "There is no game 'chess'"),
        (f"open {GAME} --seats 16", "not 16"),
        (f"open {GAME} --bot greedy --bot greedy --bot greedy", "3 bots are too many for 2 seats"),
        ("leave x", "give --token, that of the seat, or --account-token"),
        ("cancel x", "give --token, that of the host, or --account-token"),
    ],
)
def test_bad_input_is_one_line(line: str, told: str, here: Here) -> None:
    ran = here("match", *line.split())
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (BAD_INPUT, "", 1)
    assert told in ran.stderr


def test_what_the_server_refuses_is_one_line(service: Service, here: Here) -> None:
    made = here("match", "open", GAME, "--base", "60", "--per-turn", "5", "--url", service.url)
    assert (made.returncode, made.stdout) == (FAILED, "")
    assert made.stderr == "cantiere: clock: give either base, the time for the whole match, or perTurn\n"


def test_matches_are_found_by_what_they_are_like(service: Service, here: Here) -> None:
    at = ("--url", service.url)
    plain, timed = (
        here("match", "open", GAME, "--seats", "4", *said, *at).stdout.strip()
        for said in ((), ("--per-turn", "30"))
    )
    ada = service.client.register(RegisterPlayer("Bea"))
    service.client.join(timed, token=ada.token)

    def found(*said: str) -> list[str]:
        return here("match", "list", "--seats", "4", *said, *at).stdout.splitlines()

    told = f"{timed}  open, {GAME}, 1 of 4 seats taken, 0:00:30 a turn: Bea, free, free, free"
    assert found() == [told, f"{plain}  open, {GAME}, 0 of 4 seats taken, no clock: free, free, free, free"]
    assert found("--clock", "perTurn") == found("--player", ada.player.id) == found("--limit", "1") == [told]
    assert [line.split()[0] for line in found("--free", "4", "--game", GAME)] == [plain]
    assert found("--status", "running") == found("--join", "invited") == []


def test_a_short_page_is_not_the_end(service: Service) -> None:
    asked = MatchesQuery(seats=3, limit=1)
    made = [service.client.create(GAME, 3).match.id for _ in range(2)]
    assert service.client.lobby(asked).next is not None
    found = [match.id for match in commands._found(service.client, asked)]
    assert found[:2] == made[::-1]
    assert len(found) == len(set(found))


def test_a_match_is_shown_as_it_stands(service: Service, here: Here) -> None:
    match = service.client.create(GAME, 2, clock=AskedClock(base=600_000)).match.id
    first = service.client.join(match, "Ada")
    show = ("match", "show", match, "--url", service.url)
    assert here(*show).stdout.splitlines() == [
        f"{match}  open, {GAME}, 1 of 2 seats taken, version 0, 0:10:00 + 0:00:00",
        "  seat 0  Ada  0:10:00 left",
        "  seat 1  free  0:10:00 left",
        f"  {service.url}/match/{match}",
    ]
    service.client.join(match, "Bob")
    headline, ada, *_ = here(*show).stdout.splitlines()
    assert headline.startswith(f"{match}  running, {GAME}, 2 of 2 seats taken, version 0")
    assert ada.startswith("  seat 0  Ada  0:")
    assert ada.endswith(" left  to move")
    resigned = here("match", "resign", match, "--token", first.token, "--url", service.url)
    assert resigned.stdout == f"{match}  finished, {GAME}, 2 of 2 seats taken\n"
    assert "to move" not in here(*show).stdout


def test_a_seat_is_given_back_and_an_invitation_declined(service: Service, here: Here, token: str) -> None:
    ada = service.client.me(token).player.id
    match = service.client.open_match(CreateMatch(GAME, 2, invited=(ada,))).match.id
    guest = service.client.join(match, "Guest")
    leave = ("match", "leave", match, "--url", service.url)
    assert here(*leave, "--token", guest.token).stdout == f"{match}  open, {GAME}, 0 of 2 seats taken\n"
    assert service.client.match(match).invited == (ada,)
    assert here(*leave).returncode == 0
    assert service.client.match(match).invited == ()
    again = here(*leave)
    assert (again.returncode, again.stderr) == (FAILED, "cantiere: The player has no seat in this match.\n")


@pytest.mark.anyio
async def test_the_client_that_does_not_block_leaves_as_well(service: Service) -> None:
    async with AsyncClient(service.url) as client:
        match = (await client.create(GAME, 2)).match.id
        joined = await client.join(match, "Ada")
        assert not any(seat.taken for seat in (await client.leave(match, joined.token)).seats)


def test_nobody_there_is_said(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "Client", partial(Client, patience=0.1))
    ran = here("match", "list", "--url", "http://127.0.0.1:9")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (UNREACHABLE, "", 1)
