"""The client repeats what was not answered, says everything once, and waits as long as it is asked to."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import NamedTuple

import pytest

from service.client import BadAnswer, Client, Refused, Unreachable
from service.client.transport import checked_url, retry_after

GAMES = b'{"games": []}'
PROBLEM = {"type": "x", "title": "No", "status": 404, "detail": "There is no match.", "code": "no_such_match"}


class Answer(NamedTuple):
    """What a scripted server says: a status, a body, headers; status 0 hangs up without a word."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Heard(NamedTuple):
    """A request that arrived, and when."""

    path: str
    key: str | None
    authorization: str | None
    at: float


class Script(NamedTuple):
    url: str
    heard: list[Heard]


Scripted = Callable[..., Script]


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Starts a server that gives the answers one after the other, and the last one for ever."""
    servers: list[ThreadingHTTPServer] = []

    def start(*answers: Answer) -> Script:
        heard: list[Heard] = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                key, authorization = self.headers.get("idempotency-key"), self.headers.get("authorization")
                heard.append(Heard(self.path, key, authorization, time.monotonic()))
                answer = answers[min(len(heard), len(answers)) - 1]
                self.close_connection = True
                if not answer.status:
                    return
                self.send_response(answer.status)
                for name, value in (*answer.headers, ("content-length", str(len(answer.body)))):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            do_GET = do_POST = answer  # noqa: N815  # the names that the standard library looks for

            def log_message(self, *_: object) -> None:
                """Nothing is logged."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return Script(f"http://127.0.0.1:{server.server_port}", heard)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def problem(status: int, **entries: object) -> Answer:
    return Answer(status, json.dumps(PROBLEM | {"status": status} | entries).encode())


@pytest.mark.parametrize(
    "first",
    [Answer(0), Answer(502), Answer(503), Answer(504), Answer(429), problem(409, code="request_in_progress")],
)
def test_what_was_not_answered_is_sent_again_with_the_same_key(scripted: Scripted, first: Answer) -> None:
    played = {"version": 5, "status": "running", "events": [], "played": 1, "toMove": 1}
    script = scripted(first, first, Answer(200, json.dumps(played).encode()))
    with Client(script.url) as client:
        assert client.play("m", 4, ("a",), "secret").version == 5
    assert len(script.heard) == 3
    assert len({(heard.path, heard.key, heard.authorization) for heard in script.heard}) == 1
    assert script.heard[0].authorization == "Bearer secret"
    assert len(script.heard[0].key or "") >= 22


def test_two_requests_have_two_keys(scripted: Scripted) -> None:
    script = scripted(problem(404))
    with Client(script.url) as client:
        for _ in range(2):
            with pytest.raises(Refused):
                client.join("m")
    assert script.heard[0].key != script.heard[1].key


def test_retry_after_is_honoured(scripted: Scripted) -> None:
    script = scripted(Answer(429, headers=(("retry-after", "1"),)), Answer(200, GAMES))
    with Client(script.url) as client:
        assert client.games() == ()
    assert script.heard[1].at - script.heard[0].at >= 1


def test_a_server_that_asks_for_more_patience_than_there_is_is_given_up_at_once(scripted: Scripted) -> None:
    script = scripted(Answer(503, headers=(("retry-after", "3600"),)))
    with Client(script.url, patience=5) as client, pytest.raises(Unreachable, match="status 503"):
        client.games()
    assert len(script.heard) == 1


def test_pauses_grow(scripted: Scripted) -> None:
    script = scripted(Answer(503))
    with Client(script.url, patience=1.5) as client, pytest.raises(Unreachable):
        client.games()
    times = [heard.at for heard in script.heard]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert 3 <= len(pauses) <= 8
    assert pauses[-1] > 2 * pauses[0]


def test_a_refusal_has_the_problem(scripted: Scripted) -> None:
    script = scripted(problem(404))
    with Client(script.url) as client, pytest.raises(Refused, match="There is no match") as caught:
        client.match("m")
    assert (caught.value.code, caught.value.problem.status) == ("no_such_match", 404)
    assert len(script.heard) == 1


@pytest.mark.parametrize(
    "answer", [Answer(200, b"<html>"), Answer(200, b"{}"), Answer(404, b"<html>"), Answer(500)]
)
def test_another_kind_of_server_is_recognized(scripted: Scripted, answer: Answer) -> None:
    script = scripted(answer)
    with Client(script.url) as client, pytest.raises(BadAnswer):
        client.games()


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry_after("7") == 7
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("Fri, 31 Dec 2100 23:59:59 GMT") > 1e9
    assert retry_after("soon") == retry_after("") == retry_after("-1") == 0


def test_an_address_names_a_scheme_and_a_host() -> None:
    assert checked_url("http://here:8000/") == "http://here:8000"
    for text in ("here", "http://", "ftp://here", "http://here:port", "http://\x00"):
        with pytest.raises(ValueError, match="is no address"):
            checked_url(text)
