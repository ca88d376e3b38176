"""A program with a bot of its own: a function from a position to moves."""

import threading
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from engine.match import Event, digest
from engine.registry import GAMES
from engine.transcript import replay
from service.client import (
    BadAnswer,
    Bot,
    BotFault,
    Client,
    Mirror,
    Position,
    Refused,
    Replica,
    Seat,
    engine_bot,
    play_match,
)
from service.client.news import News
from tests.cli.running import Service

*_, GAME = GAMES
SEED = b"\x07" * 32


def seats_of_a_match(service: Service, count: int = 2) -> list[Seat]:
    """Every seat of a new match, which has started."""
    match = service.client.create(GAME, count, seed="07" * 32).match.id
    joined = [service.client.join(match, f"player {seat}", seat) for seat in range(count)]
    return [Seat(match, one.seat, one.token) for one in joined]


def first_legal(position: Position) -> Sequence[Any]:
    return position.legal[:1]


def played_against(service: Service, seat: Seat, bot: Bot) -> threading.Thread:
    thread = threading.Thread(target=play_match, args=(service.client, seat, bot), daemon=True)
    thread.start()
    return thread


def test_a_function_plays_a_seat_to_the_end(service: Service) -> None:
    ours, other = seats_of_a_match(service)
    seen: list[Event] = []
    opponent = played_against(service, other, engine_bot("random", SEED))

    def watch(_: Mirror, steps: tuple[Any, ...]) -> None:
        seen.extend(step.event for step in steps)

    end = play_match(service.client, ours, first_legal, watch)
    opponent.join()
    assert end.status == "finished"
    assert tuple(seen) == service.client.transcript(ours.match).events


def test_what_happens_between_reading_and_following_is_told(service: Service) -> None:
    ours, other = seats_of_a_match(service)
    seen: list[Event] = []

    class Slow(Client):
        """A client that begins to follow the match when it is over."""

        def follow(self, match: str, after: int = 0) -> Generator[News, None, None]:
            self.resign(ours.match, ours.token)
            yield from super().follow(match, after)

    def watch(_: Mirror, steps: tuple[Any, ...]) -> None:
        seen.extend(step.event for step in steps)

    with Slow(service.url) as client:
        assert play_match(client, other, first_legal, watch).status == "finished"
    assert [(event.kind, event.cause) for event in seen] == [("retire", "resigned")]


def test_a_replica_has_the_state_of_the_server(service: Service) -> None:
    ours, other = seats_of_a_match(service)
    replica = Replica(service.client, ours.match)
    for seat in (ours, other):
        move = replica.game.write(replica.game.legal(replica.state)[0])
        service.client.play(ours.match, replica.version, (move,), seat.token)
        assert next(step.event.move for step in replica.update()) == move
    assert replica.version == service.client.match(ours.match).version
    *_, last = replay(service.client.transcript(ours.match))
    assert digest(replica.state) == digest(last.state)
    assert replica.update() == ()


def test_a_replica_does_not_skip_an_event(service: Service) -> None:
    ours, _ = seats_of_a_match(service)
    replica = Replica(service.client, ours.match)
    move = replica.game.write(replica.game.legal(replica.state)[0])
    with pytest.raises(BadAnswer, match="is missing"):
        replica.fold([Event(replica.version + 2, "action", 0, move)])
    with pytest.raises(BadAnswer, match="cannot be followed"):
        replica.fold([Event(replica.version + 1, "action", 0, "nonsense")])


@pytest.mark.parametrize("bot", [lambda position: (), lambda position: (position.legal[0],) * 2])
def test_a_bot_without_a_legal_move_is_at_fault(service: Service, bot: Bot) -> None:
    ours, _ = seats_of_a_match(service)
    with pytest.raises(BotFault, match="the bot of seat 0"):
        play_match(service.client, ours, bot)
    assert service.client.match(ours.match).version == 0


def test_a_bot_recovers_from_a_position_that_is_out_of_date(service: Service) -> None:
    ours, other, third = seats_of_a_match(service, 3)
    versions: list[int] = []

    def slow(position: Position) -> Sequence[Any]:
        if not versions:
            service.client.resign(third.match, third.token)
        versions.append(position.version)
        return position.legal[:1]

    opponent = played_against(service, other, first_legal)
    end = play_match(service.client, ours, slow)
    opponent.join()
    assert end.status == "finished"
    assert versions[:2] == [0, 1], "it was asked again after the event that it had missed"


def test_a_key_of_ones_own_gives_the_first_answer_again(service: Service) -> None:
    match = service.client.create(GAME, 2).match.id
    key = "k" * 22
    first = service.client.join(match, "Ada", key=key)
    assert service.client.join(match, "Ada", key=key) == first
    with pytest.raises(Refused) as caught:
        service.client.join(match, "Bob", key=key)
    assert caught.value.code == "key_reused"


def test_games_and_matches_are_listed(service: Service) -> None:
    assert [game.slug for game in service.client.games()] == list(GAMES)
    match = service.client.create(GAME, 2).match.id
    page = service.client.matches(game=GAME, status="open")
    assert match in [view.id for view in page.matches]


def test_an_id_with_strange_characters_is_only_an_unknown_id(service: Service) -> None:
    for match in ("../games", "a/b", "a?b#c", "é", " "):
        with pytest.raises(Refused) as caught:
            service.client.match(match)
        assert caught.value.problem.status == 404
