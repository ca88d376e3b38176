"""The GraphQL door of a service that runs, asked as strangers do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.cli.running import SECONDS, background

JSON = "application/json"
RESPONSE = "application/graphql-response+json"


class Served(NamedTuple):
    """A service, what it logs, and a client of it."""

    url: str
    log: Path
    client: httpx.Client

    def post(self, query: str | None, *, accept: str = RESPONSE, **more: Any) -> httpx.Response:
        """The answer to a document."""
        body = ({} if query is None else {"query": query}) | more
        return self.client.post("/graphql", json=body, headers={"accept": accept})

    def refused(self, query: str | None, **more: Any) -> tuple[int, str, str]:
        """Status, code and message of the first error of an answer without data."""
        answer = self.post(query, **more)
        body = answer.json()
        assert "data" not in body, body
        error = body["errors"][0]
        return answer.status_code, error["extensions"]["code"], error["message"]


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Served]:
    """A service of its own, with these settings of the GraphQL door."""
    environment = {f"CANTIERE_GRAPHQL_{name.upper()}": value for name, value in settings.items()}
    environment["CANTIERE_GRAPHQL"] = "on"
    log = folder / "log"
    with background(log, "serve", "--port", "0", "--data-dir", folder / "own", **environment) as running:
        url = running.says(r"listens on (http://\S+)")
        with httpx.Client(base_url=url, timeout=SECONDS) as client:
            yield Served(url, log, client)
