"""People at the page: what they open, click and see."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from engine.registry import GAMES

ONE_NOW = [pytest.param(slug, marks=[pytest.mark.soak] if place else []) for place, slug in enumerate(GAMES)]
"""Every game, but all except the first one only among the long runs."""
SHOTS = Path(__file__).with_name("shots")
"""Pictures of the last run, for people: not a part of the repository."""
DESKTOP = (1280, 900)
PHONE = (360, 640)
SECONDS = 90
FEW = 3
"""What numbers among the options are set to for a match that is soon over."""
DRAWN = """(board) => [...board.querySelectorAll('*')].map((element) => [
    element.localName,
    ...element.getAttributeNames().filter((name) => name !== 'tabindex').sort().map(
        (name) => `${name}=${element.getAttribute(name)}`),
    ...[...element.childNodes].map((node) => node.nodeValue ?? '*'),
].join('|'))"""
AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"

expect.set_options(timeout=SECONDS * 1_000)


class Visit:
    """A page in a context of its own: its requests are kept, and its faults."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.responses: list[Response] = []
        self.faults: list[str] = []
        page.on("response", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"{error.message}\n{error.stack}"))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("console", lambda line: self._note(line.type, line.text))

    def _hear(self, response: Response) -> None:
        self.responses.append(response)

    def _note(self, kind: str, text: str) -> None:
        # What the network does is told there too; the tests of faults are about what the page does.
        if kind == "error" and "Failed to load resource" not in text and "net::ERR" not in text:
            self.faults.append(text)

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def asked(self, part: str) -> list[Response]:
        """The answers to requests whose address has this part."""
        return [response for response in self.responses if part in response.url]

    def board(self) -> list[str]:
        """The board as it is drawn, wherever the focus is: each element with its attributes and texts."""
        drawn: list[str] = self.page.locator(".board").evaluate(DRAWN)
        return drawn

    def shot(self, name: str) -> None:
        """A picture for people."""
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    def findings(self) -> list[str]:
        """What axe-core calls serious or critical."""
        self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = self.page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
        return [
            f"{one['id']}: {node['html'][:150]} {json.dumps(node['any'][:1])[:300]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    def stored(self, kind: str) -> dict[str, str]:
        """What the page keeps in `localStorage` or `sessionStorage`."""
        kept: dict[str, str] = self.page.evaluate(f"() => ({{...{kind}}})")
        return kept

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        wide: int = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        return wide


@contextmanager
def visiting(browser: Browser, url: str, size: tuple[int, int] = DESKTOP, **options: Any) -> Iterator[Visit]:
    """A new visitor; afterwards the page must not have failed."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce", **options
    )
    context.set_default_timeout(SECONDS * 1_000)
    made = Visit(context.new_page(), url)
    try:
        yield made
        assert made.faults == []
    finally:
        context.close()


def check(visit: Visit, name: str) -> None:
    """The page fits its window and axe-core finds nothing serious; a picture of it is kept."""
    visit.shot(name)
    assert visit.overflow() <= 0, name
    assert visit.findings() == []


def create(visit: Visit, title: str, *, name: str = "Ada", other: str = "random", small: bool = True) -> str:
    """A match of the game against somebody, made by its form; the id."""
    page = visit.open("/new")
    chosen = page.get_by_role("button", name=title, exact=True)
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="2 players").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Seat 1").select_option(other)
    if small:
        for number in page.locator("input[data-type=number]").all():
            number.fill(str(max(FEW, int(number.get_attribute("min") or 0))))
    page.get_by_role("button", name="Create match").click()
    page.wait_for_url("**/match/*")
    return page.url.rpartition("/")[2]


def choose(visit: Visit) -> None:
    """Choose the last place of the board that a move leads to, and of several moves the last one."""
    page = visit.page
    place = page.locator(".board.open .place").last
    place.click(position={"x": 6, "y": 6})
    if page.locator("dialog").count():
        page.locator("dialog .choice").last.click()


def play_turn(visit: Visit) -> None:
    """A whole turn by clicking on the board, if it is one's turn; then it is sent."""
    page = visit.page
    complete = page.locator("#turn", has_text=re.compile("complete|dice are rolled"))
    while not complete.count():
        moves = page.locator(".composed > li").count()
        choose(visit)
        expect(page.locator(".composed > li")).not_to_have_count(moves)
        page.locator(".composed > li.quiet").first.wait_for(state="detached")
    page.locator("#send").click()
