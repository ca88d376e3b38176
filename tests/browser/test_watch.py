"""People watch and replay: what is asked for, how much of it, and what the page may do."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame
from engine.opening import read_options
from engine.registry import GAMES
from service.client import Client
from tests.browser.looking import ONE_NOW, SHOTS, Visit

FIRST_LOAD = 200_000
"""Bytes that the first view may take on the wire, headers of answers included."""
STEPS = 12


def finished(client: Client, slug: str) -> str:
    """A match in which so many moves have been made and everybody but one has left; its id."""
    made = client.create(slug, 2)
    tokens = [client.join(made.match.id, name).token for name in ("Ada", "Bob")]
    while (now := client.match(made.match.id)).version < STEPS:
        assert isinstance(now.to_move, int)
        moves = client.legal_moves(now.id).moves
        client.play(now.id, now.version, (moves[-1].notation,), tokens[now.to_move])
    client.resign(made.match.id, tokens[0])
    return made.match.id


def told(name: str, figure: object) -> None:
    """A figure of this run, printed and kept beside the pictures."""
    print(f"{name}: {figure}")  # noqa: T201 - a figure of the run, for people
    SHOTS.mkdir(exist_ok=True)
    (SHOTS / f"{name}.txt").write_text(f"{figure}\n")


@pytest.mark.parametrize("slug", ONE_NOW)
def test_a_replay_asks_once_for_each_version(visit: Visit, client: Client, slug: str) -> None:
    match = finished(client, slug)
    page = visit.open(f"/match/{match}")
    head = client.match(match).version
    where = page.locator(".replay .where")
    expect(where).to_have_text(f"{head} of {head}")
    for key, versions in (("ArrowLeft", reversed(range(head))), ("ArrowRight", range(1, head + 1))):
        for version in versions:
            page.keyboard.press(key)
            expect(where).to_have_text(f"{version} of {head}")
    page.keyboard.press("Home")
    expect(where).to_have_text(f"0 of {head}")
    page.keyboard.press("End")
    expect(where).to_have_text(f"{head} of {head}")
    asked = len(visit.asked("/preview"))
    told(f"requests-for-{head + 1}-versions", asked)
    assert asked == head + 1
    share(visit, match)


def share(visit: Visit, match: str) -> None:
    """The address of a version shows that version; what is tried from there is not stored."""
    page = visit.open(f"/match/{match}/3")
    expect(page.locator("#turn")).to_contain_text("step 3")
    drawn = visit.board()
    page.get_by_role("button", name="Try moves").click()
    page.locator(".moves .choice").first.click()
    expect(page.locator(".composed > li").first).to_be_visible()
    visit.shot("what-if")
    page.get_by_role("button", name="Stop trying").click()
    expect(page.locator(".composed")).to_have_count(0)
    expect(page.locator(".board.open")).to_have_count(0)
    assert visit.board() == drawn
    page.get_by_role("tab", name="Match").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download transcript").click()
    assert download.value.suggested_filename.endswith(f"{match}.json")


@pytest.mark.soak
def test_what_is_tried_at_chance_shows_the_odds(visit: Visit, client: Client) -> None:
    """Of every game with chance: after a few moves an outcome is to be chosen, and each has its odds."""
    for game in GAMES.values():
        if not has_chance(game):
            continue
        page = visit.open(f"/match/{finished(client, game.slug)}/0")
        page.get_by_role("button", name="Try moves").click()
        for count in range(1, STEPS):
            if page.locator(".choices .odds").count():
                break
            page.locator(".moves .choice").last.click()
            expect(page.locator(".composed > li:not(.quiet)")).to_have_count(count)
        expect(page.locator("#turn")).to_contain_text("Chance")
        expect(page.locator(".choices .odds").first).to_contain_text("%")
        visit.shot(f"odds-{game.slug}")


def has_chance(game: AnyGame) -> bool:
    """Whether anything is rolled in a match that is played for a while."""
    state = game.setup(game.deal(read_options(game, {}), 2, Draw(b"any")))
    for _ in range(STEPS):
        if game.to_move(state) == CHANCE:
            return True
        state, _ = game.apply(state, game.legal(state)[-1])
    return False


def test_the_first_load_is_small_and_its_files_are_never_asked_for_again(visit: Visit) -> None:
    page = visit.open("/")
    expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    first = sum(weight(response) for response in visit.responses)
    told("first-load-in-bytes", first)
    assert 20_000 < first < FIRST_LOAD
    visit.responses.clear()
    visit.open("/new")
    expect(page.get_by_role("button", name="Create match")).to_be_visible()
    again = [response.url for response in visit.asked("/assets/") if weight(response) > 0]
    assert again == []


def weight(response: Any) -> int:
    sizes = response.request.sizes()
    return int(sizes["responseBodySize"] + sizes["responseHeadersSize"])


def test_the_page_may_run_nothing_but_its_own_files(visit: Visit) -> None:
    response = visit.page.goto(visit.url)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert all(other.url.startswith(visit.url) for other in visit.responses)
    asset = re.findall(r'src="(/assets/[^"]+)"', response.text())[0]
    served = visit.page.request.get(visit.url + asset)
    assert "immutable" in served.headers["cache-control"]
    stale = visit.page.request.get(visit.url + re.sub(r"/assets/\w+/", "/assets/0000/", asset))
    assert (stale.status, stale.json()["code"]) == (404, "not_found")


def test_the_list_goes_on_when_the_service_is_back(visit: Visit, client: Client) -> None:
    slug = list(GAMES)[-1]
    made = [client.create(slug, 2).match.id for _ in range(25)]
    page = visit.open("/")
    page.get_by_role("button", name="open").click()
    page.get_by_label("Game").select_option(slug)
    expect(page.locator(".card")).to_have_count(20)
    page.route("**/api/v1/matches?*", lambda route: route.abort())
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".notice")).to_contain_text("cannot be reached")
    page.unroute("**/api/v1/matches?*")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(f'.card[href="/match/{made[0]}"]')).to_be_visible()
    shown = page.locator(".card").evaluate_all("(cards) => cards.map((card) => card.getAttribute('href'))")
    assert len(set(shown)) == len(shown)
    assert {f"/match/{match}" for match in made} <= set(shown)


@pytest.mark.parametrize("path", ["/", "/new", "/rules", "/rules/{slug}", "/match/{match}"])
def test_what_could_not_be_had_at_first_is_shown_when_the_service_is_back(
    visit: Visit, client: Client, path: str
) -> None:
    slug = list(GAMES)[-1]
    match = client.create(slug, 2).match.id
    for name in ("Ada", "Bob"):
        client.join(match, name)
    page = visit.page
    for part in ("**/api/v1/**", "**/assets/*/rules/**"):
        page.route(part, lambda route: route.abort())
    visit.open(path.format(slug=slug, match=match))
    expect(page.get_by_role("main")).to_contain_text("cannot be reached")
    page.unroute_all()
    expect(page.get_by_role("main")).to_contain_text(GAMES[slug].title)
    expect(page.get_by_role("main")).not_to_contain_text("cannot be reached")


def test_the_head_of_the_page_is_there_before_its_modules(visit: Visit) -> None:
    page = visit.page
    page.route("**/js/main.js", lambda route: route.abort())
    visit.open("/")
    expect(page.get_by_role("link", name="Cantiere")).to_be_visible()
    page.unroute_all()
    visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Cantiere")).to_have_count(1)


def test_the_address_of_a_step_is_copied_and_that_is_said(visit: Visit, client: Client) -> None:
    match = finished(client, next(iter(GAMES)))
    page = visit.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.open(f"/match/{match}/3")
    page.get_by_role("tab", name="Match").click()
    for version in (3, 4):
        expect(page.locator(".replay .where")).to_contain_text(f"{version} of")
        page.get_by_role("button", name="Copy link to this step").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        expect(page.locator("#polite")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{visit.url}/match/{match}/{version}"
        page.get_by_role("button", name="One step on").click()


def test_who_comes_back_to_the_list_finds_it_as_it_was(visit: Visit, client: Client) -> None:
    slug = list(GAMES)[-1]
    made = [client.create(slug, 2).match.id for _ in range(25)]
    page = visit.open("/")
    page.get_by_role("button", name="open").click()
    page.get_by_label("Game").select_option(slug)
    page.get_by_role("button", name="Show more").click()
    card = page.locator(f'.card[href="/match/{made[0]}"]')
    card.click()
    expect(page.locator("#waiting")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(card).to_be_in_viewport()
    expect(page.get_by_label("Game")).to_have_value(slug)
    expect(page.get_by_role("button", name="open")).to_have_attribute("aria-pressed", "true")


def in_small_pages(route: Route) -> None:
    """The model of a match, but that it asks for few events at a time."""
    text = route.fetch().text().replace("const PAGE = 200;", "const PAGE = 5;")
    route.fulfill(body=text, content_type="text/javascript")


def test_earlier_steps_that_cannot_be_had_are_asked_for_again(visit: Visit, client: Client) -> None:
    match = finished(client, next(iter(GAMES)))
    page = visit.page
    page.route("**/match/model.js", in_small_pages)
    visit.open(f"/match/{match}")
    earlier = page.get_by_role("button", name="Show earlier steps")
    expect(earlier).to_be_visible()
    page.route("**/events?after=*", lambda route: route.abort())
    earlier.click()
    expect(page.locator("#turn ~ .refusal")).to_contain_text("cannot be reached")
    page.unroute("**/events?after=*")
    while earlier.count():
        known = page.locator(".log .version").count()
        earlier.click()
        expect(page.locator(".log .version").nth(known)).to_be_visible()
        expect(page.locator(".refusal")).to_have_count(0)
    steps = [int(text) for text in page.locator(".log .version").all_inner_texts()]
    assert steps == list(range(client.match(match).version, 0, -1))


def test_the_end_is_told_as_soon_as_it_can_be_had(visit: Visit, client: Client) -> None:
    created = client.create(next(iter(GAMES)), 2)
    match = created.match.id
    tokens = [client.join(match, name).token for name in ("Ada", "Bob")]
    page = visit.open(f"/match/{match}")
    expect(page.get_by_role("heading", name="Waiting for Ada")).to_be_visible()
    page.route(f"**/api/v1/matches/{match}", lambda route: route.abort())
    client.resign(match, tokens[0])
    expect(page.locator(".refusal")).to_contain_text("cannot be reached")
    page.unroute(f"**/api/v1/matches/{match}")
    expect(page.get_by_text("finished")).to_be_visible()
    expect(page.locator(".refusal")).to_have_count(0)
