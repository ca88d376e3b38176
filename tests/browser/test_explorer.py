"""GraphiQL in a browser: nothing but our files, and a query that is answered."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from engine.registry import GAMES
from tests.browser.conftest import LISTENS
from tests.browser.looking import visiting
from tests.cli.running import background


@pytest.fixture
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that shows it."""
    folder = tmp_path_factory.mktemp("explorer")
    serve = ("serve", "--port", "0", "--data-dir", folder / "data")
    with background(folder / "out", *serve, CANTIERE_GRAPHQL="on", CANTIERE_GRAPHQL_EXPLORER="on") as server:
        found = server.says(LISTENS)
        server.says("(Application startup complete)")
        yield found


def test_a_query_is_answered_in_the_explorer(chromium: Browser, url: str) -> None:
    with visiting(chromium, url) as visit:
        page = visit.open("/graphql")
        page.get_by_role("button", name="Execute query").click()
        for slug in GAMES:
            expect(page.locator(".result-window")).to_contain_text(f'"{slug}"')
        assert all(answer.ok and answer.url.startswith(url) for answer in visit.responses)
