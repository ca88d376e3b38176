"""People play: against bots, against each other, with hostile names, through ends of the service."""

import re
import signal
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from engine.registry import GAMES
from schema.wire import AskedClock
from service.client import Client
from tests.browser.conftest import serving
from tests.browser.looking import ONE_NOW, Visit, choose, create, play_turn, visiting
from tests.cli.running import until

HOSTILE = '<img src=x onerror="alert(1)">'
TURNS = 400
LATER = "Come again in a minute."
TOO_MANY = {"code": "too_many_requests", "detail": LATER, "retryAfter": 60}
"""Longer than the page waits by itself."""
REFUSED = """for (const kind of ['localStorage', 'sessionStorage']) {
    const get = () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); };
    Object.defineProperty(window, kind, { get, configurable: true });
}"""
"""As browsers do that may keep nothing."""


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_is_created_and_finished_by_clicking(visit: Visit, client: Client, slug: str) -> None:
    match = create(visit, GAMES[slug].title)
    page = visit.page
    over = page.locator(".badge.finished")
    for _ in range(TURNS):
        expect(over.or_(page.locator(".board.open")).first).to_be_visible()
        if over.count():
            break
        play_turn(visit)
        expect(page.locator(".turn .row button", has_text="Undo")).to_have_count(0)
    expect(page.locator("#turn")).to_have_text(re.compile("won|share"))
    assert client.match(match).status == "finished"
    page.get_by_role("tab", name="Scores").click()
    expect(page.get_by_role("rowheader", name="Total")).to_be_visible()
    visit.shot(f"finished-{slug}")
    expect(page).to_have_title(re.compile(f"^{GAMES[slug].title}"))


@pytest.mark.parametrize("slug", ONE_NOW)
def test_a_turn_is_composed_undone_and_refused_with_the_rule(visit: Visit, slug: str) -> None:
    create(visit, GAMES[slug].title, small=False)
    page = visit.page
    expect(page.locator(".board.open")).to_be_visible()
    expect(page).to_have_title(re.compile("Your turn"))
    before = visit.board()
    choose(visit)
    expect(page.locator(".composed > li")).to_have_count(1)
    visit.shot(f"composed-{slug}")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".composed > li")).to_have_count(0)
    expect(page.locator(".board.open")).to_be_visible()
    assert visit.board() == before
    page.locator(".board .refused").last.click(position={"x": 6, "y": 6})
    refusal = page.locator(".refusal")
    expect(refusal).to_contain_text("not possible")
    visit.shot(f"refused-{slug}")
    rule = refusal.locator("a.rule").first
    address = rule.get_attribute("href")
    assert address == f"/rules/{slug}#{rule.inner_text()}"
    page.goto(visit.url + address)
    expect(page.locator(".paragraph.wanted")).to_contain_text(address.partition("#")[2])


def test_two_browsers_play_one_match_with_hostile_names(chromium: Browser, url: str) -> None:
    title = next(iter(GAMES.values())).title
    with ExitStack() as stack:
        ada, bob = (stack.enter_context(visiting(chromium, url)) for _ in range(2))
        match = create(ada, title, name=HOSTILE, other="open")
        expect(ada.page.locator("#waiting")).to_be_visible()
        ada.shot("waiting")
        link = ada.page.get_by_label("Link to this match").input_value()
        bob.page.goto(link)
        bob.page.get_by_label("Your name").fill(HOSTILE[:-1])
        bob.page.get_by_role("button", name="Take the seat").click()
        for one in (ada, bob):
            expect(one.page.locator(".seats .name")).to_contain_text([HOSTILE, HOSTILE[:-1]])
            assert one.page.locator("img").count() == 0
        play_turn(ada)
        expect(bob.page.locator(".log > li").first).to_contain_text(HOSTILE)
        for one in (ada, bob):
            check_tokens_are_kept_close(one, match)


def test_one_sits_at_one_seat_only(visit: Visit) -> None:
    page = visit.open("/new")
    seats = [page.get_by_label(f"Seat {seat}") for seat in range(2)]
    seats[0].select_option("me")
    seats[1].select_option("me")
    expect(seats[0]).to_have_value("open")
    seats[0].select_option("me")
    expect(seats[1]).to_have_value("open")
    expect(seats[0]).to_have_value("me")


def test_who_lets_the_browser_keep_nothing_can_play(visit: Visit) -> None:
    visit.page.add_init_script(REFUSED)
    create(visit, list(GAMES.values())[-1].title, small=False)
    page = visit.page
    play_turn(visit)
    expect(page.locator(".log > li").last).to_contain_text("Ada")
    page.get_by_role("link", name="Matches", exact=True).click()
    expect(page.get_by_role("heading", name="Your matches")).to_be_visible()
    visit.open("/api/explorer")
    expect(page.locator(".info .title")).to_be_visible()


def test_a_match_that_cannot_be_filled_is_called_off(visit: Visit, client: Client) -> None:
    page = visit.open("/new")
    page.route("**/bots", lambda route: route.fulfill(status=503, json=TOO_MANY))
    with page.expect_response("**/api/v1/matches") as made:
        page.get_by_role("button", name="Create match").click()
    expect(page.locator(".notice")).to_contain_text(LATER)
    match = made.value.json()["match"]["id"]
    until(lambda: client.match(match).status == "cancelled")
    assert page.url == f"{visit.url}/new"


def test_who_is_put_out_may_take_a_seat_again(visit: Visit, client: Client) -> None:
    made = client.create(next(iter(GAMES)), 3)
    page = visit.open(f"/match/{made.match.id}")
    kick = f"{visit.url}/api/v1/matches/{made.match.id}/kick"
    for _ in range(2):
        page.get_by_role("button", name="Take the seat").click()
        expect(page.locator(".places .you")).to_have_count(1)
        expect(page.locator(".join")).to_have_count(0)
        answer = httpx.post(kick, json={"seat": 0}, headers={"Authorization": f"Bearer {made.host_token}"})
        assert answer.status_code == 200
        expect(page.locator(".places .you")).to_have_count(0)
    client.join(made.match.id)
    expect(page.locator(".places .quiet")).to_have_count(2)
    expect(page.locator(".places .you")).to_have_count(0)


def test_who_took_a_seat_may_give_it_back(visit: Visit, client: Client) -> None:
    made = client.create(next(iter(GAMES)), 3)
    page = visit.open(f"/match/{made.match.id}")
    for _ in range(2):
        page.get_by_role("button", name="Take the seat").click()
        expect(page.locator(".places .you")).to_have_count(1)
        page.get_by_role("button", name="Give the seat back").click()
        expect(page.locator(".places .you")).to_have_count(0)
        assert not any(seat.taken for seat in client.match(made.match.id).seats)


def check_tokens_are_kept_close(visit: Visit, match: str) -> None:
    """No token is in an address, or outlives the tab unless that is wanted."""
    kept = visit.stored("sessionStorage")
    (token,) = re.findall(r'"token":"([^"]+)"', kept[f"cantiere.seat.{match}"])
    assert all(token not in response.url for response in visit.responses)
    assert token not in visit.page.url
    assert token not in str(visit.stored("localStorage"))
    visit.page.get_by_role("tab", name="Match").click()
    visit.page.get_by_label("Keep my seat").check()
    assert token in str(visit.stored("localStorage"))
    visit.page.get_by_label("Keep my seat").uncheck()
    assert token not in str(visit.stored("localStorage"))


def test_the_page_goes_on_after_the_service_was_killed(chromium: Browser, tmp_path: Path) -> None:
    slug = list(GAMES)[-1]
    with ExitStack() as stack:
        server, url = stack.enter_context(serving(tmp_path / "out", tmp_path / "data"))
        visit = stack.enter_context(visiting(chromium, url))
        with Client(url) as client:
            made = client.create(slug, 2)
            tokens = [client.join(made.match.id, name).token for name in ("Ada", "Bob")]
            visit.open(f"/match/{made.match.id}")
            expect(visit.page.locator(".replay .where")).to_have_text("0 of 0")
            play_one(client, made.match.id, tokens)
            expect(visit.page.locator(".replay .where")).to_have_text("1 of 1")
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            expect(visit.page.locator(".badge.lost")).to_be_visible()
        port = int(url.rpartition(":")[2])
        stack.enter_context(serving(tmp_path / "again", tmp_path / "data", port))
        with Client(url) as client:
            play_one(client, made.match.id, tokens)
            play_one(client, made.match.id, tokens)
        expect(visit.page.locator(".replay .where")).to_have_text("3 of 3")
        expect(visit.page.locator(".badge.lost")).to_have_count(0)
        expect(visit.page.locator(".log > li .version")).to_have_text(["3", "2", "1"])


def test_what_was_asked_for_while_the_service_was_away_is_drawn_afterwards(
    chromium: Browser, tmp_path: Path
) -> None:
    slug = list(GAMES)[-1]
    with ExitStack() as stack:
        server, url = stack.enter_context(serving(tmp_path / "out", tmp_path / "data"))
        visit = stack.enter_context(visiting(chromium, url))
        page = visit.page
        with Client(url) as client:
            match = client.create(slug, 2).match.id
            tokens = [client.join(match, name).token for name in ("Ada", "Bob")]
            play_one(client, match, tokens)
        visit.open(f"/match/{match}/0")
        expect(page.locator("#turn")).to_contain_text("after step 0")
        first = visit.board()
        visit.open(f"/match/{match}")
        expect(page.locator(".replay .where")).to_have_text("1 of 1")
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        expect(page.locator(".badge.lost")).to_be_visible()
        page.get_by_role("button", name="To the start").click()
        expect(page.locator(".replay .where")).to_have_text("0 of 1")
        assert visit.board() != first
        stack.enter_context(serving(tmp_path / "again", tmp_path / "data", int(url.rpartition(":")[2])))
        expect(page.locator(".badge.lost")).to_have_count(0)
        until(lambda: visit.board() == first)
        expect(page.locator(".refusal")).to_have_count(0)


def test_a_match_with_a_clock_is_followed_while_it_ticks(visit: Visit, client: Client) -> None:
    match = client.create(list(GAMES)[-1], 2, clock=AskedClock(base=600_000)).match.id
    tokens = [client.join(match, name).token for name in ("Ada", "Bob")]
    page = visit.open(f"/match/{match}")
    page.get_by_role("tab", name="Match").click()
    expect(page.locator(".about dd", has_text="10:00, and 0 s a turn")).to_be_visible()
    page.get_by_role("tab", name="Log").click()
    clock = page.locator(".clock.running")
    for number in range(1, 5):
        before = clock.inner_text()
        expect(clock).not_to_have_text(before)
        play_one(client, match, tokens)
        expect(page.locator(".log > li")).to_have_count(number)
        expect(clock).to_have_attribute("data-seat", str(client.match(match).to_move))


def test_what_is_composed_stays_when_one_goes_to_the_content(visit: Visit) -> None:
    match = create(visit, list(GAMES.values())[-1].title, small=False)
    page = visit.page
    choose(visit)
    expect(page.locator(".composed > li")).to_have_count(1)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator(".composed > li")).to_have_count(1)
    page.go_back()
    expect(page).to_have_url(f"{visit.url}/match/{match}")
    expect(page.locator(".composed > li")).to_have_count(1)


def test_a_turn_that_could_not_be_sent_stays_composed(visit: Visit) -> None:
    slug = list(GAMES)[-1]
    create(visit, GAMES[slug].title, small=False)
    page = visit.page
    choose(visit)
    expect(page.locator(".composed > li")).to_have_count(1)
    page.route("**/moves", lambda route: route.fulfill(status=429, json=TOO_MANY))
    page.locator("#send").click()
    expect(page.locator(".refusal")).to_contain_text(LATER)
    expect(page.locator(".composed > li")).to_have_count(1)
    page.unroute("**/moves")
    page.locator("#send").click()
    expect(page.locator(".log > li").last).to_contain_text("Ada")
    expect(page.locator(".refusal")).to_have_count(0)


def play_one(client: Client, match: str, tokens: list[str]) -> None:
    """The first legal move, by whoever is to move."""
    now = client.match(match)
    move = client.legal_moves(match).moves[0].notation
    assert isinstance(now.to_move, int)
    client.play(match, now.version, (move,), tokens[now.to_move])
