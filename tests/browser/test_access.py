"""Everybody can use the page: on phones, by keyboard alone, with a screen reader, in the dark."""

import re
from collections.abc import Iterator
from statistics import median

import pytest
from playwright.sync_api import Browser, expect

from engine.registry import GAMES
from engine.speech import NAMES
from service.client import Client
from service.languages import CODES
from tests.browser.looking import DESKTOP, PHONE, Visit, check, create, visiting

SLUG = next(iter(GAMES))
LEAST_PIXELS = 8
GAP = """() => document.querySelector('.turn').getBoundingClientRect().top
    - document.querySelector('#panel').getBoundingClientRect().bottom"""
EDGES = "(links) => links.map((link) => getComputedStyle(link).borderBottomColor)"
LINES = """(heads) => heads.map((head) => {
    const texts = [...head.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const range = document.createRange();
    range.selectNodeContents(texts.findLast((text) => text.data.trim()));
    return range.getClientRects().length;
})"""
"""In how many lines each name is written."""


@pytest.fixture(
    params=[
        pytest.param((PHONE, "light"), id="phone"),
        pytest.param((DESKTOP, "light"), id="light", marks=pytest.mark.soak),
        pytest.param((DESKTOP, "dark"), id="dark", marks=pytest.mark.soak),
    ]
)
def guest(request: pytest.FixtureRequest, chromium: Browser, url: str) -> Iterator[Visit]:
    """A visitor with one kind of screen."""
    size, scheme = request.param
    with visiting(chromium, url, size, color_scheme=scheme, has_touch=size == PHONE) as made:
        yield made


def test_every_page_fits_and_has_no_serious_findings(
    guest: Visit, client: Client, request: pytest.FixtureRequest
) -> None:
    kind = request.node.callspec.id
    page = guest.open("/")
    expect(page.get_by_role("link", name="Matches", exact=True)).to_be_visible()
    page.get_by_role("button", name="open").click()
    waiting = client.create(SLUG, 2).match.id
    expect(page.locator(f'a[href="/match/{waiting}"]')).to_be_visible()
    check(guest, f"{kind}-lobby")
    guest.open("/new")
    expect(page.get_by_role("button", name="Create match")).to_be_visible()
    check(guest, f"{kind}-create")
    guest.open("/rules")
    expect(page.locator(".card")).to_have_count(len(GAMES))
    check(guest, f"{kind}-rules")
    for slug, game in GAMES.items():
        guest.open(f"/rules/{slug}")
        expect(page.get_by_role("heading", level=1)).to_have_text(game.title)
        check(guest, f"{kind}-rules-{slug}")
        create(guest, game.title, small=False)
        expect(page.locator(".board.open .place").first).to_be_visible()
        check(guest, f"{kind}-match-{slug}")
    page.get_by_role("tab", name="Scores").click()
    check(guest, f"{kind}-scores")
    page.get_by_role("tab", name="Match").click()
    check(guest, f"{kind}-about")
    guest.open(f"/match/{waiting}")
    expect(page.locator("#waiting")).to_be_visible()
    check(guest, f"{kind}-waiting")
    guest.open("/match/aaaa")
    expect(page.get_by_role("heading", name="No such match")).to_be_visible()
    check(guest, f"{kind}-missing")


def test_a_turn_is_tapped_on_a_phone(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, PHONE, has_touch=True, is_mobile=True) as visit:
        create(visit, GAMES[SLUG].title, small=False)
        page = visit.page
        page.locator(".board.open .place").last.tap(position={"x": 6, "y": 6})
        if page.locator("dialog").count():
            visit.shot("phone-chooser")
            page.locator("dialog .choice").first.tap()
        expect(page.locator(".composed > li")).to_have_count(1)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate(GAP) >= 0
        page.locator("#send").tap()
        expect(page.locator(".log > li").first).to_contain_text("Ada")


def test_why_a_tapped_place_is_refused_is_in_sight_on_a_phone(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, PHONE, has_touch=True, is_mobile=True) as visit:
        create(visit, GAMES[SLUG].title, small=False)
        page = visit.page
        page.locator(".board.open .refused").first.tap(position={"x": 6, "y": 6})
        expect(page.locator(".refusal")).to_be_in_viewport(ratio=1)
        visit.shot("phone-refused")
        page.locator(".refusal .dismiss").tap()
        expect(page.locator(".refusal")).to_have_count(0)


def test_what_is_tried_is_taken_back_beside_the_board_on_a_phone(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, PHONE, has_touch=True, is_mobile=True) as visit:
        create(visit, GAMES[SLUG].title, small=False)
        page = visit.page
        page.get_by_role("button", name="Try moves").tap()
        page.locator(".moves .choice").first.tap()
        expect(page.locator(".composed > li:not(.quiet)")).to_have_count(1)
        page.evaluate("scrollTo(0, 0)")
        for name in ("Undo", "Stop trying"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        check(visit, "phone-what-if")
        page.get_by_role("button", name="Undo").tap()
        expect(page.locator(".composed")).to_have_count(0)
        page.locator(".board.open .refused").first.tap(position={"x": 6, "y": 6})
        page.locator(".refusal .dismiss").tap()
        page.get_by_role("button", name="Stop trying").tap()
        expect(page.get_by_role("button", name="Try moves")).to_be_visible()


@pytest.mark.parametrize("code", CODES)
def test_all_of_the_navigation_is_in_one_line_on_a_phone(chromium: Browser, url: str, code: str) -> None:
    with visiting(chromium, url, PHONE) as visit:
        visit.page.add_init_script(f"localStorage.setItem('cantiere.language', '{code}')")
        page = visit.open("/")
        links = page.get_by_role("banner").get_by_role("navigation").get_by_role("link")
        expect(links).to_have_count(5)
        for link in links.all():
            expect(link).to_be_in_viewport(ratio=1)
        assert len({box["y"] for link in links.all() if (box := link.bounding_box())}) == 1


def test_every_guide_is_found_from_the_navigation(visit: Visit) -> None:
    page = visit.open("/")
    for game in GAMES.values():
        page.get_by_role("navigation", name="Page").get_by_role("link", name="Rules").click()
        expect(page).to_have_title(re.compile("^Rules"))
        page.get_by_role("main").get_by_role("link", name=game.title).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(game.title)


@pytest.mark.parametrize("slug", GAMES)
def test_the_fullest_table_can_be_drawn_larger_on_a_phone(
    chromium: Browser, url: str, client: Client, slug: str
) -> None:
    match = full(client, slug)
    with visiting(chromium, url, PHONE, has_touch=True, is_mobile=True) as visit:
        page = visit.open(f"/match/{match}")
        drawing = page.locator(".board svg")
        expect(drawing).to_be_visible()
        assert drawing.evaluate("(drawing) => drawing.clientWidth") == PHONE[0]
        small = median(sizes(visit))
        page.get_by_role("button", name="Larger board").tap()
        page.reload()
        expect(page.locator(".board.large svg")).to_be_visible()
        check(visit, f"phone-larger-{slug}")
        assert median(sizes(visit)) > 1.5 * small
        page.get_by_role("button", name="Larger board").tap()
        expect(page.locator(".board.large")).to_have_count(0)


@pytest.mark.parametrize("slug", GAMES)
def test_the_fullest_table_can_be_read_on_a_desktop(visit: Visit, client: Client, slug: str) -> None:
    page = visit.open(f"/match/{full(client, slug)}")
    expect(page.locator(".board svg")).to_be_visible()
    visit.shot(f"full-{slug}")
    assert median(sizes(visit)) > LEAST_PIXELS
    expect(page.locator(".replay")).to_be_in_viewport(ratio=1)


def test_names_stay_whole_in_the_score_sheet(visit: Visit, client: Client) -> None:
    names = ("Ada Lovelace", "Charlotte", "Bartholomew")
    match = client.create(SLUG, len(names)).match.id
    for name in names:
        client.join(match, name)
    page = visit.open(f"/match/{match}")
    page.get_by_role("tab", name="Scores").click()
    heads = page.locator(".scores thead th")
    expect(heads).to_have_count(len(names))
    lines: list[int] = heads.evaluate_all(LINES)
    assert [count <= len(name.split()) for name, count in zip(names, lines, strict=True)] == [True] * 3


def test_on_paper_the_page_is_dark_on_light_and_whole(chromium: Browser, url: str, client: Client) -> None:
    with visiting(chromium, url) as visit:
        visit.page.add_init_script("localStorage.setItem('cantiere.theme', 'dark')")
        page = visit.open(f"/match/{full(client, SLUG)}")
        expect(page.locator(".board svg")).to_be_visible()
        expect(page.locator("html")).to_have_css("color-scheme", "dark")
        page.emulate_media(media="print")
        expect(page.locator("html")).to_have_css("color-scheme", "light")
        visit.shot("printed")
        assert page.locator(".board").evaluate("(board) => board.scrollHeight - board.clientHeight") <= 0
        for part in (".frame", ".replay", ".tabs"):
            expect(page.locator(part)).to_be_hidden()


def test_where_one_is_shows_in_the_colours_of_the_reader_too(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, forced_colors="active") as visit:
        links = visit.open("/").locator(".frame nav a")
        expect(links.first).to_have_attribute("aria-current", "page")
        edges: list[str] = links.evaluate_all(EDGES)
        assert edges[0] not in edges[1:]
        pressed = visit.page.locator("[aria-pressed=true]")
        expect(pressed).to_have_css("outline-style", "solid")
        visit.shot("forced-lobby")


def test_who_has_no_javascript_is_told_so(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, PHONE, java_script_enabled=False) as visit:
        for path in ("/", "/api/explorer"):
            expect(visit.open(path).locator("noscript p").first).to_be_visible()


def full(client: Client, slug: str) -> str:
    """A match of as many as can play; the id."""
    seats = max(GAMES[slug].seats)
    match = client.create(slug, seats).match.id
    for seat in range(seats):
        client.join(match, f"Player {seat}")
    return match


def sizes(visit: Visit) -> list[float]:
    """How large the texts of the board are, in pixels."""
    found: list[float] = visit.page.locator(".board text").evaluate_all(
        "(texts) => texts.map((text) => text.getAttribute('font-size') * text.getScreenCTM().a)"
    )
    return found


def test_a_match_is_made_and_played_by_keyboard_alone(visit: Visit) -> None:
    page = visit.open("/")
    expect(page.locator("h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    reach(visit, "a.button.primary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Create match")).to_be_visible()
    reach(visit, "form.create > button")
    page.keyboard.press("Enter")
    expect(page.locator(".board.open")).to_be_visible()
    reach(visit, ".board [role=button]")
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != first
    reach(visit, ".choice")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".composed > li")).to_have_count(1)
    expect(page.locator("#turn")).to_be_focused()
    reach(visit, "#send")
    page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_be_focused()
    expect(page.locator(".log .step").first).to_be_visible()
    expect(page.locator("#polite")).not_to_be_empty()


def test_the_tab_key_leads_to_the_place_of_the_board_where_one_was(visit: Visit) -> None:
    create(visit, list(GAMES.values())[-1].title, small=False)
    page = visit.page
    places = page.locator(".board.open .place")
    expect(places.first).to_be_visible()
    reach(visit, ".board [role=button]")
    expect(places.first).to_be_focused()
    places.last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(places.last).to_be_visible()
    reach(visit, ".board [role=button]")
    expect(places.last).to_be_focused()


def test_the_language_that_is_chosen_is_spoken_and_remembered(visit: Visit) -> None:
    page = visit.open("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_label("Language").select_option("pt")
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    expect(page.get_by_role("heading", level=1)).to_have_text("Partidas")
    visit.responses.clear()
    visit.open("/new")
    expect(page.get_by_role("button", name="Criar partida")).to_be_visible()
    asked = visit.asked("/api/v1/games/")
    assert {response.request.headers["accept-language"] for response in asked} == {"pt"}
    kinds = asked[0].json()["options"]["$defs"].values()
    names = next(option[NAMES] for kind in kinds for option in kind["properties"].values() if NAMES in option)
    expect(page.locator("select[data-type=enum]").first.locator("option")).to_have_text(list(names.values()))
    visit.open(f"/rules/{SLUG}")
    expect(page.get_by_role("article")).to_have_attribute("lang", "pt")
    expect(page.get_by_role("heading", level=2).first).to_have_text("De que se trata")
    for path in ("/match/aaaa", "/tournament/aaaa"):
        visit.open(path)
        expect(page.get_by_role("main")).to_contain_text("o que aqui havia já não existe")
        expect(page.get_by_role("main")).not_to_contain_text("There is no")


def test_the_explorer_is_dark_where_the_page_is(chromium: Browser, url: str) -> None:
    with visiting(chromium, url, color_scheme="dark") as visit:
        page = visit.open("/api/explorer")
        ground = page.locator("html")
        expect(page.locator(".info .title")).to_contain_text("Cantiere")
        visit.shot("dark-explorer")
        expect(ground).to_have_css("color-scheme", "dark")
        page.emulate_media(color_scheme="light")
        expect(ground).to_have_css("color-scheme", "normal")
        visit.open("/")
        while ground.get_attribute("data-theme") != "dark":
            page.locator(".theme").click()
        visit.open("/api/explorer")
        expect(ground).to_have_css("color-scheme", "dark")


def reach(visit: Visit, selector: str) -> None:
    """Press the tab key until the element has the focus; no page has more stops than this."""
    for _ in range(80):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not lead to {selector}")
