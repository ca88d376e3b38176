"""The client follows a match over a stream, resumes it where it broke off, or polls where there is none."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import msgspec
import pytest

from engine.registry import GAMES
from schema.operations import NDJSON
from schema.wire import Status
from schema.wire_streams import CutMessage, EndMessage, HeartbeatMessage, StatusMessage
from schema.wire_views import EventPage, EventTime, EventView
from service.client import BadAnswer, Client, Refused, Unreachable
from service.client import news as following
from service.client.news import News
from tests.cli.running import Service
from tests.cli.scripted import Answer, Scripted, problem
from tests.service.channels import message_of

*_, GAME = GAMES
STATUS = StatusMessage(0, "running", ())
END = EndMessage(3, "finished", (1, 2))
BEAT = HeartbeatMessage(1)
CUT = CutMessage(2, "stopping")
WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def event(version: int) -> EventView:
    return EventView(version, "action", 0, "a", "", None, WHEN, (), EventTime(0, 0, 0, 0, None))


def stream(*messages: Any) -> Answer:
    """Messages of a stream, an event given by its version."""
    told = (message_of(event(each)) if isinstance(each, int) else each for each in messages)
    body = b"".join(msgspec.json.encode(message) + b"\n" for message in told)
    return Answer(200, body, (("content-type", NDJSON),))


def page(status: Status, *versions: int, following: int | None = None) -> Answer:
    body = msgspec.json.encode(EventPage(3, status, tuple(map(event, versions)), following))
    return Answer(200, body, (("content-type", "application/json"),))


def versions(told: list[News]) -> list[int]:
    return [event.version for news in told for event in news.events]


def test_a_stream_that_breaks_off_is_resumed_after_the_last_event(scripted: Scripted) -> None:
    script = scripted(
        stream(STATUS, 1, BEAT, 2),
        Answer(0),
        Answer(503),
        stream(STATUS, CUT),
        stream(STATUS, 3, END),
    )
    with Client(script.url) as client:
        told = list(client.follow("m"))
    assert versions(told) == [1, 2, 3]
    assert [news.status for news in (told[0], told[-1])] == ["running", "finished"]
    assert [heard.path.partition("?")[2] for heard in script.heard] == ["after=0", *["after=2"] * 4]


def test_a_stream_begins_where_it_is_asked_to(scripted: Scripted) -> None:
    script = scripted(stream(STATUS, END))
    with Client(script.url) as client:
        assert versions(list(client.follow("m", 7))) == []
    assert script.heard[0].path.endswith("/matches/m/events?after=7")


def test_a_server_that_stays_away_is_waited_for_as_long_as_patience_lasts(scripted: Scripted) -> None:
    script = scripted(stream(STATUS, 1), Answer(0))
    with Client(script.url, patience=0.5) as client, pytest.raises(Unreachable):
        list(client.follow("m"))
    assert len(script.heard) >= 3


def test_a_refusal_is_a_refusal(scripted: Scripted) -> None:
    script = scripted(stream(STATUS, 1), problem(404))
    with Client(script.url) as client, pytest.raises(Refused, match="There is no match"):
        list(client.follow("m"))
    assert len(script.heard) == 2


def test_a_stream_of_something_else_is_recognized(scripted: Scripted) -> None:
    script = scripted(stream({"type": "weather"}))
    with Client(script.url) as client, pytest.raises(BadAnswer, match="does not tell what is expected"):
        list(client.follow("m"))


def test_where_there_is_no_stream_it_is_polled(scripted: Scripted) -> None:
    script = scripted(
        page("running"), page("running", 1, 2), page("finished", 3, following=3), page("finished")
    )
    with Client(script.url) as client:
        told = list(client.follow("m"))
    assert versions(told) == [1, 2, 3]
    asked = [heard.path.partition("?")[2] for heard in script.heard[1:]]
    assert asked == ["after=0", "after=2&wait=20&status=running", "after=3&wait=20&status=finished"]


def test_where_streams_are_held_back_it_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "SILENCE", 0.3)
    with holding_back() as url, Client(url) as client, closing(client.follow("m")) as told:
        assert versions(list(islice(told, 1))) == [1]


@contextmanager
def holding_back() -> Iterator[str]:
    """A server that says nothing where a stream is asked for, and else that there was one event."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                asked = connection.recv(65_536)
                if NDJSON.encode() in asked:
                    connection.sendall(f"HTTP/1.1 200 OK\r\ncontent-type: {NDJSON}\r\n\r\n".encode())
                    held.append(connection)
                    continue
                body = page("running", 1).body
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
                connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in held:
            connection.close()


def test_a_match_is_followed_from_before_its_start_to_its_end(service: Service) -> None:
    client = service.client
    match = client.create(GAME, 2).match.id
    told: list[News] = []
    with closing(client.follow(match)) as news:
        told.append(next(news))
        tokens = [client.join(match).token for _ in range(2)]
        client.resign(match, tokens[0])
        told += news
    assert [told[0].status, told[-1].status] == ["open", "finished"]
    assert versions(told) == list(range(1, client.match(match).version + 1))
