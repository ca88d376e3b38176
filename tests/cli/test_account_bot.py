"""`cantiere bot --account-token`: a player's program that accepts invitations and plays whatever comes."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
import pytest

from engine.registry import GAMES
from schema.operations import API
from schema.wire_players import MatchOverMessage, Told
from service.client import (
    AsyncClient,
    BotFault,
    Client,
    Position,
    Refused,
    dialogues,
    effects,
    engine_bot,
    play_account,
)
from service.client.account import unheard
from service.client.calls import Call
from tests.cli.running import SECONDS, Service, background, cantiere, until

T = TypeVar("T")


def registered(url: str, name: str) -> tuple[str, str]:
    """The id and the token of a new player."""
    body = {"name": name, "kind": "bot"}
    answer = httpx.post(f"{url}{API}/players", json=body, trust_env=False, timeout=SECONDS)
    told = answer.raise_for_status().json()
    return told["player"]["id"], told["token"]


def invited(url: str, token: str, guest: str, game: str) -> str:
    """A match of the first player, with a seat of its own, to which the other one is invited."""
    body = {"game": game, "seats": 2, "join": "invited", "invited": [guest]}
    headers = {"Authorization": f"Bearer {token}"}
    made = httpx.post(f"{url}{API}/matches", json=body, headers=headers, trust_env=False, timeout=SECONDS)
    match: str = made.raise_for_status().json()["match"]["id"]
    return match


def test_two_accounts_play_every_game(service: Service, tmp_path: Path) -> None:
    (_, ada), (bea_id, bea) = [registered(service.url, name) for name in ("Ada", "Bea")]
    arguments = ("bot", "--url", service.url, "--player", "random")
    matches = {invited(service.url, ada, bea_id, slug) for slug in GAMES}
    over: set[str] = set()

    def watch(message: Told) -> None:
        if isinstance(message, MatchOverMessage):
            over.add(message.match)

    with background(tmp_path / "bea", *arguments, CANTIERE_ACCOUNT_TOKEN=bea), Client(service.url) as client:
        for match in matches:
            client.join(match, token=ada)
        bot = engine_bot("random", bytes(32))
        play_account(client, ada, bot, watch, is_over=lambda: over == matches)
        for match in matches:
            found = client.match(match)
            assert found.status == "finished"
            assert {seat.name for seat in found.seats} == {"Ada", "Bea"}


def test_a_match_is_joined_with_the_account(service: Service) -> None:
    _, token = registered(service.url, "Cid")
    match = service.client.create(next(iter(GAMES)), 1).match.id
    done = cantiere("bot", "--url", service.url, "--match", match, "--account-token", token, "-q")
    assert done.returncode == 0, done.stderr
    assert service.client.match(match).seats[0].name == "Cid"


@pytest.mark.parametrize("arguments", [(), ("--token", "x", "--seat", "0")])
def test_something_has_to_be_played(service: Service, arguments: tuple[str, ...]) -> None:
    done = cantiere("bot", "--url", service.url, *arguments)
    assert (done.returncode, "--account-token" in done.stderr) == (2, True)


def test_a_wrong_token_is_refused(service: Service) -> None:
    done = cantiere("bot", "--url", service.url, "--account-token", "pat_x")
    assert done.returncode == 1
    assert "API token" in done.stderr
    with Client(service.url) as client, pytest.raises(Refused, match="API token"):
        client.own_events("seat_x")


class Asking(Client):
    """A client that knows whether it has asked for news."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.has_asked = threading.Event()

    def ask(self, call: Call[T]) -> T:
        if call.path.endswith("/me/events"):
            self.has_asked.set()
        return super().ask(call)


class AsyncAsking(AsyncClient):
    """A client that knows whether it has asked for news."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.has_asked = asyncio.Event()

    async def ask(self, call: Call[T]) -> T:
        if call.path.endswith("/me/events"):
            self.has_asked.set()
        return await super().ask(call)


class Blind(Client):
    """A client that does nothing else while its bot thinks."""

    @contextmanager
    def _beside(self, _: object) -> Iterator[None]:
        yield


class Host(NamedTuple):
    """Who invites a player to a match while that one is busy with another."""

    service: Service
    token: str
    guest: str
    matches: list[str]

    def invite(self) -> None:
        """Invite the player, once."""
        if not self.matches:
            match = invited(self.service.url, self.token, self.guest, next(iter(GAMES)))
            self.service.client.join(match, token=self.token)
            self.matches.append(match)

    def is_met(self) -> bool:
        """Whether the player has come."""
        return self.service.client.match(self.matches[0]).status == "running"


def hosted(service: Service, name: str) -> tuple[Host, str]:
    """Somebody who can invite a player, and the token of that player, whose turn it is in a match alone."""
    (_, host), (guest, token) = registered(service.url, f"Host of {name}"), registered(service.url, name)
    match = service.client.create(next(iter(GAMES)), 1).match.id
    service.client.join(match, token=token)
    return Host(service, host, guest, []), token


def alone(service: Service, name: str) -> str:
    """The token of a player whose turn it is in a match of its own."""
    return hosted(service, name)[1]


def test_who_thinks_long_is_heard_of(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "LOOK_EVERY", 0.02)
    thought: list[int] = []

    def bot(position: Position) -> Sequence[Any]:
        client.has_asked.clear()
        assert client.has_asked.wait(SECONDS)
        thought.append(position.version)
        return position.legal[:1]

    with Asking(service.url) as client:
        play_account(client, alone(service, "Dee"), bot, unheard, is_over=lambda: bool(thought))


@pytest.mark.anyio
async def test_who_thinks_long_without_blocking_is_heard_of(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "LOOK_EVERY", 0.02)
    thought: list[int] = []

    async def bot(position: Position) -> Sequence[Any]:
        client.has_asked.clear()
        await asyncio.wait_for(client.has_asked.wait(), SECONDS)
        thought.append(position.version)
        return position.legal[:1]

    async with AsyncAsking(service.url) as client:
        dialogue = dialogues.play_account(alone(service, "Eve"), bot, unheard, is_over=lambda: bool(thought))
        await client.run(dialogue)


def test_who_thinks_long_accepts_invitations(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "LOOK_EVERY", 0.02)
    host, token = hosted(service, "Fay")

    def bot(position: Position) -> Sequence[Any]:
        host.invite()
        until(host.is_met)
        return position.legal[:1]

    with Client(service.url) as client:
        play_account(client, token, bot, unheard, is_over=lambda: bool(host.matches))


@pytest.mark.anyio
async def test_who_thinks_long_without_blocking_accepts_invitations(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "LOOK_EVERY", 0.02)
    host, token = hosted(service, "Gus")

    async def bot(position: Position) -> Sequence[Any]:
        await asyncio.to_thread(host.invite)
        await asyncio.to_thread(until, host.is_met)
        return position.legal[:1]

    async with AsyncClient(service.url) as client:
        dialogue = dialogues.play_account(token, bot, unheard, is_over=lambda: bool(host.matches))
        await client.run(dialogue)


def test_who_thinks_often_accepts_invitations(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "LOOK_EVERY", 0)
    host, token = hosted(service, "Hal")
    was_met: list[bool] = []

    def bot(position: Position) -> Sequence[Any]:
        was_met.extend([host.is_met()] if host.matches else [])
        host.invite()
        return position.legal[:1] if not was_met else ()

    with Blind(service.url) as client, pytest.raises(BotFault):
        play_account(client, token, bot, unheard, is_over=lambda: False)
    assert was_met == [True], "it looked between two moves of one turn"
