"""A service with bots, and browsers that look at its page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from service.client import Client
from tests.browser.looking import Visit, visiting
from tests.cli.running import Running, background

CHROMIUM = "/usr/bin/chromium"
# Nothing but the page is asked for, and nothing needs a display or a user.
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LISTENS = r"listens on (http://\S+)"


@contextmanager
def serving(output: Path, directory: Path, port: int = 0) -> Iterator[tuple[Running, str]]:
    """A service with a store and bots of its own, and its address."""
    arguments = ("serve", "--port", str(port), "--data-dir", directory)
    with background(output, *arguments, CANTIERE_BOTS="1") as server:
        yield server, server.says(LISTENS)


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service for all tests of this process."""
    folder = tmp_path_factory.mktemp("page")
    with serving(folder / "out", folder / "data") as (server, found):
        server.says("(Application startup complete)")
        yield found


@pytest.fixture(scope="session")
def client(url: str) -> Iterator[Client]:
    """A program that plays beside the browsers."""
    with Client(url) as made:
        yield made


# Not for the whole session: Playwright's event loop must not run beside those of other tests.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser with a profile that is thrown away."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, url: str) -> Iterator[Visit]:
    """Somebody who looks at the page, and whose page never fails."""
    with visiting(chromium, url) as made:
        yield made
