"""People look on at a tournament from its announcement to its end, live, on every screen; names are wild."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.registry import GAMES
from schema.manifest import Placings, RoundRobin
from schema.wire import AskedClock
from schema.wire_players import RegisterPlayer
from schema.wire_tournaments import CreateTournament
from service.client import Client
from service.tournaments.verify import read_export, verify
from tests.browser.conftest import LISTENS
from tests.browser.looking import PHONE, Visit, check, visiting
from tests.cli.running import background, until

*_, GAME = GAMES
HOSTILE = '<img src=x onerror="alert(1)">'
NAMES = ("Ada", HOSTILE, "Cid")
TITLE = "<b>Cup</b> of the browsers"


class Cup:
    """A tournament of three on a service, one match at a time."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._organiser, *made = (client.register(RegisterPlayer(name)) for name in ("Olga", *NAMES))
        self._tokens = {one.player.id: one.token for one in made}
        asked = CreateTournament(
            TITLE,
            GAME,
            2,
            RoundRobin(),
            clock=AskedClock(per_turn=3_600_000),
            stopping=Placings(entrant=made[1].player.id),
        )
        self.id = client.create_tournament(asked, self._organiser.token).id

    def enter(self) -> None:
        for token in self._tokens.values():
            self._client.join_tournament(self.id, token)

    def start(self) -> None:
        self._client.start_tournament(self.id, self._organiser.token)

    def begin(self, number: int) -> str:
        """The match with this number, as soon as its players are called; they are there. Its id."""
        match = until(lambda: self._match(number))
        for entrant in self._entrants(number):
            self._client.join(match, token=self._tokens[entrant])
        return match

    def play(self, number: int) -> None:
        """The first legal move, by whoever is to move."""
        match = self.begun(number)
        now = self._client.match(match)
        assert isinstance(now.to_move, int)
        token = self._tokens[self._entrants(number)[now.to_move]]
        self._client.play(match, now.version, (self._client.legal_moves(match).moves[0].notation,), token)

    def resign(self, number: int) -> None:
        """The second seat gives up."""
        self._client.resign(self.begun(number), self._tokens[self._entrants(number)[1]])

    def begun(self, number: int) -> str:
        match = self._match(number)
        assert match is not None
        return match

    def _match(self, number: int) -> str | None:
        """Its id as guests are told it, None as long as there is none."""
        rows = self._client.tournament_matches(self.id, number - 1).matches
        return rows[0].match if rows else None

    def _entrants(self, number: int) -> tuple[str, ...]:
        return self._client.tournament_matches(self.id, number - 1).matches[0].entrants


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A service that drives tournaments."""
    arguments = ("serve", "--port", "0", "--data-dir", tmp_path / "data")
    with background(tmp_path / "out", *arguments, CANTIERE_TOURNAMENTS="1") as server:
        found = server.says(LISTENS)
        server.says("(Application startup complete)")
        yield found


def test_a_tournament_is_followed_to_its_end(
    chromium: Browser, visit: Visit, url: str, tmp_path: Path
) -> None:
    with Client(url) as client:
        cup = Cup(client)
        see_entrants(visit, cup)
        see_a_board(visit, cup)
        with visiting(chromium, url, PHONE, has_touch=True) as phone:
            phone.open(f"/tournament/{cup.id}")
            expect(phone.page.locator(".live .board svg")).to_be_visible()
            check(phone, "phone-tournament-running")
        see_what_happened_while_it_was_away(visit, cup)
        see_the_end(visit, cup)
        download_what_can_be_verified(visit, tmp_path / "record.json")
        go_to_a_match_and_back(visit)
        with visiting(chromium, url, color_scheme="dark") as dark:
            find_it_in_the_list(dark, cup)


def see_entrants(visit: Visit, cup: Cup) -> None:
    """Who comes in appears on the page; what people call themselves is text."""
    page = visit.open("/tournaments")
    page.get_by_role("link", name=TITLE).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    expect(page.get_by_text("Nobody has joined yet.")).to_be_visible()
    cup.enter()
    expect(page.locator(".entrants li")).to_have_text(list(NAMES))
    visit.shot("light-tournament-open")
    assert page.locator("main :is(img, b)").count() == 0


def see_a_board(visit: Visit, cup: Cup) -> None:
    """The board of a running match is there, and follows it without being drawn anew."""
    page = visit.page
    cup.start()
    expect(page.locator("main .badge.running").first).to_be_visible()
    expect(page.locator(".standings tbody .name")).to_have_count(len(NAMES))
    assert set(page.locator(".standings tbody .name").all_inner_texts()) == set(NAMES)
    expect(page.get_by_text(f"that {HOSTILE} places other than the mean (not decided)")).to_be_visible()
    match = cup.begin(1)
    expect(page.locator(".live figcaption")).to_contain_text("0 steps")
    expect(page.get_by_role("link", name="Watch Match 1")).to_have_attribute("href", f"/match/{match}")
    page.evaluate("() => { window.kept = document.querySelector('.live svg'); }")
    cup.play(1)
    expect(page.locator(".live figcaption")).to_contain_text("1 step")
    assert page.evaluate("() => document.querySelector('.live svg') === window.kept")
    assert page.locator("main :is(img, b)").count() == 0
    visit.shot("light-tournament-running")


def see_what_happened_while_it_was_away(visit: Visit, cup: Cup) -> None:
    """What the page could not hear it is told afterwards, from where it had come."""
    page = visit.page
    page.route(re.compile(f"/tournaments/{cup.id}"), lambda route: route.abort())
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator(".badge.lost")).to_be_visible()
    cup.resign(1)
    expect(page.locator(".live figcaption")).to_contain_text("finished")
    expect(page.locator(".progress")).to_contain_text("0 of 3 matches over")
    page.unroute_all()
    expect(page.locator(".pairings > li.done")).to_contain_text("resigned")
    expect(page.locator(".progress")).to_contain_text("1 of 3 matches over")
    expect(page.locator(".badge.lost")).to_have_count(0)
    assert visit.asked("/events?")[-1].url.endswith("after=1")


def see_the_end(visit: Visit, cup: Cup) -> None:
    """The tables are those of the end, and the secret is told."""
    page = visit.page
    for number in (2, 3):
        cup.begin(number)
        cup.resign(number)
    expect(page.locator("main .badge.finished")).to_be_visible()
    expect(page.locator("#polite")).to_have_text("The tournament is now: finished")
    expect(page.locator(".progress")).to_contain_text("3 of 3 matches over")
    expect(page.locator(".pairings .side-of.best")).to_have_count(3)
    expect(page.locator(".standings .bar").first).to_be_visible()
    expect(page.locator(".crosstable td strong")).to_have_count(6)
    expect(page.get_by_text("secret until all is over")).to_have_count(0)
    visit.shot("light-tournament-finished")


def download_what_can_be_verified(visit: Visit, place: Path) -> None:
    """The file is named as in the command that is shown, which accepts it."""
    command = visit.page.locator("code", has_text="cantiere tournament verify").inner_text()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("link", name="Download record").click()
    assert command.split()[-1] == download.value.suggested_filename
    download.value.save_as(place)
    export = read_export(place.read_bytes())
    verify(export)
    assert export.record.seed is not None
    assert len(export.record.entries) > 3


def go_to_a_match_and_back(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("link", name="Replay Match 1").press("Enter")
    expect(page.locator(".replay .where")).to_be_visible()
    page.get_by_role("link", name="Tournament", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    expect(page).to_have_title(re.compile("^<b>Cup"))
    visit.open("/tournament/aaaa")
    expect(page.get_by_role("heading", name="No such tournament")).to_be_visible()


def find_it_in_the_list(visit: Visit, cup: Cup) -> None:
    """Tournaments are found by how they stand, in every language."""
    page = visit.open("/tournaments")
    card = page.locator(f'a.card[href="/tournament/{cup.id}"]')
    page.get_by_role("button", name="paused").click()
    expect(page.locator(".empty")).to_be_visible()
    page.get_by_role("button", name="finished").click()
    expect(card).to_contain_text("3 entrants")
    assert visit.overflow() <= 0
    visit.shot("dark-tournaments")
    card.click()
    page.get_by_label("Language").select_option("pt")
    expect(page.get_by_role("heading", name="Classificação")).to_be_visible()
    page.locator("summary", has_text="Faltas e tempos").click()
    expect(page.locator("details table")).to_be_visible()
    check(visit, "dark-tournament-finished")
