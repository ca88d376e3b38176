"""The page over HTTP: names, codings, what is switched off; guides and messages without a gap."""

import inspect
import re
from pathlib import Path
from typing import Any

import brotli
import httpx
import pytest
from httpx import ASGITransport

from engine.registry import GAMES
from schema.games import move_kinds
from service.app import create_app
from service.languages import CODES, TRANSLATED
from service.settings import Settings
from service.shell import Shell
from service.web.guides import BadGuide, guides_of, read_guide
from service.web.site import EXPLORER, Site, read_site
from tests.service.checked import BASE

pytestmark = pytest.mark.anyio
MATCH, TOURNAMENT = "/match/abc234", "/tournament/abc234"
PAGES = ("/", "/new", MATCH, f"{MATCH}/3", "/rules", "/rules/any", "/tournaments", TOURNAMENT)
STATIC = Path(inspect.getfile(Site)).with_name("static")
RULE = re.compile(r"\b[A-Z]{2}-\d+\.\d+")
SITE = read_site(tuple(GAMES.values()))


def client_of(**settings: Any) -> httpx.AsyncClient:
    """A client of an application that needs no store for what is asked here."""
    app = create_app(Settings(redis_url="unix:///nowhere/at/all", secret="of the tests " * 3, **settings))
    return httpx.AsyncClient(transport=ASGITransport(Shell(app)), base_url=BASE)  # type: ignore[arg-type]


async def test_every_address_of_the_page_is_the_same_document() -> None:
    async with client_of() as client:
        answers = [await client.get(path) for path in PAGES]
        assert {answer.status_code for answer in answers} == {200}
        (tag,) = {answer.headers["etag"] for answer in answers}
        known = await client.get("/", headers={"If-None-Match": tag})
        assert (known.status_code, known.content) == (304, b"")
        assert (await client.head("/")).headers["content-length"] == answers[0].headers["content-length"]


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/mach/abc234", "/favicon", "/match/abc234/last", "/assets/0000/main.js"])
async def test_a_browser_is_shown_the_page_where_there_is_nothing(path: str) -> None:
    async with client_of() as client:
        page = await client.get(path, headers={"Accept": BROWSER})
        usual = await client.get("/")
        assert (page.status_code, page.content) == (404, usual.content)
        for name in ("content-type", "content-security-policy", "cache-control", "x-content-type-options"):
            assert page.headers[name] == usual.headers[name]
        assert page.headers["vary"] == "accept, accept-encoding"
        assert (await client.head(path, headers={"Accept": BROWSER})).status_code == 404


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "application/json, text/html;q=0.9"])
async def test_a_program_is_told_in_json_that_there_is_nothing(accept: str) -> None:
    async with client_of() as client:
        answer = await client.get("/mach/abc234", headers={"Accept": accept})
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        below = await client.get("/api/v1/mach", headers={"Accept": BROWSER})
        assert (below.status_code, below.json()["code"]) == (404, "not_found")
    async with client_of(web="off") as client:
        answer = await client.get("/mach/abc234", headers={"Accept": BROWSER})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
async def test_a_file_is_served_in_the_coding_that_is_liked(coding: str) -> None:
    name = "js/main.js"
    async with client_of() as client:
        answer = await client.get(f"{SITE.base}/{name}", headers={"Accept-Encoding": coding})
        assert answer.content == (STATIC / name).read_bytes()
        assert answer.headers.get("content-encoding", "identity") == coding
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "accept-encoding"
        assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("code", CODES)
async def test_a_guide_is_served_in_each_language(code: str) -> None:
    async with client_of() as client:
        for slug in GAMES:
            answer = await client.get(f"{SITE.base}/rules/{code}/{slug}.json")
            assert answer.headers["content-language"] == answer.json()["language"] == code
        assert "content-language" not in (await client.get(f"{SITE.base}/js/main.js")).headers


async def test_what_is_switched_off_is_not_there() -> None:
    async with client_of(web="off", explorer="off") as client:
        for path in (*PAGES, EXPLORER, f"{SITE.base}/js/main.js"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
        assert (await client.get("/api/v1/health/live")).status_code == 200


async def test_the_explorer_loads_only_files_of_its_own() -> None:
    async with client_of() as client:
        document = await client.get(EXPLORER)
        assert "script-src 'self';" in document.headers["content-security-policy"]
        addresses = re.findall(r'(?:src|href)="([^"]+)"', document.text)
        assert len(addresses) == 4
        for address in addresses:
            assert address.startswith(EXPLORER)
            answer = await client.get(address, headers={"Accept-Encoding": "br"})
            assert answer.status_code == 200
            assert answer.headers["content-encoding"] == "br"


async def test_a_file_is_coded_once() -> None:
    file = SITE.files["css/page.css"]
    first = await file.coded("br")
    assert brotli.decompress(first) == file.body
    assert await file.coded("br") is first


@pytest.mark.parametrize("slug", GAMES)
def test_a_guide_tells_every_rule_and_explains_every_kind_of_move(slug: str) -> None:
    game = GAMES[slug]
    (guide,) = guides_of([game])
    told = [paragraph for section in guide.sections for paragraph in section.paragraphs]
    folder = Path(inspect.getfile(type(game))).parent
    rules = set(RULE.findall((folder / "RULES.md").read_text()))
    ids = [rule for paragraph in told for rule in paragraph.rules]
    assert set(ids) == rules
    assert len(ids) == len(set(ids))
    kinds = [kind for paragraph in told for kind in paragraph.moves]
    assert set(move_kinds(slug)) <= set(kinds)
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize(
    "text", ["# A\n\nwords", "# A\n\n[TB-1.1] before any section", "# A\n\n## B\n\n[] words"]
)
def test_a_guide_that_cannot_be_read_names_the_block(text: str) -> None:
    with pytest.raises(BadGuide, match="block"):
        read_guide(next(iter(GAMES.values())), text)


ENTRY = re.compile(r"^  '([\w.-]+)': (.*),$", re.MULTILINE)
CATALOGUES = {path.stem: dict(ENTRY.findall(path.read_text())) for path in (STATIC / "js/text").glob("*.js")}


def test_no_message_of_the_page_is_missing_or_unused() -> None:
    modules = [path.read_text() for path in (STATIC / "js").rglob("*.js") if path.parent.name != "text"]
    source = "\n".join(modules)
    known = set(CATALOGUES["en"])
    calls = re.findall(r"\bt\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", source)
    keys = {key for call in calls for key in re.findall(r"'([a-z]+(?:\.[\w-]+)+)'", call)}
    keys |= set(re.findall(r"button\('([\w.-]+)'", source))
    begins = set(re.findall(r"\bt\(`([\w.-]+\.)\$\{", source))
    begins |= {f"{begin}." for begin in re.findall(r"named\('([\w-]+)'", source)}
    assert keys <= known
    unused = {key for key in known - keys if not key.startswith(tuple(begins))}
    assert unused == set()


@pytest.mark.parametrize("language", sorted(CATALOGUES.keys() - {"en"}))
def test_a_language_of_the_page_has_the_messages_of_english(language: str) -> None:
    english, other = CATALOGUES["en"], CATALOGUES[language]
    assert list(other) == list(english)
    shapes = {key: (shape_of(english[key]), shape_of(other[key])) for key in english}
    assert {key: pair for key, pair in shapes.items() if pair[0] != pair[1]} == {}
    same = [key for key, text in english.items() if other[key] == text]
    assert len(same) < len(english) / 10


def shape_of(message: str) -> tuple[set[str], list[str]]:
    """The values that a message takes, and the plurals it has forms for."""
    return set(re.findall(r"\{(\w+)\}", message)), re.findall(r"(\w+): '", message)


def test_every_language_of_the_page_is_offered() -> None:
    source = (STATIC / "js/text.js").read_text()
    (offered,) = re.findall(r"LANGUAGES = \{(.+)\};", source)
    assert set(re.findall(r"(\w+): '", offered)) == set(CATALOGUES)
    assert set(CATALOGUES) == {"en", *TRANSLATED}


def test_modules_of_the_page_are_short() -> None:
    sizes = {path.name: len(path.read_text().splitlines()) for path in (STATIC / "js").rglob("*.js")}
    assert {name: size for name, size in sizes.items() if size > 400} == {}
