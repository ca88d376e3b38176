"""A server that says what it was told to say."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

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
