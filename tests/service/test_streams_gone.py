"""A client that is gone before its stream begins: nothing is left of it, and nothing has failed."""

import os
import re
import signal
import socket
from pathlib import Path

import httpx

from schema.operations import API, NDJSON
from service.client import Client
from tests.cli.running import SECONDS, serving, until
from tests.service.table import SLUGS
from tests.service.test_processes import children


def open_streams(world: httpx.Client) -> float:
    """How many streams the service says there are."""
    found = re.search(r"^cantiere_streams_open (\S+)$", world.get("/metrics").text, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_who_is_gone_before_the_stream_begins_leaves_nothing(tmp_path: Path) -> None:
    """The store is held back while the client asks and goes away."""
    with serving(tmp_path / "out", tmp_path / "data") as (running, url):
        with Client(url) as client:
            path = f"{API}/matches/{client.create(SLUGS[0], 2).match.id}/events"
        (store,) = children(running.process.pid)
        os.kill(store, signal.SIGSTOP)
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: {NDJSON}\r\n\r\n"
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as connection:
                connection.sendall(asked.encode())
        os.kill(store, signal.SIGCONT)
        with httpx.Client(base_url=url, timeout=SECONDS) as world:
            with world.stream("GET", path, headers={"Accept": NDJSON}) as following:
                lines = following.iter_lines()  # the stream ends with it
                next(lines)
                until(lambda: open_streams(world) == 1)
            until(lambda: open_streams(world) == 0)
        assert "Traceback" not in running.text(), running.text()
